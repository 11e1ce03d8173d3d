"""Trusted: drive a worker through a submission's steps; a lost step costs itself, and the rest goes on afresh."""
from course_utils.observe.observation import Observation

MOST_RESTARTS = 12
LOST = {
    "out of time": "it did not come to an end in time (an endless loop?)",
    "closed": "the process died (out of memory, os._exit, or a crash)",
    "the message is too large": "it returned more than the grader takes",
}


def observe_steps(worker, steps, exercises, library):
    """-> ({exercise: [Observation] or None (not defined) or a sentence (lost)}, [error of each run step or None])."""
    found, errors, lost = {}, {}, set()
    for _ in range(MOST_RESTARTS):
        todo = [n for n, step in enumerate(steps) if n not in lost and step.get("observe") not in found]
        if not any("observe" in steps[n] for n in todo):
            break
        job = {"steps": [steps[n] for n in todo], "exercises": exercises, "library": library}
        at, why = follow(worker, job, found, errors, todo)
        if why is None:
            break
        lost.add(todo[at])
        name = steps[todo[at]].get("observe")
        if name:
            found[name] = why
        else:
            errors[todo[at]] = why
    names = [step["observe"] for step in steps if "observe" in step]
    return {name: found.get(name, "the notebook was given up after too many lost processes") for name in names}, errors


def follow(worker, job, found, errors, todo):
    """Read one worker's messages -> (number of the last step begun, None or why it was lost)."""
    at = 0
    for message in worker.messages(job):
        if not isinstance(message, dict):
            return at, "it sent what is no message"
        if isinstance(message.get("at"), int) and 0 <= message["at"] < len(todo):
            at = message["at"]
        elif message.get("observed") == job["steps"][at].get("observe") and "seen" in message:
            found[message["observed"]] = observations(message["seen"])
        elif "ran" in message:
            errors[todo[at]] = message.get("error") if isinstance(message.get("error"), str) else None
        elif message.get("done"):
            return at, None
        elif "lost" in message:
            return at, LOST.get(message["lost"], str(message["lost"]))
    return at, LOST["closed"]


def observations(seen):
    """What the worker says it saw, if it has the right form."""
    if seen is None:
        return None
    try:
        return [Observation.from_plain(plain) for plain in seen]
    except (TypeError, ValueError):
        return "it sent what is no observation"
