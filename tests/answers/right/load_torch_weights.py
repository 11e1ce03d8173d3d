"""Right answers to `load_torch_weights`, in the styles of many students. Cells are separated by lines that start with `# %%`."""
# %% chunk_copy: three chunks copied under no_grad
def load_torch_weights(attention, torch_attention):
    with torch.no_grad():
        q, k, v = torch_attention.in_proj_weight.chunk(3, dim=0)
        attention.W_q.weight.copy_(q)
        attention.W_k.weight.copy_(k)
        attention.W_v.weight.copy_(v)
        attention.W_o.weight.copy_(torch_attention.out_proj.weight)
# %% row_slices: rows counted by d_model, .data.copy_
def load_torch_weights(attention, torch_attention):
    D = attention.d_model
    W = torch_attention.in_proj_weight.data
    attention.W_q.weight.data.copy_(W[:D])
    attention.W_k.weight.data.copy_(W[D:2 * D])
    attention.W_v.weight.data.copy_(W[2 * D:])
    attention.W_o.weight.data.copy_(torch_attention.out_proj.weight.data)
    return attention
# %% state_dict: keys built for load_state_dict
def load_torch_weights(attention: nn.Module, torch_attention: nn.MultiheadAttention) -> None:
    theirs = torch_attention.state_dict()
    q, k, v = torch.split(theirs["in_proj_weight"], attention.d_model, dim=0)
    mine = attention.state_dict()
    mine.update({"W_q.weight": q, "W_k.weight": k, "W_v.weight": v, "W_o.weight": theirs["out_proj.weight"]})
    attention.load_state_dict(mine)
# %% new_parameters: fresh nn.Parameter objects from clones
def load_torch_weights(attention, torch_attention):
    parts = torch_attention.in_proj_weight.detach().chunk(3)
    attention.W_q.weight = nn.Parameter(parts[0].clone())
    attention.W_k.weight = nn.Parameter(parts[1].clone())
    attention.W_v.weight = nn.Parameter(parts[2].clone())
    attention.W_o.weight = nn.Parameter(torch_attention.out_proj.weight.detach().clone())
# %% loop_getattr: a loop over names and row blocks
@torch.no_grad()
def load_torch_weights(attention, torch_attention):
    n = torch_attention.embed_dim
    for i, name in enumerate(("W_q", "W_k", "W_v")):
        layer = getattr(attention, name)
        assert layer.weight.shape == (n, n)
        layer.weight.copy_(torch_attention.in_proj_weight[i * n:(i + 1) * n, :])
    attention.W_o.weight.copy_(torch_attention.out_proj.weight)
# %% data_clone: .data replaced by clones of a reshaped view
def load_torch_weights(attention, torch_attention):
    d = torch_attention.in_proj_weight.shape[1]
    stacked = torch_attention.in_proj_weight.data.view(3, d, d)
    attention.W_q.weight.data = stacked[0].clone()
    attention.W_k.weight.data = stacked[1].clone()
    attention.W_v.weight.data = stacked[2].clone()
    attention.W_o.weight.data = torch_attention.out_proj.weight.data.clone()
# %% zip_deepcopy: unflatten and zip, out_proj deep-copied first; a print left in
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
def load_torch_weights(attention, torch_attention):
    def put(layer, array):
        layer.load_state_dict({"weight": torch.tensor(array.tolist(), dtype=layer.weight.dtype)})
    big = torch_attention.in_proj_weight.detach().cpu().double().numpy()
    wq, wk, wv = np.split(big, 3, axis=0)
    put(attention.W_q, wq)
    put(attention.W_k, wk)
    put(attention.W_v, wv)
    put(attention.W_o, torch_attention.out_proj.weight.detach().cpu().double().numpy())
# %% row_by_row: one row at a time, with checks that raise ValueError
def load_torch_weights(attention, torch_attention):
    if torch_attention.in_proj_bias is not None:
        raise ValueError("the module must have no bias")
    D = attention.d_model
    if torch_attention.in_proj_weight.shape != (3 * D, D):
        raise ValueError("the widths differ")
    targets = [attention.W_q, attention.W_k, attention.W_v]
    with torch.no_grad():
        for r in range(3 * D):
            targets[r // D].weight[r % D].copy_(torch_attention.in_proj_weight[r])
        for r in range(D):
            attention.W_o.weight[r] = torch_attention.out_proj.weight[r]
# %% state_dict_again: built and loaded
def load_torch_weights(attention, torch_attention):
    q, k, v = torch_attention.in_proj_weight.detach().chunk(3, dim=0)
    attention.load_state_dict({"W_q.weight": q, "W_k.weight": k, "W_v.weight": v, "W_o.weight": torch_attention.out_proj.weight.detach()}, strict=False)
# %% data_slices: .data.copy_ with slices of d_model rows
def load_torch_weights(attention, torch_attention):
    d = attention.d_model
    for i, layer in enumerate((attention.W_q, attention.W_k, attention.W_v)):
        layer.weight.data.copy_(torch_attention.in_proj_weight.data[i * d:(i + 1) * d])
    attention.W_o.weight.data[:] = torch_attention.out_proj.weight.data
# %% new_parameters_again: nn.Parameter of clones, returns the module
def load_torch_weights(attention, torch_attention):
    parts = [*torch_attention.in_proj_weight.unflatten(0, (3, -1)), torch_attention.out_proj.weight]
    for name, weight in zip(["W_q", "W_k", "W_v", "W_o"], parts):
        setattr(getattr(attention, name), "weight", nn.Parameter(weight.detach().clone()))
    return attention
