"""Exercises of part 2: splitting and concatenating heads."""
