"""A Program: what a learner hands in, with the names by which its form is known. Nothing is guessed: the
names are those of a form, or they are not."""

import inspect
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, partial, wraps

import torch
from torch import nn

from course_utils.observe.trial import exception_of, quiet, seeded, snapshot, unchanged

from . import forms

LEFT_ALONE = ("device", "dtype", "bias", "dropout", "base")  # they keep their defaults without a question
WEIGHTS = ("W_q", "W_k", "W_v", "W_o")


class Weights(dict):
    """The weights, (in, out), that a `load` function gets."""

    def __repr__(self):
        return f"the weights {', '.join(self)}"


@dataclass
class Program:
    """obj: a function, a class, or a function that makes a layer. layers: {weights, in order: the layer that
    has them}, as in {"W_q W_k W_v": "qkv", "W_o": "out"}. load: instead, a function that copies weights."""

    obj: Callable
    layers: dict | None = None
    load: Callable | None = None

    def __post_init__(self):
        plain = isinstance(self.obj, (type, partial)) or inspect.isroutine(self.obj)
        self.obj = self.obj if plain else type(self.obj)  # an instance stands for its class
        self.is_class, self._layers, self.error = isinstance(self.obj, type), {}, None
        self.changed = set()  # the names of the arguments that a call of as_object() has changed
        self.is_adapted = self.layers is not None or self.load is not None
        self.name = getattr(self.obj, "__name__", "mine").replace("<lambda>", "mine")

    @property
    def is_numpy(self):
        """Is it a function whose code names numpy and not torch? It gets and returns arrays."""
        return modules_used(self.obj) == {"numpy"}

    @cached_property
    def parameters(self):
        """{name: inspect.Parameter} of the function or the constructor."""
        return parameters(self.obj)

    def layer(self, form):
        """A layer made with the sizes of the form's first case; None if that fails."""
        if form.name not in self._layers:
            layers, row = [], form.sheets[0].cases[0].calls[0].args
            with quiet(), seeded(0):
                self.error = exception_of(lambda: layers.append(self.obj(**self.sizes(form, row))))
            self._layers[form.name] = next((x for x in layers if isinstance(x, nn.Module)), None)
        return self._layers[form.name]

    def linear_layers(self, form):
        """{name: nn.Linear} in such a layer."""
        layer = self.layer(form)
        modules = layer.named_modules() if layer is not None else ()
        return {name: module for name, module in modules if isinstance(module, nn.Linear)}

    def forward(self, form):
        """{name: inspect.Parameter} of the layer's forward."""
        cls = self.obj if self.is_class else type(self.layer(form))
        method = getattr(cls, "forward", None) or vars(cls).get("__call__")
        return dict([*parameters(method).items()][1:])

    def has_form(self, form):
        """Are its names those of the form? With `layers` or `load`, those of the constructor decide."""
        if not fit(self.parameters, form.parameters, form.used):
            return False
        if not form.is_class or self.is_adapted:
            return form.is_class == (self.is_class or self.is_adapted)
        if not self.is_class and self.layer(form) is None:
            return False
        own = self.linear_layers(form)
        named = self.layer(form) is None or own.keys() >= set(form.layers.values())
        return named and fit(self.forward(form), form.signatures["forward"], form.used)

    def build(self, form, row):
        """{parameter: value} of what as_object() returns: the sizes, and the weights for a `load`."""
        return self.sizes(form, row) | ({"W": Weights({w: row[w] for w in WEIGHTS})} if self.load else {})

    def sizes(self, form, row):
        """{parameter: value} of the constructor."""
        return {name: row[name] for name in form.parameters if name in row}

    def weights(self, form, row):
        """{layer: weight, as nn.Linear keeps it}, and zeros for each bias."""
        if not form.layers or self.load:
            return {}
        places = form.layers if self.layers is None else self.layers
        weights = {place: fused(names, row) for names, place in places.items()}
        own = self.linear_layers(form)
        biased = [place for place in weights if place in own and own[place].bias is not None]
        return weights | {f"{place}.bias": torch.zeros(len(weights[place])) for place in biased}

    def as_object(self, form):
        """What a check observes: the function or the class, wrapped as the form says."""
        wrap = getattr(forms, form.wrap) if form.wrap else lambda program, *_: program
        if form.is_class:
            return making(self.name, lambda *values: self.make_layer(form, wrap, values))
        names = [*form.parameters]
        function = self.called_by(names, self.obj)
        if form.wrap == "keeps_cache":  # for each case anew
            return making(self.name, lambda: wrap(function, names, {}))
        return wrap(function, names, {})

    def make_layer(self, form, wrap, values):
        """A layer made with these values of the constructor, and wrapped."""
        sizes = dict(zip(form.parameters, values, strict=False))
        layer, names = self.obj(**sizes), form.signatures["forward"]
        if isinstance(layer, nn.Module):
            if self.load:
                load_weights(layer, self.load, values[-1])
            layer.forward = wrap(self.called_by(names, layer.forward), [*names], sizes)
            if any(buffer.is_complex() for buffer in layer.buffers()):
                layer.to = lambda *args, **named: layer  # else torch would drop the imaginary parts
        return layer

    def called_by(self, names, function):
        """The function, called by these names: its parameters may have another order, or be keyword-only. A
        list of numbers that it returns becomes a tensor, and `changed` gets what it changes."""

        @wraps(function)
        def called(*args, **named):
            values = dict(zip(names, args, strict=False)) | named
            copies = {
                name: snapshot(value) for name, value in values.items() if isinstance(value, forms.ARRAYS)
            }
            result = function(*args, **named) if self.is_adapted else function(**values)
            self.changed |= {name for name, copy in copies.items() if not unchanged(values[name], copy)}
            if isinstance(result, list):
                with suppress(TypeError, ValueError, RuntimeError, OverflowError):  # not a list of numbers
                    result = torch.tensor(result)
            return result

        return called


