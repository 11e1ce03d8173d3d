"""The topic generate_loop: a model, a prompt, a number -> prompt and continuation; then a cache, an end."""

import inspect
import re
from types import SimpleNamespace

import numpy as np
import torch

from .attention.calls import class_of, is_class, methods_of
from .parameters import call, parameters
from .simple import ways
from .values import dress, parts_of, undress
from .ways import Problem, Reading, Wrong

VOCAB = 11
HINTS = {
    "model": r".*model.*|net.*|lm|f|fn|gpt|decoder|.*transformer|m|forward.*|.*logits.*|llm|nn",
    "tokens": r".*tok.*|.*prompt.*|idx|.*ids?|x|inp.*|.*context|seq.*|start.*|prefix|inputs?|s",
    "n": r"n|n_.*|.*max.*|num.*|.*steps?|.*len.*|.*new.*|k|count|t",
    "temperature": r"temp.*|tau",
    "block": r".*block.*|.*ctx.*|.*context_(size|length|len)|.*window.*|max_seq.*|.*context_?size",
    "choose": r"choose.*|sampl.*|pick.*|select.*",
    "end": r".*eos.*|.*end.*|stop.*",
    "top_k": r"top.*",
}


def draw(seed, B, T, n, end=None):
    rng = np.random.default_rng(seed)
    return {"tokens": rng.integers(0, VOCAB - 1, (B, T)), "n": n, "B": B, "T": T, "sizes": {}, "end": end}


def next_token(prefix):
    """What the fake model says after a whole prefix; the last token is never the one of the end."""
    return int((sum((i + 2) * (t + 1) * (t + 3) for i, t in enumerate(prefix)) + len(prefix)) % (VOCAB - 1))


class FakeModel(torch.nn.Module):
    """A model that knows the rest of every text. kind: what it returns. read: how many tokens it got."""

    def __init__(self, kind, end_after=None):
        torch.nn.Module.__init__(self)
        self.kind, self.end_after, self.read, self.calls = kind, end_after, 0, 0
        self.dummy = torch.nn.Parameter(torch.zeros(1))
        self.block_size = self.context_length = self.max_len = self.max_seq_len = 64
        self.config = SimpleNamespace(
            block_size=64, n_ctx=64, vocab_size=VOCAB, max_seq_len=64, context_length=64
        )

    def forward(self, tokens, *more, **named):
        rows = tokens.tolist() if isinstance(tokens, (torch.Tensor, np.ndarray)) else [list(tokens)]
        single = not isinstance(rows[0], list)
        rows = [rows] if single else rows
        old = next((one for one in (*more, *named.values()) if isinstance(one, Cache)), None)
        before = old.rows if old is not None else [[] for _ in rows]
        whole = [a + b for a, b in zip(before, rows, strict=True)]
        self.read += len(rows[0])
        self.calls += 1
        logits = torch.stack([self.rows_of(b, len(r)) for b, r in zip(whole, rows, strict=True)])
        return self.said(logits, Cache(whole), single, tokens)

    def rows_of(self, whole, number):
        logits = torch.full((number, VOCAB), -30.0)
        for row, end in enumerate(range(len(whole) - number + 1, len(whole) + 1)):
            ended = self.end_after is not None and end >= self.end_after
            logits[row, VOCAB - 1 if ended else next_token(whole[:end])] = 30.0
        return logits + torch.linspace(0, 0.1, VOCAB)

    def said(self, logits, cache, single, tokens):
        if isinstance(tokens, list) and not isinstance(tokens[0], list) or single:
            logits = logits[0]
        if self.kind.startswith("last"):
            logits = logits[..., -1, :]
        if "NumPy" in self.kind:
            logits = logits.numpy()
        if "list" in self.kind:
            logits = logits.tolist()
        if "pair" in self.kind:
            return logits, cache
        if "record" in self.kind:
            return Record(logits=logits, past_key_values=cache, cache=cache)
        return logits


class Record(SimpleNamespace):
    """What transformers returns: attributes, and places too."""

    def __getitem__(self, place):
        return (self.logits, self.cache)[place] if isinstance(place, int) else getattr(self, place)


class Cache:
    """What a model has read so far; nothing can be done with it but to hand it back."""

    def __init__(self, rows):
        self.rows = rows


def value(role, given, dialect):
    kind, prompt = dialect
    if role == "model":
        end = given["end"]
        return FakeModel(kind, None if end is None else given["T"] + end)
    if role == "tokens":
        tokens = given["tokens"]
        return {
            "(B, T)": lambda: dress(tokens, "torch"),
            "NumPy": lambda: dress(tokens, "numpy"),
            "list": lambda: tokens[0].tolist(),
            "(T,)": lambda: dress(tokens[0], "torch"),
            "NumPy (T,)": lambda: dress(tokens[0], "numpy"),
            "lists": lambda: tokens.tolist(),
        }[prompt]()
    if role == "choose":
        return lambda logits, *_, **__: logits.argmax(-1)
    return {
        "n": given["n"],
        "temperature": 1.0,
        "block": 64,
        "end": VOCAB - 1,
        "top_k": VOCAB,
        "total": given["T"] + given["n"],
    }[role]


