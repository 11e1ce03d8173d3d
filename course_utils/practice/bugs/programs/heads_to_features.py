"""Heads side by side

`pieces` has one table for each head, (H, T, d). The features of head 0 come first, then those of head 1, and
so on. The result is (T, H * d).
"""
import torch


def side_by_side(pieces):
    columns = []
    for piece in pieces:
        columns.append(piece)
    glued = torch.stack(columns, dim=-1)  # right: glued = torch.stack(columns, dim=1)
    return glued.flatten(start_dim=1)

# ---- inputs
INPUTS = {"pieces": floats("H", "T", "d")}
SAME = {
    "with one head there is only one order.": lambda H: H == 1,
    "each head has one feature, so there is no other order.": lambda d: d == 1,
}
MISTAKE = "merge_heads.merge_interleaved"
WHY = "Features of different heads alternate, but the features of one head belong together."
