# %% state_dict: keys built for load_state_dict
# taken
import torch
from torch import nn
def load_torch_weights(attention: nn.Module, torch_attention: nn.MultiheadAttention) -> None:
    theirs = torch_attention.state_dict()
    q, k, v = torch.split(theirs["in_proj_weight"], attention.d_model, dim=0)
    mine = attention.state_dict()
    mine.update({"W_q.weight": q, "W_k.weight": k, "W_v.weight": v, "W_o.weight": theirs["out_proj.weight"]})
    attention.load_state_dict(mine)
# %% zip_deepcopy: unflatten and zip, out_proj deep-copied first; a print left in
# taken
import copy
import torch

def load_torch_weights(mine, theirs):
    with torch.no_grad():
        qkv = copy.deepcopy(theirs.in_proj_weight).unflatten(0, (3, -1))
        for layer, w in zip([mine.W_q, mine.W_k, mine.W_v], qkv):
            layer.weight[:] = w
        mine.W_o.weight[...] = copy.deepcopy(theirs.out_proj.weight)
    print("copied", sum(p.numel() for p in mine.parameters()), "numbers")
# %% through_numpy: NumPy arrays in between, load_state_dict of each layer
# taken
import numpy as np
import torch
def load_torch_weights(attention, torch_attention):
    def put(layer, array):
        layer.load_state_dict({"weight": torch.tensor(array.tolist(), dtype=layer.weight.dtype)})
    big = torch_attention.in_proj_weight.detach().cpu().double().numpy()
    wq, wk, wv = np.split(big, 3, axis=0)
    put(attention.W_q, wq)
    put(attention.W_k, wk)
    put(attention.W_v, wv)
    put(attention.W_o, torch_attention.out_proj.weight.detach().cpu().double().numpy())
# %% state_dict_again: built and loaded
# taken
def load_torch_weights(attention, torch_attention):
    q, k, v = torch_attention.in_proj_weight.detach().chunk(3, dim=0)
    attention.load_state_dict({"W_q.weight": q, "W_k.weight": k, "W_v.weight": v, "W_o.weight": torch_attention.out_proj.weight.detach()}, strict=False)
# %% data_slices: .data.copy_ with slices of d_model rows
# taken
def load_torch_weights(attention, torch_attention):
    d = attention.d_model
    for i, layer in enumerate((attention.W_q, attention.W_k, attention.W_v)):
        layer.weight.data.copy_(torch_attention.in_proj_weight.data[i * d:(i + 1) * d])
    attention.W_o.weight.data[:] = torch_attention.out_proj.weight.data
# %% new_parameters_again: nn.Parameter of clones, returns the module
# taken
from torch import nn
def load_torch_weights(attention, torch_attention):
    parts = [*torch_attention.in_proj_weight.unflatten(0, (3, -1)), torch_attention.out_proj.weight]
    for name, weight in zip(["W_q", "W_k", "W_v", "W_o"], parts):
        setattr(getattr(attention, name), "weight", nn.Parameter(weight.detach().clone()))
    return attention
# %% output_copied_backwards: copies the output projection from the learner's module into PyTorch's
# refused: copied_backwards
import torch
def load_torch_weights(attention, torch_attention):
    D = attention.d_model
    with torch.no_grad():
        attention.W_q.weight.copy_(torch_attention.in_proj_weight[:D])
        attention.W_k.weight.copy_(torch_attention.in_proj_weight[D:2 * D])
        attention.W_v.weight.copy_(torch_attention.in_proj_weight[2 * D:3 * D])
        torch_attention.out_proj.weight.copy_(attention.W_o.weight)
# %% rebound: returns PyTorch's layer and copies nothing
# refused: nothing_copied
def load_torch_weights(attention, torch_attention):
    return torch_attention
# %% strangers_2026_11/program_1
# taken
import torch
def load_torch_weights(attention, torch_attention):
    with torch.no_grad():
        q, k, v = torch_attention.in_proj_weight.chunk(3, dim=0)
        attention.W_q.weight.copy_(q)
        attention.W_k.weight.copy_(k)
        attention.W_v.weight.copy_(v)
        attention.W_o.weight.copy_(torch_attention.out_proj.weight)
# %% strangers_2026_11/crash_1: line `attention.W_q.weight = W[:d]`: a tensor is assigned where a parameter is expected (TypeError)
# refused: tensor_for_parameter
def load_torch_weights(attention, torch_attention):
    d = attention.d_model
    W = torch_attention.in_proj_weight.detach().clone()
    attention.W_q.weight = W[:d]
    attention.W_k.weight = W[d:2 * d]
    attention.W_v.weight = W[2 * d:]
    attention.W_o.weight = torch_attention.out_proj.weight.detach().clone()
# %% strangers_2026_11/single_2: .data is set to slices of the other layer's tensor, so both share memory
# refused: storage_shared
def load_torch_weights(attention, torch_attention):
    d = attention.d_model
    W = torch_attention.in_proj_weight.data
    attention.W_q.weight.data = W[0:d]
    attention.W_k.weight.data = W[d:2*d]
    attention.W_v.weight.data = W[2*d:3*d]
    attention.W_o.weight.data = torch_attention.out_proj.weight.data
# %% strangers_2026_11/single_3: new parameters are put in place of the old ones, an optimizer still holds the old; the exercise allows it
# taken
from torch import nn
def load_torch_weights(attention, torch_attention):
    parts = torch_attention.in_proj_weight.detach().split(attention.d_model)
    for layer, part in zip((attention.W_q, attention.W_k, attention.W_v), parts):
        layer.weight = nn.Parameter(part.clone())
    attention.W_o.weight = nn.Parameter(torch_attention.out_proj.weight.detach().clone())
