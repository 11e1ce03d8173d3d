"""The topic causal_mask: T -> who may attend to whom; then after a cache, then with padding."""

from .problems import base, cached, padded

__all__ = ["base", "cached", "padded"]
