"""All heads of all layers at a glance, one enlarged; what is pointed at is read out."""

import numpy as np
import torch

from ..figures.heads import closed
from .atlas import as_levels, as_png, draw_atlas, in_base64, pool
from .heads_model import model_data
from .piece import Piece, image_uri

SHOWN_WHOLE = 256  # tokens; of longer texts the overview is pooled
POOLED = 64  # cells a side of a pooled head
MOST_PIXELS = 750_000  # of the overview of a longer text
MOST = 2_000_000  # bytes of such a picture
SLACK = 2e-2  # how far a row's sum may be from 1: short floats are that coarse
REST = 120_000  # bytes of it that are no heads: scripts, tokens, scores
NAMES = {
    "previous": "previous token",
    "first": "first token",
    "self": "the token itself",
    "induction": "induction",
    "entropy": "entropy",
}


def explore_heads(weights, tokens=None, model=None):
    """All heads at a glance, one of them enlarged; point at a weight to read it. Returns a Piece.

    weights: (layers, heads, T, T); or (1, heads, T, T) or (heads, T, T) for each layer, in a list or tuple,
        as transformers give them; or these stacked to 5-D; or {name: any of these}, shown side by side.
        Rows are queries and sum to 1. What no head gives anything to, such as the future, is masked.
    tokens: T texts or ids, or one text of T letters; without them, positions.
    model: a TinyModel whose weights for the text `tokens` these are, or {name: TinyModel}. The page computes
        with it: other texts can be typed, and heads switched off.
    Of more than 256 tokens, the best head of each score is shown in full; all others are pooled: each cell is
    the largest weight of a block.

    Raises ValueError, in one sentence, for other shapes, for rows that do not sum to 1, for NaN, for numbers
    of tokens that differ, and for a model that computes something else.
    """
    sources = {name: as_layers(weights_of_one) for name, weights_of_one in named(weights).items()}
    T = same_size(sources)
    words = as_words(tokens, T)
    masked = find_masked(sources)  # (T, T)
    for name, layers in sources.items():
        check_weights(layers, masked, f" of {name}" if name else "")
    scores = {name: score(layers, words, masked, tokens is not None) for name, layers in sources.items()}
    data, still = as_data(sources, words, masked, scores)
    data["tokens"] = words if tokens is not None else None
    scripts = ["heads.js"]
    if model is not None:
        # in quotes, a notebook would take that folder along
        data.update(models=as_models(model, sources, tokens))
        scripts.append("heads_model.js")
    return Piece(scripts, data, still, in_words(sources, T, scores))


# ---- reading the arguments


def named(weights):
    if not isinstance(weights, dict):
        return {"": weights}
    if not weights:
        raise ValueError("There are no weights: the dict is empty.")
    return {str(name): weights_of_one for name, weights_of_one in weights.items()}


def as_models(model, sources, text):
    """What the page computes with, one for each source."""
    models = named(model)
    if list(models) != list(sources):
        raise ValueError(
            f"weights and model have the same names, but they are {list(sources)} and {list(models)}."
        )
    models_data = [
        model_data(models[name], text, sources[name], f" of {name}" if name else "") for name in sources
    ]
    if len({(entry["longest"], *entry["answers"]) for entry in models_data}) > 1:
        raise ValueError("Models side by side have the same answers and as many positions.")
    return models_data


