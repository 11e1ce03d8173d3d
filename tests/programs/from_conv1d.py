# %% transpose_then_chunk: the whole weight is turned, then cut by rows
# taken
def from_conv1d(weight, bias):
    W_q, W_k, W_v = weight.T.clone().chunk(3, dim=0)
    b_q, b_k, b_v = bias.clone().chunk(3)
    return {"W_q": W_q, "W_k": W_k, "W_v": W_v, "b_q": b_q, "b_k": b_k, "b_v": b_v}
# %% chunk_then_transpose: cut by columns, each block turned and copied
# taken
def from_conv1d(weight, bias):
    blocks = [block.t().contiguous().clone() for block in weight.chunk(3, dim=-1)]
    biases = [b.clone() for b in bias.chunk(3, dim=-1)]
    return dict(zip(["W_q", "W_k", "W_v"], blocks)) | dict(zip(["b_q", "b_k", "b_v"], biases))
# %% reshape_permute: the outputs get two axes, which are moved to the front
# taken
def from_conv1d(weight, bias):
    d = len(weight)
    W = weight.reshape(d, 3, d).permute(1, 2, 0).clone()
    b = bias.reshape(3, d).clone()
    return {"W_q": W[0], "W_k": W[1], "W_v": W[2], "b_q": b[0], "b_k": b[1], "b_v": b[2]}
# %% einsum: a one-hot einsum
# taken
import torch
def from_conv1d(weight, bias):
    d = weight.shape[0]
    W = torch.einsum("iko->koi", weight.unflatten(1, (3, d))).clone()
    b = bias.unflatten(0, (3, d)).clone()
    names = ("q", "k", "v")
    return {**{f"W_{n}": W[i] for i, n in enumerate(names)}, **{f"b_{n}": b[i] for i, n in enumerate(names)}}
# %% filled_linear: three nn.Linear are filled, and their weights returned
# taken
import torch
from torch import nn
def from_conv1d(weight, bias):
    d = weight.shape[0]
    result = {}
    for place, name in enumerate(("q", "k", "v")):
        layer = nn.Linear(d, d, device=weight.device, dtype=weight.dtype)
        with torch.no_grad():
            layer.weight.copy_(weight[:, place * d:(place + 1) * d].T)
            layer.bias.copy_(bias[place * d:(place + 1) * d])
        result["W_" + name], result["b_" + name] = layer.weight, layer.bias
    return result
# %% through_numpy: NumPy in between
# taken
import numpy as np
import torch
def from_conv1d(weight, bias):
    like = {"dtype": weight.dtype, "device": weight.device}
    big, small = np.array(weight.detach().cpu().double()), np.array(bias.detach().cpu().double())
    W = [torch.tensor(block.T.copy(), **like) for block in np.split(big, 3, axis=1)]
    b = [torch.tensor(block, **like) for block in np.split(small, 3)]
    return {"W_q": W[0], "W_k": W[1], "W_v": W[2], "b_q": b[0], "b_k": b[1], "b_v": b[2]}
# %% keys_of_linear: names the entries as a state dict does
# refused: missing_key
def from_conv1d(weight, bias):
    W, b = weight.T.clone().chunk(3), bias.clone().chunk(3)
    return {f"{n}.weight": w for n, w in zip("qkv", W)} | {f"{n}.bias": c for n, c in zip("qkv", b)}
# %% no_biases: returns the weights alone
# refused: missing_key
def from_conv1d(weight, bias):
    return dict(zip(("W_q", "W_k", "W_v"), weight.T.clone().chunk(3)))
# %% two_blocks_and_a_half: cuts at multiples of d_model - 1
# refused: axis_cut
def from_conv1d(weight, bias):
    d = weight.shape[0] - 1
    W = weight.T.clone()
    b = bias.clone()
    return {"W_q": W[:d], "W_k": W[d:2 * d], "W_v": W[2 * d:3 * d], "b_q": b[:d], "b_k": b[d:2 * d], "b_v": b[2 * d:3 * d]}
# %% key_bias_left_out: sets the keys' bias to 0, as it cancels in the softmax
# refused: shown
import torch
def from_conv1d(weight, bias):
    W, (b_q, b_k, b_v) = weight.T.clone().chunk(3), bias.clone().chunk(3)
    return {"W_q": W[0], "W_k": W[1], "W_v": W[2], "b_q": b_q, "b_k": torch.zeros_like(b_k), "b_v": b_v}
