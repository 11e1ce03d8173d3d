"""Exercises of part 5: visualization."""
