"""A function that takes a configuration comes in, what may be given for it goes out."""

from itertools import islice, product

from .build import Config, Made, make, recipes
from .config_classes import config_classes
from .hints import SIZES, role_of
from .parameters import parameters

MOST = 4  # ways to make one configuration


def choices(parameter, function, sizes):
    """What may be given for a parameter that is a configuration; [] if it is none."""
    made = [
        Made(cls, recipe)
        for cls in config_classes(parameter, function)
        for recipe in islice(recipes(cls, sizes), MOST)
    ]
    return [*made, *(["config"] if role_of(parameter.name, SIZES) == "config" else [])]


def said_by_class(function):
    """{"config": parameter} where an annotation says so, whatever the parameter is called."""
    names = [one.name for one in parameters(function) if config_classes(one, function)]
    return {"config": names[0]} if names else {}


def configured(function, plans, sizes):
    """The plans; one that has a configuration once for each way to make it."""
    known = {one.name: one for one in parameters(function)}
    for plan in plans:
        names = [name for name, role in plan.items() if role == "config"]
        for some in product(*(choices(known[name], function, sizes) for name in names)):
            yield plan | dict(zip(names, some, strict=True))


def made_config(role, sizes):
    return make(role.cls, role.recipe, sizes) if isinstance(role, Made) else Config(sizes)
