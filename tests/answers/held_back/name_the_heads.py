"""Wrong answers for name_the_heads, one mistake a cell unless it says two."""
# %% head_before_layer_in_numpy: NumPy's integers, and the pair is (head, layer)
def name_the_heads():
    head, layer = np.int64(2), np.int64(0)
    return {"previous": (head, layer), "first": (0, 0), "vowel": (0, 1), "helper": (0, 1), "induction": [(1, 0), (1, 1)]}
