"""Observe an object on a case: the plain run for values, then the probes (again, gradients, device, narrow dtypes)."""

import contextlib
from dataclasses import replace

import torch

from course_utils.model.case import DTYPES
from course_utils.model.observation import Observation
from course_utils.model.sketch import waves

from .device_probe import Elsewhere
from .problem import Problem, first_line
from .quiet import quiet
from .trial import Use

STEADY = 1e-6


def observe(obj, case, contract, probes=True):
    """Never raises for what the student's code does (a keyboard interrupt passes through)."""
    if case.device and not runs(obj, case, contract) and runs(obj, on_cpu(case), contract):
        return observe_elsewhere(obj, case, contract)
    seen = Observation()
    with quiet() as out, seeded(0):
        plain = Use(contract, case, DTYPES[case.dtype])
        error = attempt(lambda: plain.run(obj))
    seen.printed = out.kept
    if isinstance(error, Problem):
        seen.problem = [error.mistake, str(error)]
    elif error is not None:
        seen.raised = [type(error).__name__, first_line(error)]
    else:
        seen.values = {fact: as_value(value, case.device) for fact, value in plain.facts.items()}
        seen.where = {fact: v.device.type for fact, v in plain.facts.items() if isinstance(v, torch.Tensor)}
        seen.changed, seen.moved = plain.changed(), plain.moved()
        seen.errors = {
            fact: [type(error).__name__, first_line(error)]
            for fact, error in plain.errors.items()
            if error is not None
        }
        case = case.told(plain.facts)
        if probes and contract.probes:
            with quiet():
                run_probes(seen, plain, obj, case, contract)
    return seen


def observe_elsewhere(obj, case, contract):
    """The case asks for a device without numbers, and the object reads some back (an assertion, a loop): asked for the
    CPU instead, with every tensor that is made without a device counted as elsewhere."""
    watch = Elsewhere()
    use = Use(contract, on_cpu(case), DTYPES[case.dtype])
    with quiet() as out, seeded(0), watch:
        error = attempt(lambda: use.run(obj))
    if error is not None:
        return Observation(raised=[type(error).__name__, first_line(error)], printed=out.kept)
    values = {fact: as_value(value, case.device) for fact, value in use.facts.items()}
    where = {fact: "cpu" if watch.is_away(value) else case.device for fact, value in use.facts.items()}
    return Observation(values=values, where=where, met=watch.met, printed=out.kept)


def runs(obj, case, contract):
    with quiet(), seeded(0):
        return attempt(lambda: Use(contract, case, DTYPES[case.dtype]).run(obj)) is None


def on_cpu(case):
    """The same case, asking for the CPU wherever it asks for a device."""
    calls = [replace(call, args=with_cpu(call.args)) for call in case.calls]
    return case.but(calls=calls, build=case.build and with_cpu(case.build))


def with_cpu(settings):
    return {name: "cpu" if name == "device" else value for name, value in settings.items()}


def run_probes(seen, plain, obj, case, contract):
    """Fill in what the student's side reports of itself."""
    instance = plain.instance if contract.kind == "module" else None
    seen.second = second_run(seen, plain, obj, case, contract, instance)
    if contract.library != "torch" or contract.kind == "answer" or case.device:
        return
    if contract.gradients and case.gradients:
        seen.gradients = gradients(obj, case, contract, instance)
    if contract.devices:
        seen.met = device_met(obj, case, contract)
    if case.narrow and any_float(case):
        seen.narrow = {name: narrow_run(obj, case, contract, name) for name in contract.narrow}


def second_run(seen, plain, obj, case, contract, instance):
    """The same use once more, of the same module or of a second object: 'same', 'differs', 'shared', or the error."""
    again = Use(contract, case, DTYPES[case.dtype], instance=instance)
    with seeded(1):
        error = attempt(lambda: again.run(obj))
    if error is not None:
        return f"{type(error).__name__}: {first_line(error)}"
    if plain.memory() & again.memory():
        return "shared"
    same = all(
        alike(as_value(again.facts.get(fact), case.device), value) for fact, value in seen.values.items()
    )
    return "same" if same else "differs"


