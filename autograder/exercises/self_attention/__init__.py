"""Exercises of part 3: self-attention."""
