"""A search that takes long is no loop of the learner's that never stops."""

import time

import numpy as np

from course_utils.practice.interview.judge import judge
from course_utils.practice.interview.ways import Outcome, Problem, Reading, Way, Wrong


def slow(value):
    time.sleep(0.02)
    return value


def problem_of(makers):
    """One that has many ways, and many mistakes that are slow to look for."""
    ways = [Way(str(number), lambda given: Outcome(given)) for number in range(30)]
    return Problem(
        name="long",
        draws=[1.0, 2.0],
        ways=lambda obj, said: ways,
        readings=lambda outcome, given: [Reading("all", np.array(given), given)],
        rights={"right": lambda given: np.array(-1.0)},
        wrongs={f"slip {n}": Wrong("", [maker]) for n, maker in enumerate(makers)},
    )


def test_it_ends_with_what_was_seen():
    makers = [lambda given: slow(np.array(-2.0))] * 40
    judgement = judge(problem_of(makers), len, seconds=0.3)
    assert not judgement.right
    assert judgement.mistake != "too_long"
    assert "never stops" not in judgement.sentences[0]
