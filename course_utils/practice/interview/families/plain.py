"""What is called once with a few arguments: the search over plans, layouts and libraries."""

from itertools import product

from ..calls import libraries, methods_of, plans, with_signature
from ..objects import SETTINGS, Recipe, argument, targets
from ..parameters import call
from ..values import dress


class Plain:
    """One way to call. values(role, request, choice): an argument; read(value, request, choice): the result.
    calls(request, choice): the requests of all single calls, and join(results, request, choice)."""

    def __init__(self, family, step, plan, choice, make):
        self.family, self.step, self.plan, self.choice, self.make = family, step, plan, choice, make
        self.roles = {str(role) for role in plan.values()}

    def __call__(self, request):
        return self.family.run(self, request)

    def once(self, request):
        """What the object returns for one call."""
        values = {name: self.value(role, request) for name, role in self.plan.items()}
        return call(
            self.make(request), {name: value for name, value in values.items() if value is not LEFT_OUT}
        )

    def value(self, role, request):
        if isinstance(role, Recipe) or role in SETTINGS or role == "config":
            return argument(role, request)
        value = self.family.value(role, request, self.choice)
        return value if value is LEFT_OUT else dress(value, self.choice["lib"])


LEFT_OUT = object()


def ways(family, obj, request, step):
    """Iterator of (name, way), the likely first."""
    rows = []
    for first, (name, signed, skip, make) in enumerate(targets(obj, request, methods_of)):
        all_plans = plans(signed, family.FORMS, family.OPTIONAL, request, family.HINTS.items(), skip)
        for second, plan in enumerate(all_plans):
            options = family.options(set(map(str, plan.values())), step) | {"lib": libraries(obj)}
            for places in product(*(range(len(values)) for values in options.values())):
                choice = {n: list(options[n])[place] for n, place in zip(options, places, strict=True)}
                new = Plain(family, step, plan, choice, with_own(make, signed, skip))
                new.signed, new.skip = signed, skip
                rows.append((first + second + sum(places), f"{name}{plan} {choice}", new))
    for _, name, way in sorted(rows, key=lambda row: row[0]):
        yield name, way


def with_own(make, signed, skip):
    """make, whose result has the signature of what it stands for."""
    return lambda request: with_signature(make(request), signed, skip)
