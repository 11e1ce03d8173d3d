"""Real models around the learner's own attention: files of weights go in, models come out."""

from .checkpoint import is_within_reach
from .gpt2 import load_gpt2

__all__ = ["is_within_reach", "load_gpt2"]
