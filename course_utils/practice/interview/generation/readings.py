"""What came back from a loop -> (B, T) tokens, which may be prompt and new tokens, or the new ones alone."""

import numpy as np

from ..values import parts_of, undress
from ..ways import Reading
from .fake import VOCAB


def readings(outcome, given):
    """The result as prompt and new tokens; also where it may be the new tokens alone."""
    one = outcome.notes["dialect"][1] in ("list", "(T,)", "NumPy (T,)", "(1, T)")
    meant = {**given, "tokens": given["tokens"][:1]} if one else given
    total = "total" in outcome.notes["plan"].values()
    meant |= {"yields": outcome.notes["yields"], "new": False, "total": total}
    B = len(meant["tokens"])
    for place, part in parts_of(outcome.value):
        rows = as_rows(part, B, outcome.notes["yields"])
        if rows is None:
            continue
        memo = (one, outcome.notes["yields"], total)
        yield Reading((place,), until_the_end(rows, meant), meant, memo)
        prompt = meant["tokens"].tolist()
        longer = [[*a, *b] for a, b in zip(prompt, rows, strict=True)]
        yield Reading((place, "new"), until_the_end(longer, meant), {**meant, "new": True}, (*memo, "new"))


def as_rows(part, B, yields):
    """[[token]] for each text of the batch; None for what is none."""
    if isinstance(part, (list, tuple)) and len(part) == B and all(isinstance(row, list) for row in part):
        return part if all(isinstance(token, int) for row in part for token in row) else None
    array = undress(part)
    if array is None or array.dtype == bool or array.ndim not in (1, 2, 3):
        return None
    if array.ndim == 3 and 1 in array.shape[1:]:
        array = array.reshape(array.shape[0], -1)
    if yields and array.ndim == 2 and array.shape[1] == B:  # one column after the other
        array = array.T
    if array.ndim == 1 and B == 1:
        array = array[None]
    fits = array.ndim == 2 and len(array) == B and array.shape[1] < 400
    return array.astype(int).tolist() if fits else None


AFTER, GOES_ON = -1, -2


def until_the_end(rows, given):
    """(B, most tokens): what comes after a row's end is AFTER where it is always the same token."""
    kept, T = [], given["T"]
    for row in rows:
        end = row.index(VOCAB - 1, T) if given["ends"] and VOCAB - 1 in row[T:] else len(row)
        more = [token for token in row[end + 1 :] if token != VOCAB - 1]
        kept.append(row[: end + 1] + ([GOES_ON] if len(set(more)) > 1 else []))
    most = max(map(len, kept), default=0)
    return np.array([row + [AFTER] * (most - len(row)) for row in kept], dtype=float).reshape(len(kept), -1)
