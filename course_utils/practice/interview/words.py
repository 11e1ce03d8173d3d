"""What somebody wrote comes in; what its own words say about the axes of its input goes out."""

import inspect
import re
from types import FunctionType

FOUR = r"(\w+)\s*,\s*(\w+)\s*,\s*(\w+)\s*,\s*(\w+)"
THREE = r"(\w+)\s*,\s*(\w+)\s*,\s*(?:d|dim|hd|c|e|d_?\w+|head_?dim)\b"
BATCH = r"b|bs|bsz|batch.*|n_?batch.*"
HEADS = r"h|nh|n_?h|hq|n?_?heads?|num_?heads?|n_?heads?|n_head|koepfe|cabezas|tetes"
TOKENS = r"t|s|l|n|tq|t_q|seq.*|s?len.*|q_?len|time|tokens?|pos.*|steps?|n_ctx"


def second_axis(obj):
    """ "heads" or "tokens", where its comments, docstrings and unpackings of four sizes all say so; else
    ""."""
    said = set()
    for text in texts_of(obj):
        for four in re.findall(FOUR, text.lower()):
            for name, pattern in (("heads", HEADS), ("tokens", TOKENS)):
                other = TOKENS if name == "heads" else HEADS
                if re.fullmatch(pattern, four[1]) and re.fullmatch(other, four[2]):
                    said.add(name)
    return said.pop() if len(said) == 1 else ""


def first_axis(obj):
    """ "heads", "tokens" or "batch" of what has three axes: (H, T, d), (T, H, d) or (B, T, d); else ""."""
    said = set()
    for text in texts_of(obj):
        for three in re.findall(THREE, re.sub(FOUR, " ", text.lower())):
            for name, pattern in (("heads", HEADS), ("tokens", TOKENS), ("batch", BATCH)):
                other = HEADS if name == "tokens" else TOKENS
                if re.fullmatch(pattern, three[0]) and re.fullmatch(other, three[1]):
                    said.add(name)
    return said.pop() if len(said) == 1 else ""


def texts_of(obj):
    """The source of a function or of a class's methods, where Python still has it, and docstrings."""
    written = (
        [one for one in vars(obj).values() if isinstance(one, FunctionType)] if isinstance(obj, type) else []
    )
    for one in (obj, *written):
        yield inspect.getdoc(one) or ""
        try:
            yield inspect.getsource(one)
        except (OSError, TypeError):  # from a file that is gone, or a class of a notebook
            continue
