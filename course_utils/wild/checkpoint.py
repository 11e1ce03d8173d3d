"""The files of a GPT-2: a folder or a model's name goes in, settings, tensors and a vocabulary come out.

Nothing here runs code of a checkpoint's author: a pickle is refused, and safetensors holds numbers alone.
"""

import json
import socket
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from .vocabulary import TOKENIZER, read_vocabulary

CONFIG, WEIGHTS = "config.json", "model.safetensors"
SIZES = ("vocab_size", "n_positions", "n_embd", "n_layer", "n_head")
# What config.json calls an activation, and torch's name for that form of GELU.
GELUS = {"gelu_new": "tanh", "gelu_pytorch_tanh": "tanh", "gelu": "none"}
# Settings of transformers that change the arithmetic, with the only value that this course computes.
FIXED = {"scale_attn_weights": True, "scale_attn_by_inverse_layer_idx": False, "add_cross_attention": False}
PICKLES = (".bin", ".pt", ".pth", ".ckpt", ".pkl")
MASKS = (".attn.bias", ".attn.masked_bias")  # not weights: the causal mask, which older versions saved along


@dataclass
class Checkpoint:
    config: dict  # checked, with every default filled in
    tensors: dict  # {GPT-2's name of it: tensor}, each of the shape that config says
    vocabulary: object  # encode(text) -> numbers, decode(numbers) -> text


def read_checkpoint(folder_or_name):
    folder = find_folder(folder_or_name)
    config = read_config(folder / CONFIG)
    tensors = plain_names(read_tensors(folder), config)
    check_tensors(tensors, shapes_of(config))
    return Checkpoint(config, tensors, read_vocabulary(folder))


# ---- the folder


def find_folder(folder_or_name):
    path = Path(folder_or_name)
    if path.is_dir():
        return path
    if path.is_file():
        if path.suffix in PICKLES:
            raise ValueError(refusal(path.name))
        raise ValueError(f"{path} is a file: give the folder that it lies in.")
    name = str(folder_or_name)
    if isinstance(folder_or_name, Path) or name.startswith((".", "/", "~")) or name.count("/") > 1:
        raise FileNotFoundError(f"There is no folder {name}.")
    return fetch(name)


def fetch(name):
    """The folder to which a model of the Hugging Face hub was downloaded, now or before."""
    try:
        from huggingface_hub import snapshot_download
    except ModuleNotFoundError:
        raise ModuleNotFoundError(
            f"There is no folder {name}, and to fetch a model of this name from the Hugging Face hub, "
            "The library huggingface_hub is needed: pip install huggingface_hub safetensors."
        ) from None
    try:
        return Path(snapshot_download(name, allow_patterns=[CONFIG, WEIGHTS, TOKENIZER]))
    except (OSError, ValueError) as error:
        reason = str(error).strip().splitlines()[0].rstrip(".")
        raise OSError(
            f"There is no folder {name}, and the Hugging Face hub gave no model of this name: {reason}."
        ) from None


def is_within_reach(name, seconds=3):
    """Is what it takes installed, and is the hub's model downloaded already, or does the hub answer?"""
    try:
        import huggingface_hub
        import safetensors  # noqa: F401
    except ModuleNotFoundError:
        return False
    try:
        if isinstance(huggingface_hub.try_to_load_from_cache(name, WEIGHTS), str):
            return True
    except ValueError:  # no name of the hub's: the path of a folder that is not there
        return False
    if huggingface_hub.constants.HF_HUB_OFFLINE:
        return False
    host = urlsplit(huggingface_hub.constants.ENDPOINT).hostname
    try:
        socket.create_connection((host, 443), timeout=seconds).close()
    except OSError:
        return False
    return True


def refusal(name):
    return (
        f"{name} is a pickle, and reading one can run any code that its author put in: ask for {WEIGHTS}, "
        "which holds numbers alone."
    )


# ---- the settings


