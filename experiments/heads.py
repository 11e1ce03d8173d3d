"""Train part 5's models with other seeds, for longer, and with another initialisation and readout.

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
    """Return {question: share of right answers}, with two decimals."""
    return {name: round(share, 2) for name, share in accuracy(model, recipe).items()}


def weights_of(model, tokens):
    """Return the attention weights (B, H, T, T) of each layer."""
    weights_by_layer = []
    for layer, h in zip(model.layers, model.stream(tokens), strict=False):
        q, k = (layer(h) for layer in (layer.W_q, layer.W_k))
        q, k = (t.unflatten(-1, (model.num_heads, -1)).transpose(1, 2) for t in (q, k))
        future = torch.ones(tokens.shape[1], tokens.shape[1], dtype=torch.bool).triu(1)
        weights_by_layer.append((q @ k.mT / q.shape[-1] ** 0.5).masked_fill(future, -torch.inf).softmax(-1))
    return weights_by_layer


def one_head():
    """Train one head on two questions: {training: [shares of seeds 0 to 2]}."""
    single = replace(LOOK_BACK, num_heads=1)
    table = {}
    for steps in (300, 1500, 4000):
        recipe = replace(single, steps=steps)
        seed_shares = [shares(train(MultiHeadSelfAttention, recipe, seed)[0], single) for seed in range(3)]
        table[f"{steps} steps, linear readout"] = seed_shares
    with replaced_model(WithHiddenLayer):
        seed_shares = [shares(train(MultiHeadSelfAttention, single, seed)[0], single) for seed in range(3)]
        table["300 steps, readout with one hidden layer"] = seed_shares
    return table


def who_does_what():
    """Train three heads on three jobs: for each seed, shares of right answers and each job's best weight."""
    table = {}
    for name, model in (("the lesson's initialisation", TinyModel), ("nn.Linear's own", AsLinearBegins)):
        with replaced_model(model):
            table[name] = {seed: jobs_of_seed(seed) for seed in SEEDS}
    return table


@torch.no_grad()
def best_heads(model):
    """Return {job: the largest mean weight that one head gives to the letter that the job needs}."""
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
    """Train three heads on three jobs: for each seed and job, the number of steps until a head gives it half
    of its weight, measured at some 40 steps."""
    table = {}
    for seed in SEEDS:
        snapshots = Snapshots(best_heads, JOBS.steps)
        train(MultiHeadSelfAttention, JOBS, seed, watch=snapshots)
        table[seed] = {
            job: next(step for step, best in snapshots.weights.items() if best[job] >= 0.5)
            for job in JOBS.answers
        }
    return table


def one_layer():
    """Train one layer on the repeated word: {steps: [share of seeds 5, 0, 1]}."""
    shallow = replace(REPEATS, num_layers=1)
    table = {}
    for steps in (REPEATS.steps, 5 * REPEATS.steps):
        models = [train(MultiHeadSelfAttention, replace(shallow, steps=steps), seed)[0] for seed in (5, 0, 1)]
        table[steps] = [shares(model, shallow)["next"] for model in models]
    return table


def induction():
    """Train two layers on the repeated word. For each seed: the share of right answers; how much layer 0's
    heads read the previous letter; induction scores of layer 1's heads; and the shares without the helper."""
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
    """Return the shares of right answers when layer 0's best head for the previous letter writes nothing: for
    all that reads it, or for one projection of layer 1 only."""
    first, second = model.layers
    d_head = REPEATS.d_model // REPEATS.num_heads
    part = slice(helper * d_head, (helper + 1) * d_head)
    tokens, targets = REPEATS.make_batch(512, REPEATS.length, torch.Generator().manual_seed(1000))
    h = model.stream(tokens)[0]
    saved_weight = first.W_o.weight.clone()
    whole = h + first(h, is_causal=True)
    first.W_o.weight[:, part] = 0
    less = h + first(h, is_causal=True)
    first.W_o.weight.copy_(saved_weight)
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
    """Return the layer's output (B, T, d_model) with queries, keys and values from three different inputs."""
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


class replaced_model:
    """In the with block, `train` trains this model instead of TinyModel."""

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
