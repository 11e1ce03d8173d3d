# %% numpy_integers: pairs as np.where and zip give them
# taken
import numpy as np
def name_the_heads():
    found = np.where(np.array([[0.1, 0.1], [0.9, 0.8]]) > 0.5)
    return {"previous": (0, np.int64(2)), "first": (0, 0), "vowel": (0, 1), "helper": (0, 1), "induction": list(zip(*found))}
# %% tensors: heads as torch's argmax and nonzero give them
# taken
import torch
def name_the_heads():
    best = torch.tensor([0.1, 0.2, 0.9]).argmax()
    found = (torch.tensor([[0.1, 0.1], [0.9, 0.8]]) > 0.5).nonzero()
    return {"previous": (0, best), "first": (0, 0), "vowel": [0, 1], "helper": (0, 1), "induction": found}
# %% head_before_layer_in_numpy: NumPy's integers, and the pair is (head, layer)
# refused: shown
import numpy as np
def name_the_heads():
    head, layer = np.int64(2), np.int64(0)
    return {"previous": (head, layer), "first": (0, 0), "vowel": (0, 1), "helper": (0, 1), "induction": [(1, 0), (1, 1)]}
# %% strangers_2026_11/single_1: heads are written as plain numbers, not as (layer, head)
# refused: shown
def name_the_heads():
    return {"previous": 0, "first": 1, "vowel": 2, "helper": 0, "induction": [0, 1]}
# %% strangers_2026_11/crash_2: line `JOB_HEADS[...]`: a name that is not defined anywhere
# refused: unknown_name
def name_the_heads():
    found = {kind: JOB_HEADS[kind] for kind in ("previous", "first", "vowel")}
    return {**found, "helper": (0, 1), "induction": [(1, 0), (1, 1)]}
# %% strangers_2026_11/two_3: layers and heads are counted from 1 | "induction" is one head instead of a list of all
# refused: shown
def name_the_heads():
    return {"previous": (1, 1), "first": (1, 2), "vowel": (1, 3), "helper": (1, 2), "induction": (2, 1)}
