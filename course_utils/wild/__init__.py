"""Language models around the learner's own attention.

In: the prose that Python brings, or a GPT-2's files; and the learner's block and attention. Out: tokens,
models that write, and how good they are, in numbers.
"""

from .checkpoint import is_within_reach
from .gpt2 import load_gpt2

__all__ = ["is_within_reach", "load_gpt2"]
