"""Marks as they are typed come in; {part: {criterion: mark}} or a sentence on what is wrong goes out.

There are two ways: rate(2, 1) in the order of the criteria, and rate("21 2102 2 2") for all parts.
"""

from ..log import counted
from ..session import is_count

WHICH = "Say which part is rated: `mock_interview.rate({}, part=1)`, or all of them as one text."
NO_PART = "There are parts 1 to {}, and {} came: nothing is kept."
BAD = "Part {} is rated by {} of 0, 1 or 2, in this order: {}. Nothing is kept."
BAD_TEXT = (
    'For all parts at once, one text has a group of marks for each part, such as "{}"; - leaves one out. '
    "Nothing is kept."
)


def read_marks(mock, marks, part):
    parts = mock.parts
    if len(marks) == 1 and isinstance(marks[0], str):
        return read_text(parts, marks[0])
    if part is None and mock.over:
        return None, WHICH.format(example(parts[0]))
    if part is not None and not (is_count(part) and 1 <= part <= len(parts)):
        return None, NO_PART.format(len(parts), f"{part!r:.40}")
    number = mock.at if part is None else part - 1
    names = list(parts[number].criteria)
    if len(marks) == len(names) and all(is_count(mark) and mark <= 2 for mark in marks):
        return {number: dict(zip(names, marks, strict=True))}, None
    return None, BAD.format(number + 1, counted(len(names), "mark"), ", ".join(names))


def read_text(parts, text):
    """The marks of all parts: a group for each, a sign for each criterion."""
    groups, names = text.split(), [list(part.criteria) for part in parts]
    lengths = [len(group) for group in groups] == [len(criteria) for criteria in names]
    if not lengths or not set("".join(groups)) <= set("012-"):
        return None, BAD_TEXT.format(" ".join("2" * len(criteria) for criteria in names))
    return {
        number: {name: int(sign) for name, sign in zip(criteria, group, strict=True) if sign != "-"}
        for number, (group, criteria) in enumerate(zip(groups, names, strict=True))
    }, None


def example(part):
    """Marks for a part as they are typed: '2, 2'."""
    return ", ".join("2" for _ in part.criteria)


def comments(mock, marks):
    """One line for each part that was rated, with what would have been better."""
    lines = []
    for number, of_part in marks.items():
        if of_part:
            listed = ", ".join(f"{name} {mark}" for name, mark in of_part.items())
            lines.append(f"Kept for part {number + 1}: {listed}.")
            better = (c for name, c in mock.parts[number].criteria.items() if of_part.get(name, 2) < 2)
            lines += [f'{criterion["title"]}: 2 is "{criterion["looks"][2]}".' for criterion in better]
    return lines
