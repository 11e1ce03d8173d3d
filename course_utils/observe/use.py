"""Use an object on one case, once: build it, give it weights, make the calls, collect the results as facts."""
import hashlib
import inspect
from dataclasses import dataclass, field

import numpy as np
import torch

from .case import DTYPES, Back, Fake, parameters
from .fakes import make_fake


class Problem(Exception):
    """The object cannot be used as the exercise says; the message is for the student, `mistake` is a stable name."""

    def __init__(self, message, mistake="wrong_interface"):
        super().__init__(message)
        self.mistake = mistake


@dataclass
class Use:
    """facts: label -> result. leaves: name -> tensor that should receive a gradient. given: (name, value, copy)."""

    contract: object
    case: object
    dtype: torch.dtype
    with_gradients: bool = False
    instance: object = None
    facts: dict = field(default_factory=dict)
    leaves: dict = field(default_factory=dict)
    given: list = field(default_factory=list)
    results: list = field(default_factory=list)
    fakes: dict = field(default_factory=dict)

    def run(self, obj):
        """Make every call of the case; `instance` (from an earlier use) is used again where there is one."""
        if self.contract.kind == "answer":
            self.facts = {"answer": digest(self.contract.name, as_answer(obj() if callable(obj) else obj))}
            return self
        if self.contract.kind in ("module", "object"):
            self.instance = self.instance or build(obj, self)
            if self.contract.kind == "module":
                give_weights(self)
            obj = self.instance
        elif not callable(obj) or isinstance(obj, (type, torch.nn.Module)):
            raise Problem(f"expected the function {self.contract.name}, got {describe_type(obj)}", "not_a_function")
        for number, call in enumerate(self.case.calls):
            self.make_call(obj, number, call)
        if not any(call.raises for call in self.case.calls):
            for name, fake in reversed(self.fakes.items()):
                self.facts.update({f"{name}.{label}": value for label, value in fake.record().items()})
        return self

    def make_call(self, obj, number, call):
        method = obj if call.method in ("", "forward") else getattr(obj, call.method, None)
        if method is None:
            raise Problem(f"the class has no method called {call.method}", "missing_name")
        args = {name: self.prepare(name if number == 0 else f"{name} of call {number + 1}", value) for name, value in call.args.items()}
        signature = self.contract.signatures.get(call.method or "forward") or self.contract.signatures[""]
        positional, keywords = arrange(method, signature, args)
        suffix = "" if number == 0 else f" of call {number + 1}"
        if call.raises:
            self.results.append({})
            self.facts["error" + suffix] = raised_by(method, positional, keywords, call.raises)
            return
        returned = method(*positional, **keywords)
        named = unpack(returned, call.returns or self.contract.returns, self.contract)
        named = {label: without_leading_ones(value, self.case.rank) for label, value in named.items()}
        self.results.append(named)
        counted = {label: value for label, value in named.items() if not self.case.only or label in self.case.only}
        self.facts.update({label + suffix: self.fact(label, value) for label, value in counted.items()})

    def fact(self, label, value):
        value = snapshot(value)
        floor = self.contract.floors.get(label)
        return value if floor is None else torch.where(value <= floor, -torch.inf, value)

    def prepare(self, name, value):
        """A fresh argument; floats in the case's dtype, everything watched for changes."""
        if isinstance(value, Back):
            value = self.results[value.call][value.item]
        elif isinstance(value, Fake):
            self.fakes[name] = make_fake(value, self.dtype)
            return self.fakes[name]
        elif isinstance(value, torch.Tensor):
            value = self.fresh(name, value)
        elif isinstance(value, list):
            value = list(value)
        elif name == "dtype":
            value = DTYPES[value]
        if isinstance(value, (torch.Tensor, np.ndarray, list)):
            self.given.append((name, value, snapshot(value)))
        return value

    def fresh(self, name, value):
        value = value.to(self.dtype, copy=True) if value.is_floating_point() else value.clone()
        if self.case.strided:
            value = strided(value)
        if self.contract.library == "numpy":
            return value.numpy()
        if self.with_gradients and value.is_floating_point():
            self.leaves[name] = value.requires_grad_()
        return value

    def changed(self):
        """Names of the arguments and weights that no longer hold what they held."""
        return [name for name, value, before in self.given if not unchanged(value, before)]