def as_layers(weights):
    """A list with the weights (H, T, T) of every layer, float32 or float64, on the CPU."""
    listed = isinstance(weights, (list, tuple))
    try:
        layers = [torch.as_tensor(layer).detach().cpu() for layer in (weights if listed else [weights])]
    except (TypeError, ValueError, RuntimeError):
        raise TypeError("weights are tensors, a list of tensors, or a dict of these.") from None
    shapes = ", ".join(dict.fromkeys(str(tuple(layer.shape)) for layer in layers))
    if not listed:
        if layers[0].ndim not in (4, 5):
            raise ValueError(
                f"weights are (layers, heads, T, T), or (layers, 1, heads, T, T), but they are {shapes}."
            )
        layers = list(layers[0])
    if any(layer.ndim == 4 and layer.shape[0] != 1 for layer in layers):
        raise ValueError(
            f"These are weights of several texts, {shapes}: choose one, as [layer[:1] for layer in weights]."
        )
    layers = [layer[0] if layer.ndim == 4 else layer for layer in layers]
    if not layers or any(layer.ndim != 3 or 0 in layer.shape for layer in layers):
        raise ValueError(f"Each layer has weights (1, heads, T, T) or (heads, T, T), but there are {shapes}.")
    if len({layer.shape for layer in layers}) > 1 or layers[0].shape[1] != layers[0].shape[2]:
        raise ValueError(
            f"All layers have equally many heads, and as many keys as queries, but there are {shapes}."
        )
    if not layers[0].is_floating_point():
        raise TypeError(f"weights are floating-point numbers, but they are {layers[0].dtype}.")
    return [layer if layer.dtype == torch.float64 else layer.float() for layer in layers]


def same_size(sources):
    """T, the same in all; they also have the same layers and heads."""
    shapes = {name: (len(layers), *layers[0].shape[:2]) for name, layers in sources.items()}
    if len(set(shapes.values())) > 1:
        sizes = "; ".join(f"{name} {L} × {H} heads of {T} tokens" for name, (L, H, T) in shapes.items())
        raise ValueError(
            f"What is shown side by side has the same layers, heads and tokens, but here: {sizes}."
        )
    return next(iter(shapes.values()))[-1]


def as_words(tokens, T):
    """T short texts."""
    if tokens is None:
        return [str(place) for place in range(T)]
    if hasattr(tokens, "tolist"):
        tokens = tokens.tolist()
        tokens = tokens[0] if tokens and isinstance(tokens[0], list) and len(tokens) == 1 else tokens
    words = [str(token) for token in tokens]
    if len(words) != T:
        raise ValueError(f"There are weights of {T} tokens, but tokens has {len(words)}.")
    return [word if len(word) <= 40 else f"{word[:39]}…" for word in words]


def find_masked(sources):
    """What no head of any layer gives weight to, as `closed` decides: the future, and padding."""
    most = [layer.amax(0).float() for layers in sources.values() for layer in layers]  # (T, T) each
    return closed(torch.stack(most).amax(0, keepdim=True).numpy())


def check_weights(layers, masked, whose):
    """Rows are numbers from 0 on that sum to 1; a row that is masked whole may be empty."""
    hidden = torch.from_numpy(masked)
    for number, layer in enumerate(layers):
        where, sums = f"{whose} in layer {number}", layer.sum(-1)  # (H, T)
        if not layer.isfinite().all():
            raise ValueError(f"The weights{where} hold NaN or infinity.")
        if layer.min() < 0:
            raise ValueError(f"The weights{where} go down to {layer.min():.3g}, but none is below 0.")
        wrong = ((sums - 1).abs() > SLACK) & ~(hidden.all(-1) & (sums == 0))
        if wrong.any():
            head, row = wrong.nonzero()[0].tolist()
            raise ValueError(
                f"The rows{whose} do not sum to 1: in layer {number}, head {head}, row {row} sums to "
                f"{sums[head, row]:.3g}."
            )


# ---- what is worked out


