"""Find and load the exercises: one file each, named after the exercise, in a folder for each part.

earlier/ holds exercises that no lesson has any more; notebooks of earlier releases still need them.
"""

from functools import cache
from importlib import import_module
from pathlib import Path

from autograder.refused import AuthorError

FOLDER = Path(__file__).parent
EARLIER = ".earlier."


@cache
def places():
    """{exercise name: module name}, including those of earlier releases."""
    return {
        path.stem: f"{__name__}.{path.parent.name}.{path.stem}"
        for path in sorted(FOLDER.glob("*/*.py"))
        if not path.stem.startswith("_")
    }


def names():
    """The names of the exercises in the current lessons."""
    return [name for name, module in places().items() if EARLIER not in module]


def earlier_names():
    """The names of the exercises that only earlier releases have."""
    return [name for name, module in places().items() if EARLIER in module]


@cache
def load(name):
    """The Exercise with this name; KeyError if there is none, AuthorError if its file is faulty."""
    file = file_of(name)
    try:
        return import_module(places()[name]).ex.complete(name)
    except AuthorError:
        raise
    except Exception as error:
        from autograder.authoring.slips import slip_in  # imports torch, which names() must not need

        raise slip_in(str(file), error, f"the exercise {name}") from error


def file_of(name):
    return FOLDER.joinpath(*places()[name].split(".")[-2:]).with_suffix(".py")
