"""Lessons of earlier releases show some pictures under sliders; here they are drawn once."""

from .show import show


def slide(draw, **ranges):
    """Show the picture that draw(**values) returns, each value where its slider would start.

    ranges: name=(low, high, start).
    """
    show(draw(**{name: start for name, (_, _, start) in ranges.items()}))
