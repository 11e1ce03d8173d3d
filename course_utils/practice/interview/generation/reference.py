"""The text that a loop should make, and what it makes with a slip."""

from dataclasses import dataclass

import numpy as np

from .fake import VOCAB, next_token
from .inputs import lengths_at_end
from .readings import AFTER, GOES_ON, until_the_end


@dataclass
class Slip:
    """extra: how many tokens too many. least: how many there are always. prompt: is it returned? context:
    what the model is given. front: are new tokens put in front? place: from which place logits are read.
    until_end, keep_end, goes_on, all_stop: what happens at the token of the end. total: does the number
    count the prompt? smallest, ranked: what is chosen."""

    extra: int = 0
    least: int = 0
    prompt: bool = True
    context: str = "all"
    front: bool = False
    place: int = -1
    until_end: bool = False
    keep_end: bool = True
    total: bool = False
    smallest: bool = False
    goes_on: bool = False
    ranked: bool = False
    all_stop: bool = False


def text(**slips):
    """A reference with a slip."""
    slip = Slip(**slips)

    def made(given):
        first = given["T"]
        texts = [text_of(row, given, slip) for row in given["tokens"].tolist()]
        rows = [seen if slip.prompt else seen[first:] for seen in texts]
        if slip.all_stop:
            shortest = min(map(len, rows))
            rows = [row[:shortest] for row in rows]
        if slip.goes_on:
            most = max(map(len, rows))
            rows = [row + [GOES_ON, AFTER] * (len(row) < most - 1) for row in rows]
        return until_the_end(rows, given) if not slip.front else np.array(rows, dtype=float)

    return made


def text_of(row, given, slip):
    """The text of one prompt, which is [token]."""
    seen, twice = list(row), list(row)
    end = lengths_at_end(given).get(row[0])
    for _ in range(max(given["n"] + slip.extra - (len(row) if slip.total else 0), slip.least)):
        new = chosen(known_to_model(slip.context, row, seen, twice), end, slip)
        if new == VOCAB - 1 and slip.until_end and not slip.keep_end:
            break
        seen = [new, *seen] if slip.front else [*seen, new]
        twice += seen
        if new == VOCAB - 1 and slip.until_end:
            break
    return seen


def known_to_model(context, row, seen, twice):
    """The tokens that the model is given, or has in its cache."""
    first = len(row)
    return {
        "all": seen,
        "last": seen[-1:],
        "prompt": row,
        "new": seen[first:] or row,
        "first": seen[:1],
        "oldest 3": seen[:3],
        "newest 2": seen[-2:],
        "newest 3": seen[-3:],
        "newest 4": seen[-4:],
        "not last": seen[:-1] or seen,
        "twice": list(twice),
        "end of prompt twice": [*row, row[-1], *seen[first:]],
        "prompt and last": row + (seen[-1:] if len(seen) > first else []),
        "newest": seen[first - 1 :] if len(seen) == first else seen[-1:],
        "prompt then last": row if len(seen) == first else seen[-1:],
    }[context]


def chosen(known, end, slip):
    """The next token. end: how long the text is when its end comes."""
    if slip.ranked:
        return 0
    new = VOCAB - 1 if len(known) == end else next_token(known[: len(known) + 1 + slip.place] or known[:1])
    if slip.smallest:
        return 0 if new else 1
    return new


def of_first_row(given):
    """The first row's new tokens, for all rows."""
    rows = given["tokens"].tolist()
    for _ in range(given["n"]):
        new = next_token(rows[0])
        rows = [[*row, new] for row in rows]
    return np.array(rows, dtype=float)


NO = np.full((1, 1), -9.0)  # what no result is


def whole(maker):
    """A reference for a result that holds the prompt; what is yielded need not hold it."""
    return lambda given: maker(given) if not given["total"] and (not given["new"] or given["yields"]) else NO


def new_alone(maker):
    return lambda given: maker(given) if given["new"] and not given["total"] else NO


def in_total(maker):
    """A reference for an answer whose number is that of the whole text."""
    return lambda given: maker(given) if given["total"] and not given["new"] else NO
