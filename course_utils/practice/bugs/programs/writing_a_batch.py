"""Several texts at once

`ids` is (B, P), a prompt for each text. `table` has a row of next-letter logits for each letter.
Each text gets `steps` new letters, each the most probable one. The result is (B, P + `steps`).
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
INPUTS = {"table": floats("V", "V"), "ids": whole("B", "P", low=0, high="V - 1"), "steps": whole(low=0, high=6)}
SAME = {
    "there is one text.": lambda B: B == 1,
    "there is one letter.": lambda V: V == 1,
    "nothing is written.": lambda steps: steps == 0,
    "all prompts end in the same letter, so all texts continue alike.": lambda ids: (ids[:, -1] == ids[0, -1]).all(),
}
MISTAKE = "generate.first_row_for_all"
WHY = "Every text gets the letter chosen for the first one."
