"""Short labels of submissions: their paths below the folder that holds them all."""

import os
from pathlib import Path


def below(submissions):
    """Return each path relative to the folder that holds all of them."""
    paths = [Path(os.path.abspath(submission)) for submission in submissions]
    common = os.path.commonpath([path.parent for path in paths]) if paths else ""
    return [path.relative_to(common) for path in paths]


def labels(submissions):
    """Short names for a table: ada/01_masks for ada/01_masks/01_masks.ipynb; a single path stays as it is."""
    if len(submissions) < 2:
        return list(submissions)
    return [str(path.parent if path.stem == path.parent.name else path) for path in below(submissions)]
