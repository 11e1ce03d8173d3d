"""Show a figure together with a description for readers who do not see it."""

import matplotlib.pyplot as plt
from IPython.display import display

from .svg import as_html, figure_of
from .words import description


def show(axes, alt=None):
    """Display the figure that holds these Axes with its text, and close it.

    alt: the text for those who do not see it; without it, what the drawings say of their own data.
    It goes out as HTML: so it has a text, and the colours of the page's theme.
    """
    figure = figure_of(axes)
    alt = alt or description(figure)
    page = as_html(figure, alt)
    plt.close(figure)
    display({"text/html": page, "text/plain": f"Picture: {alt}"}, raw=True)
