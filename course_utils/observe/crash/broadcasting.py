"""Sizes that meet when axes are lined up from the right."""

from itertools import combinations, zip_longest

from .sentences import number_of_axes, size_in_words

EQUAL = "Sizes that meet must be equal, or one of them 1"


def clash(left, right):
    """(number from the right, left size, right size) of the first axes that do not fit, or None."""
    pairs = zip_longest(reversed(left), reversed(right), fillvalue=1)
    return next(((-i, a, b) for i, (a, b) in enumerate(pairs, 1) if a != b and 1 not in (a, b)), None)


def lined_up(how, shapes, axes, begin=""):
    """Of an operation that works entry by entry."""
    found = next(filter(None, (clash(*pair) for pair in combinations(map(tuple, shapes), 2))), None)
    if not found:
        return ""
    begin = begin or f"{how} lines the axes up from the right"
    return f"{begin}, and {meeting(found, axes)}. {EQUAL}."


def leading_axes(how, left, right, axes):
    """Those before the last two, of a matrix product."""
    found = clash(tuple(left)[:-2], tuple(right)[:-2])
    if not found:
        return ""
    number, a, b = found
    begin = f"{how} lines the axes before the last two up from the right"
    return f"{begin}, and {meeting((number - 2, a, b), axes)}. {EQUAL}."


def put_in(how, place, value, axes):
    """What is written must fit the place as it is: the place gets no larger."""
    here, there = tuple(place.value.shape), tuple(value.value.shape)
    begin = f"{how} writes" if how else "This writes"
    begin = f"{begin} `{value.text}` into `{place.text}`, their axes lined up from the right"
    while len(there) > len(here) and there[0] == 1:
        there = there[1:]
    if len(there) > len(here):
        more = number_of_axes(len(here))
        return f"{begin}: the place has {more}, and what is to be written {len(there)}."
    pairs = enumerate(zip(reversed(here), reversed(there), strict=False), 1)
    found = next(((-i, a, b) for i, (a, b) in pairs if b not in (1, a)), None)
    return (
        f"{begin}, and {meeting(found, axes)}. What is written must have the place's size, or 1."
        if found
        else ""
    )


def meeting(found, axes):
    number, left, right = found
    return f"{size_in_words(left, axes)} meets {size_in_words(right, axes)} (axis {number})"
