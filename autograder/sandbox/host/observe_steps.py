"""Trusted: drive a worker through a job's steps -> Seen. A lost step costs only itself."""

import contextlib
import time
from dataclasses import dataclass, field, replace

from autograder.sandbox.shared.job import OBSERVING, RunTest
from autograder.sandbox.shared.limits import SUBMISSION_SECONDS
from autograder.sandbox.shared.losses import GIVEN_UP, NO_MESSAGE, NO_TIME, Lost

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


def follow(worker, job, seen, todo):
    """Take the answers of one process, in order, and note the step that it was lost in."""
    with contextlib.closing(worker.messages(job)) as messages:
        for place, (number, step) in enumerate(zip(todo, job.steps, strict=True)):
            is_observing = isinstance(step, OBSERVING)
            try:
                next_message(messages, at=place)
                answer = {"observed": step.name} if is_observing else {"ran": place}
                message = next_message(messages, **answer)
            except Lost as loss:
                seen.lost.add(number)
                if is_observing:
                    seen.exercises[step.name] = Ended("", str(loss))
                else:
                    seen.errors[number] = Ended("a lost process", str(loss))
                return
            if is_observing:
                seen.exercises[step.name] = answer_to(step, message)
            else:
                seen.errors[number] = ended(message.get("error"))


def next_message(messages, **expected):
    """The next message. Lost, unless it holds the expected entries, of the same types: True == 1, and tensors
    have an == of their own."""
    message = next(messages, {})
    for key, value in expected.items():
        if type(message.get(key)) is not type(value) or message[key] != value:
            raise Lost(NO_MESSAGE)
    return message


def answer_to(step, message):
    """What was observed of an exercise. A test cell is always there: for it, "not defined" is forged."""
    shown = observations(message.get("seen"), message.get("failed"))
    return Ended("", NO_OBSERVATION) if shown is None and isinstance(step, RunTest) else shown
