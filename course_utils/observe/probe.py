"""Observe an object on a case: the plain run and the probes that are read off it, then the probes that need
runs of their own."""

import contextlib

import torch

from course_utils.model.case import DTYPES
from course_utils.model.fixed_weights import fixed_weights
from course_utils.model.observation import Observation

from .device_probe import DeviceProbe
from .interface import Problem
from .nested import checking
from .size_watch import CallWatch, SizeWatch, entries_held
from .trial import Trial, alike, exception_of, in_words, quiet, seeded

REPEAT_TOLERANCE = (1e-5, 1e-6)  # relative and absolute, between two equal runs
UNWATCHED = contextlib.nullcontext()


def observe(obj, case, contract, probes=True, on_error=lambda error: None):
    """Return the Observation; never raises for what the student's code does (KeyboardInterrupt and TimeUp
    pass through). on_error is called at once with an exception that ends the plain run."""
    with checking(contract.name):
        return observation_of(obj, case, contract, probes, on_error)


def observation_of(obj, case, contract, probes, on_error):
    """See `observe`."""
    trial = Trial(contract, case, DTYPES[case.dtype])
    sizes = SizeWatch(case.too_large, case.tensors) if case.too_large else UNWATCHED
    calls = CallWatch(contract.by_hand) if case.too_large or contract.by_hand else UNWATCHED
    with quiet() as out, calls:
        error = error_of_run(trial, obj, 0, sizes)
    if error is not None and case.device and (on_cpu := observe_on_cpu(obj, case, contract)):
        return on_cpu
    observation = Observation(printed=out.text)
    if isinstance(error, Problem):
        observation.problem = [error.mistake, str(error)]
    elif error is not None:
        observation.raised = in_words(error)
        on_error(error)
    else:
        observation.values = values_of(trial, case.device)
        observation.not_copies = trial.not_copies()
        observation.where = {
            fact: v.device.type for fact, v in trial.facts.items() if isinstance(v, torch.Tensor)
        }
        observation.changed, observation.not_views = trial.changed(), trial.not_views()
        observation.reallocates = trial.reallocates()
        observation.ready_made = calls.ready_made if contract.by_hand else ""
        if case.too_large:
            observation.too_large, observation.escape = sizes.shape, calls.escape
            held = entries_held(trial.instance)
            observation.held = held if held >= case.too_large else 0
        observation.errors = {fact: in_words(e) for fact, e in trial.errors.items() if e is not None}
        if probes and contract.probes:
            with quiet():
                run_probes(observation, trial, obj, case.with_observed_errors(trial.facts), contract)
    return observation


def error_of_run(trial, obj, seed, watch=UNWATCHED):
    """Run the trial; return the exception that ends it, or None. The random state is restored afterwards."""
    with seeded(seed), watch:
        return exception_of(lambda: trial.run(obj))


def observe_leniently(obj, case, contract):
    """The values of a run that forgives common slips: in float32 (the dtype of a tensor made without dtype=),
    with biases that are not wanted at 0, and missing entries left out. {} if it raises even so, or cannot be
    tried in float32."""
    if "float32" not in contract.narrow or not case.narrow:
        return {}
    trial = Trial(contract, case, torch.float32, lenient=True)
    with checking(contract.name), quiet():
        error = error_of_run(trial, obj, 0)
    return values_of(trial, case.device) if error is None else {}


def observe_on_cpu(obj, case, contract):
    """Observe a case that asks for the device `meta` on the CPU instead; None if the code raises there, too.

    Tensors on `meta` hold no numbers, so code that reads one (in an assertion, a loop) raises. The device
    probe works out the device of each result: a tensor made without `device=` would be on the CPU.
    """
    probe, trial = DeviceProbe(), Trial(contract, case.on_cpu(), DTYPES[case.dtype])
    with quiet() as out:
        error = error_of_run(trial, obj, 0, probe)
    if error is not None:
        return None
    devices = {fact: "cpu" if probe.is_stray(value) else case.device for fact, value in trial.facts.items()}
    values = values_of(trial, case.device)
    return Observation(values=values, where=devices, device_clash=probe.clash, printed=out.text)


