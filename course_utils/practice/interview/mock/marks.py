"""Marks as they are typed come in; {part: {criterion: mark}} or a sentence on what is wrong goes out.

There are three ways: rate(2, 1) in the order of the criteria, rate(shapes=2) by name, and
rate("21 2102 2 2") for all parts.
"""

from .rubric import criteria

WHICH = "Say which part is rated: `mock_interview.rate({}, part=1)`, or all of them as one text."
NO_PART = "There are parts 1 to {}, and {} came: nothing is kept."
BAD = "Part {} is rated by {}, in this order: {}. Nothing is kept."
BAD_TEXT = (
    'For all parts at once, one text has a group of marks for each part, such as "{}"; - leaves one out. '
    "Nothing is kept."
)


def read_marks(parts, marks, named, part, at):
    """at: the number of the part that runs, None when the mock interview is over."""
    if len(marks) == 1 and isinstance(marks[0], str):
        return read_text(parts, marks[0])
    if part is None:
        number = at
        if number is None:
            return None, WHICH.format(", ".join("2" for _ in criteria(parts[0])))
    elif isinstance(part, int) and not isinstance(part, bool) and 1 <= part <= len(parts):
        number = part - 1
    else:
        return None, NO_PART.format(len(parts), f"{part!r:.40}")
    names = [one.name for one in criteria(parts[number])]
    given = dict(zip(names, marks, strict=False)) | named
    good = len(marks) in (0, len(names)) and set(named) <= set(names) and given
    if good and all(is_mark(mark) for mark in given.values()):
        return {number: given}, None
    return None, BAD.format(number + 1, counted(len(names)), ", ".join(names))


def is_mark(mark):
    return isinstance(mark, int) and not isinstance(mark, bool) and 0 <= mark <= 2


def counted(number):
    return f"{number} {'mark' if number == 1 else 'marks'} of 0, 1 or 2"


def read_text(parts, text):
    """The marks of all parts: a group for each, a sign for each criterion."""
    groups, names = text.split(), [[one.name for one in criteria(part)] for part in parts]
    fits = len(groups) == len(names) and all(
        len(group) == len(some) and set(group) <= set("012-")
        for group, some in zip(groups, names, strict=True)
    )
    if not fits:
        return None, BAD_TEXT.format(" ".join("2" * len(some) for some in names))
    return {
        number: {name: int(sign) for name, sign in zip(some, group, strict=True) if sign != "-"}
        for number, (group, some) in enumerate(zip(groups, names, strict=True))
    }, None
