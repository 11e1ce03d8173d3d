# %% slices: three slices of one clone
# taken
def from_fused(weight, d_kv=None):
    W = weight.clone()
    D = W.size(1)
    kv = D if d_kv is None else d_kv
    return W[:D], W[D:D + kv], W[D + kv:]
# %% index_select: rows chosen by index, which copies
# taken
import torch
def from_fused(fused, d_kv=None):
    d_model = fused.shape[-1]
    d_kv = d_kv or d_model
    index = torch.arange(fused.shape[0], device=fused.device)
    q = fused[index < d_model]
    k = fused[(index >= d_model) & (index < d_model + d_kv)]
    v = fused[index >= d_model + d_kv]
    return q, k, v
# %% tensor_split_list: cut at places, copied in a list; returns a list; a print left in
# taken
import torch
def from_fused(weight, d_kv=None):
    d_model = weight.shape[1]
    d_kv = d_model if d_kv is None else d_kv
    pieces = torch.tensor_split(weight, (d_model, d_model + d_kv))
    print([tuple(p.shape) for p in pieces])
    return [torch.empty_like(p).copy_(p) for p in pieces]
# %% narrow_loop: narrow in a loop that moves on
# taken
import torch
@torch.no_grad()
def from_fused(weight, d_kv=None):
    d_model = weight.shape[1]
    start, result = 0, []
    for rows in (d_model, d_kv or d_model, d_kv or d_model):
        result.append(weight.narrow(0, start, rows).clone(memory_format=torch.contiguous_format))
        start += rows
    return tuple(result)
# %% through_numpy: NumPy in between
# taken
import numpy as np
import torch
def from_fused(weight, d_kv=None):
    D = weight.shape[1]
    d_kv = D if d_kv is None else d_kv
    big = np.array(weight.detach().cpu().double())
    parts = np.split(big, [D, D + d_kv], axis=0)
    return tuple(torch.tensor(part, dtype=weight.dtype, device=weight.device) for part in parts)
# %% identity_matmul: rows picked by a matrix product
# taken
import torch
def from_fused(weight, d_kv=None):
    n, d = weight.shape
    d_kv = d if d_kv is None else d_kv
    eye = torch.eye(n, dtype=weight.dtype, device=weight.device)
    return eye[:d] @ weight, eye[d:d + d_kv] @ weight, eye[d + d_kv:] @ weight
# %% kv_from_half: takes the rest for K and V, but cuts it at half of all rows
# refused: shown
def from_fused(weight, d_kv=None):
    d_model = weight.shape[1]
    half = weight.shape[0] // 2
    return weight[:d_model].clone(), weight[d_model:half].clone(), weight[half:].clone()
# %% kv_stacked: returns two weights, Q and K with V below it
# refused: number_of_results
def from_fused(weight, d_kv=None):
    d_model = weight.shape[1]
    return weight[:d_model].clone(), weight[d_model:].clone()
# %% q_scaled: divides the queries by sqrt(d_model) on the way
# refused: shown
def from_fused(weight, d_kv=None):
    d_model = weight.shape[1]
    d_kv = d_model if d_kv is None else d_kv
    W_q, W_k, W_v = weight.clone().split([d_model, d_kv, d_kv])
    return W_q / d_model ** 0.5, W_k, W_v
# %% d_kv_is_both: takes d_kv for the rows of K and V together
# refused: axis_cut
def from_fused(weight, d_kv=None):
    d_model = weight.shape[1]
    d_kv = 2 * d_model if d_kv is None else d_kv
    half = d_kv // 2
    return weight[:d_model].clone(), weight[d_model:d_model + half].clone(), weight[d_model + half:d_model + d_kv].clone()
# %% named: returns a dict
# refused: number_of_results
def from_fused(weight, d_kv=None):
    d_model = weight.shape[1]
    d_kv = d_model if d_kv is None else d_kv
    return dict(zip(("W_q", "W_k", "W_v"), weight.clone().split([d_model, d_kv, d_kv])))
# %% view_of_the_rows: views with -1, which needs contiguous memory and equal blocks
# refused: shown
def from_fused(weight, d_kv=None):
    d_model = weight.shape[1]
    return tuple(weight.view(-1)[i * d_model * d_model:(i + 1) * d_model * d_model].view(d_model, d_model).clone() for i in range(3))
# %% zeroed: empties the fused weight after reading it
# taken, one left 1.9: changes_input
def from_fused(weight, d_kv=None):
    d_model = weight.shape[1]
    d_kv = d_model if d_kv is None else d_kv
    parts = [p.clone() for p in weight.split([d_model, d_kv, d_kv])]
    weight.zero_()
    return tuple(parts)
# %% float32_always: loads everything in float32
# taken, one left 1.9: casts_dtype
import torch
def from_fused(weight, d_kv=None):
    d_model = weight.shape[1]
    d_kv = d_model if d_kv is None else d_kv
    return tuple(p.to(torch.float32, copy=True) for p in weight.split([d_model, d_kv, d_kv]))
# %% strangers_2026_11/program_1
# taken
def from_fused(weight, d_kv=None):
    d_model = weight.shape[1]
    d_kv = d_model if d_kv is None else d_kv
    return tuple(w.clone() for w in weight.split([d_model, d_kv, d_kv], dim=0))
# %% strangers_2026_11/crash_1: line `weight.split([d_model, d_kv, d_kv])`: d_kv is still None when it is not given
# refused: none_not_treated
def from_fused(weight, d_kv=None):
    d_model = weight.size(1)
    q, k, v = weight.split([d_model, d_kv, d_kv], dim=0)
    return q.clone(), k.clone(), v.clone()
# %% strangers_2026_11/single_2: the three weights are views of the fused one and change with it
# taken, one left 1.9: not_copies
def from_fused(weight, d_kv=None):
    d = weight.shape[1]
    kv = d if d_kv is None else d_kv
    return weight[:d], weight[d : d + kv], weight[d + kv : d + 2 * kv]
# %% strangers_2026_11/two_3: V and K are exchanged | d_kv is ignored, the weight is cut into thirds
# refused: k_and_v_exchanged
def from_fused(weight, d_kv=None):
    third = weight.shape[0] // 3
    return weight[:third].clone(), weight[2 * third:].clone(), weight[third:2 * third].clone()
