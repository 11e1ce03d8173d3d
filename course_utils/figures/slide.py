"""Sliders under which a picture is drawn again and again."""

import io

import matplotlib.pyplot as plt
import numpy as np
from IPython.display import display
from ipywidgets import Image, IntSlider, VBox


def slide(draw, **ranges):
    """Show one slider for each range, name=(low, high, start), above the picture that draw(**values) returns.

    draw: takes the sliders' values and returns Axes, or several.
    The picture is an Image, not an Output widget, for which nbconvert sometimes waits without end.
    """
    sliders = {
        name: IntSlider(start, low, high, description=name) for name, (low, high, start) in ranges.items()
    }
    picture = Image(format="png", layout={"align_self": "flex-start"})

    def redraw(_=None):
        picture.value = as_png(draw(**{name: slider.value for name, slider in sliders.items()}))

    for slider in sliders.values():
        slider.observe(redraw, "value")
    redraw()
    display(VBox([*sliders.values(), picture]))


def as_png(axes):
    """The bytes of the figure that holds these Axes; the figure is closed."""
    figure = np.ravel(axes)[0].figure
    png = io.BytesIO()
    figure.savefig(png, format="png", dpi=100)
    plt.close(figure)
    return png.getvalue()
