"""Small random inputs of uneven sizes, as dicts of float64 arrays and whole numbers."""

import numpy as np

LOUD = 20.0
WEIGHTS = ("wq", "wk", "wv", "wo")


def draw(seed, B, T, H, d, Hkv=None, chunks=None, lengths=None, large=1.0, loud=False):
    """x (B, T, D) and weights (in, out); q, k, v for functions that get them; how a cached layer is fed.
    loud: is the last token so large that exp of its own score is infinite in float64, in most heads where it
    is positive? All others see it as a key in the future, or have small scores with it."""
    rng, D, Hkv = np.random.default_rng(seed), H * d, Hkv or H
    outs = {"wq": D, "wk": Hkv * d, "wv": Hkv * d, "wo": D}
    given = {name: rng.standard_normal((D, outs[name])) * (2 / np.sqrt(D)) for name in WEIGHTS}
    given |= {f"b{name[1]}": rng.standard_normal(outs[name]) * 0.5 for name in WEIGHTS}
    given |= {f"x{name}": rng.standard_normal((B, T, D)) * large for name in ("", "k", "v")}
    given |= {
        "q": rng.standard_normal((B, T, D)) * 2 * large,
        "k": rng.standard_normal((B, T, Hkv * d)) * 2,
        "v": rng.standard_normal((B, T, Hkv * d)),
    }
    for name in ("x", "xk", "q", "k") if loud else ():
        given[name][:, -1] *= LOUD
    sizes = {"d_model": D, "heads": H, "head_dim": d, "kv_heads": Hkv, "group_size": H // Hkv}
    sizes |= {"max_len": max(16, T), "batch": B}
    feed = chunks or [T]
    return (
        given
        | {"B": B, "T": T, "H": H, "Hkv": Hkv, "d": d, "D": D}
        | {
            "sizes": sizes,
            "chunks": feed,
            "lengths": np.array(lengths or [T] * B),
            "order": "hd",
            "seed": seed,
            "loud": loud,
        }
    )
