"""A model for somebody's loop: it knows how every text goes on."""

from types import SimpleNamespace

import numpy as np
import torch


def next_token(prefix):
    """What comes after a whole prefix; never the token of the end."""
    return int(
        (sum((i + 2) * (t + 1) * (t + 3) for i, t in enumerate(prefix)) + len(prefix)) % (Story.VOCAB - 1)
    )


def least(prefix):
    """A token that is not what comes next."""
    return 1 if next_token(prefix) == 0 else 0


def story_of(prompt, n, seen=lambda text, step: text, row=None, pick=next_token):
    """The text of (B, T) with n new tokens. seen: what the model knows of it."""
    texts = prompt.tolist()
    for step in range(n):
        tokens = [pick(seen(text, step)) for text in texts]
        texts = [text + [tokens[b if row is None else row]] for b, text in enumerate(texts)]
    return np.array(texts, int).reshape(len(prompt), -1)


class Story(torch.nn.Module):
    """kind: what it returns. ends: {first token of a row: length of the text after which the end comes}.
    flat: logits that it gives instead, whatever the text is."""

    VOCAB, END = 11, 10

    def __init__(self, kind, ends=None, flat=None):
        super().__init__()
        self.kind, self.ends, self.flat = kind, ends or {}, flat
        self.calls = self.longest_later = 0
        self.unused = torch.nn.Parameter(torch.zeros(1))  # a caller may ask for its device
        self.block_size = self.context_length = self.max_len = self.max_seq_len = 64
        self.config = SimpleNamespace(
            block_size=64, n_ctx=64, vocab_size=self.VOCAB, max_seq_len=64, context_length=64
        )

    def forward(self, tokens, *more, **named):
        rows = tokens.tolist() if isinstance(tokens, (torch.Tensor, np.ndarray)) else [*tokens]
        single = not rows or not isinstance(rows[0], list)
        rows = [rows] if single else rows
        old = next((argument for argument in (*more, *named.values()) if isinstance(argument, Read)), None)
        texts = [a + b for a, b in zip(old.texts if old else [[] for _ in rows], rows, strict=True)]
        self.longest_later = max(self.longest_later, len(rows[0])) if self.calls else 0
        self.calls += 1
        logits = torch.stack([self.row(text, len(row)) for text, row in zip(texts, rows, strict=True)])
        return self.returned(logits[0] if single else logits, Read(texts))

    def row(self, text, number):
        """The logits of the last `number` places of a text."""
        if self.flat is not None:
            return torch.tensor(self.flat, dtype=torch.float32).expand(number, self.VOCAB).clone()
        logits = torch.full((number, self.VOCAB), -30.0) + torch.linspace(0, 0.1, self.VOCAB)
        for place in range(number):
            end = len(text) - number + place + 1
            ended = self.ends.get(text[0]) == end
            logits[place, self.END if ended else next_token(text[:end])] = 30.0
        return logits

    def returned(self, logits, read):
        if "last" in self.kind:
            logits = logits[..., -1, :]
        logits = (
            logits.numpy() if "numpy" in self.kind else logits.tolist() if "list" in self.kind else logits
        )
        if "pair" in self.kind:
            return logits, read
        return Record(logits=logits, past_key_values=read, cache=read) if "record" in self.kind else logits


class Record(SimpleNamespace):
    """What transformers returns: attributes, and places too."""

    def __getitem__(self, place):
        return (self.logits, self.cache)[place] if isinstance(place, int) else getattr(self, place)


class Read:
    """What a model has read so far: its cache."""

    def __init__(self, texts):
        self.texts = texts
