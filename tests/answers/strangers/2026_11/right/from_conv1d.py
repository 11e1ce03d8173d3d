# %% program_1
def from_conv1d(weight, bias):
    W = weight.T.chunk(3, dim=0)
    b = bias.chunk(3)
    out = {}
    for name, w, s in zip("qkv", W, b):
        out[f"W_{name}"] = w.clone()
        out[f"b_{name}"] = s.clone()
    return out
