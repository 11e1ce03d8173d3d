"""A model for testing generation loops: it knows the one right continuation of every text."""

from types import SimpleNamespace

import numpy as np
import torch

from ..values import to_library

VOCAB, END = 11, 10
SIZES = dict.fromkeys(("block_size", "context_length", "max_len", "max_seq_len", "n_ctx"), 64)


def next_token(prefix):
    """The right token after a prefix. It depends on the whole prefix, and is never END."""
    return int((sum((i + 2) * (t + 1) * (t + 3) for i, t in enumerate(prefix)) + len(prefix)) % (VOCAB - 1))


def smallest_token(prefix):
    """The token with the smallest logit."""
    return 1 if next_token(prefix) == 0 else 0


def story_of(prompt, n, view=lambda text, step: text, row=None, pick=next_token, ends=None):
    """A prompt (B, T) with n new tokens. view: the part of the text that the model sees. row: the row whose
    token all rows get. pick: chooses the next token. ends: the length of each row's text after which only END
    comes."""
    texts = prompt.tolist()
    for step in range(n):
        tokens = [pick(view(text, step)) for text in texts]
        if ends is not None:
            tokens = [
                END if len(text) >= end else t for text, end, t in zip(texts, ends, tokens, strict=True)
            ]
        texts = [text + [tokens[b if row is None else row]] for b, text in enumerate(texts)]
    return np.array(texts, int).reshape(len(prompt), -1)


class Story(torch.nn.Module):
    """choice: a way's options: what to return (kind), in which library (lib). ends: {first token of a row:
    length of the text after which END comes}. flat: the logits for every text instead."""

    def __init__(self, choice, ends=None, flat=None):
        super().__init__()
        self.kind, self.library, self.ends, self.flat = choice["kind"], choice["lib"], ends or {}, flat
        self.calls = self.longest_later = 0
        self.unused = torch.nn.Parameter(torch.zeros(1))  # a caller may ask for its device
        vars(self).update(SIZES)
        self.config = SimpleNamespace(vocab_size=VOCAB, **SIZES)

    def forward(self, tokens, *more, **keywords):
        rows = tokens.tolist() if isinstance(tokens, (torch.Tensor, np.ndarray)) else [*tokens]
        single = not rows or not isinstance(rows[0], list)
        rows = [rows] if single else rows
        old = next(
            (argument for argument in (*more, *keywords.values()) if isinstance(argument, StoryCache)), None
        )
        texts = [a + b for a, b in zip(old.texts if old else [[] for _ in rows], rows, strict=True)]
        self.longest_later = max(self.longest_later, len(rows[0])) if self.calls else 0
        self.calls += 1
        logits = torch.stack([self.row(text, len(row)) for text, row in zip(texts, rows, strict=True)])
        logits = logits[0] if single else logits
        logits = logits[..., -1, :] if "last" in self.kind else logits
        logits = to_library(logits.numpy(), self.library)
        return Output((logits, StoryCache(texts))) if "pair" in self.kind else logits

    def row(self, text, number):
        """The logits at the last `number` positions of a text."""
        if self.flat is not None:
            return torch.tensor(self.flat, dtype=torch.float32).expand(number, VOCAB).clone()
        logits = torch.full((number, VOCAB), -30.0) + torch.linspace(0, 0.1, VOCAB)
        for place in range(number):
            end = len(text) - number + place + 1
            ended = self.ends.get(text[0]) == end
            logits[place, END if ended else next_token(text[:end])] = 30.0
        return logits


class Output(tuple):
    """Logits and a cache: a pair, with the attributes that outputs have in transformers."""

    logits = property(lambda self: self[0])
    cache = past_key_values = property(lambda self: self[1])


class StoryCache:
    """The cache of a Story: the tokens that it has read."""

    def __init__(self, texts):
        self.texts = texts
