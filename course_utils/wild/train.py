"""Train a decoder on tokens, or load the checkpoint that can replace training."""

import io
import json
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from .bpe import Tokenizer
from .decoder import Decoder, Size

SIZE = Size(vocab=1024, d_model=64, num_heads=2, num_blocks=2, context=64)
LARGE = "models/large"  # not in models/ itself, which notebooks and the sandbox copy
CHECKPOINT = Path(__file__).parents[1] / LARGE / "decoder.npz"


@dataclass(frozen=True)
class Recipe:
    """How long and how fast a model is trained. The default takes under half a minute on one core."""

    steps: int = 1000
    batch: int = 12
    learning_rate: float = 1e-2
    weight_decay: float = 0.1


def new_decoder(block, attention, seed=0, size=SIZE, dropout=0.0):
    torch.manual_seed(seed)
    return Decoder(block, attention, size, dropout).eval()


def train(model, tokens, recipe=Recipe(), seed=0):
    """Train the model to predict the next token of random pieces of the text; returns the loss of each step.

    tokens:  all tokens of the training text, in order
    """
    tokens, g = torch.as_tensor(tokens), torch.Generator().manual_seed(seed)
    T = model.size.context
    optimizer = torch.optim.AdamW(
        groups(model, recipe.weight_decay), lr=recipe.learning_rate, betas=(0.9, 0.95)
    )
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, recipe.learning_rate, total_steps=recipe.steps, pct_start=0.1
    )
    losses = []
    model.train()
    for _ in range(recipe.steps):
        starts = torch.randint(len(tokens) - T, (recipe.batch, 1), generator=g)
        pieces = tokens[starts + torch.arange(T + 1)]  # (B, T + 1)
        logits, _ = model(pieces[:, :-1])  # (B, T, vocab)
        loss = F.cross_entropy(logits.flatten(0, 1), pieces[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        losses.append(loss.item())
    model.eval()
    return losses


def groups(model, weight_decay):
    """Split the parameters: matrices get weight decay, against learning the text by heart; vectors do not."""
    parameters = list(model.parameters())
    matrices = [parameter for parameter in parameters if parameter.dim() > 1]
    vectors = [parameter for parameter in parameters if parameter.dim() == 1]
    return [{"params": matrices, "weight_decay": weight_decay}, {"params": vectors, "weight_decay": 0.0}]


# ---- the checkpoint


def has_checkpoint():
    """Is the checkpoint available? A single notebook, as in Colab, comes without it."""
    return shipped_checkpoint().is_file()


def shipped_checkpoint():
    """The checkpoint, in a folder or in a zip."""
    return files("course_utils").joinpath(LARGE, CHECKPOINT.name)


def load_checkpoint(block, attention):
    """Load the trained (model, tokenizer), made of the classes `block` and `attention`."""
    with np.load(io.BytesIO(shipped_checkpoint().read_bytes())) as file:  # no pickles: allow_pickle is False
        values = {name: file[name] for name in file.files}
    tokenizer = Tokenizer(values.pop("its merges").tolist())
    model = Decoder(block, attention, Size(**json.loads(str(values.pop("its size")))))
    numbers = {name: torch.from_numpy(value.astype(np.float32)) for name, value in values.items()}
    mismatch = model.load_state_dict(numbers, strict=False)  # a class may have its own buffer, such as a mask
    if mismatch.unexpected_keys:
        raise ValueError(f"the block has no {', '.join(mismatch.unexpected_keys)}")
    return model.eval(), tokenizer
