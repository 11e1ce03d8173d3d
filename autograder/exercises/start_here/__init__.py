"""Exercises of part 0: how the course works."""
