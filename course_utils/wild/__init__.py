"""Language models around the learner's own attention.

In: the code of Python's library as text, or the files of a GPT-2; and the learner's block and attention. Out:
tokens, models that generate text, and measures of how good they are.
"""

from .checkpoint import is_within_reach
from .gpt2 import load_gpt2

__all__ = ["is_within_reach", "load_gpt2"]