def readings(outcome, given):
    one = outcome.notes["dialect"][1] in ("list", "(T,)", "NumPy (T,)")
    meant = {**given, "tokens": given["tokens"][:1]} if one else given
    result = outcome.value
    for place, part in parts_of(result):
        array = undress(part)
        if array is None or array.dtype == bool or array.ndim not in (1, 2, 3):
            continue
        if array.ndim == 3 and array.shape[-1] == 1:
            array = array[..., 0]
        if array.ndim == 1 and (one or given["B"] == 1):
            array = array[None]
        if array.ndim == 2 and array.shape[0] == len(meant["tokens"]) and place in ((), (0,)):
            yield Reading((place,), array, meant, one)


def text(
    extra=0,
    prompt=True,
    context="all",
    front=False,
    place=-1,
    until_end=False,
    keep_end=True,
    total=False,
    smallest=False,
):
    """A reference with a slip. extra: how many tokens too many. context: what the model is given."""

    def made(given):
        rows = []
        for row in given["tokens"].tolist():
            seen, first = list(row), len(row)
            end = None if given["end"] is None else first + given["end"]
            number = given["n"] + extra - (first if total else 0)
            twice = list(seen)
            for _ in range(max(number, 0)):
                known = {
                    "all": seen,
                    "last": seen[-1:],
                    "prompt": row,
                    "new": seen[first:] or row,
                    "first": seen[:1],
                    "not last": seen[:-1] or seen,
                    "twice": list(twice),
                    "prompt and last": row + (seen[-1:] if len(seen) > first else []),
                    "newest": seen[first - 1 :] if len(seen) == first else seen[-1:],
                    "prompt then last": row if len(seen) == first else seen[-1:],
                }[context]
                if end is not None and len(known) >= end:
                    new = VOCAB - 1
                else:
                    new = next_token(known[: len(known) + 1 + place] or known[:1])
                if smallest:
                    new = 0 if new else 1
                if new == VOCAB - 1 and until_end and not keep_end:
                    break
                seen = [new, *seen] if front else [*seen, new]
                twice += seen
                if new == VOCAB - 1 and until_end:
                    break
            rows.append(seen if prompt else seen[first:])
        return np.array(rows, dtype=float).reshape(len(rows), -1)

    return made


def of_first_row(given):
    """The first row's new tokens, for all rows."""
    rows = given["tokens"].tolist()
    for _ in range(given["n"]):
        new = next_token(rows[0])
        rows = [[*row, new] for row in rows]
    return np.array(rows, dtype=float)


WRONGS = {
    "prompt_not_returned": Wrong(
        "Only the new tokens come back: the prompt belongs before them.",
        [text(prompt=False), text(prompt=False, extra=1), text(prompt=False, context="last")],
    ),
    "one_too_many": Wrong("It makes one token too many.", [text(extra=1)]),
    "one_too_few": Wrong("It makes one token too few.", [text(extra=-1)]),
    "prompt_counted": Wrong(
        "The number counts the prompt too: it is that of the new tokens.", [text(total=True)]
    ),
    "only_the_last_token": Wrong(
        "The model gets only the newest token, without a cache: it has forgotten the rest.",
        [text(context="last"), text(context="new"), text(context="prompt then last")],
    ),
    "always_the_prompt": Wrong(
        "The model is given the prompt each time, and not what was made since.", [text(context="prompt")]
    ),
    "lags": Wrong(
        "The newest token is not read: the next one is chosen from logits one place too early.",
        [text(place=-2), text(context="not last")],
    ),
    "first_place": Wrong(
        "The next token is read from the logits of the first place: the last place speaks of what comes "
        "next.",
        [text(context="first")],
    ),
    "read_twice": Wrong(
        "With the cache only the newest token is handed over: here the model reads the whole text again "
        "behind what it has cached.",
        [text(context="twice")],
    ),
    "cache_not_updated": Wrong(
        "The cache stays that of the prompt: hand over the one that the last call gave back.",
        [text(context="prompt and last")],
    ),
    "one_row_for_all": Wrong(
        "All rows of the batch get the token of the first row: choose one for each.", [of_first_row]
    ),
    "smallest": Wrong(
        "The smallest logit is taken: the largest one is the likeliest token.", [text(smallest=True)]
    ),
    "put_in_front": Wrong(
        "New tokens are put before the others: they belong at the end.", [text(front=True)]
    ),
    "nothing_made": Wrong("What comes back is the prompt: nothing is added to it.", [text(extra=-99)]),
}
CACHE = {
    "no_cache": Wrong(
        "The whole text is read again for each token: hand the cache back, and the newest token.", []
    )
}
END = {
    "end_ignored": Wrong("It goes on after the token of the end: stop there.", [text()]),
    "end_left_out": Wrong(
        "The token of the end is left out: it belongs to the text, as its last.",
        [text(until_end=True, keep_end=False)],
    ),
}
KINDS = ("logits", "pair", "record")
DIALECTS = [
    *((kind, prompt) for prompt in ("(B, T)", "list", "(T,)", "NumPy", "NumPy (T,)") for kind in KINDS),
    *((kind, prompt) for prompt in ("(B, T)", "list") for kind in ("last", "last pair")),
    *(
        (kind, prompt)
        for prompt in ("list", "NumPy", "NumPy (T,)")
        for kind in ("logits NumPy", "logits list", "last NumPy", "last list")
    ),
    ("pair NumPy", "NumPy"),
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
]