def score(layers, words, masked, repeats):
    """{name: (layers, heads) scores}, as lesson 05 defines them; what cannot be measured is left out.

    previous, first, self: the mean over rows 2, 3, ...; induction: over rows whose token occurred before;
    entropy: of rows with two open keys or more, divided by the logarithm of their number.
    """
    T = len(words)
    follows = followers(words) if repeats else np.zeros((T, T), bool)
    follows, counts = torch.from_numpy(follows & ~masked), torch.from_numpy(follows.any(-1))
    keys = torch.from_numpy((~masked).sum(-1))
    scores_by_name = {}
    for layer in layers:  # (H, T, T)
        here = {}
        if T >= 3:
            here["previous"] = layer.diagonal(-1, 1, 2)[:, 1:].mean(-1)
            here["first"] = layer[:, 2:, 0].mean(-1)
            here["self"] = layer.diagonal(0, 1, 2)[:, 2:].mean(-1)
        if counts.any():
            here["induction"] = (layer * follows).sum((1, 2)) / counts.sum()
        if (keys > 1).any():
            entropy = torch.special.entr(layer).sum(-1) / keys.clamp(min=2).log()  # (H, T)
            here["entropy"] = entropy[:, keys > 1].mean(-1)
        for name, values in here.items():
            scores_by_name.setdefault(name, []).append([round(value, 3) for value in values.tolist()])
    return scores_by_name


def followers(words):
    """Which keys follow an earlier occurrence of the query's token (T, T)."""
    ids = np.unique(words, return_inverse=True)[1]
    earlier = np.tril(ids[:, None] == ids[None], -1)
    return np.roll(earlier, 1, -1)  # the last column is empty, so nothing wraps


def as_data(sources, words, masked, scores):
    """What the script gets, and the still picture."""
    T, layers = len(words), next(iter(sources.values()))
    L, H = len(layers), len(layers[0])
    side = min(POOLED, int((MOST_PIXELS / (len(sources) * L * H)) ** 0.5))  # cells of a pooled head
    block = 1 if T <= SHOWN_WHOLE else -(-T // side)
    every = [layer.numpy() for layers in sources.values() for layer in layers]
    levels = np.stack([pool(as_levels(layer, masked), block) for layer in every])
    rows = [f"{name[:16]} {row_name(layer, L)}".strip() for name in sources for layer in range(L)]
    png, places = draw_atlas(levels, rows, [row_name(h, H, "head") for h in range(H)])
    still, full = image_uri(png, "png"), []
    if block > 1:
        room = MOST - REST - len(still) - sum(len(word) + 3 for word in words)
        full = in_full(sources, masked, list(scores.values())[-1], room)
    data = {
        "names": list(sources),
        "layers": L,
        "heads": H,
        "length": T,
        "block": block,
        "atlas": places,
        "scores": list(scores.values()),
        "titles": NAMES,
        "full": full,
    }
    return data, still


def row_name(number, count, what="layer"):
    return f"{what} {number}" if count < 9 else str(number)


def best_head(kind, table):
    """(layer, head) with the largest score; of entropy, the smallest."""
    table = np.array(table)
    place = table.argmin() if kind == "entropy" else table.argmax()
    return tuple(map(int, np.unravel_index(place, table.shape)))


def in_full(sources, masked, scores, room):
    """[{layer, head, images}] of the best head of each score, as many as there is room for."""
    heads = []
    for layer, head in dict.fromkeys(best_head(*item) for item in scores.items()):
        images = [
            in_base64(as_png(as_levels(layers[layer][head].numpy(), masked))) for layers in sources.values()
        ]
        room -= sum(map(len, images))
        if room < 0:
            break
        heads.append({"layer": layer, "head": head, "images": images})
    return heads


def in_words(sources, T, scores):
    layers = next(iter(sources.values()))
    text = f"the attention weights of {len(layers)} × {len(layers[0])} heads (layers × heads) over {T} tokens"
    if T > SHOWN_WHOLE:
        text += ", the largest of each block of tokens"
    parts = []
    for name, tables in scores.items():
        extremes = []
        for kind, table in tables.items():
            layer, head = best_head(kind, table)
            label = "smallest entropy" if kind == "entropy" else f"largest score {NAMES[kind]}"
            extremes.append(f"{label}: layer {layer}, head {head} ({table[layer][head]:.2f})")
        if extremes:
            parts.append(f"{name + ', ' if name else ''}{'; '.join(extremes)}")
    return ". ".join([text, *parts]) + "."
