"""Texts that end

`ids` has the last letter of each text, and `table` has scores for the letter that comes next. The loop appends the most probable letter to each text, until all texts have ended or it has done `most` steps. A text ends with
the letter `end`, and is padded with it. The result is what was written, (B, steps).
"""
import numpy as np

def run_to_the_end(ids, table, end, most):
    done = np.zeros(len(ids), dtype=bool)
    columns = []
    for _ in range(most):
        ids = np.where(done, end, table[ids].argmax(1))
        columns.append(ids)
        done = done | (ids == end)
        if done.any():  # right: if done.all():
            break
    return np.stack(columns, 1)

# ---- inputs
INPUTS = {
    "ids": whole("B", low=0, high="V - 1", library="numpy"),
    "table": floats("V", "V", library="numpy"),
    "end": whole(low=0, high="V - 1"),
    "most": whole(low=1, high=8),
}
SAME = {
    "with one text, any and all are the same.": lambda B: B == 1,
    "every letter is the end.": lambda V: V == 1,
    "only one step is taken.": lambda most: most == 1,
    "all texts continue alike, so they end together.": lambda ids: (ids == ids[0]).all(),
}
MISTAKE = "interview.end_ignored"
WHY = "The loop stops as soon as one text ends, so the others are cut off."
