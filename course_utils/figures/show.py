"""Show a figure together with a description for readers who do not see it."""

import base64
import html
import io

import matplotlib.pyplot as plt
import numpy as np
from IPython.display import display


def show(axes, alt):
    """Display the figure that holds these Axes, with `alt` as the image's text, and close it.

    Notebooks give a displayed figure no alternative text, so the image goes out as HTML that has one.
    """
    figure = np.ravel(axes)[0].figure
    png = io.BytesIO()
    figure.savefig(png, format="png", dpi=100, bbox_inches="tight")
    plt.close(figure)
    source = base64.b64encode(png.getvalue()).decode()
    image = f'<img alt="{html.escape(alt)}" src="data:image/png;base64,{source}">'
    display({"text/html": image, "text/plain": f"Picture: {alt}"}, raw=True)
