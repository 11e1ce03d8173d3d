"""Questions with random numbers: a Question with formulas comes in, one with numbers goes out.

The numbers stay the same while the kernel runs, so that running a cell again asks the same question. New ones
are drawn in a new kernel, and after a day, when a missed question is due again (schedule.py).
"""

from dataclasses import replace
from itertools import product
from random import SystemRandom

from . import log
from .formula import fill, work_out
from .schedule import AFTER

_questions = {}  # {name: (the question with its numbers, when they were drawn)}


def for_asking(question):
    """The question with its current numbers. New ones are drawn if there are none or they are a day old."""
    variant, when = _questions.get(question.name, (question, None))
    if question.draw and (when is None or log.now() - when >= AFTER):
        other_numbers = [numbers for numbers in all_numbers(question.draw) if numbers != variant.numbers]
        variant = with_numbers(question, SystemRandom().choice(other_numbers))  # no seed affects it
        _questions[question.name] = variant, log.now()
    return variant if question.draw else question


def for_answering(question):
    """The question with its current numbers; None if it needs numbers and was not asked yet."""
    return _questions.get(question.name, (None, None))[0] if question.draw else question


def all_numbers(draw):
    """Every choice of one number per name: [{name: number}]."""
    return [dict(zip(draw, numbers, strict=True)) for numbers in product(*draw.values())]


def example(question):
    """The question as a page without a kernel shows it, with the first number for each name."""
    return with_numbers(question, all_numbers(question.draw)[0]) if question.draw else question


def with_numbers(question, numbers):
    """The question with numbers in place of its formulas; BadFormula if a formula gives no number."""
    answer = work_out(question.answer, numbers)
    wrong = [
        replace(entry, answer=work_out(entry.answer, numbers), reason=fill(entry.reason, numbers))
        for entry in question.wrong
    ]
    texts = {name: fill(getattr(question, name), numbers) for name in ("prompt", "again", "nudge")}
    texts["right"] = fill(question.right, {**numbers, "answer": answer})
    return replace(question, **texts, answer=answer, wrong=wrong, draw={}, numbers=numbers)
