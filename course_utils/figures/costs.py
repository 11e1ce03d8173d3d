"""Plots of the cost of generation: memory of the KV cache, time per token, and a machine's roofline."""

import numpy as np

from ..show.colours import LINES
from .draw import axes_or_new, open_frame, write_beside
from .entropy import SCALED, UNSCALED
from .words import describe, describe_line

KIB, GIB = 2**10, 2**30


def plot_cache_memory(bytes_per_token, *, dashed=(), ax=None):
    """Draw the size of one sequence's cache against its length, on logarithmic axes.

    bytes_per_token: {model: bytes per token}. Models with equal bytes share a line.
    dashed: names that are drawn with a dashed line, because the model does not have this size.
    """
    ax = axes_or_new(ax, 4.4, 5.4)
    tokens = np.array([2**10, 2**17])
    shared = {}
    for name, size in bytes_per_token.items():
        shared.setdefault(size, []).append(name)
    for number, size in enumerate(sorted(shared)):
        wrong = set(shared[size]) <= set(dashed)
        ink = UNSCALED if wrong else LINES[number % len(LINES)]
        ax.plot(tokens, tokens * size / GIB, color=ink, linestyle="--" if wrong else "-")
        kib = f"{round(size / KIB, 1):g} KiB"
        label_end(ax, kib, ink)
        ax.lines[-1].set_label(f"{kib} per token: {', '.join(shared[size])}")
    ax.set_xscale("log", base=2)
    ax.set_yscale("log", base=2)
    ax.set_xticks(2.0 ** np.arange(10, 18), [f"{2**n}K" for n in range(8)])
    powers = np.arange(-4, 10, 2)
    ax.set_yticks(2.0**powers, [f"{2**n} GiB" if n >= 0 else f"{2 ** (n + 10)} MiB" for n in powers])
    ax.set(xlabel="tokens in the cache", ylabel="cache of one sequence", xlim=(tokens[0], tokens[-1]))
    sizes = {name: size for size in sorted(shared) for name in shared[size]}
    sentences = [
        describe_line(name, ["1K", "128K"], tokens * size / GIB, " GiB") for name, size in sizes.items()
    ]
    ax.grid(color="black", alpha=0.12)
    ax.legend(reverse=True, loc="upper center", bbox_to_anchor=(0.5, -0.17), frameon=False, fontsize=9)
    open_frame(ax)
    return describe(ax, f"cache of one sequence, {'; '.join(sentences)}")


def plot_token_times(without, cached, *, ax=None):
    """Draw the time per token in milliseconds, without and with a cache.

    without, cached: seconds for each token. Of every 8 tokens only the fastest is drawn, because other work
        on the computer can only make a token slower.
    """
    ax = axes_or_new(ax, 4.4, 3.2)
    sentences = []
    for seconds, ink, name in ((without, UNSCALED, "without a cache"), (cached, SCALED, "with a cache")):
        block = min(8, len(seconds))
        times = 1000 * np.reshape(seconds[: len(seconds) // block * block], (-1, block)).min(axis=1)
        places = np.arange(len(times)) * block + block / 2
        ax.plot(places, times, color=ink)
        label_end(ax, name, ink)
        sentences.append(describe_line(name, places, times, " ms"))
    ax.set(xlabel="position of the token", ylabel="milliseconds", ylim=(0, None))
    open_frame(ax)
    return describe(ax, f"time of a token, {'; '.join(sentences)}")


def plot_roofline(intensities, operations, bandwidth, *, ax=None):
    """Draw a machine's roofline, and each workload as a point on it.

    intensities: {name: operations per byte moved}. operations, bandwidth: the machine's operations and bytes
        per second.
    """
    ax = axes_or_new(ax, 4.4, 3.8)
    ridge = operations / bandwidth
    reach = np.array([0.3, ridge, max(3e4, 3 * max(intensities.values()))])
    ax.loglog(reach, np.minimum(reach * bandwidth, operations) / 1e12, color="black")
    ax.axvline(ridge, ymax=0.13, color="black", alpha=0.5, linestyle=":")  # ends below the points' labels
    low = {"xycoords": ("data", "axes fraction"), "alpha": 0.8}
    write_beside(ax, (ridge, 0.03), "waits for memory", (-8, 0), ha="right", **low)
    write_beside(ax, (ridge, 0.03), "waits for arithmetic", (8, 0), **low)
    for number, (name, intensity) in enumerate(intensities.items()):
        ink, height = LINES[number % len(LINES)], min(intensity * bandwidth, operations) / 1e12
        ax.plot(intensity, height, "o", color=ink, markersize=8)
        write_beside(ax, (intensity, height), name, (9, -11), color=ink)
    ax.set(xlabel="operations per byte moved", ylabel="reachable tera-operations per second")
    open_frame(ax)
    sentences = [
        f"{name}: {x:.4g} operations per byte, waits for {'memory' if x < ridge else 'arithmetic'}"
        for name, x in intensities.items()
    ]
    return describe(ax, f"the roof bends at {ridge:.3g} operations per byte; {'; '.join(sentences)}")


def label_end(ax, name, ink):
    """Write a name next to the right end of the most recently drawn line."""
    end = ax.lines[-1].get_xydata()[-1]
    write_beside(ax, end, name, (6, 0), va="center", color=ink, annotation_clip=False)
