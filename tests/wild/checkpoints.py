"""Folders with a GPT-2 as transformers saves it, made without transformers; and ways to spoil one."""

import json

import torch
from safetensors.torch import save_file

from course_utils.wild.checkpoint import read_config, shapes_of

CONFIG = {
    "model_type": "gpt2",
    "vocab_size": 19,
    "n_positions": 11,
    "n_embd": 12,
    "n_layer": 2,
    "n_head": 3,
    "activation_function": "gelu_new",
    "layer_norm_epsilon": 1e-5,
}


def tensors_for(folder, prefix="transformer."):
    """Drawn tensors of the shapes that the folder's config.json asks for."""
    shapes = shapes_of(read_config(folder / "config.json"))
    return {
        name if name.startswith("lm_head") else prefix + name: torch.randn(*shapes[name]) for name in shapes
    }


def save(folder, tensors=None, prefix="transformer.", **config):
    folder.mkdir(exist_ok=True)
    (folder / "config.json").write_text(json.dumps(CONFIG | config))
    save_file(tensors_for(folder, prefix) if tensors is None else tensors, folder / "model.safetensors")
    return folder