A_MODEL = r"(?!d_|n_|dim).*model|net|lm|gpt|llm|transformer"  # and not d_model


def functions_of(obj):
    """What somebody wrote as functions of (model, tokens, ...): itself, or the methods of a class that is
    made of a model or is a model itself."""
    if not is_class(obj):
        return [obj]
    cls = class_of(obj)
    names = methods_of(cls, ("generate", "sample", "generate_text"))
    own = [name for name in names if name in vars(cls)]
    takes = [one.name for one in parameters(cls) if re.fullmatch(A_MODEL, one.name.strip("_").lower())]
    if takes:
        return [with_signature(obj, getattr(cls, name), made_of(cls, takes[0], name)) for name in own]
    if issubclass(cls, torch.nn.Module) and "forward" in vars(cls):
        inner = [name for name in own if name != "__call__"]
        return [with_signature(obj, getattr(cls, name), model_itself(cls, name)) for name in inner]
    return [obj]


def with_signature(obj, method, function):
    """The function, which takes a model and what the method takes."""
    known = list(inspect.signature(method).parameters.values())[1:]
    model = inspect.Parameter("model", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    function.__signature__ = inspect.Signature([model, *known])
    return function


def made_of(cls, name, method):
    def function(model, *args, **named):
        return getattr(call(cls, {name: model}), method)(*args, **named)

    return function


def model_itself(cls, method):
    """The class's loop, with the fake model in the place of its own forward."""

    def function(model, *args, **named):
        model.__class__ = type("Fake" + cls.__name__, (FakeModel, cls), {})
        return getattr(model, method)(*args, **named)

    return function


def reads_little(obj, way, reading):
    """The sentence for an answer that reads the whole text again for each token."""
    given = {**draw(9, 1, 4, 6), "tokens": np.array([[1, 2, 3, 4]])}
    models, before = [], FakeModel.__init__

    def noted(self, *args, **named):
        before(self, *args, **named)
        models.append(self)

    FakeModel.__init__ = noted
    try:
        way.run(given)
    finally:
        FakeModel.__init__ = before
    return ("no_cache", CACHE["no_cache"].sentence) if models[0].read > 4 + 6 else None


def problem(name, draws, wrongs, rights, forms=FORMS, dialects=DIALECTS, look=None):
    def found(obj, said):
        for function in functions_of(obj):
            yield from ways(function, said, draws[0], forms, HINTS, value, dialects, ("generate", "sample"))

    return Problem(name, draws, found, readings, rights, wrongs, look=look, roles=tuple(HINTS))


def base():
    draws = [draw(1, 2, 4, 3), draw(2, 1, 1, 5), draw(3, 3, 5, 1), draw(4, 1, 3, 0)]
    return problem("generate_loop", draws, WRONGS, {"right": text()})


def cached():
    draws = [draw(1, 2, 4, 3), draw(2, 1, 1, 5), draw(3, 3, 5, 1), draw(4, 1, 3, 0)]
    dialects = [
        (kind, prompt) for prompt in ("(B, T)", "list", "(T,)") for kind in ("pair", "record", "last pair")
    ]
    return problem(
        "generate_loop with a cache", draws, WRONGS, {"right": text()}, FORMS, dialects, reads_little
    )


def ending():
    draws = [draw(1, 1, 4, 7, end=2), draw(2, 1, 1, 5, end=4), draw(3, 1, 3, 2), draw(4, 1, 2, 6, end=0)]
    forms = [
        ("model", "tokens", "n", "end"),
        ("model", "tokens", "end", "n"),
        ("tokens", "model", "n", "end"),
        ("model", "tokens", "n", "temperature", "end"),
    ]
    return problem(
        "generate_loop with an end", draws, {**END, **WRONGS}, {"right": text(until_end=True)}, forms
    )
