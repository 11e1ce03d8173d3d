"""A question and an answer come in, a Verdict goes out: right or not, and the reason of that very answer."""

from dataclasses import dataclass

from .typed import a_text, read, shown

NUDGES = {
    "choice": "Not this one. Say first what would have to hold if it were, then check whether it does.",
    "number": "Not this number. Take a smaller case, do it step by step on paper, then come back.",
    "shape": "Not this shape. Say for each axis what is counted along it.",
    "text": "This is not an answer that is known here. Use other words, or fewer.",
}


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
    return Verdict(False, answer, [*reasons, question.nudge or NUDGES[question.kind]][0], axis)


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
    """Which axis of a shape is wrong, by name; how many there are, when that is wrong already."""
    if len(sizes) != len(question.answer):
        number = "1 axis" if len(sizes) == 1 else f"{len(sizes)} axes"
        return f"You gave {number}; it has {len(question.answer)}."
    pairs = enumerate(zip(sizes, question.answer, strict=True))
    places = [n for n, (mine, wanted) in pairs if mine != wanted]
    *names, last = [f"{n} ({question.axes[n]})" if question.axes else str(n) for n in places]
    if not names:
        return f"Axis {last} is not {sizes[places[0]]}; the others are right."
    return f"Axes {', '.join(names)} and {last} are wrong."


def say(question, value):
    """The answer as a person says it."""
    return f"{value:.10g}" if question.kind == "number" else shown(value)


def right_answer(question):
    """The question's own answer as a person says it; of a choice with its text."""
    if question.tolerance:
        return f"{question.answer:.4g}"
    answer = say(question, read(question, question.answer))
    texts = dict(zip(question.letters, question.choices, strict=True))
    return f"{answer} · {texts[answer]}" if texts else answer
