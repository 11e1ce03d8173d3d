"""Read a GPT-2 checkpoint: a folder or a model's name goes in; settings, tensors and a tokenizer come out.

No code of the checkpoint's author is run: pickles are refused, and safetensors files hold only numbers.
"""

import json
import socket
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import torch

CONFIG, WEIGHTS, TOKENIZER = "config.json", "model.safetensors", "tokenizer.json"
SIZES = ("vocab_size", "n_positions", "n_embd", "n_layer", "n_head")
# The activation in config.json, and the `approximate` argument for torch's GELU.
GELUS = {"gelu_new": "tanh", "gelu_pytorch_tanh": "tanh", "gelu": "none"}
# Settings of transformers that change the arithmetic, with the values that this course supports; the default
# comes first.
SUPPORTED_SETTINGS = {
    "model_type": ["gpt2"],
    "activation_function": [*GELUS],
    "scale_attn_weights": [True],
    "scale_attn_by_inverse_layer_idx": [False],
    "add_cross_attention": [False],
    "tie_word_embeddings": [True],
}
PICKLES = (".bin", ".pt", ".pth", ".ckpt", ".pkl")
MASKS = (".attn.bias", ".attn.masked_bias")  # not weights: causal masks, which some checkpoints contain


@dataclass
class Checkpoint:
    config: dict  # checked, with every default filled in
    tensors: dict  # {name in GPT-2: tensor}, with the shapes that config requires
    tokenizer: object  # from the library tokenizers, or None


def read_checkpoint(folder_or_name):
    folder = Path(folder_or_name)
    if folder.is_file():
        raise ValueError(f"{folder} is a file: give the folder that it lies in.")
    if not folder.is_dir():
        folder = fetch(str(folder_or_name))
    config = read_config(folder)
    tensors = read_tensors(folder)
    check_tensors(tensors, shapes_of(config))
    return Checkpoint(config, tensors, read_tokenizer(folder))


def fetch(name):
    """Download a model from the Hugging Face hub, unless it is in the cache already; returns its folder."""
    from huggingface_hub import snapshot_download

    try:
        return Path(snapshot_download(name, allow_patterns=[CONFIG, WEIGHTS, TOKENIZER]))
    except (OSError, ValueError) as error:
        reason = str(error).strip().splitlines()[0].rstrip(".")
        raise OSError(
            f"There is no folder {name}, and the Hugging Face hub returned no model of this name: {reason}."
        ) from None


def is_within_reach(name, seconds=3):
    """Can this model be loaded? The libraries must be installed, and the model cached or the hub
    reachable."""
    try:
        import huggingface_hub
        import safetensors  # noqa: F401

        if isinstance(huggingface_hub.try_to_load_from_cache(name, WEIGHTS), str):
            return True
        if huggingface_hub.constants.HF_HUB_OFFLINE:
            return False
        host = urlsplit(huggingface_hub.constants.ENDPOINT).hostname
        socket.create_connection((host, 443), timeout=seconds).close()
    except (ModuleNotFoundError, ValueError, OSError):  # ValueError: a path, not a name on the hub
        return False
    return True


@contextmanager
def one_sentence_errors(path):
    """Turn any error about a file's content into a ValueError of one sentence."""
    try:
        yield
    except Exception as error:
        raise ValueError(f"{path} cannot be read: {' '.join(str(error).split()).rstrip('.')}.") from None


def as_size(key, size):
    if not isinstance(size, int) or size < 1:
        raise ValueError(f"{CONFIG} says {key} = {size!r}, which is no size.")
    return size


def read_config(folder):
    path = require_file(folder, CONFIG)
    with one_sentence_errors(path):
        settings = dict(json.loads(path.read_text(encoding="utf-8")))
    for key, values in SUPPORTED_SETTINGS.items():
        if settings.get(key, values[0]) not in values:
            raise ValueError(f"{CONFIG} says {key} = {settings[key]!r}: this course computes only {values}.")
    sizes = {key: as_size(key, settings.get(key)) for key in SIZES}
    if sizes["n_embd"] % sizes["n_head"]:
        raise ValueError(f"{CONFIG}: n_embd = {sizes['n_embd']} cannot be shared by {sizes['n_head']} heads.")
    return {
        **sizes,
        "n_inner": settings.get("n_inner") or 4 * sizes["n_embd"],
        "layer_norm_epsilon": settings.get("layer_norm_epsilon", 1e-5),
        "gelu": GELUS[settings.get("activation_function", "gelu_new")],
    }


def read_tensors(folder):
    """Return {name: tensor}, named as in the hub's gpt2: without the prefix that GPT2LMHeadModel saves."""
    from safetensors.torch import load_file

    path = require_file(folder, WEIGHTS)
    with one_sentence_errors(path):
        tensors = load_file(path)
    plain = {name.removeprefix("transformer."): tensor for name, tensor in tensors.items()}
    head = plain.pop("lm_head.weight", None)  # a copy of the embedding, in some checkpoints
    if head is not None and not torch.equal(head, plain.get("wte.weight", head)):
        raise ValueError(
            "The checkpoint's output weights differ from its embedding; only tied ones are supported."
        )
    return {name: tensor for name, tensor in plain.items() if not name.endswith(MASKS)}


def require_file(folder, name):
    """Return the path of a required file; raises an error if it is missing or a pickle is there instead."""
    path = folder / name
    if path.is_file():
        return path
    pickles = sorted(file.name for file in folder.iterdir() if file.suffix in PICKLES)
    if name == WEIGHTS and pickles:
        raise ValueError(
            f"{pickles[0]} is a pickle, and reading one can run any code that its author put in: ask for "
            f"{WEIGHTS}, which holds only numbers."
        )
    raise FileNotFoundError(f"The folder {folder} has no {name}.")


def shapes_of(config):
    """Return {name: shape} of every tensor that these settings require."""
    D, hidden = config["n_embd"], config["n_inner"]
    shapes = {"wte.weight": (config["vocab_size"], D), "wpe.weight": (config["n_positions"], D)}
    convs = {
        "attn.c_attn": (D, 3 * D),
        "attn.c_proj": (D, D),
        "mlp.c_fc": (D, hidden),
        "mlp.c_proj": (hidden, D),
    }
    for i in range(config["n_layer"]):
        for name, (width_in, width_out) in convs.items():
            shapes |= {f"h.{i}.{name}.weight": (width_in, width_out), f"h.{i}.{name}.bias": (width_out,)}
        for norm in ("ln_1", "ln_2"):
            shapes |= {f"h.{i}.{norm}.weight": (D,), f"h.{i}.{norm}.bias": (D,)}
    return shapes | {"ln_f.weight": (D,), "ln_f.bias": (D,)}


def check_tensors(tensors, shapes):
    missing = [name for name in shapes if name not in tensors]
    extra = [name for name in tensors if name not in shapes]
    if missing:
        raise ValueError(f"The checkpoint has no tensor {and_more(missing)}, which config.json asks for.")
    if extra:
        raise ValueError(
            f"The checkpoint has a tensor {and_more(extra)}, which config.json does not describe."
        )
    for name, shape in shapes.items():
        if tuple(tensors[name].shape) != shape:
            raise ValueError(f"{name} is {tuple(tensors[name].shape)}, but config.json says {shape}.")


def and_more(names):
    return names[0] if len(names) == 1 else f"{names[0]} ({len(names) - 1} more like this)"


def read_tokenizer(folder):
    try:
        from tokenizers import Tokenizer
    except ModuleNotFoundError:
        return None
    path = folder / TOKENIZER
    with one_sentence_errors(path):
        return Tokenizer.from_file(str(path)) if path.is_file() else None