def gradients(obj, case, contract, instance):
    """The gradient of one fixed mixture of all results, at every input and weight."""
    use = Use(contract, case, DTYPES[case.dtype], with_gradients=True, instance=instance)
    with seeded(0):
        error = attempt(lambda: use.run(obj))
        if error is not None:
            return f"{type(error).__name__}: {first_line(error)}"
        results = [value for fact, value in use.facts.items() if carries_gradient(fact, value, contract)]
        if not results:
            return dict.fromkeys(use.leaves)
        loss = sum((value.nan_to_num() * waves(value, 0).to(value.dtype)).sum() for value in results)
        for leaf in use.leaves.values():
            leaf.grad = None
        error = attempt(loss.backward)
    if error is not None:
        return f"{type(error).__name__}: {first_line(error)}"
    return {fact: None if leaf.grad is None else leaf.grad.clone() for fact, leaf in use.leaves.items()}


def carries_gradient(fact, value, contract):
    graded = contract.gradient_results
    return isinstance(value, torch.Tensor) and value.requires_grad and (graded is None or fact.name in graded)


def device_met(obj, case, contract):
    """The operator where a tensor made without a device met an input; 'return' when such a tensor is the result.
    Nothing (None) where no tensor was handed in: there is none to meet."""
    if not tensors(case):
        return None
    watch = Elsewhere()
    use = Use(contract, case, DTYPES[case.dtype])
    with seeded(0):
        if contract.kind == "module":
            use.instance = Use(contract, case, DTYPES[case.dtype]).run(obj).instance
        with watch:
            error = attempt(lambda: use.run(obj))
    if error is not None:
        return None
    from_elsewhere = any(watch.is_away(value) for result in use.results for value in result.values())
    return watch.met or ("return" if from_elsewhere else None)


def tensors(case):
    return [value for call in case.calls for value in call.args.values() if isinstance(value, torch.Tensor)]


def any_float(case):
    return any(tensor.is_floating_point() for tensor in tensors(case))


def narrow_run(obj, case, contract, name):
    """The results with every float input and weight in the dtype `name`."""
    use = Use(contract, case, DTYPES[name])
    with seeded(0):
        error = attempt(lambda: use.run(obj))
    if error is not None:
        return f"{type(error).__name__}: {first_line(error)}"
    return {fact: as_value(value) for fact, value in use.facts.items()}


def attempt(action):
    """The exception that the action raised, or None."""
    try:
        action()
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a student's code may raise anything, SystemExit included
        return error
    return None


@contextlib.contextmanager
def seeded(seed):
    """Randomness in the student's code repeats, and the notebook's own state is left alone (its random numbers, and a
    `torch.no_grad()` around the check). Anomaly mode calls a NaN on the way an error, also where it ends in a right 0."""
    with (
        torch.random.fork_rng(devices=[]),
        torch.inference_mode(False),
        torch.enable_grad(),
        torch.autograd.set_detect_anomaly(False),
    ):
        torch.default_generator.manual_seed(
            seed
        )  # torch.manual_seed keeps a stack trace for every GPU that there might be
        yield


def as_value(result, device=None):
    """A result as plain data; on another device (meta, without numbers) only shape and dtype count: zeros."""
    if not isinstance(result, torch.Tensor):
        return result
    if device or result.is_meta:
        return torch.zeros(result.shape, dtype=result.dtype)
    return result.detach().to("cpu").clone()


def alike(value, before):
    if isinstance(before, str) or not isinstance(value, torch.Tensor):
        return value == before
    if value.shape != before.shape:
        return False
    return torch.allclose(value.double().nan_to_num(7.7), before.double().nan_to_num(7.7), atol=STEADY)
