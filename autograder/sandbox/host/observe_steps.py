"""Trusted: drive a worker through a job's steps -> Seen. A lost step costs only itself."""

import contextlib
import time
from dataclasses import dataclass, field, replace

from autograder.sandbox.shared.job import OBSERVING, RunTest
from autograder.sandbox.shared.limits import SUBMISSION_SECONDS
from autograder.sandbox.shared.report import CLOSED, NO_MESSAGE

from .losses import GIVEN_UP, LOST, NO_TIME
from .sanitize import NO_OBSERVATION, Ended, ended, observations

MOST_RESTARTS = 12


@dataclass
class Seen:
    """exercises: {name: [Observation], None (not defined) or Ended}. errors: {step number: Ended or None}.
    lost: the numbers of the steps that no process survived."""

    exercises: dict = field(default_factory=dict)
    errors: dict = field(default_factory=dict)
    lost: set = field(default_factory=set)


def observe_steps(worker, job, end=None):
    """Run the job's steps in as many processes as it takes, until time.monotonic() passes `end` -> Seen."""
    steps, seen = job.steps, Seen()
    end = end or time.monotonic() + SUBMISSION_SECONDS
    while len(seen.lost) < MOST_RESTARTS and time.monotonic() < end:
        todo = still_to_do(steps, seen)
        if not todo:
            break
        names = {steps[n].name for n in todo if isinstance(steps[n], OBSERVING)}
        exercises = {name: exercise for name, exercise in job.exercises.items() if name in names}
        part = replace(
            job, steps=[steps[n] for n in todo], exercises=exercises, seconds=end - time.monotonic()
        )
        follow(worker, part, seen, todo)
    rest = Ended("", GIVEN_UP if time.monotonic() < end else NO_TIME)
    for step in steps:
        if isinstance(step, OBSERVING):
            seen.exercises.setdefault(step.name, rest)
    return seen


def still_to_do(steps, seen):
    """Numbers of the steps that are left: up to the last exercise that was not observed."""
    observing = [n for n, s in enumerate(steps) if isinstance(s, OBSERVING) and s.name not in seen.exercises]
    last = max(observing, default=-1)
    left = set(range(last + 1)) - seen.lost
    return [n for n in sorted(left) if n in observing or not isinstance(steps[n], OBSERVING)]


def lose(step, number, why, seen):
    """That step took its process with it."""
    seen.lost.add(number)
    if isinstance(step, OBSERVING):
        seen.exercises[step.name] = Ended("", why)
    else:
        seen.errors[number] = Ended("a lost process", why)


def follow(worker, job, seen, todo):
    """Take the answers of one process, in order, and note the step that it was lost in."""
    with contextlib.closing(worker.messages(job)) as messages:
        for place, (number, step) in enumerate(zip(todo, job.steps, strict=True)):
            answer = {"observed": step.name} if isinstance(step, OBSERVING) else {"ran": place}
            for expected in ({"at": place}, answer):
                message = next(messages, {"lost": CLOSED})
                if "lost" in message or not says(message, expected):  # only the grader sends "lost"
                    why = message.get("lost", NO_MESSAGE)
                    return lose(step, number, LOST.get(why, why), seen)
            take(message, step, number, seen)
    return None


def says(message, expected):
    """Is it the message that may come now? (True == 1, and tensors have their own ==: types count too.)"""
    return all(
        type(message.get(key)) is type(value) and message[key] == value for key, value in expected.items()
    )


def take(message, step, number, seen):
    """The answer to one step."""
    if isinstance(step, OBSERVING):
        seen_by_case = observations(message.get("seen"), message.get("failed"))
        is_test = isinstance(step, RunTest)  # which is always there, so "not defined" is a forged answer
        seen.exercises[step.name] = (
            Ended("", NO_OBSERVATION) if is_test and seen_by_case is None else seen_by_case
        )
    else:
        seen.errors[number] = ended(message.get("error"))
