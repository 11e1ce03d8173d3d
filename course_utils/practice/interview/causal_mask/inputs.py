"""Small inputs, and what an argument of a mask's function may be."""

import numpy as np

from ..values import dress

SHAPES = {  # in place of a number of tokens
    "(B, T) as numbers": lambda B, T, T_k: (B, T),
    "(T, T) as numbers": lambda B, T, T_k: (T, T_k),
    "(B, H, T, T) as numbers": lambda B, T, T_k: (B, 3, T, T_k),
}
HINTS = {
    "T": r".*",
    "q": r".*q.*|.*new.*|t|n|.*query.*|chunk.*|seq.*|.*len.*",
    "k": r".*k.*|.*total.*|.*key.*|s|src.*|source.*",
    "past": r".*(past|cache|prev|offset|start|old|before|pos).*",
    "scores": r".*scores?.*|.*logits.*|.*att.*|sim.*|s|x|a|w.*|dots?|qk",
    "lengths": r".*len.*|lens|.*valid.*|n_real|sizes",
    "pad": r".*pad.*|.*mask.*|m|real|.*keep.*|.*ids?|.*tok.*|seqs?|tgt|trg|src|x|inputs?",
    "B": r"b|bs|bsz|.*batch.*",
    "H": r"h|nh|.*heads?",
    "pad_id": r"pad(ding)?(_?(id|idx|token|index|value))?|.*_idx|.*pad.*id.*",
}


def draw(seed, B, T, past=0, lengths=None):
    rng = np.random.default_rng(seed)
    T_k = T + past
    sizes = {"max_len": T_k, "batch": B, "d_model": T_k, "heads": 3, "head_dim": 4}
    return {
        "B": B,
        "H": 3,
        "T": T,
        "past": past,
        "T_k": T_k,
        "sizes": sizes,
        "lengths": np.array(lengths or [T] * B),
        "scores": rng.standard_normal((B, 3, T, T_k)) + 0.1,
        "x": rng.standard_normal((B, T, 12)),
    }


def real_tokens(given):
    """(B, T), True for a token and False for padding, which is at the end or, in one input, at the start."""
    place = np.arange(given["T"])[None, :]
    if given.get("left"):
        return place >= given["T"] - given["lengths"][:, None]
    return place < given["lengths"][:, None]


def token_ids(given):
    """(B, T) whole numbers; 0 is padding."""
    ids = 1 + (np.arange(given["B"] * given["T"]) * 7 % 11).reshape(given["B"], given["T"])
    return np.where(real_tokens(given), ids, 0)


def value(role, given, dialect):
    library, what = dialect
    B, T = given["B"], given["T"]
    sizes = {"q": T, "k": given["T_k"], "past": given["past"], "H": 3, "B": B}
    if role in sizes:
        return sizes[role]
    if role == "scores":
        return dress(given["scores"] if what != "(T, T)" else given["scores"][0, 0], library)
    if role == "lengths":
        return dress(given["lengths"], library)
    if role == "pad":
        return dress(table(given, what), library)
    if role == "pad_id":
        return 0
    if what in ("ids", "ones"):
        return dress(table(given, what), library)
    if what in SHAPES:
        return SHAPES[what](B, T, given["T_k"])
    if what == "x":
        return dress(given["x"], library)
    return (
        T if what == "T" else dress(given["scores"] if what != "(T, T)" else given["scores"][0, 0], library)
    )


def table(given, what):
    real = real_tokens(given)
    makers = {"padded": lambda: ~real, "ones": lambda: real.astype(np.int64), "ids": lambda: token_ids(given)}
    return makers.get(what, lambda: real)()
