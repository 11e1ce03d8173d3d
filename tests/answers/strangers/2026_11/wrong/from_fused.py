# %% crash_1: line `weight.split([d_model, d_kv, d_kv])`: d_kv is still None when it is not given
def from_fused(weight, d_kv=None):
    d_model = weight.size(1)
    q, k, v = weight.split([d_model, d_kv, d_kv], dim=0)
    return q.clone(), k.clone(), v.clone()
# %% single_2: the three weights are views of the fused one and change with it
def from_fused(weight, d_kv=None):
    d = weight.shape[1]
    kv = d if d_kv is None else d_kv
    return weight[:d], weight[d : d + kv], weight[d + kv : d + 2 * kv]
# %% two_3: V and K are exchanged | d_kv is ignored, the weight is cut into thirds
def from_fused(weight, d_kv=None):
    third = weight.shape[0] // 3
    return weight[:third].clone(), weight[2 * third:].clone(), weight[third:2 * third].clone()
