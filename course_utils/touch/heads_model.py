"""Export the course's small models, of letters or of words, as numbers with which a page can compute weights
and logits."""

import torch

from .piece import in_base64

NEAR = 1e-4  # how far the page's logits may be from the model's own


def attend(model, tokens):
    """Compute in torch what the page computes: from tokens (1, T), the weights (1, H, T, T) of each layer and
    the logits (1, T, V)."""
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
    return weights_of_layers, model.readout(h)


@torch.no_grad()
def model_data(model, text, layers):
    """Return the numbers with which the page computes. layers: the weights (L, H, T, T) that are shown.

    Raises ValueError if the model cannot read the text, or if the page would compute other logits or weights.
    """
    tokens = tokens_of(model, text)
    weights, logits = attend(model, tokens)
    weights = torch.cat(weights)
    same = weights.shape == layers.shape and (weights - layers).abs().max() < 1 / 254
    if not same or not torch.allclose(model(tokens), logits, rtol=NEAR, atol=NEAR):
        raise ValueError(
            f"These are not the weights for {text!r} of a model of tokens, positions and attention without "
            "biases."
        )
    parts = [model.embedding.weight, model.positions]
    for layer in model.layers:
        parts += [layer.W_q.weight, layer.W_k.weight, layer.W_v.weight, layer.W_o.weight]
    numbers = torch.cat([part.flatten() for part in [*parts, model.readout.weight]])
    return {
        "numbers": in_base64(numbers.cpu().float().numpy().tobytes()),
        "width": model.embedding.weight.shape[1],
        "layers": len(model.layers),
        "heads": model.num_heads,
        "longest": len(model.positions),
        "vocabulary": model.vocabulary,
        "answer": "next word" if max(map(len, model.vocabulary)) > 1 else "next letter",
    }


def tokens_of(model, text):
    """Return the tokens (1, T) of a text of letters or a list of words; ValueError if it cannot be read."""
    if model.words(" ".join(text)) != [*text]:
        raise ValueError(f"With model=, tokens are words as model.words makes them, not {text!r}.")
    return model.tokens([text])
