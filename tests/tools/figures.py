"""Every figure of the course, drawn in one line on small data made for it."""

import importlib
import inspect
import math
import pkgutil

import matplotlib
import matplotlib.pyplot as plt
import torch
import torch.nn.functional as F
from torch import nn

from course_utils import figures, standins
from course_utils.figures.cache import plot_cache_growth, plot_cache_step, plot_kv_groups
from course_utils.figures.costs import plot_cache_memory, plot_roofline, plot_token_times
from course_utils.figures.entropy import plot_entropy, plot_largest_weight
from course_utils.figures.heads import plot_heads
from course_utils.figures.influence import influence, plot_influence
from course_utils.figures.layouts import plot_fused_layouts
from course_utils.figures.masks import plot_cached_mask, plot_dialects, plot_mask, plot_padding
from course_utils.figures.pages import plot_pages
from course_utils.figures.ring import plot_ring, plot_ring_turns
from course_utils.figures.split import plot_head_tables, plot_split
from course_utils.figures.stages import plot_contributions, plot_parameters, plot_stages, plot_story
from course_utils.figures.training import plot_by_context, plot_head, plot_head_rows, plot_losses, plot_table
from course_utils.figures.turning import plot_turning
from course_utils.figures.weights import plot_masking, plot_scores, plot_weights

matplotlib.use("Agg")
WORDS = ["the", "cat", "sat", "and", "purred"]


def pictures():
    """{function: its Axes}, in the order of the lessons."""
    with plt.rc_context({"figure.max_open_warning": 0}):
        return {draw: draw(*data) for draw, data in samples().items()}


def samples():
    """{function: what it draws}, in the order of the lessons."""
    torch.manual_seed(0)
    mask = torch.ones(5, 5).triu(1).bool()  # (T, T)
    scores = 2 * torch.randn(5, 5)
    weights = standins.masked_softmax(scores, mask)  # (T, T)
    late = torch.where(mask, 0, scores.softmax(-1))  # masked after the softmax
    X, W = torch.randn(1, 5, 12), torch.randn(4, 12, 12) / math.sqrt(12)
    story = standins.trace_causal_attention(X, *W, 3)
    count = torch.arange(12)
    times = [0.002 + 0.00004 * t for t in range(64)]
    drawn = (
        (plot_mask, mask), (plot_cached_mask, torch.ones(3, 7).triu(5).bool(), 4), (plot_padding,
        standins.create_padding_mask(torch.tensor([5, 2, 3]), 5)), (plot_dialects, mask), (plot_scores,
        scores), (plot_weights, weights), (plot_masking, scores, mask, weights), (plot_split, 3, 2, 2),
        (plot_head_tables, count.view(2, 3, 2)), (plot_largest_weight, *largest()), (plot_entropy,
        entropies(), 7), (plot_story, 2, 5, 3, 4), (plot_stages, story), (plot_influence, influence(lambda x:
        F.scaled_dot_product_attention(x, x, x), X)), (plot_parameters, {H: sum(p.numel() for p in
        nn.MultiheadAttention(12, H, bias=False).parameters()) for H in (1, 2, 3, 6)}, 12),
        (plot_contributions, torch.stack([story["heads"][0, h, -1] @ W[3][4 * h : 4 * h + 4] for h in
        range(3)])), (plot_heads, story["weights"], WORDS), (plot_cache_step, [3, 1, 1], 2),
        (plot_cache_growth, [3, 1, 1]), (plot_kv_groups, [0, 0, 1, 1], 2), (plot_cache_memory, {name:
        standins.kv_cache_bytes(1, *sizes, 1, 128) for name, sizes in {"Llama-2-7B": (32, 32), "Llama-3-8B":
        (32, 8)}.items()}), (plot_token_times, times, [0.002] * 64), (plot_roofline, {"decode": 1.0,
        "prefill": 2560.0}, 312e12, 2e12), (plot_head, weights, WORDS), (plot_head_rows, {"masked before":
        weights[None], "masked after": late[None]}, WORDS), (plot_losses, {"one head": [3 / (1 + 0.01 * n) for
        n in range(400)], "three heads": [3 / (1 + 0.1 * n) for n in range(400)]}), (plot_by_context,
        {1: 2.5, 2: 2.3, 4: 2.2}, {"trigram": 2.25}), (plot_table, {"head 0":
        {"first": 0.98, "previous": 0.01}, "head 1": {"first": 0.03, "previous": 0.95}}),
        (plot_fused_layouts, 3), (plot_turning,
        standins.apply_rope(torch.tensor([1.0, 1, 1, 0, 0, 0]).expand(1, 1, 8, 6), torch.arange(8))[0, 0]),
        (plot_ring, 6, 4, 2), (plot_ring_turns, [2, 5, 6, 7], 4, 2), (plot_pages, {"text A": [5, 2, 7],
        "text B": [5, 2, 0]}, 8),
    )  # fmt: skip
    return {draw: data for draw, *data in drawn}


def largest():
    """(widths, the mean largest weight over 64 random keys without the scale, and with it)."""
    widths = [16, 64, 256]
    rows = [(torch.randn(500, 64, d) @ torch.randn(500, d, 1)).squeeze(-1) for d in widths]  # (500, 64)

    def means(scales):
        return [(row / by).softmax(-1).amax(-1).mean().item() for row, by in zip(rows, scales, strict=True)]

    return widths, means([1, 1, 1]), means([math.sqrt(d) for d in widths])


def entropies():
    """{scale: mean entropy in bits} of rows over 128 random keys, d_head = 64 and d_model = 512."""
    rows = (torch.randn(200, 128, 64) @ torch.randn(200, 64, 1)).squeeze(-1)  # (200, 128)
    scales = {"not scaled": 1, "sqrt(d_head)": 8, "sqrt(d_model)": math.sqrt(512)}
    weights = {name: (rows / by).softmax(-1) for name, by in scales.items()}
    return {name: -(w * w.clamp_min(1e-30).log2()).sum(-1).mean().item() for name, w in weights.items()}


def all_figures():
    """Every function that draws."""
    modules = [
        importlib.import_module(f"course_utils.figures.{module.name}")
        for module in pkgutil.iter_modules(figures.__path__)
    ]
    result = [(m, f) for m in modules for _, f in inspect.getmembers(m, inspect.isfunction)]
    return {f for m, f in result if f.__name__.startswith("plot_") and f.__module__ == m.__name__}
