"""The course's small models as numbers that a page can compute with."""

import numpy as np
import torch

from ..models.letters import LETTERS, encode
from .atlas import in_base64

NEAR = 1e-4  # how far the numbers that are sent may be from the model's own


def attend(model, tokens):
    """What the page computes, in torch: tokens (1, T) to weights, (1, H, T, T) of each layer, and logits
    (1, T, answers, 26)."""
    T, H = tokens.shape[1], model.num_heads
    future = torch.ones(T, T, dtype=torch.bool).triu(1)
    h = model.embedding(tokens) + model.positions[:T]  # (1, T, D)
    weights_of_layers = []
    for layer in model.layers:
        q, k, v = (
            (h @ W.weight.mT).unflatten(-1, (H, -1)).transpose(1, 2)  # (1, H, T, d_head)
            for W in (layer.W_q, layer.W_k, layer.W_v)
        )
        scores = q @ k.mT / q.shape[-1] ** 0.5
        weights = scores.masked_fill(future, -torch.inf).softmax(-1)  # (1, H, T, T)
        h = h + (weights @ v).transpose(1, 2).flatten(2) @ layer.W_o.weight.mT
        weights_of_layers.append(weights)
    return weights_of_layers, model.readout(h).unflatten(-1, (model.num_answers, len(LETTERS)))


@torch.no_grad()
def model_data(model, text, layers, whose):
    """What the page computes with. layers: the weights (H, T, T) that are shown.

    Raises ValueError if the model does not compute what the page would, or if these are not its weights.
    """
    missing = [name for name in ("embedding", "positions", "layers", "readout") if not hasattr(model, name)]
    if missing:
        raise TypeError(f"model is a TinyModel of this course, but it has no {missing[0]}.")
    if not isinstance(text, str) or not text or set(text) - set(LETTERS):
        raise ValueError(f"With model=, tokens is one text of the letters a to z, but it is {text!r}.")
    if len(text) > len(model.positions):
        raise ValueError(
            f"The model has {len(model.positions)} positions, but the text has {len(text)} letters."
        )
    weights, logits = attend(model, encode(text))
    if not torch.allclose(model(encode(text)), logits, rtol=NEAR, atol=NEAR):
        raise ValueError(
            f"The model{whose} is not made of letters, positions and attention without biases alone."
        )
    same = len(weights) == len(layers) and all(
        theirs[0].shape == shown.shape and bool((theirs[0] - shown).abs().max() < 1 / 254)
        for theirs, shown in zip(weights, layers, strict=True)
    )
    if not same:
        raise ValueError(f"The weights{whose} are not those of the model for the text {text!r}.")
    parts = [model.embedding.weight, model.positions]
    for layer in model.layers:
        parts += [layer.W_q.weight, layer.W_k.weight, layer.W_v.weight, layer.W_o.weight]
    numbers = torch.cat([part.flatten() for part in [*parts, model.readout.weight]])
    return {
        "numbers": in_base64(numbers.cpu().numpy().astype(np.float32).tobytes()),
        "width": model.embedding.weight.shape[1],
        "layers": len(model.layers),
        "heads": model.num_heads,
        "longest": len(model.positions),
        "letters": LETTERS,
        "answers": list(model.answers),
    }
