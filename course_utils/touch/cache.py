"""An interactive KV cache: queries go, keys and values stay, bytes and multiply-adds are counted."""

import textwrap

import matplotlib.pyplot as plt

from ..figures.cache import plot_cache_step
from ..show.colours import COMPUTED, OLD
from .piece import Piece, still_of

WORDS = "the cat sat and purred"
RUNS = ([3, 1, 1], [2, 1, 2], [1, 1, 1, 1, 1])
MOST_WORDS = 10
BYTES = 2  # per value, in bfloat16
LONG = 8192  # tokens: if kv heads can be shared, the bytes for this length are shown too


def cache_theatre(words=WORDS, runs=RUNS, *, layers=1, heads=8, head_dim=32, kv_heads=None, max_len=None):
    """Show how a text is read in steps, with and without a KV cache.

    words: a text of at most MOST_WORDS words.
    runs: one or more ways to cut the text into steps, each a list of positive numbers that add up to the
        number of words; the first one is shown first.
    layers, heads, head_dim: the model's sizes; d_model is heads · head_dim.
    kv_heads: the initial number of kv heads, a divisor of heads; adds a slider over all divisors.
    max_len: the initial capacity of a static cache, at most MOST_WORDS; adds a slider, and compares the bytes
        written with those of a cache that grows by `cat`.

    Returns a Piece.
    """
    words = words.split()
    if len(words) > MOST_WORDS or any(sum(run) != len(words) or min(run) < 1 for run in runs):
        raise ValueError(
            f"Each run must be positive steps that add up to the number of words, {len(words)} (at most "
            f"{MOST_WORDS}); got {runs!r}."
        )
    shares = [n for n in range(heads, 0, -1) if heads % n == 0]
    if kv_heads not in (None, *shares):
        raise ValueError(f"kv_heads must be a divisor of heads ({heads}); got {kv_heads!r}.")
    data = {
        "words": words,
        "runs": runs,
        "layers": layers,
        "heads": heads,
        "head_dim": head_dim,
        "bytes": BYTES,
        "long": LONG,
        "shares": shares if kv_heads else None,
        "kv_heads": kv_heads or heads,
        "max_len": max_len,
        "most": MOST_WORDS,
        "old": OLD,
        "computed": COMPUTED,
    }
    text = in_words(data)
    return Piece("cache.js", data, still_of(draw_still(data, text)), text)


# ---- counting, as in section 4.5 of the lesson and in its exercise `kv_cache_bytes`


def projections(T_q, heads, head_dim, kv_heads):
    """Count the multiply-adds of W_q, W_k, W_v and W_o: 4 · T_q · D² if no kv head is shared."""
    D = heads * head_dim
    return 2 * T_q * D * D + 2 * T_q * D * kv_heads * head_dim


def attention_ops(T_q, T_k, heads, head_dim):
    """Count the multiply-adds of scores and of mixing values, masked ones included: 2 · T_q · T_k · D."""
    return 2 * T_q * T_k * heads * head_dim


def count(chunks, layers, heads, head_dim, kv_heads):
    """Count the multiply-adds of reading all chunks: (with a cache, without one)."""
    cached = without = T_k = 0
    for new in chunks:
        T_k += new
        cached += projections(new, heads, head_dim, kv_heads) + attention_ops(new, T_k, heads, head_dim)
        without += projections(T_k, heads, head_dim, kv_heads) + attention_ops(T_k, T_k, heads, head_dim)
    return layers * cached, layers * without


def cache_bytes(tokens, layers, head_dim, kv_heads):
    """Return the bytes that the keys and values of this many tokens of one text take."""
    return 2 * layers * kv_heads * head_dim * tokens * BYTES


# ---- the still picture and its description


def in_words(data):
    chunks, sizes = data["runs"][0], (data["layers"], data["heads"], data["head_dim"], data["kv_heads"])
    steps = steps_that_fit(chunks, data["max_len"])
    total = cache_bytes(sum(steps), data["layers"], data["head_dim"], data["kv_heads"])
    text = (
        f"{len(data['words'])} tokens, {' '.join(data['words'])}, are read in steps of "
        f"{', '.join(map(str, chunks))}. In each step the queries of the new tokens read all keys so far and "
        f"are dropped; keys and values stay, in the end those of {sum(steps)} tokens, {total:,} bytes"
    )
    if data["shares"]:
        long = cache_bytes(LONG, data["layers"], data["head_dim"], data["kv_heads"])
        text += f" with {data['kv_heads']} of {data['heads']} kv heads; {LONG} tokens take {long:,} bytes"
    if steps == chunks:
        cached, without = count(chunks, *sizes)
        return f"{text}. Multiply-adds of all steps: {cached:,} with the cache, {without:,} without."
    return (
        f"{text}. The cache has room for {data['max_len']} tokens: step {len(steps)}, with "
        f"{chunks[len(steps)]} more, raises ValueError, and nothing changes."
    )


def steps_that_fit(chunks, max_len):
    """Return the steps before the first that exceeds max_len; all of them if there is no limit."""
    end = next((k for k in range(len(chunks)) if max_len and sum(chunks[: k + 1]) > max_len), len(chunks))
    return chunks[:end]


def draw_still(data, text):
    """Draw the steps of the first run, three in a row, and the counts below them; returns the Figure."""
    words = [word if len(word) <= 10 else f"{word[:9]}…" for word in data["words"]]
    words = [word.replace("$", r"\$") for word in words]
    chunks = data["runs"][0]
    steps = len(steps_that_fit(chunks, data["max_len"]))
    across, down = min(3, max(1, steps)), -(-max(1, steps) // 3)
    size = (max(6, across * (0.8 + 0.42 * len(words))), 2.6 * down + 0.9)
    figure, axes = plt.subplots(down, across, figsize=size, layout="constrained", squeeze=False)
    for step, ax in enumerate(axes.flat):
        ax.set_visible(step < steps)
        if step < steps:
            plot_cache_step(chunks, step, words, ax=ax)
    figure.supxlabel(textwrap.fill(text.replace("$", r"\$"), int(14 * size[0])), fontsize=9)
    return figure
