"""Embeddings by position, padding in front

`lengths` has the number of real tokens of each sentence. They are at the right end of a row, with padding
in front. The first real token of a sentence has position 0. The `table` has a vector for each position, and
padding gets the one of position 0 too.
"""
import torch

def position_vectors(lengths, table):
    max_len = table.size(0)
    ids = []
    for length in lengths.tolist():
        pad = max_len - length
        row = [place - pad for place in range(max_len)]  # right: row = [max(place - pad, 0) for place in range(max_len)]
        ids.append(row)
    return table[torch.tensor(ids)]

# ---- inputs
INPUTS = {"lengths": whole("B", low=1, high="T"), "table": floats("T", "D")}
SAME = {"no sentence has padding.": lambda lengths, T: (lengths == T).all()}
MISTAKE = "left_padded_positions.padding_negative"
WHY = "Padding gets negative positions, and a negative index counts from the end of the table, so nothing raises."
