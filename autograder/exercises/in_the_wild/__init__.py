"""Exercises of part 6: attention in the wild."""
