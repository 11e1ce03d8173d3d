"""The trained models that ship with the course."""

import io
from importlib.resources import files

import numpy as np
import torch
from torch import nn

from .layer import WHO, WHO_AND_HOW, Projections, TinyModel
from .repeats import REPEATS

FILES = {  # each recipe's file in course_utils
    WHO.name: (WHO, "world/who.npz"),
    WHO_AND_HOW.name: (WHO_AND_HOW, "world/who_and_how.npz"),
    REPEATS.name: (REPEATS, "models/repeats.npz"),
}


def load(name: str, attention: type[nn.Module] = Projections) -> TinyModel:
    """Load a trained model that ships with the course: "who", "who and how" or "repeated word".

    All were trained for longer than a lesson trains, "who and how" with key_weight=1.
    attention: a class for its layers; by default the model has the matrices and computes nothing.
    """
    recipe, path = FILES[name]
    data = files("course_utils").joinpath(path).read_bytes()  # works in a folder and in a zip
    model = TinyModel(attention, recipe)
    with np.load(io.BytesIO(data)) as file:  # never pickled
        values = {name: torch.from_numpy(file[name].astype(np.float32)) for name in file.files}
    model.load_state_dict(values, strict=False)  # a class may keep a buffer of its own, such as a mask
    return model.requires_grad_(False)
