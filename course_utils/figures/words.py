"""Descriptions of figures for screen readers: each plot stores a text about its data on its Axes."""

import numpy as np

LISTED_UP_TO = 8  # rows or columns of a table that is read out in full
LARGEST_UP_TO = 32  # rows of a table whose largest entries are read out


def describe(ax, text):
    """Store a description of the plotted data on the Axes; returns the Axes."""
    ax.in_words = text
    return ax


def description(figure):
    """Join the titles and descriptions of all visible Axes of a figure."""
    parts = [part for ax in figure.axes if ax.get_visible() for part in [axes_description(ax)] if part]
    title = figure.get_suptitle() if hasattr(figure, "get_suptitle") else ""
    return " ".join(f"{part.rstrip('.')}." for part in [title, *parts] if part)


def axes_description(ax):
    """Return the title and the stored description; for foreign Axes, `describe_foreign`."""
    title = " ".join(ax.get_title().split())
    text = getattr(ax, "in_words", None) or describe_foreign(ax)
    return ": ".join(part for part in (title, text) if part)


def describe_foreign(ax):
    """Name the labels of Axes that our plots did not draw; without labels, describe their images."""
    if ax.get_ylabel() and ax.get_xlabel():
        return f"{ax.get_ylabel()} against {ax.get_xlabel()}"
    sentences = []
    for image in ax.images:
        table, ends = np.asarray(image.get_array()), " to ".join(map(format_number, image.get_clim()))
        size, values = " by ".join(map(str, table.shape)), (table.min(), table.max())
        sentences.append(
            f"{size} values from {' to '.join(map(format_number, values))}, coloured from {ends}"
        )
    return "; ".join(sentences)


def format_number(value):
    """Format a number, or a tensor with one number, with two decimals; whole and large numbers without."""
    value = float(value)
    if not np.isfinite(value):
        return "NaN" if np.isnan(value) else "−inf" if value < 0 else "inf"
    if abs(value) >= 100 or value == round(value):
        return f"{value:.0f}"
    return f"{value:.2f}"


def format_runs(indices):
    """Format increasing whole numbers, as in '0, 2 to 4'."""
    groups = np.split(indices, np.flatnonzero(np.diff(indices) > 1) + 1) if len(indices) else []
    return ", ".join(str(g[0]) if len(g) == 1 else f"{g[0]} to {g[-1]}" for g in groups)


def describe_mask(mask, row="query", column="keys"):
    """Describe which keys are masked for each query; for a long mask, say only how many."""
    if len(mask) > LARGEST_UP_TO:
        return f"{int(mask.sum())} of {mask.size} entries are masked"
    lines = {}
    for i, keys in enumerate(mask):
        text = f"{column} {format_runs(np.flatnonzero(keys))} masked" if keys.any() else "nothing masked"
        lines.setdefault(text, []).append(i)
    return "; ".join(f"{row} {format_runs(np.array(rows))}: {text}" for text, rows in lines.items())


def describe_table(table, masked=None, row="row", column="column"):
    """Describe a table: all values of a small one, the largest value of each row of a larger one."""
    masked = np.zeros(table.shape, bool) if masked is None else masked
    if max(table.shape) <= LISTED_UP_TO:
        words = [[format_number(value) for value in line] for line in table]
        for i, j in np.argwhere(masked):
            words[i][j] = "masked"
        return "; ".join(f"{row} {i}: {', '.join(line)}" for i, line in enumerate(words))
    size = f"{table.shape[0]} by {table.shape[1]} entries, {int(masked.sum())} masked"
    if len(table) > LARGEST_UP_TO:
        return size
    open_to = np.where(masked | np.isnan(table), -np.inf, table)
    best = [
        f"{row} {i}: {format_number(line.max())} at {column} {line.argmax()}"
        for i, line in enumerate(open_to)
        if np.isfinite(line.max())
    ]
    return f"{size}; largest of each row: {'; '.join(best)}"


def describe_line(name, x, y, unit=""):
    """Describe a line by its two ends."""
    return f"{name}: {y[0]:.3g}{unit} at {x[0]}, {y[-1]:.3g}{unit} at {x[-1]}"
