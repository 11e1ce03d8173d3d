"""The alphabet of the tiny models: words to tokens and back."""

import torch

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def encode(text):
    """Convert a word to tokens (1, T)."""
    return torch.tensor([[LETTERS.index(letter) for letter in text]])


def decode(tokens):
    """Convert tokens (T,) to a word."""
    return "".join(LETTERS[token] for token in tokens)
