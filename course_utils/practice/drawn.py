"""Questions whose numbers are drawn: a Question with formulas comes in, one with numbers goes out.

The numbers are held as long as the kernel runs, so that a cell that runs again asks the same. A new kernel
draws others, and so does a day: then what was wrong is due again (due.py).
"""

from dataclasses import replace
from itertools import product
from random import SystemRandom

from . import log
from .due import AFTER
from .formula import fill, work_out

_asked = {}  # {name: (the question with its numbers, when they were drawn)}


def for_asking(question):
    """The question with the numbers of this visit, which are drawn if there are none, or if they are old."""
    variant, when = _asked.get(question.name, (question, None))
    if question.draw and (when is None or log.now() - when >= AFTER):
        other_numbers = [numbers for numbers in all_numbers(question.draw) if numbers != variant.numbers]
        variant = with_numbers(question, SystemRandom().choice(other_numbers))  # no seed makes them repeat
        _asked[question.name] = variant, log.now()
    return variant if question.draw else question


def for_answering(question):
    """The question with the numbers that were asked in this visit; None if it was not asked yet."""
    return _asked.get(question.name, (None, None))[0] if question.draw else question


def all_numbers(draw):
    """[{name: number}]: every choice of one number for each name."""
    return [dict(zip(draw, numbers, strict=True)) for numbers in product(*draw.values())]


def example(question):
    """The question as a page without a kernel shows it, with the first of all numbers."""
    return with_numbers(question, all_numbers(question.draw)[0]) if question.draw else question


def with_numbers(question, numbers):
    """The question with these numbers in its texts and answers; BadFormula for a formula that is none."""
    answer = work_out(question.answer, numbers)
    wrong = [
        replace(entry, answer=work_out(entry.answer, numbers), reason=fill(entry.reason, numbers))
        for entry in question.wrong
    ]
    texts = {name: fill(getattr(question, name), numbers) for name in ("prompt", "again", "nudge")}
    texts["right"] = fill(question.right, {**numbers, "answer": answer})
    return replace(question, **texts, answer=answer, wrong=wrong, draw={}, numbers=numbers)
