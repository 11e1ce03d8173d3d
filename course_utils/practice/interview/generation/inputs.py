"""Inputs of a loop, and what each role of a call is given."""

import numpy as np

from ..values import dress
from .fake import VOCAB, FakeModel

HINTS = {
    "model": r".*model.*|step(_?fn)?|next.*|predict.*|net.*"
    r"|lm|f|fn|gpt|decoder|.*transformer|m|forward.*|.*logits.*|llm|nn",
    "tokens": r".*tok.*|.*prompt.*|idx|.*ids?|x|inp.*|.*context|seq.*|start.*|prefix|inputs?|s",
    "total": r"(max_?)?(len|length)|total.*|max_total.*",
    "n": r"n|n_.*|limit|.*budget.*|.*max.*|num.*|.*steps?|.*len.*|.*new.*|k|count|t",
    "temperature": r"temp.*|tau",
    "block": r".*block.*|.*ctx.*|.*context_(size|length|len)|.*window.*|max_seq.*|.*context_?size",
    "choose": r"choose.*|sampl.*|pick.*|select.*",
    "end": r".*eos.*|.*end.*|stop.*",
    "top_k": r"top_?k",
    "top_p": r"top_?p|nucleus",
    "pad": r".*pad.*|.*fill.*",
}


def draw(seed, B, T, n, ends=None):
    """ends: after how many new tokens each row's text ends."""
    rng = np.random.default_rng(seed)
    tokens = rng.integers(0, VOCAB - 1, (B, T))
    tokens[:, 0] = (tokens[0, 0] + np.arange(B)) % (VOCAB - 1)
    what = {0: "with no new tokens (a number of 0)", 1: "with one new token"}.get(n, "")
    return {"tokens": tokens, "n": n, "B": B, "T": T, "sizes": {}, "ends": ends, "what": what}


def lengths_at_end(given):
    """{a row's first token: how long its text is when the token of the end comes}."""
    ends = given["ends"] or []
    return {int(row[0]): given["T"] + end for row, end in zip(given["tokens"], ends, strict=False)}


def value(role, given, dialect):
    kind, prompt = dialect
    if role == "model":
        return FakeModel(kind, lengths_at_end(given), given.get("says"))
    if role == "tokens":
        tokens = given["tokens"]
        return {
            "(B, T)": lambda: dress(tokens, "torch"),
            "NumPy": lambda: dress(tokens, "numpy"),
            "list": lambda: tokens[0].tolist(),
            "(T,)": lambda: dress(tokens[0], "torch"),
            "(1, T)": lambda: dress(tokens[:1], "torch"),
            "NumPy (T,)": lambda: dress(tokens[0], "numpy"),
            "lists": lambda: tokens.tolist(),
        }[prompt]()
    if role == "choose":
        return lambda logits, *_, **__: logits.argmax(-1)
    return {
        "n": given["n"],
        "temperature": given.get("temperature", 1.0),
        "block": given.get("block", 64),
        "end": VOCAB - 1,
        "top_k": VOCAB,
        "top_p": 1.0,
        "pad": 0,
        "total": given["T"] + given["n"],
    }[role]


KINDS = ("logits", "pair", "record")
LAST = ("last", "last pair", "last record")  # logits of the last place alone, (B, V)
DIALECTS = [
    *((kind, prompt) for prompt in ("(B, T)", "list", "(T,)", "NumPy", "NumPy (T,)") for kind in KINDS),
    *((kind, prompt) for prompt in ("(B, T)", "list", "(T,)") for kind in LAST),
    *(
        (kind, prompt)
        for prompt in ("list", "NumPy", "NumPy (T,)")
        for kind in ("logits NumPy", "logits list", "last NumPy", "last list")
    ),
    ("pair NumPy", "NumPy"),
    *(("token", prompt) for prompt in ("list", "(T,)", "(B, T)")),
    *((kind, "(1, T)") for kind in (*KINDS, *LAST)),
]
FORMS = [
    ("model", "tokens", "n"),
    ("tokens", "model", "n"),
    ("model", "n", "tokens"),
    ("model", "tokens", "n", "temperature"),
    ("model", "tokens", "n", "block"),
    ("model", "tokens", "n", "choose"),
    ("model", "tokens", "n", "end"),
    ("model", "tokens", "n", "temperature", "top_k"),
    ("model", "tokens", "n", "pad"),
    ("model", "tokens", "n", "end", "pad"),
    ("model", "tokens", "end", "pad", "n"),
]
