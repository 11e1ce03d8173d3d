"""Sliders under which a picture is drawn again and again: lessons of earlier releases use them."""

import matplotlib.pyplot as plt
from IPython.display import display
from ipywidgets import HTML, IntSlider, VBox

from .svg import as_html, figure_of
from .words import description


def slide(draw, **ranges):
    """Show one slider for each range, name=(low, high, start), above the picture that draw(**values) returns.

    draw: takes the sliders' values and returns Axes, or several.
    The picture is an HTML widget, not an Output widget, for which nbconvert sometimes waits without end.
    """
    sliders = {
        name: IntSlider(start, low, high, description=name) for name, (low, high, start) in ranges.items()
    }
    picture = HTML(layout={"align_self": "flex-start", "max_width": "100%"})

    def redraw(_=None):
        values = {name: slider.value for name, slider in sliders.items()}
        figure = figure_of(draw(**values))
        picture.value = as_html(figure, description(figure))
        plt.close(figure)

    for slider in sliders.values():
        slider.observe(redraw, "value")
    redraw()
    display(VBox([*sliders.values(), picture]))
