"""A model of one or two attention layers, its training on a recipe, and the trained models that ship."""

import io
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from .language import (
    ADVERBS,
    ALL_WORDS,
    ANIMAL_OF,
    LONGEST,
    MOOD_OF,
    SOUNDS,
    WITHOUT_ADVERBS,
    NotASentence,
    places,
    sentences,
    split_words,
)

NO_ANSWER = -100  # cross_entropy ignores these targets
UNKNOWN = "This model does not know {}. Its words: {}."
TOO_LONG = "This sentence has {} words; the model has positions for {}."
EMPTY = "Type at least one word. The model's words: {}."


@dataclass(frozen=True)
class Recipe:
    """A task with a model and a training that fit it; use `dataclasses.replace` to change one setting."""

    name: str
    make_batch: Callable  # (batch_size, length, g) -> tokens (B, T), the word that follows each (B, T)
    vocabulary: list
    length: int
    num_heads: int
    d_model: int
    steps: int
    num_layers: int = 1
    key_word: str = ""  # the loss after this word is added once more, times `key_weight`
    key_weight: float = 1
    has_positions: bool = True
    is_causal: bool = True


def sentence_batch(batch_size, length, g, adverbs):
    """Draw sentences as tokens (B, T), filled up with full stops, and the next words (B, T)."""
    examples = sentences(batch_size, int(torch.randint(2**31, (), generator=g)), adverbs)
    vocabulary = ALL_WORDS if adverbs else WITHOUT_ADVERBS
    tokens = as_tokens(examples, vocabulary, length)  # (B, T)
    lengths = torch.tensor([len(words) for words in examples])[:, None]  # (B, 1)
    is_inside = torch.arange(length) < lengths - 1  # (B, T)
    return tokens, torch.where(is_inside, tokens.roll(-1, 1), NO_ANSWER)


WHO = Recipe(
    "who", partial(sentence_batch, adverbs=False), WITHOUT_ADVERBS, LONGEST, 1, 16, 400, key_word="and"
)
WHO_AND_HOW = Recipe(
    "who and how",
    partial(sentence_batch, adverbs=True),
    ALL_WORDS,
    LONGEST,
    2,
    32,
    800,
    key_word="and",
    key_weight=4,
)


class Projections(nn.Module):
    """The four matrices of an attention layer, without its computation, for which lessons use the learner's
    functions."""

    def __init__(self, d_model, num_heads):
        super().__init__()
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=False) for _ in range(4))


class TinyModel(nn.Module):
    """Words and positions become vectors x; each layer adds attention(x); a linear readout gives the logits
    of the next word.

    attention: a class (d_model, num_heads) with W_q, W_k, W_v, W_o, called as attention(x, is_causal=...).
    """

    def __init__(self, attention, recipe):
        super().__init__()
        D, V = recipe.d_model, len(recipe.vocabulary)
        self.vocabulary, self.num_heads = recipe.vocabulary, recipe.num_heads
        self.is_causal = recipe.is_causal
        self.embedding = nn.Embedding(V, D)
        first = torch.randn(recipe.length, D) * recipe.has_positions
        self.positions = nn.Parameter(first, requires_grad=recipe.has_positions)
        self.layers = nn.ModuleList(attention(D, recipe.num_heads) for _ in range(recipe.num_layers))
        self.readout = nn.Linear(D, V, bias=False)

    def matrices(self):
        """The first layer's W_Q, W_K, W_V and W_O, each (D, D) and used as x @ W."""
        layer = self.layers[0]
        return tuple(W.weight.detach().T for W in (layer.W_q, layer.W_k, layer.W_v, layer.W_o))

    def words(self, text):
        """Split a typed sentence into this model's words; NotASentence if it cannot read them."""
        words, limit = split_words(text), len(self.positions)
        unknown = [word for word in words if word not in self.vocabulary]
        if unknown:
            raise NotASentence(UNKNOWN.format(" or ".join(map(repr, unknown)), ", ".join(self.vocabulary)))
        if len(words) > limit:
            raise NotASentence(TOO_LONG.format(len(words), limit))
        if not words:
            raise NotASentence(EMPTY.format(", ".join(self.vocabulary)))
        return words

    def tokens(self, sentences):
        """Number the words of B sentences, each a list of words: (B, T). Shorter sentences are filled up with
        full stops."""
        return as_tokens(sentences, self.vocabulary, max(map(len, sentences)))

    def vectors(self, words, start=0):
        """What attention reads for a list of T words, the first of which is at position `start`: (T, D)."""
        return self.embed(self.tokens([words]), start)[0].detach()

    def embed(self, tokens, start=0):
        """Turn tokens (B, T) into vectors (B, T, D): the word's row of the embedding plus its position's."""
        return self.embedding(tokens) + self.positions[start : start + tokens.shape[1]]

    def stream(self, tokens):
        """The input of each layer, and last that of the readout: num_layers + 1 tensors (B, T, D)."""
        stages = [self.embed(tokens)]
        for layer in self.layers:
            stages.append(stages[-1] + layer(stages[-1], is_causal=self.is_causal))
        return stages

    def forward(self, tokens):
        """Score every word as the next one: tokens (B, T) -> logits (B, T, V)."""
        return self.readout(self.stream(tokens)[-1])

    def likeliest(self, logits, count=3):
        """The likeliest next words for one row of logits (V,): {word: probability}, the likeliest first."""
        shares, numbers = (t.tolist() for t in logits.detach().softmax(-1).topk(count))
        return {self.vocabulary[n]: share for n, share in zip(numbers, shares, strict=True)}


