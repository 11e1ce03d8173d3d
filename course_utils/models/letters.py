"""The alphabet of the tiny models: a text goes in, tokens come out."""

import torch

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def encode(text):
    """A word as tokens (1, T)."""
    return torch.tensor([[LETTERS.index(letter) for letter in text]])


def decode(tokens):
    """Tokens (T,) as a word."""
    return "".join(LETTERS[token] for token in tokens)
