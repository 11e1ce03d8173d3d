"""Train the small models that ship, and record a training that part 5 plays: `python -m tools.train_models`.

Training does not give the same bytes on every CPU, so this is run by hand, not by the build. The right answer
to the exercise `heads_by_job` depends on these files; `tests/course_utils/test_world.py` fails if it is no
longer true.
"""

from dataclasses import replace
from pathlib import Path

import numpy as np
import torch

from course_utils import standins, world
from course_utils.standins import MultiHeadSelfAttention
from course_utils.touch.training import RUN_FILE, RUN_SEED, RUN_TEXT, Snapshots, as_bytes
from course_utils.world.shipped import FILES

PACKAGE = Path(__file__).resolve().parents[1] / "course_utils"
MODELS = (  # trained longer than in a lesson, so that each head's job is clear
    (replace(world.WHO, steps=1200), 0),
    (replace(world.WHO_AND_HOW, steps=1500, key_weight=1), 0),
    (replace(world.REPEATS, steps=1500), 13),
)


def main():
    """Write the trained models and the recorded training, and print how accurate the models are."""
    torch.set_num_threads(1)
    for recipe, seed in MODELS:
        model, _ = world.train(MultiHeadSelfAttention, recipe, seed)
        path = PACKAGE / FILES[recipe.name][1]
        np.savez(
            path, **{name: value.numpy().astype(np.float16) for name, value in model.state_dict().items()}
        )
        print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB; right on new texts: {right(recipe)}")
    save_recorded()


def right(recipe):
    """Measure the shares of right answers of a shipped model."""
    model = world.load(recipe.name, MultiHeadSelfAttention)
    if recipe.name == world.REPEATS.name:
        return world.right_letters(model)
    return world.accuracy(model, world.sentences(1000, 1000, adverbs=recipe.name == world.WHO_AND_HOW.name))


def save_recorded():
    """Write the file that `recorded_run` reads."""
    snapshots = Snapshots(weights_of, world.WHO_AND_HOW.steps)
    _, losses = world.train(MultiHeadSelfAttention, world.WHO_AND_HOW, RUN_SEED, watch=snapshots)
    frames = np.stack([*snapshots.weights.values()])  # (F, H, T, T)
    np.savez_compressed(
        PACKAGE / RUN_FILE,
        steps=np.array([*snapshots.weights]),
        weights=as_bytes(frames).reshape(*frames.shape[:2], -1),  # (F, H, T * (T + 1) / 2)
        losses=np.array(losses, np.float16),
    )


@torch.no_grad()
def weights_of(model):
    """Return the weights over RUN_TEXT (H, T, T)."""
    W_Q, W_K, _, _ = model.matrices()
    x = model.vectors(model.words(RUN_TEXT))[None]  # (1, T, D)
    future = standins.create_causal_mask(x.shape[1])
    return standins.get_attention_weights(x, W_Q, W_K, model.num_heads, future)[0].numpy()


if __name__ == "__main__":
    main()
