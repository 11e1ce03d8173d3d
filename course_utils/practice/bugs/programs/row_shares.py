"""Each row becomes weights

`table` has a row for each query. Each row becomes weights that sum to 1: exp of the entries divided by `heat`, over the sum of its row. The entries are small, so nothing overflows.
"""
import numpy as np

def to_shares(heat, table):
    """Rows that sum to 1; the larger heat is, the more even they are."""
    assert heat > 0
    colder = table / heat
    powers = np.exp(colder)
    total = powers.sum(axis=1)  # right: total = powers.sum(axis=1, keepdims=True)
    return powers / total

# ---- inputs
INPUTS = {"heat": number(0.5, 2), "table": floats("R", "C", library="numpy")}
SAME = {"with one row there is only one sum.": lambda R: R == 1}
MISTAKE = "softmax.keepdim_forgotten"
WHY = "Without keepdims, the sum of row i lines up with column i: if the table is square, nothing raises."
