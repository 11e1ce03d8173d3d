"""The ways to call what somebody wrote: each target, each plan of its parameters, each choice of layouts.

A family is a module that knows one kind of topic. FORMS, OPTIONAL and HINTS: as `plans` takes them. CACHED:
forms tried first where a part asks for a cache. CONSTRUCTOR: hints for constructors, whose arguments are
sizes, or constructor_argument(request, role). options(way): {what can be chosen: values, the likely first}.
value(role, request, way): an argument. run(way, request): the result, from one call or several."""

from functools import partial
from itertools import product

import numpy as np

from ..calls import libraries, plans
from ..objects import SETTINGS, Recipe, argument, targets
from ..parameters import LEFT_OUT, call
from ..values import dress


class Way:
    """One way to call. roles: what the arguments stand for. choice: {option: value}."""

    def __init__(self, family, step, target, plan, choice):
        self.family, self.step, self.target, self.plan, self.choice = family, step, target, plan, choice
        self.roles = {str(role) for role in plan.values()}

    @property
    def name(self):
        plan = ", ".join(f"{name}={role}" for name, role in self.plan.items())
        return f"{self.target.name}({plan}) " + " ".join(f"{k}:{v}" for k, v in self.choice.items())

    def __call__(self, request):
        return self.family.run(self, request)

    def once(self, request, function=None):
        """What the object returns for one call. function: what to call in place of a new object."""
        values = {name: self.value(role, request) for name, role in self.plan.items()}
        return call(function or self.target.make(request), values)

    def value(self, role, request):
        if isinstance(role, Recipe) or role in SETTINGS or role == "config":
            return argument(role, request, lambda role: self.family.value(role, request, self))
        value = self.family.value(role, request, self)
        return dress(value, self.choice["lib"]) if isinstance(value, np.ndarray) else value


def ways(family, obj, request, step):
    """Iterator of Way, the likely first."""
    rows, hints = [], getattr(family, "CONSTRUCTOR", {})
    argument_of = getattr(family, "constructor_argument", lambda request, role: LEFT_OUT)
    forms = [*getattr(family, "CACHED", ()), *family.FORMS] if step.is_cached else family.FORMS
    every = targets(obj, request, partial(argument_of, request), hints)
    for first, target in enumerate(every):
        names = family.OPTIONAL, request, family.HINTS
        for second, plan in enumerate(plans(target.signed, forms, *names, target.skip)):
            options = family.options(Way(family, step, target, plan, {}))
            options.setdefault("lib", libraries(obj)[: 2 if step.is_cached else 3])
            for places in product(*(range(len(values)) for values in options.values())):
                choice = {n: list(options[n])[place] for n, place in zip(options, places, strict=True)}
                rows.append((first + second + sum(places), Way(family, step, target, plan, choice)))
    for _, way in sorted(rows, key=lambda row: row[0]):
        yield way
