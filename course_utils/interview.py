"""interview(topic): write it from memory, on a clock, in any layout; then follow-ups, and a sheet."""

from .practice.interview import interview

__all__ = ["interview"]
