"""Train part 5's repeated-word model with other seeds, for longer, and with one layer.

`python -m experiments.heads` takes about two minutes on one core and writes experiments/heads.json.
"""

import json
from dataclasses import replace
from pathlib import Path

import torch
from torch import nn

from course_utils.standins import MultiHeadSelfAttention, head_scores, induction_score
from course_utils.world import NO_ANSWER, REPEATS, right_letters, train

RECORD = Path(__file__).with_suffix(".json")
SEEDS = range(12)


def share(model):
    """Return the share of right answers, with two decimals."""
    return round(right_letters(model), 2)


def weights_of(model, tokens):
    """Return the attention weights (B, H, T, T) of each layer."""
    weights_by_layer = []
    for layer, h in zip(model.layers, model.stream(tokens), strict=False):
        q, k = (layer(h) for layer in (layer.W_q, layer.W_k))
        q, k = (t.unflatten(-1, (model.num_heads, -1)).transpose(1, 2) for t in (q, k))
        future = torch.ones(tokens.shape[1], tokens.shape[1], dtype=torch.bool).triu(1)
        weights_by_layer.append((q @ k.mT / q.shape[-1] ** 0.5).masked_fill(future, -torch.inf).softmax(-1))
    return weights_by_layer


def one_layer():
    """Train one layer on the repeated word: {steps: [share of seeds 5, 0, 1]}."""
    shallow = replace(REPEATS, num_layers=1)
    table = {}
    for steps in (REPEATS.steps, 5 * REPEATS.steps):
        models = [train(MultiHeadSelfAttention, replace(shallow, steps=steps), seed)[0] for seed in (5, 0, 1)]
        table[steps] = [share(model) for model in models]
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
            "right": share(model),
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
        answers = model.readout(base + attend(second, model.num_heads, **inputs)).argmax(-1)  # (B, T)
        asked = targets != NO_ANSWER
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


def main():
    torch.set_num_threads(1)
    tables = {}
    for experiment in (one_layer, induction):
        tables[experiment.__name__] = experiment()
        print(experiment.__name__, json.dumps(tables[experiment.__name__], indent=1), flush=True)
    RECORD.write_text(json.dumps(tables, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