def read_config(path):
    if not path.is_file():
        raise FileNotFoundError(
            f"The folder {path.parent} has no {CONFIG}, which says how many layers and heads there are."
        )
    try:
        settings = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{path} is not JSON: {error}.") from None
    if not isinstance(settings, dict) or settings.get("model_type") != "gpt2":
        kind = settings.get("model_type") if isinstance(settings, dict) else None
        raise ValueError(f'{path} describes a model of type {kind!r}, but this reads "gpt2".')
    for key in SIZES:
        if type(settings.get(key)) is not int or settings[key] < 1:
            raise ValueError(f"{path} says {key} = {settings.get(key)!r}, which is no size.")
    if settings["n_embd"] % settings["n_head"]:
        raise ValueError(
            f"{path}: n_embd = {settings['n_embd']} cannot be shared by {settings['n_head']} heads."
        )
    for key, computed in FIXED.items():
        if settings.get(key, computed) != computed:
            raise ValueError(f"{path} says {key} = {settings[key]}: this course computes only {computed}.")
    activation = settings.get("activation_function", "gelu_new")
    if activation not in GELUS:
        raise ValueError(f"{path} says activation_function = {activation!r}: known are {', '.join(GELUS)}.")
    return {
        **{key: settings[key] for key in SIZES},
        "n_inner": settings.get("n_inner") or 4 * settings["n_embd"],
        "layer_norm_epsilon": settings.get("layer_norm_epsilon", 1e-5),
        "tie_word_embeddings": settings.get("tie_word_embeddings", True),
        "gelu": GELUS[activation],
    }


# ---- the tensors


def read_tensors(folder):
    path = folder / WEIGHTS
    if not path.is_file():
        files = sorted(file.name for file in folder.iterdir())
        if pickles := [name for name in files if name.endswith(PICKLES)]:
            raise ValueError(refusal(pickles[0]))
        if f"{WEIGHTS}.index.json" in files:
            raise ValueError(
                f"The weights in {folder} are cut into several files: this reads {WEIGHTS} alone."
            )
        raise FileNotFoundError(f"The folder {folder} has no {WEIGHTS}, the file with the weights.")
    with path.open("rb") as file:
        start = file.read(2)
    if start in (b"PK", b"\x80\x02", b"\x80\x04", b"\x80\x05"):
        raise ValueError(refusal(f"{path}, whatever its name says,"))
    try:
        from safetensors import SafetensorError
        from safetensors.torch import load_file
    except ModuleNotFoundError:
        raise ModuleNotFoundError(
            f"To read {WEIGHTS}, the library safetensors is needed: pip install safetensors."
        ) from None
    try:
        return load_file(path)
    except SafetensorError as error:
        raise ValueError(f"{path} is damaged or is no safetensors file: {error}.") from None


def plain_names(tensors, config):
    """Names as in the hub's own gpt2, without the prefix that GPT2LMHeadModel saves; masks are left out."""
    plain = {name.removeprefix("transformer."): tensor for name, tensor in tensors.items()}
    plain = {name: tensor for name, tensor in plain.items() if not name.endswith(MASKS)}
    if config["tie_word_embeddings"] and "lm_head.weight" in plain:
        head, embedding = plain.pop("lm_head.weight"), plain.get("wte.weight")
        if embedding is not None and not (head.shape == embedding.shape and bool((head == embedding).all())):
            raise ValueError(
                "lm_head.weight and wte.weight differ, but config.json says that they are one "
                "(tie_word_embeddings)."
            )
    return plain


def shapes_of(config):
    """{name: shape} of every tensor that these settings ask for."""
    D, hidden, vocab = config["n_embd"], config["n_inner"], config["vocab_size"]
    shapes = {"wte.weight": (vocab, D), "wpe.weight": (config["n_positions"], D)}
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
    shapes |= {"ln_f.weight": (D,), "ln_f.bias": (D,)}
    return shapes if config["tie_word_embeddings"] else {**shapes, "lm_head.weight": (vocab, D)}


def check_tensors(tensors, shapes):
    missing = [name for name in shapes if name not in tensors]
    extra = [name for name in tensors if name not in shapes]
    if missing:
        raise ValueError(f"The checkpoint has no tensor {and_more(missing)}, which config.json asks for.")
    if extra:
        raise ValueError(
            f"The checkpoint has a tensor {and_more(extra)}, which config.json has no place for."
        )
    for name, shape in shapes.items():
        tensor = tensors[name]
        if tuple(tensor.shape) != shape:
            raise ValueError(f"{name} is {tuple(tensor.shape)}, but by config.json it is {shape}.")
        if not tensor.is_floating_point():
            raise ValueError(f"{name} holds {tensor.dtype}: weights are floating-point numbers.")


def and_more(names):
    return names[0] if len(names) == 1 else f"{names[0]} ({len(names) - 1} more like this)"
