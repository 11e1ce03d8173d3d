"""Run a job's steps in a worker, where a lost step costs only itself. Trusted code.

The answers become Observations that are safe to use and to print: with the right types, short printable
texts, and at most MOST_ENTRIES entries in each list and dict.
"""

import contextlib
import re
import time
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from autograder.notes import clean, quoted
from autograder.sandbox.shared.job import (
    GIVEN_UP,
    NO_MESSAGE,
    NO_TIME,
    OBSERVING,
    SUBMISSION_SECONDS,
    Lost,
    RunTest,
)
from course_utils.model.case import Fact
from course_utils.model.observation import Observation

MOST_RESTARTS = 12


@dataclass
class JobObservations:
    """What was observed of a job. exercises: {name: [Observation], None (not defined) or Failure}. errors:
    {step number: Failure or None}. lost: the numbers of the steps in which a process was lost."""

    exercises: dict = field(default_factory=dict)
    errors: dict = field(default_factory=dict)
    lost: set = field(default_factory=set)


def observe_steps(worker, job, end=None):
    """Run the job's steps, in a new process after each loss, until time.monotonic() passes `end`."""
    steps, state = job.steps, JobObservations()
    end = end or time.monotonic() + SUBMISSION_SECONDS
    while len(state.lost) < MOST_RESTARTS and time.monotonic() < end:
        todo = remaining_steps(steps, state)
        if not todo:
            break
        names = {steps[n].name for n in todo if isinstance(steps[n], OBSERVING)}
        exercises = {name: exercise for name, exercise in job.exercises.items() if name in names}
        part = replace(
            job, steps=[steps[n] for n in todo], exercises=exercises, seconds=end - time.monotonic()
        )
        record_answers(worker, part, state, todo)
    failure = Failure("", GIVEN_UP if time.monotonic() < end else NO_TIME)
    for step in steps:
        if isinstance(step, OBSERVING):
            state.exercises.setdefault(step.name, failure)
    return state


def remaining_steps(steps, state):
    """Return the steps to run: code that was not lost, exercises not yet observed, up to the last one."""
    observing = [n for n, s in enumerate(steps) if isinstance(s, OBSERVING) and s.name not in state.exercises]
    last = max(observing, default=-1)
    candidates = set(range(last + 1)) - state.lost
    return [n for n in sorted(candidates) if n in observing or not isinstance(steps[n], OBSERVING)]


def record_answers(worker, job, state, todo):
    """Enter the answers of one process into `state`, in order, until it is done or lost in a step."""
    with contextlib.closing(worker.messages(job)) as messages:
        for place, (number, step) in enumerate(zip(todo, job.steps, strict=True)):
            try:
                answer = next_answer(messages, place)
            except Lost as loss:
                state.lost.add(number)
                if isinstance(step, OBSERVING):
                    state.exercises[step.name] = Failure("", str(loss))
                else:
                    state.errors[number] = Failure("a lost process", str(loss))
                return
            if isinstance(step, OBSERVING):
                state.exercises[step.name] = observations_of(step, answer)
            else:
                state.errors[number] = parse_failure(answer.get("error"))


def next_answer(messages, place):
    """Return the worker's next answer; raise Lost unless it belongs to the step at `place`. The type is
    compared first, because True == 1, and == of a tensor gives a tensor."""
    answer = next(messages, {})
    if type(answer.get("at")) is not int or answer["at"] != place:
        raise Lost(NO_MESSAGE)
    return answer


def observations_of(step, answer):
    """Return what was observed of a step. A test cell is always defined: for it, "not defined" is forged."""
    messages = observations(answer.get("seen"), answer.get("error"))
    return Failure("", NO_OBSERVATION) if messages is None and isinstance(step, RunTest) else messages


MISTAKE_NAME, TYPE_NAME = re.compile(r"[a-z_]{1,40}"), re.compile(r"[A-Za-z_]\w{0,60}", re.A)
OWN = "", "a lost process"
LONGEST, MOST_ENTRIES, LARGEST = 400, 64, 2**40
NO_OBSERVATION = "it sent something that is not an observation"


class Failure(NamedTuple):
    """Why a cell or an observation ended early: an exception's type and message, which the student may have
    chosen, or the grader's own reason. The type of the grader's own reason is in OWN."""

    type: str
    message: str

    def __str__(self):
        own = self.type in OWN or not self.message
        return ": ".join(filter(None, [self.type, self.message if own else quoted(self.message)]))


def observations(messages, failed=None):
    """Return [Observation], None for "not defined", or a Failure that says why nothing was observed."""
    if failed is not None:
        return parse_failure(failed) or Failure("", "it failed")
    if messages is None:
        return None
    try:
        return [sanitize_observation(Observation.from_plain(plain)) for plain in check_length(messages)]
    except (TypeError, ValueError):
        return Failure("", NO_OBSERVATION)


def sanitize_observation(observation):
    """Make every field of the Observation harmless, in place, and return it."""
    for name in Observation.__dataclass_fields__:
        setattr(observation, name, sanitize_value(getattr(observation, name)))
    if observation.problem and not MISTAKE_NAME.fullmatch(observation.problem[0]):
        observation.problem[0] = "wrong_interface"
    return observation


def sanitize_value(value):
    """Return a field's value with short printable texts; raise ValueError if it is too large or too long."""
    if isinstance(value, str):
        return clean(value, LONGEST)
    if isinstance(value, int) and abs(value) > LARGEST:
        raise ValueError("too large a number")
    if isinstance(value, Fact):
        return Fact(clean(value.name, LONGEST), sanitize_value(value.call))
    if isinstance(value, list):
        return [sanitize_value(item) for item in check_length(value)]
    if isinstance(value, dict):
        return {sanitize_value(key): sanitize_value(item) for key, item in check_length(value).items()}
    return value


def check_length(entries):
    if len(entries) > MOST_ENTRIES:
        raise ValueError("too many entries")
    return entries


def parse_failure(message):
    """Return [type, message] from a worker as a Failure, with "an error" for a type that is no name; None for
    anything else."""
    is_pair = isinstance(message, list) and len(message) == 2 and all(isinstance(p, str) for p in message)
    if not is_pair or not any(message):
        return None
    kind, text = (clean(part, LONGEST) for part in message)
    return Failure(kind if TYPE_NAME.fullmatch(kind) else "an error", text)
