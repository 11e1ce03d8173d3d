"""Lessons of earlier releases put sliders under some plots; here such a plot is drawn once."""

from .show import show


def slide(draw, **ranges):
    """Show the plot that draw(**values) returns, with each value where its slider would start.

    ranges: name=(low, high, start).
    """
    show(draw(**{name: start for name, (_, _, start) in ranges.items()}))
