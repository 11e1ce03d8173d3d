"""Pictures of what generating costs: memory of the cache, time for a token, and what the time is spent on."""

import matplotlib.pyplot as plt
import numpy as np

from ..show.colours import LINES
from .entropy import SCALED, UNSCALED
from .words import line, say

KIB, GIB = 2**10, 2**30


def plot_cache_memory(bytes_per_token, *, dashed=(), ax=None):
    """Draw the cache of one text against its length, both logarithmic: {model: bytes for one token}.

    Models with equal bytes share a line; the names in `dashed` are drawn as what is not the case.
    """
    ax = ax or plt.subplots(figsize=(8.5, 4.6), layout="constrained")[1]
    tokens = np.array([2**10, 2**17])
    shared = {}
    for name, size in bytes_per_token.items():
        shared.setdefault(size, []).append(name)
    for number, size in enumerate(sorted(shared)):
        wrong = set(shared[size]) <= set(dashed)
        ink = UNSCALED if wrong else LINES[number % len(LINES)]
        ax.plot(tokens, tokens * size / GIB, color=ink, linestyle="--" if wrong else "-")
        label_end(ax, f"{', '.join(shared[size])}: {round(size / KIB, 1):g} KiB", ink)
    ax.set_xscale("log", base=2)
    ax.set_yscale("log", base=2)
    ax.set_xticks(2.0 ** np.arange(10, 18), [f"{2**n}K" for n in range(8)])
    powers = np.arange(-4, 10, 2)
    ax.set_yticks(2.0**powers, [f"{2**n} GiB" if n >= 0 else f"{2 ** (n + 10)} MiB" for n in powers])
    ax.set(xlabel="tokens in the cache", ylabel="cache of one text", xlim=(tokens[0], tokens[-1]))
    sizes = {name: size for size in sorted(shared) for name in shared[size]}
    sentences = [line(name, ["1K", "128K"], tokens * size / GIB, " GiB") for name, size in sizes.items()]
    say(ax, f"cache of one text, {'; '.join(sentences)}")
    ax.grid(color="black", alpha=0.12)
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def plot_token_times(without, cached, *, block=8, ax=None):
    """Draw the milliseconds that each token took, without and with a cache.

    Of every `block` tokens the fastest: whatever else the computer does can only make a token slower.
    """
    ax = ax or plt.subplots(figsize=(7, 3.4), layout="constrained")[1]
    sentences = []
    for seconds, ink, name in ((without, UNSCALED, "without a cache"), (cached, SCALED, "with a cache")):
        block = min(block, len(seconds))
        times = 1000 * np.reshape(seconds[: len(seconds) // block * block], (-1, block)).min(axis=1)
        places = np.arange(len(times)) * block + block / 2
        ax.plot(places, times, color=ink)
        label_end(ax, name, ink)
        sentences.append(line(name, places, times, " ms"))
    ax.set(xlabel="position of the token", ylabel="milliseconds", ylim=(0, None))
    ax.spines[["top", "right"]].set_visible(False)
    return say(ax, f"time of a token, {'; '.join(sentences)}")


def plot_roofline(intensities, operations, bandwidth, *, ax=None):
    """Draw a machine's roof, and where pieces of work stand under it.

    intensities: {name: operations for each byte moved}; operations and bandwidth: the machine's, in a second.
    """
    ax = ax or plt.subplots(figsize=(8, 4.2), layout="constrained")[1]
    ridge = operations / bandwidth
    reach = np.array([0.3, ridge, max(3e4, 3 * max(intensities.values()))])
    ax.loglog(reach, np.minimum(reach * bandwidth, operations) / 1e12, color="black")
    ax.axvline(ridge, ymax=0.13, color="black", alpha=0.5, linestyle=":")  # no label stands so low
    ax.annotate(
        "waits for memory",
        (ridge, 0.03),
        (-8, 0),
        xycoords=("data", "axes fraction"),
        textcoords="offset points",
        ha="right",
        fontsize=9,
        alpha=0.8,
    )
    ax.annotate(
        "waits for arithmetic",
        (ridge, 0.03),
        (8, 0),
        xycoords=("data", "axes fraction"),
        textcoords="offset points",
        fontsize=9,
        alpha=0.8,
    )
    for number, (name, intensity) in enumerate(intensities.items()):
        height = min(intensity * bandwidth, operations) / 1e12
        ax.plot(intensity, height, "o", color=LINES[number % len(LINES)], markersize=8)
        ax.annotate(
            name,
            (intensity, height),
            (9, -11),
            textcoords="offset points",
            fontsize=9,
            color=LINES[number % len(LINES)],
        )
    ax.set(xlabel="operations for each byte moved", ylabel="reachable Tera-operations a second")
    ax.spines[["top", "right"]].set_visible(False)
    sentences = [
        f"{name}: {x:.4g} operations a byte, waits for {'memory' if x < ridge else 'arithmetic'}"
        for name, x in intensities.items()
    ]
    return say(ax, f"the roof bends at {ridge:.3g} operations a byte; {'; '.join(sentences)}")


def label_end(ax, name, ink):
    """Write a name beside the right end of the line that was drawn last."""
    end = ax.lines[-1].get_xydata()[-1]
    ax.annotate(
        name,
        end,
        (6, 0),
        textcoords="offset points",
        va="center",
        color=ink,
        fontsize=9,
        annotation_clip=False,
    )
