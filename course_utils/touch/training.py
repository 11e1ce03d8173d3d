"""A model's own training: its heads' weights at some 40 steps, played or scrubbed, beside the loss curve."""

import base64
import io
import pkgutil
import zlib

import numpy as np
from PIL import Image

from ..figures.words import number
from ..tiny_models import CHECKPOINTS
from .atlas import as_levels, draw_atlas
from .piece import Piece, png_uri

LONGEST, MOST_HEADS = 32, 8  # tokens and heads that have room beside each other
FIRST_ROW = 2  # in rows 0 and 1 several places are the same key; `head_scores` leaves them out, too
NAMED_FROM = 0.8  # a head is named by a job that gets this much of its weight
RECORDED = "seeds.npz"


class Snapshots:
    """What `train(..., watch=Snapshots(read, steps))` keeps: weights at some 40 steps, most of them early.

    read: a function from the model to its weights (H, T, T).
    steps: how many steps the training has.
    `weights` is {steps done: (H, T, T)}.
    """

    def __init__(self, read, steps):
        self.read, self.steps, self.weights = read, set(spaced(steps)), {}

    def __call__(self, step, model):
        if step in self.steps:
            self.weights[step] = self.read(model)


def spaced(steps):
    """Some 40 numbers from 0 to steps; half of them in the first eighth, where most is learned."""
    return sorted({round(steps * (k / 44) ** 3) for k in range(45)})


def recorded_runs():
    """{name: (weights, losses)} of a training with another seed, for `scrub_training`: it ships with the
    course. The weights are those over "thequickbrownfox"."""
    data = pkgutil.get_data("course_utils", f"{CHECKPOINTS.name}/{RECORDED}")
    with np.load(io.BytesIO(data)) as file:  # never pickled
        arrays = dict(file)
    seeds = sorted(name.removeprefix("losses_") for name in arrays if name.startswith("losses_"))
    runs = {}
    for seed in seeds:
        frames = lower_to_square(arrays[f"weights_{seed}"] / 255)  # (F, H, T, T)
        weights = dict(zip(arrays["steps"].tolist(), frames, strict=True))
        runs[f"the course's layer, seed {seed}"] = weights, arrays[f"losses_{seed}"].tolist()
    return runs


def scrub_training(runs, tokens, jobs=None):
    """The heads' weights while they are trained, with a slider that plays, beside the curve of the loss.

    runs: {name: (weights, losses)}, the first one shown at first. weights: {steps done: (H, T, T)}, causal,
        rows that sum to 1, the same steps, H and T in every run; losses: the loss of each step.
    tokens: T texts, or one text of T letters; T at most 32, H at most 8.
    jobs: {name: T keys}, for each query the key that this job looks at, None where there is none. Below each
        head stands its mean weight on them, from row 2 on.
    Returns a Piece. Raises ValueError or TypeError in one sentence for what is not so.
    """
    tokens = [str(token) for token in tokens]
    read = {str(name): as_run(name, *run, len(tokens)) for name, run in as_runs(runs).items()}
    steps, frames, _ = next(iter(read.values()))
    for name, (others, weights, _) in read.items():
        if not np.array_equal(others, steps) or weights.shape != frames.shape:
            raise ValueError(f"all runs need the same steps and heads: {name!r} differs from the first.")
    jobs = as_jobs(jobs or {}, len(tokens))
    data = {
        "tokens": tokens,
        "heads": frames.shape[1],
        "steps": steps.tolist(),
        "jobs": [{"name": name, "keys": keys} for name, keys in jobs.items()],
        "firstRow": FIRST_ROW,
        "namedFrom": NAMED_FROM,
        "runs": [
            {"name": name, "steps": len(losses), "packed": packed(weights, losses)}
            for name, (_, weights, losses) in read.items()
        ],
    }
    name, (_, frames, losses) = next(iter(read.items()))
    words = in_words(name, tokens, steps, frames, losses, jobs)
    return Piece("training.js", data, still(steps, frames, losses), words)


# ---- what comes in


def as_runs(runs):
    if not isinstance(runs, dict) or not runs:
        raise TypeError("runs are {name: (weights, losses)}, with one run or more.")
    for name, run in runs.items():
        two = isinstance(run, (tuple, list)) and len(run) == 2
        if not two or not isinstance(run[0], dict) or not run[0]:
            raise TypeError(f"the run {name!r} needs two things: {{step: weights (H, T, T)}} and the losses.")
    return runs


