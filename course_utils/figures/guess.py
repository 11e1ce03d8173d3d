"""The plot of a guess: where the last word looks, and the likeliest next words, as bars."""

from ..show.colours import LINES
from .draw import axes_or_new, open_frame
from .words import describe, format_number


def plot_guess(words, weights, likeliest, *, ax=None):
    """Draw the weight that the last of T words gives to each of them, and below, the likeliest next words.

    weights: (T,). likeliest: {word: probability}.
    """
    T, count = len(words), len(likeliest)
    ax = axes_or_new(ax, 4.4, 0.8 + 0.27 * (T + count))
    groups = (  # (title, first row, names, values, colour)
        (f"{words[-1]} looks at", 1, words, [float(weight) for weight in weights], LINES[0]),
        ("next word", T + 2, list(likeliest), list(likeliest.values()), LINES[1]),
    )
    rows, sentences = [], []
    for title, first, names, values, color in groups:
        places = range(first, first + len(names))
        bars = ax.barh(places, values, height=0.7, color=color)
        ax.bar_label(bars, [f"{value:.2f}" for value in values], fontsize=9, padding=3)
        ax.text(0, first - 1, title, fontsize=10, va="center", weight="bold")
        rows += places
        parts = [f"{name} {format_number(value)}" for name, value in zip(names, values, strict=True)]
        sentences.append(f"{title}: {', '.join(parts)}")
    ax.set_yticks(rows, [*words, *likeliest], fontsize=10)
    ax.set(xlim=(0, 1.12), xticks=[0, 0.5, 1], ylim=(T + count + 1.6, -0.6))
    open_frame(ax)
    return describe(ax, "; ".join(sentences))
