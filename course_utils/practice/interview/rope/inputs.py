"""Small inputs, the layouts of their axes, and what an argument may be."""

import numpy as np
import torch

from ..values import dress

HINTS = {
    "x": r"x.*|.*vec.*|t|tensor|inp.*|h|hidden.*|emb.*|states?|a|u",
    "q": r"x?q.*|.*quer.*",
    "k": r"x?k.*|.*key.*",
    "pos": r".*pos.*|offset|start.*|m|idx|ind.*|.*ids|step|p|past.*|.*shift",
    "cos": r".*cos.*",
    "sin": r".*sin.*",
    "freqs": r".*freq.*|theta_?s?|angles?|.*table.*|(?!.*dim)rot.*|cis",
    "T": r".*len.*|t|n|seq",
    "base": r".*base|.*theta.*",
    "d": r".*dim.*|d.*|head.*",
}
BASE = 10000.0


def draw(seed, B, H, T, d, start=0, rows=None):
    rng = np.random.default_rng(seed)
    sizes = {"head_dim": d, "d_model": d, "max_len": 32, "base": BASE, "heads": H, "batch": B}
    return {
        "x": rng.standard_normal((B, H, T, d)),
        "k": rng.standard_normal((B, H, T, d)),
        "T": T,
        "d": d,
        "H": H,
        "B": B,
        "start": start,
        "sizes": sizes,
    }


LAYOUTS = {
    "(B, H, T, d)": lambda x: x,
    "(B, T, H, d)": lambda x: x.transpose(0, 2, 1, 3),
    "(B, T, d)": lambda x: x[:, 0],
    "(T, d)": lambda x: x[0, 0],
    "(H, T, d)": lambda x: x[0],
    "(T, H, d)": lambda x: x[0].transpose(1, 0, 2),
    "(d,)": lambda x: x[0, 0],
}


def value(role, given, dialect):
    library, layout, place, table = dialect
    positions = given["start"] + np.arange(given["T"])
    if role in ("x", "q", "k") and layout == "(d,)":
        return dress(given["x" if role != "k" else "k"][0, 0, 0], library)
    if role in ("x", "q", "k"):
        return dress(np.ascontiguousarray(LAYOUTS[layout](given["x" if role != "k" else "k"])), library)
    if role == "pos":
        rows = np.broadcast_to(positions, (given["B"], given["T"]))
        return given["start"] if place == "start" else dress(rows if place == "rows" else positions, library)
    if role in ("T", "d", "base"):
        return {"T": given["T"] + given["start"], "d": given["d"], "base": BASE}[role]
    return dressed_table(role, given, positions, table, library)


def dressed_table(role, given, positions, table, library):
    """Sines, cosines or angles: for these positions, or from 0 on where the positions come in as well."""
    positions = np.arange(positions[-1] + 1) if given.get("whole table") else positions
    angles = positions[:, None] * BASE ** (-np.arange(0, given["d"], 2) / given["d"])
    if role == "freqs":
        turns = np.exp(1j * angles)
        complex_ = table == "whole vectors"
        if library == "torch":
            return torch.tensor(turns if complex_ else angles).to(
                torch.complex64 if complex_ else torch.float32
            )
        return turns if complex_ else angles
    wide = {
        "whole vectors": np.concatenate([angles, angles], -1),
        "neighbours": np.repeat(angles, 2, -1),
        "pairs": angles,
    }
    return dress({"cos": np.cos, "sin": np.sin}[role](wide[table]), library)
