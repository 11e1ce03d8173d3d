"""Part 5 tried with other seeds, longer training, another initialisation and another readout.

`python -m experiments.heads` takes about ten minutes on one core and writes experiments/heads.json.
"""

import json
from dataclasses import replace
from pathlib import Path

import torch
from torch import nn

from course_utils import tiny_models
from course_utils.standins import MultiHeadSelfAttention, head_scores, induction_score
from course_utils.tiny_models import JOBS, LOOK_BACK, REPEATS, TinyModel, accuracy, train
from course_utils.touch.training import Snapshots

RECORD = Path(__file__).with_suffix(".json")
SEEDS = range(12)


def shares(model, recipe):
    """{question: share of right answers}, two decimals."""
    return {name: round(share, 2) for name, share in accuracy(model, recipe).items()}


def weights_of(model, tokens):
    """One tensor (B, H, T, T) for each layer."""
    found = []
    for layer, h in zip(model.layers, model.stream(tokens), strict=False):
        q, k = (layer(h) for layer in (layer.W_q, layer.W_k))
        q, k = (t.unflatten(-1, (model.num_heads, -1)).transpose(1, 2) for t in (q, k))
        future = torch.ones(tokens.shape[1], tokens.shape[1], dtype=torch.bool).triu(1)
        found.append((q @ k.mT / q.shape[-1] ** 0.5).masked_fill(future, -torch.inf).softmax(-1))
    return found


def one_head():
    """Two questions, one head: {training: [shares of seeds 0 to 2]}."""
    single = replace(LOOK_BACK, num_heads=1)
    table = {}
    for steps in (300, 1500, 4000):
        recipe = replace(single, steps=steps)
        found = [shares(train(MultiHeadSelfAttention, recipe, seed)[0], single) for seed in range(3)]
        table[f"{steps} steps, linear readout"] = found
    with changed(WithHiddenLayer):
        found = [shares(train(MultiHeadSelfAttention, single, seed)[0], single) for seed in range(3)]
        table["300 steps, readout with one hidden layer"] = found
    return table


def who_does_what():
    """Three jobs, three heads: for each seed the shares of right answers, and each job's best head."""
    table = {}
    for name, model in (("the lesson's initialisation", TinyModel), ("nn.Linear's own", AsLinearBegins)):
        with changed(model):
            table[name] = {seed: jobs_of_seed(seed) for seed in SEEDS}
    return table


@torch.no_grad()
def best_heads(model):
    """{job: the largest weight that one head gives to the asked letter, on the average}."""
    tokens, _ = JOBS.make_batch(256, JOBS.length, torch.Generator().manual_seed(1))
    (weights,) = weights_of(model, tokens)
    scores = head_scores(weights)
    position = torch.arange(JOBS.length)
    vowel_at = torch.where(tiny_models.VOWELS[tokens], position, -1).cummax(1).values  # (B, T)
    on_vowel = weights.gather(-1, vowel_at.clamp(min=0)[:, None, :, None].expand(-1, weights.shape[1], -1, 1))
    asked = (vowel_at >= 0)[:, None].expand_as(on_vowel[..., 0])
    vowel = (on_vowel[..., 0] * asked).sum((0, 2)) / asked.sum((0, 2))
    best = {"previous": scores["previous"], "first": scores["first"], "last vowel": vowel}
    return {name: round(values.max().item(), 2) for name, values in best.items()}


def jobs_of_seed(seed):
    model, _ = train(MultiHeadSelfAttention, JOBS, seed)
    return {"right": shares(model, JOBS), "best head": best_heads(model)}


def in_which_order():
    """Three jobs, three heads: for each seed, after how many steps a head first gives half of its weight to
    each job; some 40 steps are looked at."""
    table = {}
    for seed in SEEDS:
        kept = Snapshots(best_heads, JOBS.steps)
        train(MultiHeadSelfAttention, JOBS, seed, watch=kept)
        table[seed] = {
            job: next(step for step, best in kept.weights.items() if best[job] >= 0.5) for job in JOBS.answers
        }
    return table