def run_probes(record, plain, obj, case, contract):
    """Fill in `second`, `gradients`, `device_clash` and `narrow`; `plain` is the trial that gave the values.

    All of this is measured in the process that runs the student's code, so it can be forged. The other probes
    (`changed`, `not_copies`, `where`, and those of memory) are read off the plain run by `observe`.
    """
    on_torch = contract.library == "torch" and contract.kind != "answer" and not case.device
    watched = on_torch and contract.devices and bool(case.tensors)  # else there is no device to differ from
    instance = plain.instance if contract.kind == "module" else None

    def trial(dtype=case.dtype, **more):
        return Trial(contract, case, DTYPES[dtype], **more)

    record.second, record.device_clash = second_run(
        record, plain, obj, lambda: trial(instance=instance), watched
    )
    if on_torch and contract.gradients and case.gradients:
        again = trial(with_gradients=True, instance=instance)
        error = error_of_run(again, obj, 0)
        record.gradients = gradients_of(again, contract) if error is None else sentence_of(error)
    if contract.kind == "object" and record.second == "same" and not case.device:
        record.second = disturbance_effect(record, obj, trial)
    for name in contract.narrow if on_torch and case.narrow and case.has_floats else ():
        again = trial(name)
        error = error_of_run(again, obj, 0)
        record.narrow[name] = values_of(again) if error is None else sentence_of(error)


def second_run(record, plain, obj, trial, watched):
    """Repeat the calls, on the same module or on a second object; return (outcome, clash).

    outcome: 'same' as the plain run, 'differs', 'shared' (two objects wrote into the same memory), or the
    error. clash, where devices are watched: the operator that combines an input with a tensor made without
    `device=`, or 'return' if such a tensor is the result; else None.
    """
    again, probe = trial(), DeviceProbe() if watched else UNWATCHED
    error = error_of_run(again, obj, 1, probe)
    if error is not None and watched:  # perhaps something that does not run under the device probe
        return second_run(record, plain, obj, trial, watched=False)
    if error is not None:
        return sentence_of(error), None
    escapes = watched and any(probe.is_stray(value) for result in again.results for value in result.values())
    clash = probe.clash or ("return" if escapes else None) if watched else None
    if plain.view_memory() & again.view_memory():
        return "shared", clash
    return "same" if agree(again, record) else "differs", clash


def disturbance_effect(record, obj, trial):
    """'same', or what makes the results change: 'kept' (the caller overwrites its arguments after each call)
    or 'shared' (a second object makes calls in between)."""
    first = trial()
    error_of_run(first, obj, 1)
    for effect, more in (("kept", {"overwriting": True}), ("shared", {"twin": first.instance})):
        again = trial(**more)
        if error_of_run(again, obj, 1) is not None or not agree(again, record):
            return effect
    return "same"


def agree(trial, record):
    """Are the trial's results those of the plain run?"""
    values = values_of(trial, trial.case.device)
    return all(alike(values.get(fact), value, *REPEAT_TOLERANCE) for fact, value in record.values.items())


def gradients_of(trial, contract):
    """The gradients of one fixed weighted sum of all results, at every input and weight: {Fact: tensor or
    None}, or the error."""
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


def sentence_of(error):
    return ": ".join(filter(None, in_words(error)))


def values_of(trial, device=None):
    return {fact: as_value(value, device) for fact, value in trial.facts.items()}


def as_value(result, device):
    """A result as plain data: zeros if a device was asked for, as only shape and dtype count on meta."""
    if not isinstance(result, torch.Tensor):
        return result
    if device or result.is_meta:
        return torch.zeros(result.shape, dtype=result.dtype)
    return result.detach().to("cpu").clone()
