"""Several texts at once

`ids` is (B, P), a prompt for each text. `table` has a row of logits for each letter: what may come behind it.
Each text gets `steps` new letters, each the likeliest one. The result is (B, P + `steps`).
"""
import torch

@torch.no_grad()
def write_batch(table, ids, steps):
    for _ in range(steps):
        logits = table[ids[:, -1]]              # (B, V)
        best = logits.argmax(dim=-1)            # (B,)
        column = best[:1].expand(len(ids), 1)  # right: column = best[:, None]
        ids = torch.hstack([ids, column])
    return ids

# ---- inputs
from course_utils.practice.interview.hunt.inputs import floats, whole

INPUTS = {"table": floats("V", "V"), "ids": whole("B", "P", low=0, high="V - 1"), "steps": whole(low=0, high=6)}
SAME = {
    "B == 1": "there is one text.",
    "V == 1": "there is one letter.",
    "steps == 0": "nothing is written.",
    "bool((ids[:, -1] == ids[0, -1]).all())": "all prompts end in the same letter, so all texts go on alike.",
}
MISTAKE = "generate.first_row_for_all"
WHY = "Every text gets the letter that was chosen for the first one."
