"""A picture below a failed card of split_heads or merge_heads: numbered entries move to where the learner's
code puts them."""

from importlib import import_module

import torch

from ..model.sheet import load_sheet
from .card import in_notebook

ONLY_MOVE_NUMBERS = ("split_heads", "merge_heads")
PICTURE = "course_utils.touch.fly"  # some notebooks do not carry it


def show_arrangement(result):
    """Display the picture in a notebook, if there is one."""
    if result.name in ONLY_MOVE_NUMBERS and not result.accepted and in_notebook():
        piece = arrangement_of(result)
        if piece is not None:
            from IPython.display import display

            display(piece)


def arrangement_of(result):
    """The picture for a result whose card shows consecutive numbers, yours and the wanted ones; or None."""
    picture = result.picture
    if picture is None or picture.yours.is_complex() or picture.yours.is_sparse:
        return None
    arguments = [case.calls[0].args["x"] for case in load_sheet(result.name).cases]
    argument = next((x for x in arguments if is_counted(x, picture.wanted)), None)
    if argument is None:
        return None
    try:
        fly = import_module(PICTURE)
    except ImportError:
        return None
    return fly.fly_arrangement(result.name, argument, picture.yours, picture.wanted)


def is_counted(x, wanted):
    """Do x and `wanted` hold the same consecutive numbers?"""
    if x.numel() != wanted.numel():
        return False
    numbers = torch.arange(x.numel(), dtype=torch.float64) + float(x.flatten()[0])
    return all(torch.equal(value.double().flatten().sort().values, numbers) for value in (x, wanted))
