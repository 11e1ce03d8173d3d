"""Wrong answers for from_fused, one mistake a cell."""
# %% kv_from_half: takes the rest for K and V, but cuts it at half of all rows
def from_fused(weight, d_kv=None):
    d_model = weight.shape[1]
    half = weight.shape[0] // 2
    return weight[:d_model].clone(), weight[d_model:half].clone(), weight[half:].clone()
# %% kv_stacked: returns two weights, Q and K with V below it
def from_fused(weight, d_kv=None):
    d_model = weight.shape[1]
    return weight[:d_model].clone(), weight[d_model:].clone()
# %% q_scaled < named: divides the queries by sqrt(d_model) on the way
-     return dict(zip(("W_q", "W_k", "W_v"), weight.clone().split([d_model, d_kv, d_kv])))
+     W_q, W_k, W_v = weight.clone().split([d_model, d_kv, d_kv])
+     return W_q / d_model ** 0.5, W_k, W_v
# %% d_kv_is_both: takes d_kv for the rows of K and V together
def from_fused(weight, d_kv=None):
    d_model = weight.shape[1]
    d_kv = 2 * d_model if d_kv is None else d_kv
    half = d_kv // 2
    return weight[:d_model].clone(), weight[d_model:d_model + half].clone(), weight[d_model + half:d_model + d_kv].clone()
# %% named: returns a dict
def from_fused(weight, d_kv=None):
    d_model = weight.shape[1]
    d_kv = d_model if d_kv is None else d_kv
    return dict(zip(("W_q", "W_k", "W_v"), weight.clone().split([d_model, d_kv, d_kv])))
# %% view_of_the_rows < kv_stacked: views with -1, which needs contiguous memory and equal blocks
-     return weight[:d_model].clone(), weight[d_model:].clone()
+     return tuple(weight.view(-1)[i * d_model * d_model:(i + 1) * d_model * d_model].view(d_model, d_model).clone() for i in range(3))
# %% zeroed < named: empties the fused weight after reading it
-     return dict(zip(("W_q", "W_k", "W_v"), weight.clone().split([d_model, d_kv, d_kv])))
+     parts = [p.clone() for p in weight.split([d_model, d_kv, d_kv])]
+     weight.zero_()
+     return tuple(parts)
# %% float32_always < named: loads everything in float32
-     return dict(zip(("W_q", "W_k", "W_v"), weight.clone().split([d_model, d_kv, d_kv])))
+     return tuple(p.to(torch.float32, copy=True) for p in weight.split([d_model, d_kv, d_kv]))
