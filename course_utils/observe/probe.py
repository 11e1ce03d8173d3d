"""Observe an object on a case: the plain run and the probes that are read off it, then the probes that need
runs of their own."""

import contextlib

import torch

from course_utils.model.case import DTYPES
from course_utils.model.fixed_weights import fixed_weights
from course_utils.model.observation import Observation

from .interface import Problem
from .nested import checking
from .trial import Trial, alike, exception_of, in_words, quiet, seeded
from .watches import CallWatch, DeviceProbe, SizeWatch, entries_held

REPEAT_TOLERANCE = (1e-5, 1e-6)  # relative and absolute, between two equal runs


def observe(obj, case, contract, probes=True, on_error=lambda error: None, may_be_right=lambda values: True):
    """Return the Observation; never raises for what the student's code does (KeyboardInterrupt and TimeUp
    pass through).

    on_error is called at once with an exception that ends the plain run. may_be_right: could these values be
    right? Where they cannot, nobody reads most probes, and they are left out.
    """
    with checking(contract.name), quiet() as out:
        trial = Trial(contract, case, DTYPES[case.dtype])
        calls = CallWatch(contract.by_hand) if case.too_large or contract.by_hand else None
        sizes = SizeWatch(case.too_large, case.tensors) if case.too_large else None
        error = error_of_run(trial, obj, 0, calls, sizes)
        if error is not None and case.device and (on_cpu := observe_on_cpu(obj, case, contract)):
            return on_cpu
        if isinstance(error, Problem):
            return Observation(problem=[error.mistake, str(error)], printed=out.text)
        if error is not None:
            on_error(error)
            return Observation(raised=in_words(error), printed=out.text)
        observation = Observation(
            values=values_of(trial, case.device),
            errors={fact: in_words(e) for fact, e in trial.errors.items() if e is not None},
            printed=out.text,
            changed=trial.changed(),
            not_copies=trial.not_copies(),
            not_views=trial.not_views(),
            reallocates=trial.reallocates(),
            where={fact: v.device.type for fact, v in trial.facts.items() if isinstance(v, torch.Tensor)},
        )
        if calls:
            observation.ready_made = calls.ready_made
        if calls and sizes:
            observation.too_large, observation.escape = sizes.shape, calls.escape
            held = entries_held(trial.instance)
            observation.held = held if held >= case.too_large else 0
        if probes and contract.probes:
            again = case.with_observed_errors(trial.facts)
            run_probes(observation, trial, obj, again, contract, may_be_right(observation.values))
    return observation


def error_of_run(trial, obj, seed, *watches):
    """Run the trial under these watches (None: nothing to watch); return the exception that ends it, or None.
    The random state is restored afterwards."""
    with seeded(seed), contextlib.ExitStack() as stack:
        for watch in filter(None, watches):
            stack.enter_context(watch)
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


def run_probes(record, plain, obj, case, contract, may_be_right):
    """Fill in `second` and, unless the values are wrong, `gradients`, `device_clash` and `narrow`; `plain` is
    the trial that gave the values.

    All of this is measured in the process that runs the student's code, so it can be forged. The other probes
    (`changed`, `not_copies`, `where`, and those of memory) are read off the plain run by `observe`.
    """
    on_torch = contract.library == "torch" and contract.kind != "answer" and not case.device
    module = plain.instance if contract.kind == "module" else None

    def rerun(seed=0, probe=None, dtype=case.dtype, **more):
        """(a trial that makes the calls again, its exception in words; "" for none)"""
        again = Trial(contract, case, DTYPES[dtype], **more)
        return again, sentence_of(error_of_run(again, obj, seed, probe))

    # without an argument, there is no device to differ from
    probe = DeviceProbe() if may_be_right and on_torch and contract.devices and case.tensors else None
    second, error = rerun(1, probe, instance=module)
    if error and probe:  # perhaps something that does not run under the device probe
        probe, (second, error) = None, rerun(1, instance=module)
    shared = plain.view_memory() & second.view_memory()
    record.second = error or ("shared" if shared else "same" if agree(second, record) else "differs")
    if not may_be_right:
        return
    if probe:
        results = [value for result in second.results for value in result.values()]
        record.device_clash = probe.clash or ("return" if any(map(probe.is_stray, results)) else None)
    if on_torch and contract.gradients and case.gradients:
        again, error = rerun(with_gradients=True, instance=module)
        record.gradients = error or gradients_of(again, contract)
    if contract.kind == "object" and record.second == "same" and not case.device:
        again, error = rerun(1, overwriting=True)
        if error or not agree(again, record):
            record.second = "kept"
        else:
            again, error = rerun(1, twin=second.instance)
            record.second = "shared" if error or not agree(again, record) else "same"
    for name in contract.narrow if on_torch and case.narrow and case.has_floats else ():
        again, error = rerun(dtype=name)
        record.narrow[name] = error or values_of(again)


def agree(trial, record):
    """Are the trial's results those of the plain run?"""
    values = values_of(trial, trial.case.device)
    return all(alike(values.get(fact), value, *REPEAT_TOLERANCE) for fact, value in record.values.items())


def gradients_of(trial, contract):
    """The gradients of one fixed weighted sum of all results, at every input and weight: {Fact: tensor or
    None}, or the error."""
    names = contract.gradient_results
    results = [value for fact, value in trial.facts.items() if names is None or fact.name in names]
    results = [value for value in results if isinstance(value, torch.Tensor) and value.requires_grad]
    for leaf in trial.leaves.values():
        leaf.grad = None

    def backward():
        torch.autograd.backward([(v.nan_to_num() * fixed_weights(v, 0).to(v.dtype)).sum() for v in results])

    with seeded(0):
        error = exception_of(backward) if results else None
    if error is not None:
        return sentence_of(error)
    return {fact: None if leaf.grad is None else leaf.grad.clone() for fact, leaf in trial.leaves.items()}


def sentence_of(error):
    """'RuntimeError: its message'; "" for no error."""
    return ": ".join(filter(None, in_words(error))) if error is not None else ""


def values_of(trial, device=None):
    """{Fact: result as plain data}: zeros if a device was asked for, where only shape and dtype count."""
    return {fact: as_value(value, device) for fact, value in trial.facts.items()}


def as_value(result, device):
    if not isinstance(result, torch.Tensor):
        return result
    if device or result.is_meta:
        return torch.zeros(result.shape, dtype=result.dtype)
    return result.detach().cpu()
