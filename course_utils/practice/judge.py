"""A question and an answer come in, a Verdict goes out: right or not, and the reason of that very answer."""

import math
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
    """right: is it? said: the answer as it was understood. reason: the explanation, the reason or a nudge.
    axis: for a shape, which axis is wrong."""

    right: bool
    said: str
    reason: str
    axis: str = ""


def judge(question, typed):
    """The verdict on what was typed; Unreadable (typed.py) when it is no answer of this kind."""
    value = read(question, typed)
    if is_one_of(question, value, question):
        return Verdict(True, say(question, value), question.right)
    axis = wrong_axis(question, value) if question.kind == "shape" else ""
    for wrong in question.wrong:
        if is_one_of(question, value, wrong):
            return Verdict(False, say(question, value), wrong.reason, axis)
    return Verdict(False, say(question, value), question.nudge or NUDGES[question.kind], axis)


def is_one_of(question, value, answer):
    """Does the value equal this answer (the question's own or a foreseen wrong one), in any of its forms?"""
    if question.kind == "number":
        near = 1e-9 * max(1.0, abs(answer.answer))
        return (
            value == answer.answer or math.fabs(value - answer.answer) <= room(question, answer.answer) + near
        )
    if question.kind == "text":
        return value in [a_text(question, form) for form in (answer.answer, *answer.accept)]
    return value == read(question, answer.answer)


def room(question, answer):
    """How far off a number may be: the tolerance, or the share of the answer that it says, as in "2 %"."""
    if isinstance(question.tolerance, str):
        return float(question.tolerance.rstrip("% ")) / 100 * abs(answer)
    return question.tolerance


def wrong_axis(question, sizes):
    """Which axis of a shape is wrong, by name; how many there are, when that is wrong already."""
    if len(sizes) != len(question.answer):
        return f"You gave {axes(len(sizes))}; it has {len(question.answer)}."
    places = [
        n for n, (mine, wanted) in enumerate(zip(sizes, question.answer, strict=True)) if mine != wanted
    ]
    names = [f"{n} ({question.axes[n]})" if question.axes else str(n) for n in places]
    if len(names) == 1:
        return f"Axis {names[0]} is not {sizes[places[0]]}; the others are right."
    return f"Axes {', '.join(names[:-1])} and {names[-1]} are wrong."


def axes(number):
    return "1 axis" if number == 1 else f"{number} axes"


def say(question, value):
    """The answer as a person says it."""
    if question.kind == "choice":
        return value
    if question.kind == "number":
        return f"{value:.10g}"
    return shown(value)