def as_tokens(sentences, vocabulary, length):
    """Number the words of B sentences: (B, length), filled up with full stops."""
    number = {word: i for i, word in enumerate(vocabulary)}
    rows = [[number[word] for word in words] for words in sentences]
    return torch.tensor([row + [number["."]] * (length - len(row)) for row in rows])


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
        logits = model(tokens)  # (B, T, V)
        loss = F.cross_entropy(logits.flatten(0, 1), targets.flatten())
        if recipe.key_word:
            asked = tokens == recipe.vocabulary.index(recipe.key_word)
            loss = loss + recipe.key_weight * F.cross_entropy(logits[asked], targets[asked])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        losses.append(loss.item())
    if watch:
        watch(recipe.steps, model)
    return model, losses


@torch.no_grad()
def accuracy(model, examples):
    """Return the share of sentences in which the likeliest word after *and* fits the subject ("who") and, of
    those with an adverb, the share in which it fits the adverb ("how")."""
    at = torch.tensor([words.index("and") for words in examples])
    logits = model(model.tokens(examples))[torch.arange(len(examples)), at]  # (B, V)
    guesses = [model.vocabulary[i] for i in logits.argmax(-1).tolist()]
    right = {"who": [], "how": []}
    for words, guess in zip(examples, guesses, strict=True):
        subject = next(word for word in words if word in SOUNDS)
        right["who"].append(ANIMAL_OF.get(guess) == subject)
        right["how"] += [MOOD_OF.get(guess) == ADVERBS[word] for word in words if word in ADVERBS]
    return {name: sum(answers) / len(answers) for name, answers in right.items() if answers}


def weight_on(weights, examples):
    """Return each head's mean weight (H,) in the row of *and*: on the subject ("who"), on the adverb ("how").

    weights: (B, H, T, T), of the sentences in `examples`; one without an adverb does not count for "how".
    """
    rows = {"who": [], "how": []}
    for table, words in zip(weights, examples, strict=True):
        query = words.index("and")
        for name, keys in places(words).items():
            if keys[query] is not None:
                rows[name].append(table[:, query, keys[query]])
    return {name: torch.stack(parts).mean(0) for name, parts in rows.items() if parts}


def load(name, attention=Projections):
    """Load a trained model that ships with the course: "who" or "who and how".

    attention: a class for its layer; by default the model has the matrices and computes nothing.
    """
    recipe = {recipe.name: recipe for recipe in (WHO, WHO_AND_HOW)}[name]
    data = pkgutil.get_data(__package__, f"{name.replace(' ', '_')}.npz")  # works in a folder and in a zip
    model = TinyModel(attention, recipe)
    with np.load(io.BytesIO(data)) as file:  # never pickled
        values = {name: torch.from_numpy(file[name].astype(np.float32)) for name in file.files}
    model.load_state_dict(values, strict=False)  # a class may keep a buffer of its own, such as a mask
    return model.requires_grad_(False)