def without_leading_ones(value, rank):
    extra = value.ndim - rank if rank else 0
    return value.reshape(value.shape[extra:]) if extra > 0 and set(value.shape[:extra]) == {1} else value


def raised_by(method, positional, keywords, wanted):
    """'ValueError' when the call raises it (an AssertionError is as good), else what happened instead."""
    try:
        method(*positional, **keywords)
    except (ValueError, AssertionError):
        return wanted
    except Exception as error:
        return type(error).__name__
    return "no error"


def build(cls, use):
    """Construct the student's class; arguments in order, `dtype` and `device` by keyword."""
    if not isinstance(cls, type):
        raise Problem(f"expected the class {use.contract.name} itself, got {describe_type(cls)}", "instance_for_class")
    settings = dict(use.case.build)
    keywords = {key: settings.pop(key) for key in ("dtype", "device") if key in settings}
    if isinstance(keywords.get("dtype"), str):
        keywords["dtype"] = DTYPES[keywords["dtype"]] if use.case.dtype == keywords["dtype"] else use.dtype
    instance = cls(*settings.values(), **keywords)
    if use.contract.kind == "module":
        if not isinstance(instance, torch.nn.Module):
            raise Problem(f"{use.contract.name} is not a torch.nn.Module: write class {use.contract.name}(nn.Module)", "not_a_module")
        instance.to(use.dtype)
        instance.train(not use.case.evaluating)
    return instance


def give_weights(use):
    """Copy the case's weights into the named layers and watch them."""
    for name, weight in use.case.weights.items():
        layer = getattr(use.instance, name, None)
        if not isinstance(layer, torch.nn.Module) or not isinstance(getattr(layer, "weight", None), torch.Tensor):
            raise Problem(f"the class has no layer called {name}: make it in __init__ as self.{name} = nn.Linear(...)", "missing_name")
        if getattr(layer, "bias", None) is not None:
            raise Problem(f"{name} has a bias: this exercise wants nn.Linear(..., bias=False)", "bias")
        if layer.weight.shape != weight.shape:
            got, wanted = tuple(layer.weight.shape), tuple(weight.shape)
            raise Problem(f"{name}.weight has shape {got}; expected {wanted} (nn.Linear keeps (out, in))", "layer_shape")
        with torch.no_grad():
            layer.weight.copy_(weight.to(layer.weight.dtype))
        use.given.append((f"{name}.weight", layer.weight, layer.weight.detach().clone()))
        if use.with_gradients:
            use.leaves[f"{name}.weight"] = layer.weight


def arrange(method, signature, args):
    """Required arguments go by position, optional ones by their name (by position where the name is another)."""
    names, required = parameters(signature)
    try:
        accepted = inspect.signature(method).parameters
        any_name = any(p.kind is p.VAR_KEYWORD for p in accepted.values())
    except (TypeError, ValueError):
        accepted, any_name = {}, True
    positional, keywords = [], {}
    for place, (name, value) in enumerate(args.items()):
        by_place = name in required or (name not in accepted and not any_name and name == names[place] and not keywords)
        if by_place and len(positional) == place:
            positional.append(value)
        else:
            keywords[name] = value
    return positional, keywords


