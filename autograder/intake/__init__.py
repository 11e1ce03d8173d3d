"""Bytes that somebody handed in -> what they wrote, or a sentence that says why not."""
from .take_in import Rejected, take_in

__all__ = ["Rejected", "take_in"]
