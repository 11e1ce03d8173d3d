"""Train the small models that ship, and record a training that part 5 plays: `python -m tools.train_models`.

Training does not give the same bytes on every CPU, so this is run by hand, not by the build. The right answer
to the exercise `name_the_heads` depends on these files; `tests/course_utils/test_tiny_models.py` fails if it
is no longer true.
"""

from dataclasses import replace
from pathlib import Path

import numpy as np
import torch

from course_utils import world
from course_utils.standins import MultiHeadSelfAttention
from course_utils.tiny_models import (
    CHECKPOINTS,
    JOBS,
    REPEATS,
    accuracy,
    encode,
    load_checkpoint,
    train,
)
from course_utils.touch.training import RUNS_FILE, Snapshots, as_bytes, snapshot_steps

# Trained longer than in the lesson, so that each head's job is clear; all answers differ with these seeds.
MODELS = ((replace(JOBS, steps=1000), 7), (replace(REPEATS, steps=1500), 13))

WORLD = (
    (replace(world.WHO, steps=1200), 0),
    (replace(world.WHO_AND_HOW, steps=1500, key_weight=1), 0),
)

SEEDS = (3,)  # two heads share two jobs here, in contrast to the learner's own training
TEXT = "thequickbrownfox"


def main():
    """Write course_utils/models/*.npz, and print how accurate the models are."""
    torch.set_num_threads(1)
    CHECKPOINTS.mkdir(exist_ok=True)
    for recipe, seed in MODELS:
        model, _ = train(MultiHeadSelfAttention, recipe, seed)
        path = CHECKPOINTS / f"{recipe.name}.npz"
        values = model.state_dict()
        np.savez(path, **{name: value.numpy().astype(np.float16) for name, value in values.items()})
        shares = accuracy(load_checkpoint(MultiHeadSelfAttention, recipe), recipe)
        right = ", ".join(f"{name} {share:.3f}" for name, share in shares.items())
        print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB; right on new texts: {right}")
    save_world()
    save_recorded()


def save_world():
    """Write course_utils/world/*.npz, and print how accurate the models are."""
    for recipe, seed in WORLD:
        model, _ = world.train(MultiHeadSelfAttention, recipe, seed)
        path = Path(world.__file__).with_name(f"{recipe.name.replace(' ', '_')}.npz")
        np.savez(
            path, **{name: value.numpy().astype(np.float16) for name, value in model.state_dict().items()}
        )
        examples = world.sentences(1000, 1000, adverbs=recipe.name == world.WHO_AND_HOW.name)
        right = world.accuracy(world.load(recipe.name, MultiHeadSelfAttention), examples)
        print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB; right in 1,000 sentences: {right}")


def save_recorded():
    """Write course_utils/models/seeds.npz, which `recorded_runs` reads."""
    arrays = {"steps": np.array(snapshot_steps(JOBS.steps))}
    for seed in SEEDS:
        snapshots = Snapshots(weights_of, JOBS.steps)
        _, losses = train(MultiHeadSelfAttention, JOBS, seed, watch=snapshots)
        frames = np.stack([snapshots.weights[step] for step in arrays["steps"].tolist()])  # (F, H, T, T)
        arrays[f"weights_{seed}"] = as_bytes(frames).reshape(*frames.shape[:2], -1)  # (F, H, T * (T + 1) / 2)
        arrays[f"losses_{seed}"] = np.array(losses, np.float32)
    np.savez_compressed(CHECKPOINTS / RUNS_FILE, **arrays)


@torch.no_grad()
def weights_of(model):
    """Return the weights of layer 0 over TEXT (H, T, T)."""
    h, layer = model.stream(encode(TEXT))[0], model.layers[0]  # (1, T, d_model)
    Q, K = (W(h).unflatten(-1, (model.num_heads, -1)).transpose(1, 2) for W in (layer.W_q, layer.W_k))
    scores = Q @ K.mT / Q.shape[-1] ** 0.5  # (1, H, T, T)
    future = torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1)
    return scores.masked_fill(future, -torch.inf).softmax(-1)[0].numpy()


if __name__ == "__main__":
    main()
