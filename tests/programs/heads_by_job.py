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
# %% lists: pairs as lists, in another order of keys
# taken
def heads_by_job():
    return {"induction": [[1, 1], [1, 0]], "helper": [0, 1], "how": [0, 1], "who": [0, 0]}
# %% tuple_of_pairs: the induction heads as a tuple
# taken
def heads_by_job():
    return {"who": (0, 0), "how": (0, 1), "helper": (0, 1), "induction": ((1, 0), (1, 1))}
# %% array_of_pairs: the induction heads as one array, as np.argwhere gives them
# taken
import numpy as np
def heads_by_job():
    scores = np.array([[0.1, 0.1], [0.9, 0.8]])
    return {"who": (0, 0), "how": (0, 1), "helper": (0, 1), "induction": np.argwhere(scores > 0.5)}
# %% comprehension: built in a loop, with dict()
# taken
def heads_by_job():
    scores = {(0, 0): 0.1, (0, 1): 0.1, (1, 0): 0.9, (1, 1): 0.8}
    return dict(who=(0, 0), how=(0, 1), helper=(0, 1), induction=[h for h, s in scores.items() if s > 0.5])
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