def unpack(returned, wanted, contract):
    """What was returned -> {result name: tensor}, or a Problem that says what came instead."""
    names = list(wanted)
    if contract.container == "none":
        return {}
    if returned is None:
        raise Problem("it returns None: is the `return` missing?", "returns_none")
    if contract.container == "dict" and wanted is contract.returns:
        if not isinstance(returned, dict):
            raise Problem(f"it returns {describe_type(returned)}; expected a dict with the keys {', '.join(names)}", "wrong_container")
        missing = [name for name in names if name not in returned]
        if missing:
            raise Problem(f"the dict has no key {' and no key '.join(missing)}; expected the keys {', '.join(names)}", "missing_key")
        return {name: as_result(name, returned[name], contract) for name in names}
    if len(names) == 1:
        if isinstance(returned, (tuple, list)):
            raise Problem(f"it returns {len(returned)} things; expected one: {names[0]}", "number_of_results")
        return {names[0]: as_result(names[0], returned, contract)}
    if not isinstance(returned, (tuple, list)) or len(returned) != len(names):
        got = f"{len(returned)} things" if isinstance(returned, (tuple, list)) else f"{describe_type(returned)} alone"
        raise Problem(f"it returns {got}; expected {len(names)}: {', '.join(names)}", "number_of_results")
    return {name: as_result(name, value, contract) for name, value in zip(names, returned, strict=True)}


def as_result(name, value, contract):
    """A result as it should be; anything else is a Problem."""
    if contract.library == "int":
        if hasattr(value, "__index__") and not isinstance(value, bool):
            return torch.tensor(int(value))
        raise Problem(f"`{name}` is {describe_type(value)}; expected an int", "wrong_type")
    if contract.library == "numpy":
        if isinstance(value, np.ndarray) and value.dtype.kind in "biuf":
            return value
        raise Problem(f"`{name}` is {describe_type(value)}; expected a NumPy array", "wrong_type")
    if isinstance(value, torch.Tensor):
        return value
    raise Problem(f"`{name}` is {describe_type(value)}; expected a torch tensor", "wrong_type")


def as_answer(value):
    """An answer in one canonical form: the order of keys and of lists of pairs, tuples or lists, and capitals do not
    matter; the order inside a pair does."""
    if value is None:
        raise Problem("there is no answer yet: return one", "not_started")
    if isinstance(value, dict):
        return "{" + ", ".join(sorted(f"{as_answer(k)}: {as_answer(v)}" for k, v in value.items())) + "}"
    if isinstance(value, (list, tuple, set, frozenset)):
        items = [as_answer(item) for item in value]
        plain = all(isinstance(item, (int, str)) for item in value) and not isinstance(value, (set, frozenset))
        return "[" + ", ".join(items if plain else sorted(items)) + "]"
    return str(value).strip().casefold()


def digest(name, answer):
    """An answer is kept and compared as a fingerprint: the published one gives nothing away at a glance."""
    return hashlib.sha256(f"{name}: {answer}".encode()).hexdigest()[:16]


def describe_type(value):
    if isinstance(value, np.ndarray):
        return "a NumPy array"
    if isinstance(value, torch.Tensor):
        return "a torch tensor"
    if value is None:
        return "None"
    if isinstance(value, type):
        return f"the class {value.__name__}"
    word = type(value).__name__
    return ("an " if word[0] in "aeiou" else "a ") + word


def snapshot(value):
    """A copy that later changes do not reach; still connected to the graph."""
    if isinstance(value, np.ndarray):
        return torch.from_numpy(np.array(value, copy=True))
    return value.clone() if isinstance(value, torch.Tensor) else list(value)


def unchanged(value, before):
    if isinstance(value, list):
        return value == before
    value = torch.from_numpy(value) if isinstance(value, np.ndarray) else value.detach()
    before = before.detach()
    return value.shape == before.shape and torch.equal(torch.nan_to_num(value.double(), 7.7), torch.nan_to_num(before.double(), 7.7))


def strided(tensor):
    """The same numbers, not contiguous in memory."""
    if tensor.dim() < 2:
        return torch.stack([tensor, tensor], -1)[..., 0]
    return tensor.transpose(0, -1).contiguous().transpose(0, -1)
