"""A model of one or two attention layers, and its training on a recipe."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import torch
import torch.nn.functional as F
from torch import nn

from .language import ALL_WORDS, LONGEST, WITHOUT_ADVERBS, NotASentence, sentences, split_words

NO_ANSWER = -100  # cross_entropy ignores these targets
UNKNOWN = "This model does not know {}. Its words: {}."
TOO_LONG = "This sentence has {} words; the model has positions for {}."
MATRICES = "W_q.weight", "W_k.weight", "W_v.weight", "W_o.weight"  # of a layer
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
    starts_even: bool = False  # every head first looks everywhere alike; without it, nn.Linear's own numbers


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
        first = (0.7 if recipe.starts_even else 1) * torch.randn(recipe.length, D) * recipe.has_positions
        self.positions = nn.Parameter(first, requires_grad=recipe.has_positions)
        self.layers = nn.ModuleList(attention(D, recipe.num_heads) for _ in range(recipe.num_layers))
        self.readout = nn.Linear(D, V, bias=False)
        if recipe.starts_even:
            for layer in self.layers:  # small scores, large values
                for name, std in zip(MATRICES, (0.3, 0.3, 1.6, 1.6), strict=True):
                    nn.init.normal_(layer.get_parameter(name), std=std / D**0.5)

    def matrices(self):
        """The first layer's W_Q, W_K, W_V and W_O, each (D, D) and used as x @ W."""
        layer = self.layers[0]
        return tuple(layer.get_parameter(name).detach().T for name in MATRICES)

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
    stop = number.get(".")  # letters have none; their texts are equally long
    rows = [[number[word] for word in words] for words in sentences]
    return torch.tensor([row + [stop] * (length - len(row)) for row in rows])


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


def seconds_per_step(attention, recipe=WHO_AND_HOW, batch_size=32):
    """Measure the seconds that `attention` layers need for a forward and backward pass of one batch: the
    faster of two tries."""
    model = TinyModel(attention, recipe)
    tokens, _ = recipe.make_batch(batch_size, recipe.length, torch.Generator().manual_seed(0))
    tries = []
    for _ in range(2):
        start = time.perf_counter()
        model(tokens).sum().backward()
        tries.append(time.perf_counter() - start)
    return min(tries)
