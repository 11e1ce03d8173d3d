# %% numpy_integers: pairs as np.where and zip give them
# taken
import numpy as np
def heads_by_job():
    found = np.where(np.array([[0.1, 0.1], [0.9, 0.8]]) > 0.5)
    return {"who": (0, np.int64(0)), "how": (0, 1), "helper": (0, 1), "induction": list(zip(*found))}
# %% tensors: heads as torch's argmax and nonzero give them
# taken
import torch
def heads_by_job():
    best = torch.tensor([0.9, 0.2]).argmax()
    found = (torch.tensor([[0.1, 0.1], [0.9, 0.8]]) > 0.5).nonzero()
    return {"who": (0, best), "how": [0, 1], "helper": (0, 1), "induction": found}
# %% head_before_layer_in_numpy: NumPy's integers, and the pair is (head, layer)
# refused: shown
import numpy as np
def heads_by_job():
    head, layer = np.int64(1), np.int64(0)
    return {"who": (0, 0), "how": (head, layer), "helper": (0, 1), "induction": [(1, 0), (1, 1)]}
# %% strangers_2026_11/single_1: heads are written as plain numbers, not as (layer, head)
# refused: shown
def heads_by_job():
    return {"who": 0, "how": 1, "helper": 0, "induction": [0, 1]}
# %% strangers_2026_11/crash_2: line `JOB_HEADS[...]`: a name that is not defined anywhere
# refused: unknown_name
def heads_by_job():
    found = {kind: JOB_HEADS[kind] for kind in ("who", "how")}
    return {**found, "helper": (0, 1), "induction": [(1, 0), (1, 1)]}
# %% strangers_2026_11/two_3: layers and heads are counted from 1 | "induction" is one head instead of a list of all
# refused: shown
def heads_by_job():
    return {"who": (1, 1), "how": (1, 2), "helper": (1, 2), "induction": (2, 1)}
