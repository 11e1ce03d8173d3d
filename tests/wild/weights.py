"""Drawn weights: a layer for all libraries, and whole GPT-2s in the form in which transformers saves them."""

import json
import math

import torch
from safetensors.torch import save_file
from torch import nn

from course_utils import standins
from course_utils.wild.checkpoint import read_config, shapes_of

NAMES = ("q_proj", "k_proj", "v_proj", "out_proj")
D, H = 12, 3  # d_model, heads of 4
FUTURE = torch.ones(5, 5).triu(1).bool()  # True = masked, as in this course
CONFIG = {
    "model_type": "gpt2", "vocab_size": 19, "n_positions": 11, "n_embd": 12, "n_layer": 2, "n_head": 3,
    "activation_function": "gelu_new", "layer_norm_epsilon": 1e-5,
}  # fmt: skip


def randn(*shape):
    return torch.randn(*shape, dtype=torch.float64)


def layer_with_biases():
    """A layer with a cache whose weights and biases are drawn, in float64."""
    layer = standins.MultiHeadAttentionWithCache(D, H)
    for name in NAMES:
        width = getattr(layer, name).weight.shape[0]
        linear = nn.Linear(D, width, dtype=torch.float64)
        linear.weight.data, linear.bias.data = randn(width, D) / math.sqrt(D), randn(width)
        setattr(layer, name, linear.requires_grad_(False))
    return layer


def wrong_by(theirs, ours):
    return (torch.as_tensor(theirs) - ours).abs().max().item()


def save_gpt2(folder, tensors=None, **config):
    """A folder with this config.json; tensors: drawn in the shapes that it asks for when None."""
    folder.mkdir(exist_ok=True)
    (folder / "config.json").write_text(json.dumps(CONFIG | config))
    if tensors is None:
        shapes = shapes_of(read_config(folder))
        tensors = {f"transformer.{name}": torch.randn(*shape) for name, shape in shapes.items()}
    save_file(tensors, folder / "model.safetensors")
    return folder
