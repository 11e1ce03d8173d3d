"""Real models around the learner's own attention: files of weights go in, models come out."""

from .gpt2 import load_gpt2

__all__ = ["load_gpt2"]
