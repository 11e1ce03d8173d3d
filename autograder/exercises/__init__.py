"""The exercises: one file each, named as the exercise, in a folder for each part."""

from functools import cache
from importlib import import_module
from pathlib import Path

FOLDER = Path(__file__).parent


@cache
def places():
    """{exercise name: module name}."""
    return {
        path.stem: f"{__name__}.{path.parent.name}.{path.stem}"
        for path in sorted(FOLDER.glob("*/*.py"))
        if not path.stem.startswith("_")
    }


def names():
    return list(places())


@cache
def load(name):
    """The Exercise of this name; KeyError when there is none."""
    return import_module(places()[name]).ex.complete(name)
