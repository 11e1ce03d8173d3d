"""Judge an answer: a question and what was typed come in; a Verdict with a specific reason goes out."""

from dataclasses import dataclass

from .typed import a_text, as_text, read, words


@dataclass
class Verdict:
    """right: is the answer right? answer: how it was understood. reason: why it is right or wrong, or a
    nudge. axis: for a shape, a sentence on the wrong axes."""

    right: bool
    answer: str
    reason: str
    axis: str = ""


def judge(question, typed):
    """The Verdict on a typed answer; Unreadable (typed.py) if it cannot be read as an answer of this kind."""
    value = read(question, typed)
    answer = say(question, value)
    if is_one_of(question, value, question):
        return Verdict(True, answer, question.right)
    axis = wrong_axis(question, value) if question.kind == "shape" else ""
    reasons = [wrong.reason for wrong in question.wrong if is_one_of(question, value, wrong)]
    return Verdict(False, answer, [*reasons, question.nudge or words(question.kind)["nudge"]][0], axis)


def is_one_of(question, value, answer):
    """Does the value equal this answer (the right one or an expected wrong one), in any accepted form?"""
    if question.kind == "number":
        room, size = question.tolerance, abs(answer.answer)
        if isinstance(room, str):  # relative to the answer, as in "2 %"
            room = float(room.rstrip("% ")) / 100 * size
        return value == answer.answer or abs(value - answer.answer) <= room + 1e-9 * max(1.0, size)
    if question.kind == "text":
        return value in [a_text(question, form) for form in (answer.answer, *answer.accept)]
    return value == read(question, answer.answer)


def wrong_axis(question, sizes):
    """A sentence on which axes of a shape are wrong, or on their number."""
    wanted = question.answer
    if len(sizes) != len(wanted):
        return f"The number of axes is {len(wanted)}, not {len(sizes)}."
    names = [f" ({name})" for name in question.axes] or [""] * len(wanted)
    wrong = [f"axis {n}{names[n]}" for n in range(len(wanted)) if sizes[n] != wanted[n]]
    return f"Not right: {', '.join(wrong)}."


def say(question, value):
    """Format an answer for a card."""
    return f"{value:.10g}" if question.kind == "number" else as_text(value)


def right_answer(question):
    """Format the right answer for a card; for a choice, with its text."""
    if question.tolerance:
        return f"{question.answer:.4g}"
    answer = say(question, read(question, question.answer))
    texts = dict(zip(question.letters, question.choices, strict=True))
    return f"{answer} · {texts[answer]}" if texts else answer
