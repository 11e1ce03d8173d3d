"""Observe an object on a case: the plain run, with what is read off it, then the probes that need runs of
their own."""

import contextlib
from functools import partial
from typing import NamedTuple

import torch

from course_utils.model.case import DTYPES
from course_utils.model.fixed_weights import fixed_weights
from course_utils.model.observation import Observation

from .device_probe import DeviceProbe
from .interface import Problem
from .size_watch import SizeWatch
from .trial import Trial, exception_of, in_words, quiet, seeded, without_nan

REPEAT_TOLERANCE = 1e-6  # between two equal runs


def observe(obj, case, contract, probes=True, on_error=lambda error: None):
    """The Observation; never raises for what the student's code does (a keyboard interrupt passes
    through). on_error is called at once with an exception that ends the plain run."""
    if case.device and not runs(obj, case, contract) and runs(obj, case.on_cpu(), contract):
        return observe_on_cpu(obj, case, contract)
    observation = Observation()
    trial = Trial(contract, case, DTYPES[case.dtype])
    watch = SizeWatch(case.too_large, case.tensors) if case.too_large else contextlib.nullcontext()
    with quiet() as out, seeded(0), watch:  # the plain run; `seeded` restores the random state afterwards
        error = exception_of(lambda: trial.run(obj))
    observation.printed, observation.fresh = out.text, trial.made
    if isinstance(error, Problem):
        observation.problem = [error.mistake, str(error)]
    elif error is not None:
        observation.raised = in_words(error)
        on_error(error)
    else:
        observation.values = {fact: as_value(value, case.device) for fact, value in trial.facts.items()}
        observation.not_copies = trial.not_copies()
        observation.where = {
            fact: v.device.type for fact, v in trial.facts.items() if isinstance(v, torch.Tensor)
        }
        observation.changed, observation.not_views = trial.changed(), trial.not_views()
        observation.too_large = watch.shape if case.too_large else []
        observation.errors = {fact: in_words(e) for fact, e in trial.errors.items() if e is not None}
        if probes and contract.probes:
            with quiet():
                run_probes(observation, trial, obj, case.with_observed_errors(trial.facts), contract)
    return observation


def observe_on_cpu(obj, case, contract):
    """The case asks for `meta`, whose tensors hold no numbers, and the code reads one (in an assertion, a
    loop): run on the CPU instead.

    The device of each result is worked out by the device probe: a tensor that is made without `device=`
    would not be on the device that was asked for.
    """
    probe = DeviceProbe()
    trial = Trial(contract, case.on_cpu(), DTYPES[case.dtype])
    with quiet() as out, seeded(0), probe:
        error = exception_of(lambda: trial.run(obj))
    if error is not None:
        return Observation(raised=in_words(error), printed=out.text)
    values = {fact: as_value(value, case.device) for fact, value in trial.facts.items()}
    where = {fact: "cpu" if probe.is_away(value) else case.device for fact, value in trial.facts.items()}
    return Observation(values=values, where=where, device_clash=probe.clash, printed=out.text)


def runs(obj, case, contract):
    """Do all calls of the case end without an exception?"""
    with quiet(), seeded(0):
        return exception_of(lambda: Trial(contract, case, DTYPES[case.dtype]).run(obj)) is None


def run_probes(seen, plain, obj, case, contract):
    """Fill in `second`, `gradients`, `device_clash` and `narrow`; `plain` is the trial that gave the values.

    Measured in the process that runs the student's code, so it can be forged. The other probes, `changed`,
    `not_copies`, `not_views`, `too_large` and `where`, come from the plain run itself and are filled in by
    `observe`.
    """
    instance = plain.instance if contract.kind == "module" else None
    on_torch = contract.library == "torch" and contract.kind != "answer" and not case.device
    graded = on_torch and contract.gradients and case.gradients
    watched = on_torch and contract.devices and bool(case.tensors)  # else there is no device to differ from
    run = partial(second_run, seen, plain, obj, case, contract, instance)
    again = run(watched, graded)
    if graded and again.gave == "same" and not again.clash:
        seen.gradients = gradients_of(again.trial, contract)
    elif graded:  # ask one by one: where an input needs a gradient, a change in place raises
        again = run(watched, False)
        seen.gradients = gradients(obj, case, contract, instance)
    seen.second, seen.device_clash = again.gave, again.clash
    if contract.kind == "object" and again.gave == "same" and not case.device:
        seen.second = disturbed(seen, obj, case, contract)
    if on_torch and case.narrow and case.has_floats:
        seen.narrow = {name: narrow_run(obj, case, contract, name) for name in contract.narrow}


