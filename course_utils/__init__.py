"""All that a student's notebook imports. Figures and the interview are loaded when first used, so that the
import is quick."""

from importlib import import_module

from .check import check
from .due import due
from .hint import hint
from .practice.carry import load_progress, save_progress
from .predict import predict
from .progress import progress
from .shapes import check_shape
from .yours import yours

__version__ = "0.1.0"
__all__ = [
    "bug_hunt",
    "check",
    "check_shape",
    "due",
    "flashcards",
    "hint",
    "interview",
    "load_progress",
    "mock_interview",
    "plot_heads",
    "plot_mask",
    "predict",
    "progress",
    "save_progress",
    "yours",
]
FIGURES = {"plot_mask": ".figures.masks", "plot_heads": ".figures.heads"}
# The whole names: one that begins with a dot counts as an import, and every notebook would carry it.
PART_8 = {
    "bug_hunt": "course_utils.practice.interview.hunt",
    "flashcards": "course_utils.practice.flashcards",
    "interview": "course_utils.practice.interview",
    "mock_interview": "course_utils.practice.interview.mock",
}
NOT_HERE = (
    "`{}` is not part of this notebook: it is in 08_interview, and wherever the whole course is installed."
)


def __getattr__(name):
    if name in PART_8:
        globals()[name] = found(name)
        return globals()[name]
    if name not in FIGURES:
        raise AttributeError(f"module 'course_utils' has no attribute {name!r}")
    return getattr(import_module(FIGURES[name], __name__), name)


def found(name):
    """A function of part 8; where a notebook works alone and does not bring it, what says where it is."""
    try:
        return getattr(import_module(PART_8[name]), name)
    except ModuleNotFoundError:
        from .show.card import show_text

        return lambda *_, **__: show_text(NOT_HERE.format(name))
