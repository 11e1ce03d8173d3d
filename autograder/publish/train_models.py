"""Train the two small models that ship with part 5 again: `python -m autograder.publish.train_models`.

Training does not give the same bytes on every CPU, so this is run by hand, not by the build. The right answer
to the exercise `name_the_heads` belongs to these files; `tests/course_utils/test_tiny_models.py` fails if it
no longer holds.
"""

from dataclasses import replace

import torch

from course_utils.standins import MultiHeadSelfAttention
from course_utils.tiny_models import (
    CHECKPOINTS,
    JOBS,
    REPEATS,
    accuracy,
    load_checkpoint,
    save_checkpoint,
    train,
)

# Longer than in the lesson, so that each head's job is plain to see; seeds in which no two answers are alike.
MODELS = ((replace(JOBS, steps=1000), 7), (replace(REPEATS, steps=1500), 13))


def main():
    """Write course_utils/models/*.npz, and say how good the models are."""
    torch.set_num_threads(1)
    CHECKPOINTS.mkdir(exist_ok=True)
    for recipe, seed in MODELS:
        model, _ = train(MultiHeadSelfAttention, recipe, seed)
        path = CHECKPOINTS / f"{recipe.name}.npz"
        save_checkpoint(model, path)
        shares = accuracy(load_checkpoint(MultiHeadSelfAttention, recipe), recipe)
        right = ", ".join(f"{name} {share:.3f}" for name, share in shares.items())
        print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB; right on new texts: {right}")


if __name__ == "__main__":
    main()
