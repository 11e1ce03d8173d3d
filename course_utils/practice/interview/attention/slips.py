"""The switches of the slow attention: what each slip is called, and what it may be."""

from dataclasses import dataclass

import numpy as np


@dataclass
class Slips:
    """causal: is there a mask? shift: by how much it is too far; inverted: the future is seen. late: it
    comes after the softmax. fill: what masked scores become. scale: what they are divided by. axis: of the
    softmax. split, merge: "right", "view". out: is there W_O? exchanged: two of "qkv". grouped: how kv
    heads serve. cache: what a step sees of earlier ones. pad: which keys padding hides. maximum: is it
    subtracted? wide: is exp taken in float64 without it? unmerged: are heads left as they are? across: do
    they lie across the features? residual: is the input added? zeroed: are rows of NaN made zeros? keys:
    how they are turned for the scores. inside: do the heads of one token attend to each other? empty: how
    large is a cache whose empty places are attended to? folded: does the mask count rows of a whole group?
    rope: are queries and keys turned ("half", "interleaved"), values too ("half v")? rope_from: where the
    positions of new queries begin. unprojected: which of "qkv" is the input itself? shift_later: by how
    much the mask is too far in calls that find something in the cache. A slip of one of the three alone
    has its letter in front: "k view"."""

    causal: bool = True
    shift: int = 0
    inverted: bool = False
    late: str = ""
    fill: float = -np.inf
    scale: str = "sqrt_d"
    axis: int | str | None = -1
    split: str = "right"
    merge: str = "right"
    out: bool = True
    exchanged: str = ""
    grouped: str = "interleaved"
    cache: str = "right"
    pad: str = ""
    maximum: bool = True
    wide: bool = False
    unmerged: bool = False
    across: bool = False
    residual: bool = False
    zeroed: bool = False
    keys: str = ""
    inside: bool = False
    folded: bool = False
    empty: str = ""
    rope: str = ""
    rope_from: str = "start"
    unprojected: str = ""
    shift_later: int = 0
