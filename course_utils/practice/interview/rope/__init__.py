"""The topic rope: rotary positions, half-split or interleaved; then positions that begin later."""

from .problems import base, later

__all__ = ["base", "later"]
