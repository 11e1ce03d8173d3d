"""Attention in the dtype of its input

`qkv` holds queries, keys and values, (3, T, d). With `half` the work is done in float16, and the result is
float16 too. Token i sees the tokens 0 to i.
"""
import torch

def causal_mix(qkv, half):
    if half: qkv = qkv.half()
    q, k, v = qkv.unbind(0)
    T, d = q.shape
    s = (q @ k.mT) * d ** -0.5
    later = torch.arange(T) > torch.arange(T)[:, None]
    s.masked_fill_(later, -1e9)  # right: s.masked_fill_(later, -torch.inf)
    return s.softmax(-1) @ v

# ---- inputs
INPUTS = {"qkv": floats("3", "T", "d"), "half": flag()}
# float16: the open score of token 0 is -60 000, or -64 992, so that it is no larger than many constants
EDGES = [{"qkv": [[[q], [1.0]], [[k], [0.0]], [[1.0], [2.0]]], "half": half} for q, k, half in ((240.0, -250.0, True), (254.0, -255.875, True), (2e3, -2e3, False))]
SAME_DTYPE = True
SAME = {"in float32, -1e9 exists and is low enough.": lambda half: not half}
MISTAKE = "masked_softmax.fill_overflows_float16"
WHY = "The largest float16 is 65 504: -1e9 does not fit, and masked_fill_ raises."
