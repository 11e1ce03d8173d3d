"""Exercises of part 7: today's models."""
