# %% single_1: heads are written as plain numbers, not as (layer, head)
def name_the_heads():
    return {"previous": 0, "first": 1, "vowel": 2, "helper": 0, "induction": [0, 1]}
# %% crash_2: line `JOB_HEADS[...]`: a name that is not defined anywhere
def name_the_heads():
    found = {kind: JOB_HEADS[kind] for kind in ("previous", "first", "vowel")}
    return {**found, "helper": (0, 1), "induction": [(1, 0), (1, 1)]}
# %% two_3 < single_1: layers and heads are counted from 1 | "induction" is one head instead of a list of all
~ 0, "first": 1, "vowel": 2, "helper": 0, "induction": [0, 1] => (1, 1), "first": (1, 2), "vowel": (1, 3), "helper": (1, 2), "induction": (2, 1)
