"""The public functions of the course: all that a student's notebook imports. Figures and the interview are
loaded on first use, which keeps the import fast."""

from importlib import import_module

from .check import check
from .due import due
from .hint import hint
from .practice.saved import load_progress, save_progress
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
    "explore_heads",
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
LATER = {  # {name: its module, and a lesson whose notebook carries it}
    "bug_hunt": (".practice.bugs", "08_interview"),
    "explore_heads": (".touch.heads", "05_visualization"),
    "flashcards": (".practice.flashcards", "08_interview"),
    "interview": (".practice.interview", "08_interview"),
    "mock_interview": (".practice.mock", "08_interview"),
    "plot_heads": (".figures.heads", "01_masks"),
    "plot_mask": (".figures.masks", "01_masks"),
}
NOT_HERE = "`{}` is not included in this notebook: use {}, or install the whole course."


def __getattr__(name):
    if name not in LATER:
        raise AttributeError(f"module 'course_utils' has no attribute {name!r}")
    globals()[name] = load(name)
    return globals()[name]


def load(name):
    """Import the function `name` now. A notebook that works alone may lack its module: then return a function
    that tells the learner where to find it."""
    module, lesson = LATER[name]
    try:
        return getattr(import_module(module, __name__), name)
    except ModuleNotFoundError as missing:
        if not (missing.name or "").startswith(__name__):
            raise
        from .show.card import show_text

        return lambda *_, **__: show_text(NOT_HERE.format(name, lesson))
