"""A student's object that cannot be used as the exercise says."""
import numpy as np
import torch


class Problem(Exception):
    """The object cannot be used as the exercise says; the message is for the student, `mistake` is a stable name."""

    def __init__(self, message, mistake="wrong_interface"):
        super().__init__(message)
        self.mistake = mistake


def describe_type(value):
    if isinstance(value, np.ndarray):
        return "a NumPy array"
    if isinstance(value, torch.Tensor):
        return "a torch tensor"
    if value is None:
        return "None"
    if isinstance(value, type):
        return f"the class {value.__name__}"
    word = type(value).__name__
    return ("an " if word[0] in "aeiou" else "a ") + word
