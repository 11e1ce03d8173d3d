"""Three tasks that attention heads learn in seconds, the model that learns them, and its training."""

import io
import pkgutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from .models.letters import LETTERS, decode, encode  # noqa: F401, as lessons import the three from here

VOWELS = torch.tensor([letter in "aeiou" for letter in LETTERS])
NO_ANSWER = -100  # cross_entropy ignores these targets
CHECKPOINTS = Path(__file__).parent / "models"


def three_jobs(batch_size, length, g):
    """Random letters (B, T) and three targets for each (B, T, 3): the previous letter, the first one, the
    last vowel so far."""
    tokens = torch.randint(len(LETTERS), (batch_size, length), generator=g)  # (B, T)
    position = torch.arange(length)
    vowel_at = torch.where(VOWELS[tokens], position, -1).cummax(1).values  # (B, T)
    vowel = torch.where(vowel_at >= 0, tokens.gather(1, vowel_at.clamp(min=0)), NO_ANSWER)
    return tokens, torch.stack([back(tokens, 1), tokens[:, :1].expand_as(tokens), vowel], dim=-1)


def places_of_jobs(text):
    """The positions of the answers of `three_jobs`: {answer: the key position for each of T queries, None if
    there is no answer}."""
    vowels = [max((j for j in range(i + 1) if text[j] in "aeiou"), default=None) for i in range(len(text))]
    previous = [None, *range(len(text) - 1)]
    return dict(zip(JOBS.answers, (previous, [0] * len(text), vowels), strict=True))


def look_back(batch_size, length, g):
    """Random letters (B, T) and two targets for each (B, T, 2): the previous letter, and the one before
    that."""
    tokens = torch.randint(len(LETTERS), (batch_size, length), generator=g)  # (B, T)
    return tokens, torch.stack([back(tokens, 1), back(tokens, 2)], dim=-1)


def back(tokens, steps):
    """The letter `steps` positions before each letter (B, T); NO_ANSWER where there is none."""
    return torch.where(torch.arange(tokens.shape[1]) < steps, NO_ANSWER, tokens.roll(steps, 1))


def repeated_word(batch_size, length, g):
    """Some letters, then one word repeated (B, T); the target of each is the next letter (B, T, 1).

    No letter occurs twice in the prefix and the word together. A letter has a target only if the next one is
    determined: from the first letter of the word's second copy on.
    """
    letters = torch.rand(batch_size, len(LETTERS), generator=g).argsort(1)  # (B, 26), shuffled
    word = torch.randint(4, 9, (batch_size, 1), generator=g)  # 4 to 8 letters
    prefix = torch.randint(0, 15, (batch_size, 1), generator=g)  # 0 to 14 letters
    position = torch.arange(length)
    place = torch.where(position < prefix, 8 + position, (position - prefix) % word)  # (B, T)
    tokens = letters.gather(1, place.clamp(max=len(LETTERS) - 1))  # (B, T)
    determined = (position >= prefix + word) & (position < length - 1)
    return tokens, torch.where(determined, tokens.roll(-1, 1), NO_ANSWER)[..., None]


@dataclass(frozen=True)
class Recipe:
    """A task with a model and a training that fit it; use `dataclasses.replace` to change one setting."""

    name: str
    make_batch: Callable
    answers: tuple  # names of the answers at each letter
    length: int
    num_layers: int
    num_heads: int
    d_model: int
    steps: int


JOBS = Recipe("jobs", three_jobs, ("previous", "first", "last vowel"), 16, 1, 3, 48, 500)
LOOK_BACK = Recipe("look_back", look_back, ("previous", "two back"), 16, 1, 2, 48, 300)
REPEATS = Recipe("repeats", repeated_word, ("next",), 24, 2, 2, 32, 500)


