"""Run a job's steps in a worker and collect what is observed; a lost step costs only itself. Trusted code."""

import contextlib
import time
from dataclasses import dataclass, field, replace

from autograder.sandbox.shared.job import OBSERVING, RunTest
from autograder.sandbox.shared.limits import SUBMISSION_SECONDS
from autograder.sandbox.shared.losses import GIVEN_UP, NO_MESSAGE, NO_TIME, Lost

from .sanitize import NO_OBSERVATION, Failure, observations, parse_failure

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