def making(name, make):
    """A class whose objects are what make(...) returns."""
    return type(name, (), {"__new__": lambda cls, *values: make(*values)})


def load_weights(layer, load, weights):
    """Set all biases to 0, and let the learner's function copy the weights."""
    with torch.no_grad():
        for module in layer.modules():
            if isinstance(module, nn.Linear) and module.bias is not None:
                module.bias.zero_()
        load(layer, weights)


def fused(names, weights):
    """The weight, (out, in), of a layer that computes several projections. names: "W_q W_k W_v", in order."""
    return torch.cat([weights[name].mT for name in re.findall(r"\w+", names)])


def parameters(function):
    """{name: inspect.Parameter}, without *args, **kwargs and what a partial has filled in by name."""
    try:
        listed = inspect.signature(function).parameters.values()
    except (ValueError, TypeError):
        return {}
    filled = getattr(function, "keywords", {}) if isinstance(function, partial) else {}
    return {
        p.name: p for p in listed if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD) and p.name not in filled
    }


def fit(own, listed, used):
    """Do a program's parameters have all names of a form that are used, and else only some of LEFT_ALONE?"""
    more = [parameter for name, parameter in own.items() if name not in listed]
    return own.keys() >= used & listed.keys() - {*LEFT_ALONE} and all(map(is_left_alone, more))


def is_left_alone(parameter):
    return parameter.name in LEFT_ALONE and parameter.default is not parameter.empty


def modules_used(function, done=frozenset()):
    """Which of torch and numpy the code of a function names, and that of its helpers in the notebook."""
    function = inspect.unwrap(getattr(function, "func", function))  # a partial's own
    code, space = getattr(function, "__code__", None), getattr(function, "__globals__", {})
    if code is None or code in done:
        return set()
    values = [space[name] for name in names_in(code) if name in space]
    modules = {value.__name__.partition(".")[0] for value in values if inspect.ismodule(value)}
    helpers = [modules_used(value, done | {code}) for value in values if inspect.isfunction(value)]
    return modules.union(*helpers) & {"torch", "numpy"}


def names_in(code):
    inner = [names_in(constant) for constant in code.co_consts if inspect.iscode(constant)]
    return {*code.co_names}.union(*inner)
