"""Trusted: drive a worker through a submission's steps; a lost step costs itself, and the rest goes on afresh."""

import contextlib
import time
from dataclasses import dataclass, field

from autograder.sandbox.shared.limits import Limits
from autograder.sandbox.shared.wire import CLOSED, NO_MESSAGE, OUT_OF_TIME, TOO_LARGE

from .sanitize import observations, sentence

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
BY_US = "the sandbox was lost"
GIVEN_UP = "the notebook was given up after too many lost processes"
NO_TIME = "the rest of the notebook left no time for it"


@dataclass
class Seen:
    """exercises: {name: [Observation] or None (not defined) or a sentence (lost)}. errors: {step number: what the cell
    ended with, or None}. lost: the numbers of the steps that no process survived."""

    exercises: dict = field(default_factory=dict)
    errors: dict = field(default_factory=dict)
    lost: set = field(default_factory=set)


class SandboxLost(Exception):
    """The grader's own side broke, again and again: no word about the submission."""


def observe_steps(worker, job, end=None):
    """Run the job's steps in as many processes as it takes -> Seen."""
    steps, seen = job["steps"], Seen()
    end = end or time.monotonic() + ALL_SECONDS
    innocent = 0
    while len(seen.lost) + innocent < MOST_RESTARTS and time.monotonic() < end:
        todo = still_to_do(steps, seen)
        if not todo:
            break
        names = {steps[n]["observe"] for n in todo if "observe" in steps[n]}
        part = {
            **job,
            "steps": [steps[n] for n in todo],
            "exercises": {name: job["exercises"][name] for name in names},
        }
        number, why = follow(worker, {**part, "seconds": end - time.monotonic()}, seen, todo)
        if why == BY_US:
            innocent += 1
            time.sleep(PAUSE * innocent)
        elif number is not None:
            lose(steps[number], number, why, seen)
    if innocent == MOST_RESTARTS:
        raise SandboxLost
    for step in steps:
        if "observe" in step:
            seen.exercises.setdefault(step["observe"], GIVEN_UP if time.monotonic() < end else NO_TIME)
    return seen


def still_to_do(steps, seen):
    """Numbers of the steps that are left: up to the last exercise that nobody has seen."""
    left = [
        n for n, step in enumerate(steps) if n not in seen.lost and step.get("observe") not in seen.exercises
    ]
    last = max((n for n in left if "observe" in steps[n]), default=-1)
    return [n for n in left if n <= last]


def lose(step, number, why, seen):
    """That step took its process with it."""
    seen.lost.add(number)
    if "observe" in step:
        seen.exercises[step["observe"]] = why
    else:
        seen.errors[number] = f"a lost process: {why}"


def follow(worker, job, seen, todo):
    """Take the answers of one process, in the order of its steps -> (number of the step that was lost, why)."""
    with contextlib.closing(worker.messages(job)) as messages:
        for place, (number, step) in enumerate(zip(todo, job["steps"], strict=True)):
            for expected in (
                {"at": place},
                {"observed": step["observe"]} if "observe" in step else {"ran": place},
            ):
                message = next(messages, {"lost": CLOSED})
                if "lost" in message:
                    return (
                        (None, BY_US)
                        if message.get("by_us")
                        else (number, LOST.get(message["lost"], str(message["lost"])))
                    )
                if not says(message, expected):
                    return number, LOST[NO_MESSAGE]
            take(message, step, number, seen)
    return None, None


def says(message, expected):
    """Is it the one thing that may come now? (True == 1, and a tensor equals whatever it likes: types are compared too.)"""
    return all(
        type(message.get(key)) is type(value) and message[key] == value for key, value in expected.items()
    )


def take(message, step, number, seen):
    """The answer to one step."""
    if "observe" in step:
        seen.exercises[step["observe"]] = observations(message.get("seen"), message.get("failed"))
    else:
        seen.errors[number] = sentence(message.get("error"))
