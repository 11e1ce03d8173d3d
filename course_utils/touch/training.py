"""An interactive training: heads' weights at some 40 steps, played or scrubbed, next to the loss curve."""

import io
import zlib
from importlib.resources import files

import numpy as np

from ..figures.draw import as_array
from ..figures.words import format_number
from ..former import former_names
from .atlas import as_levels, draw_atlas
from .piece import Piece, in_base64, png_uri

__getattr__ = former_names(__name__, {"2026-11-29": "recorded_runs"})

FIRST_ROW = 2  # in rows 0 and 1 several jobs look at the same key; `head_scores` leaves these rows out too
NAMED_FROM = 0.8  # a head is named after a job that gets this much of its weight
RUN_FILE = "world/training.npz"
RUN_SEED = 5
RUN_TEXT = "the small dog slept near the cat loudly and"


class Snapshots:
    """Saves a model's weights at some 40 steps of a training: train(..., watch=Snapshots(read, steps)).

    read: a function from the model to its weights (H, T, T).
    steps: the number of steps of the training; most snapshots are early ones.
    weights: {steps done: (H, T, T)}.
    """

    def __init__(self, read, steps):
        self.read, self.steps, self.weights = read, set(snapshot_steps(steps)), {}

    def __call__(self, step, model):
        if step in self.steps:
            self.weights[step] = self.read(model)


def snapshot_steps(steps):
    """Return some 40 numbers from 0 to `steps`, half of them in the first eighth, where most is learned."""
    return sorted({round(steps * (k / 44) ** 3) for k in range(45)})


def recorded_run():
    """Load {name: (weights, losses)} of the training of "who and how" with another seed that ships with the
    course. The weights are those over RUN_TEXT. `scrub_training` takes the result."""
    data = files("course_utils").joinpath(RUN_FILE).read_bytes()
    with np.load(io.BytesIO(data)) as file:  # no pickles: allow_pickle is False
        frames = lower_to_square(file["weights"] / 255)  # (F, H, T, T)
        weights = dict(zip(file["steps"].tolist(), frames, strict=True))
        return {f"the course's layer, seed {RUN_SEED}": (weights, file["losses"].tolist())}


def scrub_training(runs, tokens, jobs):
    """Show the heads' weights during training, with a slider that plays, next to the loss curve.

    runs: {name: (weights, losses)}, the first one shown first. weights: {steps done: (H, T, T)}, causal, with
        the same steps, H and T in every run; losses: the loss of each step.
    tokens: T texts, or one text of T letters; there is room for 32 tokens and 8 heads.
    jobs: {name: T keys}, the key that this job looks at for each query, or None. Below each head, the page
        shows its mean weight on these keys, from row 2 on.

    Returns a Piece.
    """
    steps = sorted(next(iter(runs.values()))[0])
    frames = {
        name: np.stack([as_array(weights[step]) for step in steps]) for name, (weights, _) in runs.items()
    }
    losses = {name: as_array(run_losses) for name, (_, run_losses) in runs.items()}
    data = {
        "tokens": list(tokens),
        "heads": next(iter(frames.values())).shape[1],
        "steps": steps,
        "jobs": [{"name": name, "keys": keys} for name, keys in jobs.items()],
        "firstRow": FIRST_ROW,
        "namedFrom": NAMED_FROM,
        "runs": [
            {"name": name, "steps": len(losses[name]), "packed": pack(frames[name], losses[name])}
            for name in runs
        ],
    }
    first = next(iter(runs))
    moments = three_moments(steps, losses[first])
    text = ("" if max(map(len, tokens)) == 1 else " ").join(tokens)
    words = f"training of {len(losses[first])} steps, {first}, seen on {text}"
    words = ". ".join([words, *(in_words(moment, frames[first], jobs) for moment in moments)]) + "."
    return Piece("training.js", data, draw_still(moments, frames[first]), words)


def pack(frames, losses):
    """Compress weights and losses to base64 text.

    The bytes before compression: weights (F, H, T, T) as 0 to 255, without the future, each frame as its
    difference from the previous one; then each loss in thousandths as two bytes, the lower one first.
    """
    levels = as_bytes(frames)  # (F, H * T * (T + 1) / 2)
    changes = np.diff(levels, axis=0, prepend=np.zeros_like(levels[:1]))  # wraps around at 256
    thousandths = np.minimum(np.rint(losses * 1000), 65535).astype("<u2")
    return in_base64(zlib.compress(changes.tobytes() + thousandths.tobytes(), 9))


def as_bytes(frames):
    row, key = np.tril_indices(frames.shape[-1])
    return np.rint(frames[..., row, key] * 255).astype(np.uint8).reshape(len(frames), -1)


def lower_to_square(lower):
    """Convert lower triangles (..., T * (T + 1) / 2) to tables (..., T, T), with 0 for the future."""
    T = int((2 * lower.shape[-1]) ** 0.5)
    tables = np.zeros((*lower.shape[:-1], T, T))
    row, key = np.tril_indices(T)
    tables[..., row, key] = lower
    return tables


def shares(frame, jobs):
    """Return {job: each head's mean weight on the job's keys (H,)} in one frame (H, T, T)."""
    means = {}
    for name, keys in jobs.items():
        rows = [i for i, key in enumerate(keys) if key is not None and i >= FIRST_ROW]
        if rows:
            means[name] = frame[:, rows, [keys[i] for i in rows]].mean(-1)
    return means


def three_moments(steps, losses):
    """Return [(index, sentence)] of the first, a middle and the last recorded step."""
    places = dict.fromkeys((0, len(steps) // 2, len(steps) - 1))
    values = [losses[min(steps[n], len(losses) - 1)] for n in places]
    return [
        (n, f"after {steps[n]} steps: loss {format_number(loss)}")
        for n, loss in zip(places, values, strict=True)
    ]


def draw_still(moments, frames):
    """Draw the heads at three moments, one row for each; returns a data URI."""
    H, T = frames.shape[1:3]
    levels = as_levels(frames[[n for n, _ in moments]], np.triu(np.ones((T, T), bool), 1))
    image, _ = draw_atlas(levels, [sentence for _, sentence in moments], [f"head {h}" for h in range(H)])
    return png_uri(image)


def in_words(moment, frames, jobs):
    n, sentence = moment
    on_jobs = shares(frames[n], jobs)
    heads = [
        f"head {h} {', '.join(f'{job} {format_number(share[h])}' for job, share in on_jobs.items())}"
        for h in range(frames.shape[1])
    ]
    return sentence + (f"; mean weights: {'; '.join(heads)}" if on_jobs else "")
