"""The exercises: one file each, named as the exercise, in a folder for each part.

earlier/ holds those that no lesson has any more. They are checked and graded in notebooks of releases that had
them.
"""

from functools import cache
from importlib import import_module
from pathlib import Path

from autograder.refused import AuthorError

FOLDER = Path(__file__).parent
EARLIER = ".earlier."


@cache
def places():
    """{exercise name: module name}, those of earlier releases included."""
    return {
        path.stem: f"{__name__}.{path.parent.name}.{path.stem}"
        for path in sorted(FOLDER.glob("*/*.py"))
        if not path.stem.startswith("_")
    }


def names():
    """The exercises of today's lessons."""
    return [name for name, module in places().items() if EARLIER not in module]


def earlier_names():
    """The exercises that only earlier releases have."""
    return [name for name, module in places().items() if EARLIER in module]


@cache
def load(name):
    """The Exercise of this name; KeyError when there is none, AuthorError when its file cannot be read."""
    file = file_of(name)
    try:
        return import_module(places()[name]).ex.complete(name)
    except AuthorError:
        raise
    except Exception as error:
        from autograder.authoring.slips import slip_in  # it imports torch, and names() needs none of it

        raise slip_in(str(file), error, f"the exercise {name}") from error


def file_of(name):
    return FOLDER.joinpath(*places()[name].split(".")[-2:]).with_suffix(".py")
