"""Scaled scores, in NumPy

`q` is (Tq, d) and `k` is (Tk, d), both in the same dtype. The result is the table of scaled scores, and has
that dtype too: float32 stays float32. With `exact` the work is done in float64.
"""
import numpy as np

def scaled_scores(k, q, exact):
    if exact:
        k, q = k.astype(np.float64), q.astype(np.float64)
    width = np.array([q.shape[1]], dtype=np.float64)  # right: width = np.array([q.shape[1]], dtype=q.dtype)
    table = np.inner(q, k)
    return table / np.sqrt(width)

# ---- inputs
INPUTS = {"k": floats("Tk", "d", library="numpy", dtype="float32"), "q": floats("Tq", "d", library="numpy", dtype="float32"), "exact": flag()}
SAME_DTYPE = True
SAME = {"everything is float64 then, and a float64 scale changes nothing.": lambda exact: exact}
MISTAKE = "scaled_dot_product_attention.casts_dtype"
WHY = "A float64 array turns everything it meets into float64: the result has the wrong dtype and takes twice the memory."
