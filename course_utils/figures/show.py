"""Show a figure together with a description for readers who cannot see it."""

import matplotlib.pyplot as plt
from IPython.display import display

from .svg import as_html, figure_of
from .words import description


def show(axes, alt=None):
    """Display the figure that holds these Axes, with a description, and close it.

    alt: the description; by default, the one that the plots wrote of their data.

    The output is HTML, which can carry the description and follow the colours of the page's theme.
    """
    figure = figure_of(axes)
    alt = alt or description(figure)
    page = as_html(figure, alt)
    plt.close(figure)
    display({"text/html": page, "text/plain": f"Picture: {alt}"}, raw=True)