# %% q_scaled_down: folds the scale of the scores into the query weight
# refused: another_normalisation; seed 20260720 refused: constant_factor
def from_conv1d(weight, bias):
    W_q, W_k, W_v = weight.T.clone().chunk(3)
    b_q, b_k, b_v = bias.clone().chunk(3)
    return {"W_q": W_q / len(weight) ** 0.5, "W_k": W_k, "W_v": W_v, "b_q": b_q / len(weight) ** 0.5, "b_k": b_k, "b_v": b_v}
# %% transposed_in_place: turns the memory of what was handed in
# taken, one left 1.88: changes_input
def from_conv1d(weight, bias):
    W = weight.t_().clone().chunk(3)
    b = bias.clone().chunk(3)
    return {"W_q": W[0], "W_k": W[1], "W_v": W[2], "b_q": b[0], "b_k": b[1], "b_v": b[2]}
# %% tuple_of_six: returns a tuple
# refused: wrong_container
def from_conv1d(weight, bias):
    return (*weight.T.clone().chunk(3), *bias.clone().chunk(3))
# %% view_to_turn: views the columns as rows
# refused: reshaped_for_transposed
def from_conv1d(weight, bias):
    d = weight.shape[0]
    W = weight.view(3, d, d).transpose(1, 2).clone()
    b = bias.view(d, 3).T.clone()
    return {"W_q": W[0], "W_k": W[1], "W_v": W[2], "b_q": b[0], "b_k": b[1], "b_v": b[2]}
# %% assigned_as_a_parameter: a tensor is assigned to the weight of a layer, which takes parameters only
# refused: tensor_for_parameter
from torch import nn
def from_conv1d(weight, bias):
    D = weight.shape[0]
    result = {}
    for i, name in enumerate("qkv"):
        layer = nn.Linear(D, D)
        layer.weight = weight[:, i * D:(i + 1) * D].T.clone()
        layer.bias = bias[i * D:(i + 1) * D].clone()
        result[f"W_{name}"], result[f"b_{name}"] = layer.weight, layer.bias
    return result
# %% cut_along_inputs_by_slices: the rows of each third, and the transpose of that
# refused: rows_cut; seeds 11, 3 refused: shown
def from_conv1d(weight, bias):
    D = weight.shape[0]
    n = D // 3
    names = "qkv"
    result = {f"W_{c}": weight[i * n:(i + 1) * n].T.clone() for i, c in enumerate(names)}
    return result | {f"b_{c}": bias[i * D:(i + 1) * D].clone() for i, c in enumerate(names)}
# %% strangers_2026_11/program_1
# taken
def from_conv1d(weight, bias):
    W = weight.T.chunk(3, dim=0)
    b = bias.chunk(3)
    out = {}
    for name, w, s in zip("qkv", W, b):
        out[f"W_{name}"] = w.clone()
        out[f"b_{name}"] = s.clone()
    return out
# %% strangers_2026_11/crash_1: line `w_q, w_k, w_v = weight.split(3, dim=1)`: split takes the size of a piece, not their number, too many values to unpack
# refused: too_many_values
def from_conv1d(weight, bias):
    w_q, w_k, w_v = weight.split(3, dim=1)
    b_q, b_k, b_v = bias.chunk(3)
    return {"W_q": w_q.t().clone(), "W_k": w_k.t().clone(), "W_v": w_v.t().clone(),
            "b_q": b_q.clone(), "b_k": b_k.clone(), "b_v": b_v.clone()}
# %% strangers_2026_11/single_2: the biases are views and share memory with bias
# taken, one left 1.88: not_copies
def from_conv1d(weight, bias):
    q, k, v = (w.T.clone() for w in weight.chunk(3, 1))
    b = bias.chunk(3)
    return {"W_q": q, "W_k": k, "W_v": v, "b_q": b[0], "b_k": b[1], "b_v": b[2]}
# %% strangers_2026_11/two_3: reshaped instead of transposed | the keys' and the queries' bias are exchanged
# refused: reshaped_for_transposed
def from_conv1d(weight, bias):
    d = weight.shape[0]
    W = weight.reshape(3 * d, d)
    return {"W_q": W[:d].clone(), "W_k": W[d:2*d].clone(), "W_v": W[2*d:].clone(),
            "b_q": bias[d:2*d].clone(), "b_k": bias[:d].clone(), "b_v": bias[2*d:].clone()}
