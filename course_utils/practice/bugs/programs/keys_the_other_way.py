"""Scores of two texts

`a` is (Ta, d) and `b` is (Tb, d). Row i of the result is the weights that token i of `a` gives to the
tokens of `b`.
"""
import numpy as np

def cross_weights(a, b):
    d = a.shape[1]
    logits = np.dot(a, b.reshape(d, -1)) / d**0.5  # right: logits = np.dot(a, b.T) / d**0.5
    logits -= np.max(logits, 1, keepdims=True)
    np.exp(logits, out=logits)
    logits /= np.sum(logits, 1, keepdims=True)
    return logits

# ---- inputs
INPUTS = {"a": floats("Ta", "d", library="numpy"), "b": floats("Tb", "d", library="numpy")}
SAME = {
    "with one feature, the reshape gives the transpose.": lambda d: d == 1,
    "one key has weight 1, whatever its score is.": lambda Tb: Tb == 1,
}
MISTAKE = "scaled_dot_product_attention.k_reshaped"
WHY = "A reshape keeps the numbers in the same order: it takes a transpose to turn rows into columns."