def as_run(name, weights, losses, T):
    """Arrays: the steps (F,), the weights (F, H, T, T), the losses (steps,)."""
    steps = np.array(sorted(weights))
    tables = [as_array(weights[step]) for step in steps.tolist()]
    shapes = sorted({table.shape for table in tables})
    if len(shapes) > 1 or shapes[0] not in [(H, T, T) for H in range(1, MOST_HEADS + 1)]:
        raise ValueError(
            f"weights are (H, T, T) at every step, with {T} tokens and at most {MOST_HEADS} heads; "
            f"{name!r} has {', '.join(map(str, shapes))}."
        )
    if not 0 < T <= LONGEST:
        raise ValueError(f"there is room for 1 to {LONGEST} tokens, but there are {T}.")
    frames = np.stack(tables)  # (F, H, T, T)
    # written so that NaN is refused too
    if not (np.abs(frames.sum(-1) - 1) <= 0.02).all() or not (frames >= 0).all():
        raise ValueError(f"each row of weights sums to 1, and none is below 0; in {name!r} that is not so.")
    if (np.triu(frames, 1) > 0.005).any():
        raise ValueError(f"the weights of {name!r} look at the future: keys after the query need weight 0.")
    losses = as_array(losses)  # (steps,)
    if losses.ndim != 1 or len(losses) < 2 or not np.isfinite(losses).all() or losses.min() < 0:
        raise ValueError(f"the losses of {name!r} are at least two numbers, finite and not below 0.")
    if steps.dtype.kind != "i" or steps[0] < 0 or steps[-1] > len(losses):
        raise ValueError(
            f"steps are whole numbers from 0 to {len(losses)}, the number of losses of {name!r}."
        )
    return steps, frames, losses


def as_array(values):
    """A float64 array of a tensor of any dtype or device, with a gradient or without, or of numbers."""
    return np.asarray(values.detach().double().cpu() if hasattr(values, "detach") else values, dtype=float)


def as_jobs(jobs, T):
    keys = {str(name): list(listed) for name, listed in jobs.items()}
    for name, listed in keys.items():
        if len(listed) != T or not all(key is None or key in range(i + 1) for i, key in enumerate(listed)):
            raise ValueError(
                f"the job {name!r} needs {T} keys, none after its query; None where there is none."
            )
    return keys


# ---- what goes out


def packed(frames, losses):
    """Base64 of deflated bytes: weights (F, H, T, T) as 0 to 255, without the future, each frame as its
    difference from the one before; then each loss in thousandths as two bytes, the lower one first."""
    levels = as_bytes(frames)  # (F, H * T * (T + 1) / 2)
    changes = np.diff(levels, axis=0, prepend=np.zeros_like(levels[:1]))  # wraps around at 256
    thousandths = np.minimum(np.rint(losses * 1000), 65535).astype("<u2")
    return base64.b64encode(zlib.compress(changes.tobytes() + thousandths.tobytes(), 9)).decode()


def as_bytes(frames):
    row, key = np.tril_indices(frames.shape[-1])
    return np.rint(frames[..., row, key] * 255).astype(np.uint8).reshape(len(frames), -1)


def lower_to_square(lower):
    """Lower triangles (..., T * (T + 1) / 2) as tables (..., T, T), with 0 for the future."""
    T = int((2 * lower.shape[-1]) ** 0.5)
    tables = np.zeros((*lower.shape[:-1], T, T))
    row, key = np.tril_indices(T)
    tables[..., row, key] = lower
    return tables


def shares(frame, jobs):
    """For each job, each head's mean weight on it: {name: (H,)}. frame: (H, T, T)."""
    means = {}
    for name, keys in jobs.items():
        rows = [i for i, key in enumerate(keys) if key is not None and i >= FIRST_ROW]
        if rows:
            means[name] = frame[:, rows, [keys[i] for i in rows]].mean(-1)
    return means


def three_moments(steps, losses):
    """[(place, step, loss)] of the first, a middle and the last of the steps."""
    places = dict.fromkeys((0, len(steps) // 2, len(steps) - 1))
    return [(n, steps[n], losses[min(steps[n], len(losses) - 1)]) for n in places]


def still(steps, frames, losses):
    """The heads at three moments, a row for each, as a picture."""
    T, H = frames.shape[-1], frames.shape[1]
    moments = three_moments(steps, losses)
    levels = as_levels(frames[[n for n, _, _ in moments]], np.triu(np.ones((T, T), bool), 1))
    rows = [f"after {step} steps: loss {number(loss)}" for _, step, loss in moments]
    png, _ = draw_atlas(levels, rows, [f"head {h}" for h in range(H)])
    return png_uri(Image.open(io.BytesIO(png)))


def in_words(name, tokens, steps, frames, losses, jobs):
    text = ("" if all(len(token) == 1 for token in tokens) else " ").join(tokens)
    sentences = [f"training of {len(losses)} steps, {name}, seen on {text}"]
    for n, step, loss in three_moments(steps, losses):
        on_jobs = shares(frames[n], jobs)
        heads = [
            f"head {h} {', '.join(f'{job} {number(share[h])}' for job, share in on_jobs.items())}"
            for h in range(frames.shape[1])
        ]
        weights = f"; mean weights: {'; '.join(heads)}" if on_jobs else ""
        sentences.append(f"after {step} steps: loss {number(loss)}{weights}")
    return ". ".join(sentences) + "."