def one_layer():
    """The repeated word with one layer: {steps: [share of seeds 5, 0, 1]}."""
    shallow = replace(REPEATS, num_layers=1)
    table = {}
    for steps in (REPEATS.steps, 5 * REPEATS.steps):
        models = [train(MultiHeadSelfAttention, replace(shallow, steps=steps), seed)[0] for seed in (5, 0, 1)]
        table[steps] = [shares(model, shallow)["next"] for model in models]
    return table


def induction():
    """The repeated word with two layers: for each seed the share of right answers, both heads of layer 0 on
    the previous letter, both of layer 1 as induction heads, and what is left without a part."""
    table = {}
    for seed in SEEDS:
        model, _ = train(MultiHeadSelfAttention, REPEATS, seed)
        tokens, _ = REPEATS.make_batch(256, REPEATS.length, torch.Generator().manual_seed(1))
        with torch.no_grad():
            below, above = weights_of(model, tokens)
        table[seed] = {
            "right": shares(model, REPEATS)["next"],
            "previous, layer 0": [round(s, 2) for s in head_scores(below)["previous"].tolist()],
            "induction, layer 1": [round(s, 2) for s in induction_score(above, tokens).tolist()],
            **without_the_helper(model, head_scores(below)["previous"].argmax().item()),
        }
    return table


@torch.no_grad()
def without_the_helper(model, helper):
    """The share of right answers when the best head of layer 0 on the previous letter writes nothing, for
    all that reads it or for one projection of layer 1 alone."""
    first, second = model.layers
    d_head = REPEATS.d_model // REPEATS.num_heads
    part = slice(helper * d_head, (helper + 1) * d_head)
    tokens, targets = REPEATS.make_batch(512, REPEATS.length, torch.Generator().manual_seed(1000))
    h = model.stream(tokens)[0]
    kept = first.W_o.weight.clone()
    whole = h + first(h, is_causal=True)
    first.W_o.weight[:, part] = 0
    less = h + first(h, is_causal=True)
    first.W_o.weight.copy_(kept)
    table = {}
    for name, reads in {"all": "qkv", "keys": "k", "queries": "q", "values": "v"}.items():
        inputs = {letter: less if letter in reads else whole for letter in "qkv"}
        base = less if name == "all" else whole
        output = model.readout(base + attend(second, model.num_heads, **inputs))
        answers = output.unflatten(-1, (1, -1)).argmax(-1)
        asked = targets != tiny_models.NO_ANSWER
        table[f"helper taken from {name}"] = round(
            ((answers == targets) & asked).sum().item() / asked.sum().item(), 2
        )
    return table


def attend(layer, num_heads, q, k, v):
    """The layer's output (B, T, d_model) with queries, keys and values from three different inputs."""
    q, k, v = layer.W_q(q), layer.W_k(k), layer.W_v(v)
    q, k, v = (t.unflatten(-1, (num_heads, -1)).transpose(1, 2) for t in (q, k, v))
    return layer.W_o(
        nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(-2)
    )


class WithHiddenLayer(TinyModel):
    def __init__(self, attention, recipe):
        super().__init__(attention, recipe)
        D = recipe.d_model
        self.readout = nn.Sequential(
            nn.Linear(D, 4 * D), nn.ReLU(), nn.Linear(4 * D, self.readout.out_features)
        )


class AsLinearBegins(TinyModel):
    def __init__(self, attention, recipe):
        super().__init__(attention, recipe)
        for layer in self.layers:
            for projection in (layer.W_q, layer.W_k, layer.W_v, layer.W_o):
                projection.reset_parameters()


class changed:
    """In the with block, `train` trains this model in the place of TinyModel."""

    def __init__(self, model):
        self.model = model

    def __enter__(self):
        tiny_models.TinyModel = self.model

    def __exit__(self, *_):
        tiny_models.TinyModel = TinyModel


def main():
    torch.set_num_threads(1)
    tables = {}
    for experiment in (one_head, who_does_what, in_which_order, one_layer, induction):
        tables[experiment.__name__] = experiment()
        print(experiment.__name__, json.dumps(tables[experiment.__name__], indent=1), flush=True)
    RECORD.write_text(json.dumps(tables, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