class TinyModel(nn.Module):
    """Letters and positions become vectors h; each layer adds attention(h); a linear layer reads out the
    answers.

    attention: a class (d_model, num_heads) with W_q, W_k, W_v, W_o, called as attention(h, is_causal=True).
    """

    def __init__(self, attention, recipe):
        super().__init__()
        D, self.num_heads, self.num_answers = recipe.d_model, recipe.num_heads, len(recipe.answers)
        self.answers = recipe.answers
        self.embedding = nn.Embedding(len(LETTERS), D)
        self.positions = nn.Parameter(0.7 * torch.randn(recipe.length, D))
        self.layers = nn.ModuleList(attention(D, recipe.num_heads) for _ in range(recipe.num_layers))
        self.readout = nn.Linear(D, self.num_answers * len(LETTERS), bias=False)
        for layer in self.layers:  # near-even weights, large values: heads then specialise
            for projection, std in ((layer.W_q, 0.3), (layer.W_k, 0.3), (layer.W_v, 1.6), (layer.W_o, 1.6)):
                nn.init.normal_(projection.weight, std=std / D**0.5)

    def stream(self, tokens):
        """The input of each layer, and last that of the readout: num_layers + 1 tensors (B, T, d_model)."""
        h = self.embedding(tokens) + self.positions[: tokens.shape[1]]  # (B, T, d_model)
        stages = [h]
        for layer in self.layers:
            h = h + layer(h, is_causal=True)
            stages.append(h)
        return stages

    def forward(self, tokens):
        """Score every letter for every answer: tokens (B, T) -> (B, T, answers, 26)."""
        return self.readout(self.stream(tokens)[-1]).unflatten(-1, (self.num_answers, len(LETTERS)))


def train(attention, recipe, seed=0, batch_size=32, watch=None):
    """Train a new model of `attention` layers by the recipe; return it and the loss of every step.

    watch: called as watch(steps done so far, model) before each step, and once after the last.
    """
    torch.manual_seed(seed)
    g = torch.Generator().manual_seed(seed)
    model = TinyModel(attention, recipe)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2, betas=(0.9, 0.99), weight_decay=0)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 1e-2, total_steps=recipe.steps, pct_start=0.1)
    losses = []
    for step in range(recipe.steps):
        if watch:
            watch(step, model)
        tokens, targets = recipe.make_batch(batch_size, recipe.length, g)
        loss = F.cross_entropy(model(tokens).flatten(0, 2), targets.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        losses.append(loss.item())
    if watch:
        watch(recipe.steps, model)
    return model, losses


def seconds_per_step(attention, recipe=REPEATS, batch_size=32):
    """Seconds that `attention` layers need for a forward and backward pass of one batch: the faster of two
    tries."""
    model = TinyModel(attention, recipe)
    tokens, _ = recipe.make_batch(batch_size, recipe.length, torch.Generator().manual_seed(0))
    tries = []
    for _ in range(2):
        start = time.perf_counter()
        model(tokens).sum().backward()
        tries.append(time.perf_counter() - start)
    return min(tries)


@torch.no_grad()
def accuracy(model, recipe, seed=1000, batch_size=512):
    """The share of right answers on new letters: {answer of the recipe: share}."""
    tokens, targets = recipe.make_batch(batch_size, recipe.length, torch.Generator().manual_seed(seed))
    right, is_asked = model(tokens).argmax(-1) == targets, targets != NO_ANSWER  # (B, T, answers)
    shares = (right & is_asked).sum((0, 1)) / is_asked.sum((0, 1))
    return dict(zip(recipe.answers, shares.tolist(), strict=True))


def load_checkpoint(attention, recipe):
    """Load the weights that ship with the course into `attention` layers: the same numbers on every
    computer."""
    model = TinyModel(attention, recipe)
    data = pkgutil.get_data(
        __package__, f"{CHECKPOINTS.name}/{recipe.name}.npz"
    )  # works in a folder and in a zip
    with np.load(io.BytesIO(data)) as file:  # never pickled
        values = {name: torch.from_numpy(file[name].astype(np.float32)) for name in file.files}
    model.load_state_dict(values, strict=False)  # a class may keep a buffer of its own, such as a mask
    return model
