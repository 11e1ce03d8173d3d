"""The mean of the real tokens

`x` holds sentences, padded at the end, and `lengths` says how many tokens of each are real.
For each sentence the result is the mean of its real tokens, (B, D).
"""
import torch

def sentence_means(x, lengths):
    batch, steps, _ = x.shape
    place = torch.arange(steps).expand(batch, steps)
    real = (place <= lengths[:, None]).float()  # right: real = (place < lengths[:, None]).float()
    summed = (x * real[:, :, None]).sum(1)
    return summed / lengths[:, None]

# ---- inputs
INPUTS = {"x": floats("B", "T", "D"), "lengths": whole("B", low=1, high="T")}
SAME = {"no sentence has padding.": lambda lengths, T: (lengths == T).all()}
MISTAKE = "create_padding_mask.off_by_one_late"
WHY = "A sentence of length n has positions 0 to n - 1: position n is padding already."
