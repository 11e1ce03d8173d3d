"""Exercises of part 1: masks."""
