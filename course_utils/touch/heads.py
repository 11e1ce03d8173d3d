"""An interactive overview of all heads: one is enlarged, and the weight under the pointer is read out."""

import numpy as np
import torch

from ..figures.heads import masked_cells
from .atlas import as_levels, draw_atlas
from .heads_model import model_data
from .piece import Piece, png_uri

LONGEST = 256  # tokens
SLACK = 2e-2  # how far a row's sum may be from 1, because of bfloat16
RUNS = {
    "compress_level": 1,
    "compress_type": 3,
}  # zlib looks only for runs: noise has no other repeats
NAMES = {
    "previous": "previous token",
    "first": "first token",
    "self": "the token itself",
    "induction": "induction",
    "entropy": "entropy",
}


def explore_heads(weights, tokens, model=None):
    """Show all heads at a glance, one of them enlarged; point at a weight to read it.

    weights: (layers, heads, T, T), or a list with (1, heads, T, T) or (heads, T, T) for each layer, as
        transformers returns them; or {name: either}, shown side by side. T is at most 256. Rows are queries,
        and sum to 1 or are all 0. The future and whole columns are drawn as masked where every head has 0.
    tokens: T texts or ids, or one text of T letters.
    model: the TinyModel that computed these weights for the text `tokens`, or {name: TinyModel}. The page
        runs it: other texts can be typed, and heads switched off. A model of words takes a list of words.

    Returns a Piece. Raises ValueError for other shapes, for rows that do not sum to 1, and if the model has
    other weights.
    """
    if hasattr(tokens, "tolist"):  # a tensor of ids, (T,) or (1, T)
        tokens = tokens.flatten().tolist()
    sources = {name: as_layers(source, name, len(tokens)) for name, source in by_name(weights).items()}
    tables = stack_layers([*sources.values()])  # (sources, layers, heads, T, T)
    masked = masked_cells(tables.flatten(0, 2).amax(0, keepdim=True).numpy())  # (T, T)
    words = [word if len(word) <= 40 else f"{word[:39]}…" for word in map(str, tokens)]
    scores = {name: score(source, words, masked) for name, source in sources.items()}
    _, L, H, T, _ = tables.shape
    rows = [f"{name[:16]} {row_name(layer, L)}".strip() for name in sources for layer in range(L)]
    columns = [row_name(h, H, "head") for h in range(H)]
    image, places = draw_atlas(as_levels(tables.flatten(0, 1).numpy(), masked), rows, columns)
    data = {
        "names": list(sources),
        "layers": L,
        "heads": H,
        "atlas": places,
        "scores": list(scores.values()),
        "titles": NAMES,
        "tokens": words,
    }
    scripts = ["heads.js"]
    if model is not None:
        models = by_name(model)
        if models.keys() != sources.keys():
            raise ValueError(f"weights and model must have the same names, not {[*sources]} and {[*models]}.")
        data["models"] = [model_data(models[name], tokens, sources[name]) for name in sources]
        scripts.append("heads_model.js")
    return Piece(scripts, data, png_uri(image, **RUNS), in_words(tables, scores))


def by_name(values):
    return {str(name): value for name, value in values.items()} if isinstance(values, dict) else {"": values}


def stack_layers(tensors):
    shapes = list(dict.fromkeys(tuple(tensor.shape) for tensor in tensors))
    if len(shapes) != 1:
        raise ValueError(f"All layers and all sources must have the same shape, not {shapes}.")
    return torch.stack(tensors)


def as_layers(weights, name, T):
    """Convert the weights of one source to float32 (layers, heads, T, T), or raise ValueError."""
    layers = stack_layers([torch.as_tensor(layer).detach().cpu().float() for layer in weights])
    layers = layers.squeeze(1) if layers.ndim == 5 else layers
    owner = f" of {name}" if name else ""
    if layers.ndim != 4 or layers.shape[2:] != (T, T) or not 0 < T <= LONGEST:
        raise ValueError(
            f"Weights are (layers, heads, T, T), with a token for each of at most {LONGEST} positions; "
            f"those{owner} are {tuple(layers.shape)}, with {T} tokens."
        )
    right = ((layers.sum(-1) - 1).abs() <= SLACK) & (layers >= 0).all(-1)
    wrong = ~(right | (layers == 0).all(-1))  # NaN is wrong too; a row without an open key may be 0
    if wrong.any():
        layer, head, row = wrong.nonzero()[0].tolist()
        raise ValueError(
            f"Weights are not below 0, and each row sums to 1; in layer {layer}, head {head}{owner}, row "
            f"{row} sums to {layers[layer, head, row].sum():.3g}."
        )
    return layers


def score(weights, words, masked):
    """Return {name: scores (layers, heads)} as lesson 05 defines them, if they can be measured.

    previous, first, self: the mean over rows 2, 3, ...; induction: over rows whose token occurred before;
    entropy: over rows with two open keys or more, divided by the logarithm of their number.
    """
    follows = torch.from_numpy(followers(words) & ~masked)  # (T, T)
    keys = torch.from_numpy((~masked).sum(-1))  # (T,)
    entropy = torch.special.entr(weights).sum(-1) / keys.clamp(min=2).log()  # (layers, heads, T)
    scores = {
        "previous": weights.diagonal(-1, -2, -1)[..., 1:].mean(-1),
        "first": weights[..., 2:, 0].mean(-1),
        "self": weights.diagonal(0, -2, -1)[..., 2:].mean(-1),
        "induction": (weights * follows).sum((-2, -1)) / follows.any(-1).sum(),
        "entropy": entropy[..., keys > 1].mean(-1),
    }
    return {
        name: values.double().numpy().round(3).tolist()
        for name, values in scores.items()
        if values.isfinite().all()
    }


def followers(words):
    """Mark the keys that follow an earlier occurrence of the query's token, bool (T, T)."""
    ids = np.unique(words, return_inverse=True)[1]
    earlier = np.tril(ids[:, None] == ids[None], -1)
    return np.roll(earlier, 1, -1)  # the last column is all False, so nothing wraps around


def row_name(number, count, noun="layer"):
    return f"{noun} {number}" if count < 9 else str(number)


def in_words(weights, scores):
    _, L, H, T, _ = weights.shape
    parts = [f"the attention weights of {L} × {H} heads (layers × heads) over {T} tokens"]
    for name, tables in scores.items():
        extremes = []
        for kind, table in tables.items():
            table, sharpest = np.array(table), kind == "entropy"
            place = table.argmin() if sharpest else table.argmax()
            label = "smallest entropy" if sharpest else f"largest score {NAMES[kind]}"
            extremes.append(f"{label}: layer {place // H}, head {place % H} ({table.flat[place]:.2f})")
        if extremes:
            parts.append(f"{name + ', ' if name else ''}{'; '.join(extremes)}")
    return ". ".join(parts) + "."