class Second(NamedTuple):
    """A second run. gave: 'same' as the plain run, 'differs', 'shared' (two objects wrote into the same
    memory), 'kept' (see `disturbed`), or the error. clash, where devices are watched: the operator that
    combines a tensor made without `device=` with an input; 'return' when such a tensor is the result; else
    None."""

    gave: str
    clash: str | None
    trial: Trial


def second_run(seen, plain, obj, case, contract, instance, watched, with_gradients):
    """The same calls once more, of the same module or of a second object -> Second."""
    again = Trial(contract, case, DTYPES[case.dtype], with_gradients, instance)
    probe = DeviceProbe() if watched else contextlib.nullcontext()
    with seeded(1), probe:
        error = exception_of(lambda: again.run(obj))
    if error is not None and watched:  # perhaps something that does not run below the device probe
        return second_run(seen, plain, obj, case, contract, instance, False, with_gradients)
    if error is not None:
        return Second(sentence_of(error), None, again)
    returned = watched and any(probe.is_away(value) for result in again.results for value in result.values())
    clash = probe.clash or ("return" if returned else None) if watched else None
    if plain.view_memory() & again.view_memory():
        return Second("shared", clash, again)
    results = {fact: as_value(again.facts.get(fact), case.device) for fact in seen.values}
    same = all(alike(results[fact], value) for fact, value in seen.values.items())
    return Second("same" if same else "differs", clash, again)


def disturbed(seen, obj, case, contract):
    """'same', or what changes the results: 'kept' (the caller overwrites its arguments after each call) or
    'shared' (a second object makes calls in between)."""

    def run(**more):
        trial = Trial(contract, case, DTYPES[case.dtype], **more)
        with seeded(1):
            return trial, exception_of(lambda: trial.run(obj))

    twin = run()[0].instance
    for gave, more in (("kept", {"overwriting": True}), ("shared", {"twin": twin})):
        trial, error = run(**more)
        if error is not None or not all(
            alike(as_value(trial.facts[f]), value) for f, value in seen.values.items()
        ):
            return gave
    return "same"


def gradients(obj, case, contract, instance):
    """The gradients of a run of its own, or the error."""
    trial = Trial(contract, case, DTYPES[case.dtype], with_gradients=True, instance=instance)
    with seeded(0):
        error = exception_of(lambda: trial.run(obj))
    return gradients_of(trial, contract) if error is None else sentence_of(error)


def gradients_of(trial, contract):
    """The gradient of one fixed mixture of all results, at every input and weight: {Fact: tensor or None},
    or the error."""
    results = [value for fact, value in trial.facts.items() if carries_gradient(fact, value, contract)]
    for leaf in trial.leaves.values():
        leaf.grad = None

    def backward():
        sum((v.nan_to_num() * fixed_weights(v, 0).to(v.dtype)).sum() for v in results).backward()

    with seeded(0):
        error = exception_of(backward) if results else None
    if error is not None:
        return sentence_of(error)
    return {fact: None if leaf.grad is None else leaf.grad.clone() for fact, leaf in trial.leaves.items()}


def carries_gradient(fact, value, contract):
    graded = contract.gradient_results
    return isinstance(value, torch.Tensor) and value.requires_grad and (graded is None or fact.name in graded)


def narrow_run(obj, case, contract, name):
    """The results with every float input and weight in the dtype `name`, or the error."""
    trial = Trial(contract, case, DTYPES[name])
    with seeded(0):
        error = exception_of(lambda: trial.run(obj))
    if error is not None:
        return sentence_of(error)
    return {fact: as_value(value) for fact, value in trial.facts.items()}


def sentence_of(error):
    return ": ".join(filter(None, in_words(error)))


def as_value(result, device=None):
    """A result as plain data; on another device (meta, without numbers) only shape and dtype count: zeros."""
    if not isinstance(result, torch.Tensor):
        return result
    if device or result.is_meta:
        return torch.zeros(result.shape, dtype=result.dtype)
    return result.detach().to("cpu").clone()


def alike(value, before):
    """Are the results of two equal runs the same?"""
    if isinstance(before, str) or not isinstance(value, torch.Tensor):
        return value == before
    return value.shape == before.shape and torch.allclose(
        without_nan(value), without_nan(before), atol=REPEAT_TOLERANCE
    )
