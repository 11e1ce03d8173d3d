"""Trusted: drive a worker through a job's steps -> Seen. A lost step costs only itself."""

import contextlib
import time
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from autograder.sandbox.shared.job import OBSERVING, RunTest
from autograder.sandbox.shared.limits import Limits
from autograder.sandbox.shared.wire import CLOSED, NO_MESSAGE, OUT_OF_TIME, TOO_LARGE

from .sanitize import NO_OBSERVATION, Ended, ended, observations

MOST_RESTARTS = 12
PAUSE = 0.1  # seconds, longer each time: what the machine lacked for a moment may be there again
ALL_SECONDS = 180  # for one submission, whatever it does and however often it starts afresh
TOO_SLOW = f"it did not come to an end in time (an endless loop? A cell has {Limits.step_seconds} seconds)"
LOST = {
    OUT_OF_TIME: TOO_SLOW,
    "time": TOO_SLOW,
    "memory": "it used more memory than the grader gives",
    CLOSED: "the process died (out of memory, os._exit, or a crash)",
    TOO_LARGE: "it returned more than the grader takes",
    NO_MESSAGE: "it sent what is no message",
}
GIVEN_UP = "the notebook was given up after too many lost processes"
NO_TIME = "the rest of the notebook left no time for it"


@dataclass
class Seen:
    """exercises: {name: [Observation], None (not defined) or Ended}. errors: {step number: Ended or None}.
    lost: the numbers of the steps that no process survived."""

    exercises: dict = field(default_factory=dict)
    errors: dict = field(default_factory=dict)
    lost: set = field(default_factory=set)


class Loss(NamedTuple):
    """A process that did not come to its end. step: the number of the one that it was lost in. by_us: the
    grader's own side broke."""

    step: int
    why: str
    by_us: bool = False


class SandboxLost(Exception):
    """The grader's own side broke, and not all was observed: that says nothing about the submission."""


def observe_steps(worker, job, end=None):
    """Run the job's steps in as many processes as it takes, until time.monotonic() passes `end` -> Seen."""
    steps, seen = job.steps, Seen()
    end = end or time.monotonic() + ALL_SECONDS
    lost_by_us = 0
    while len(seen.lost) + lost_by_us < MOST_RESTARTS and time.monotonic() < end:
        todo = still_to_do(steps, seen)
        if not todo:
            break
        names = {steps[n].name for n in todo if isinstance(steps[n], OBSERVING)}
        exercises = {name: one for name, one in job.exercises.items() if name in names}
        part = replace(
            job, steps=[steps[n] for n in todo], exercises=exercises, seconds=end - time.monotonic()
        )
        loss = follow(worker, part, seen, todo)
        if loss and loss.by_us:
            lost_by_us += 1
            time.sleep(PAUSE * lost_by_us)
        elif loss:
            lose(steps[loss.step], loss.step, loss.why, seen)
    if lost_by_us and still_to_do(steps, seen):
        raise SandboxLost
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
    """Take the answers of one process, in order -> the Loss that ended it, or None."""
    with contextlib.closing(worker.messages(job)) as messages:
        for place, (number, step) in enumerate(zip(todo, job.steps, strict=True)):
            answer = {"observed": step.name} if isinstance(step, OBSERVING) else {"ran": place}
            for expected in ({"at": place}, answer):
                message = next(messages, {"lost": CLOSED})
                if "lost" in message:  # only the grader says so
                    why = LOST.get(message["lost"], message["lost"])
                    return Loss(number, why, message.get("by_us", False))
                if not says(message, expected):
                    return Loss(number, LOST[NO_MESSAGE])
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
        found = observations(message.get("seen"), message.get("failed"))
        is_test = isinstance(step, RunTest)  # which is always there, so "not defined" is a forged answer
        seen.exercises[step.name] = Ended("", NO_OBSERVATION) if is_test and found is None else found
    else:
        seen.errors[number] = ended(message.get("error"))
