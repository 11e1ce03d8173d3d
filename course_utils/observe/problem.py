"""A student's object that cannot be used as the exercise says; and what values and errors are called in a sentence."""

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


def first_line(error, most=200):
    """The first line of what an error says; with all others where it ends in a colon, as before what torch would take."""
    lines = [line.strip() for line in str(error).strip().splitlines()]
    said = " ".join(lines) if lines and lines[0].endswith(":") else "".join(lines[:1])
    return said if len(said) <= most else said[: most - 3] + "..."
