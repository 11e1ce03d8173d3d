# %% program_1
def from_fused(weight, d_kv=None):
    d_model = weight.shape[1]
    d_kv = d_model if d_kv is None else d_kv
    return tuple(w.clone() for w in weight.split([d_model, d_kv, d_kv], dim=0))
