"""A question and an answer come in, a Verdict goes out: right or not, and the reason of that very answer."""

from dataclasses import dataclass

from .typed import KINDS, a_text, as_text, read


@dataclass
class Verdict:
    """right: is it? answer: the answer as it was understood. reason: the explanation, the reason or a nudge.
    axis: for a shape, which axis is wrong."""

    right: bool
    answer: str
    reason: str
    axis: str = ""


def judge(question, typed):
    """The verdict on what was typed; Unreadable (typed.py) when it is no answer of this kind."""
    value = read(question, typed)
    answer = say(question, value)
    if is_one_of(question, value, question):
        return Verdict(True, answer, question.right)
    axis = wrong_axis(question, value) if question.kind == "shape" else ""
    reasons = [wrong.reason for wrong in question.wrong if is_one_of(question, value, wrong)]
    return Verdict(False, answer, [*reasons, question.nudge or KINDS[question.kind].nudge][0], axis)


def is_one_of(question, value, answer):
    """Does the value equal this answer (the question's own or a foreseen wrong one), in any of its forms?"""
    if question.kind == "number":
        room, size = question.tolerance, abs(answer.answer)
        if isinstance(room, str):  # a share of the answer, as in "2 %"
            room = float(room.rstrip("% ")) / 100 * size
        return value == answer.answer or abs(value - answer.answer) <= room + 1e-9 * max(1.0, size)
    if question.kind == "text":
        return value in [a_text(question, form) for form in (answer.answer, *answer.accept)]
    return value == read(question, answer.answer)


def wrong_axis(question, sizes):
    """Which axes of a shape are wrong, with their names; how many there are, when that is wrong already."""
    wanted = question.answer
    if len(sizes) != len(wanted):
        return f"The number of axes is {len(wanted)}, not {len(sizes)}."
    names = [f" ({name})" for name in question.axes] or [""] * len(wanted)
    wrong = [f"axis {n}{names[n]}" for n in range(len(wanted)) if sizes[n] != wanted[n]]
    return f"Not right: {', '.join(wrong)}."


def say(question, value):
    """The answer as a person says it."""
    return f"{value:.10g}" if question.kind == "number" else as_text(value)


def right_answer(question):
    """The question's own answer as a person says it; of a choice with its text."""
    if question.tolerance:
        return f"{question.answer:.4g}"
    answer = say(question, read(question, question.answer))
    texts = dict(zip(question.letters, question.choices, strict=True))
    return f"{answer} · {texts[answer]}" if texts else answer
