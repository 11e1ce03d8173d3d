"""Exercises of part 4: the KV cache."""
