"""A submission -> a Result for each exercise: of what was handed in, and then, for what is wrong there, of its cells alone."""

import time
from dataclasses import dataclass
from itertools import chain

from autograder.exercises import load
from autograder.sandbox.host.observe_steps import ALL_SECONDS, observe_steps
from autograder.sandbox.shared.wire import pack
from autograder.submission.instructor_tests import plain_result, shown_name

from .job import job_for, with_right_ones
from .judge import judge
from .pieces import source_of

FIRST, ALONE = 4 / 6, 5 / 6  # of the time: when these looks must be over, since the next one needs some too


@dataclass
class Look:
    """result: a Result. seen: what it was judged by: [Observation], None (not defined) or a sentence (lost)."""

    result: object
    seen: object

    @property
    def worth(self):
        """Of two looks the greater counts; where points are equal, the one where something was seen."""
        return self.result.points, isinstance(self.seen, list)

    @property
    def verdict(self):
        return self.result.points, self.result.mistake, self.result.message


def score_submission(submission, seed, worker, begun):
    """-> ({exercise: Result}, what the cells that were run ended with: {cell number: sentence}). begun: when it was taken up (seconds)."""
    scoring = Scoring(submission, seed, worker, begun)
    seen = scoring.look_at_all()
    scoring.look_at_wrong_ones_alone()
    scoring.give_right_ones(
        [step for n, step in enumerate(submission.steps) if "observe" in step or n not in seen.lost]
    )
    results = {name: look.result for name, look in scoring.looks.items()}
    for grade_id, (points, _) in submission.lesson.plain.items():
        name = shown_name(grade_id)
        results[name] = plain_result(name, points, seen.exercises[name])
    cells = {n: step["cell"] for n, step in enumerate(submission.steps) if "cell" in step}
    return results, {cells[n]: error for n, error in sorted(seen.errors.items()) if n in cells and error}


class Scoring:
    """One submission's looks: {exercise: the one that counts}, and the time that all of them may take."""

    def __init__(self, submission, seed, worker, begun):
        self.submission, self.seed, self.worker, self.begun = submission, seed, worker, begun
        self.exercises = {name: load(name) for name in submission.lesson.exercises}
        self.job = job_for(submission, self.exercises, seed)
        self.looks, self.failed = {}, False

    def look_at_all(self):
        """In the notebook, as it was handed in -> Seen."""
        seen = observe_steps(self.worker, self.job, self.begun + FIRST * ALL_SECONDS)
        self.looks = {name: self.judged(name, seen) for name in self.exercises}
        self.failed = any(seen.errors.values())
        return seen

    def look_at_wrong_ones_alone(self):
        """What is wrong, without the student's other cells."""
        wrong = worth_another_look(self.looks, self.submission)
        for name, end in in_turn(wrong, self.begun + ALONE * ALL_SECONDS):
            self.looks[name] = best(chain([self.looks[name]], self.alone(name, end)))

    def give_right_ones(self, survived):
        """What builds on wrong ones, built on right ones: in the whole notebook (the steps that were survived), then in its cells alone."""
        for (name, others), end in in_turn(self.built_on_wrong_ones().items(), self.begun + ALL_SECONDS):
            look = best(chain(self.given(name, others, survived, end), [self.looks[name]]))
            if (
                isinstance(look.seen, list)
                and look.verdict != self.looks[name].verdict
                and look.result.status != "not_started"
            ):
                self.looks[name] = Look(with_note(look.result, others), look.seen)

    def alone(self, name, end):
        """A Look for each way to look at an exercise by itself, while there is time."""
        for cells in self.submission.ways(name, self.failed):
            if time.monotonic() < end:
                yield self.again(name, {**self.job, "steps": self.submission.alone(name, cells)}, end)

    def given(self, name, others, survived, end):
        """A Look with right ones in the places of others: in the whole notebook (None), and in each of those ways."""
        for cells, by in in_turn([None, *self.submission.ways(name, self.failed)], end):
            steps = survived if cells is None else self.submission.alone(name, cells)
            yield self.again(name, with_right_ones(self.job, steps, name, others), by)

    def built_on_wrong_ones(self):
        """{wrong exercise: [those that it builds on and that are wrong, or made anew below the place where they were right]}. One that
        seems not started may only call one that is not."""
        wrong = [name for name, look in self.looks.items() if not look.result.passed]
        spoilt = {*wrong, *self.submission.made_anew}
        found = {
            name: [other for other in self.exercises[name].uses if other in spoilt and source_of(other)]
            for name in wrong
        }
        return {name: others for name, others in found.items() if others}

    def again(self, name, job, end):
        """Another Look at an exercise; the same one if it shows the same."""
        seen = observe_steps(self.worker, job, end)
        return (
            self.judged(name, seen)
            if differ(seen.exercises[name], self.looks[name].seen)
            else self.looks[name]
        )

    def judged(self, name, seen):
        return Look(judge(self.exercises[name], self.seed, seen.exercises[name]), seen.exercises[name])


def in_turn(items, end):
    """Each with the time when it must be over, an equal share of what is left; none when nothing is left."""
    items = list(items)
    for number, item in enumerate(items):
        now = time.monotonic()
        if now < end:
            yield item, now + (end - now) / (len(items) - number)


def best(looks):
    """The first of those that are worth most; none is taken after one that passed."""
    found = []
    for look in looks:
        found.append(look)
        if look.result.passed:
            break
    return max(found, key=lambda look: look.worth)


def worth_another_look(looks, submission):
    """Exercises that another cell may have spoilt: wrong, or not there although a cell defines them, or not begun there but below."""
    started = {
        name
        for name, look in looks.items()
        if look.result.status != "not_started" or (look.seen is None and name in submission.solutions)
    }
    started |= {*submission.made_anew}
    return [name for name, look in looks.items() if name in started and not look.result.passed]


def differ(one, other):
    """Was something else seen? (As bytes: NaN equals itself there.)"""
    if not isinstance(one, list) or not isinstance(other, list):
        return one != other
    return pack([o.as_plain() for o in one]) != pack([o.as_plain() for o in other])


def with_note(result, others):
    """Say what an exercise builds on that is wrong where it builds on it."""
    they_are = "which is not right, or not any more: begin there. Graded here with a right one in its place."
    if len(others) > 1:
        they_are = (
            "which are not right, or not any more: begin there. Graded here with right ones in their place."
        )
    result.note = f"It builds on {' and '.join(others)}, {they_are}"
    return result
