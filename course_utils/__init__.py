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
INTERVIEW = "interview", "bug_hunt", "flashcards", "mock_interview"
NO_INTERVIEW = (
    "`{}` is not part of this notebook: it is in 08_interview, and wherever the whole course is installed."
)


def __getattr__(name):
    if name in INTERVIEW:
        globals()[name] = found_interview(name)
        return globals()[name]
    if name not in FIGURES:
        raise AttributeError(f"module 'course_utils' has no attribute {name!r}")
    return getattr(import_module(FIGURES[name], __name__), name)


def found_interview(name):
    """One of INTERVIEW, or what says where it is: a notebook that works alone brings only what it uses."""
    try:
        # the whole name: one that begins with a dot counts as an import, and every notebook would carry it
        module = import_module("course_utils.interview")
    except ModuleNotFoundError:
        from .show.card import show_text

        return lambda *_, **__: show_text(NO_INTERVIEW.format(name))
    return getattr(module, name)
