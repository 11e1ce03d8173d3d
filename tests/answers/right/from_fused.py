"""Right answers to `from_fused`, in the styles of many students. Cells are separated by lines that start with `# %%`."""
# %% split_sizes: split with a list of sizes, each piece cloned
def from_fused(weight, d_kv=None):
    d_model = weight.shape[1]
    if d_kv is None:
        d_kv = d_model
    W_q, W_k, W_v = weight.split([d_model, d_kv, d_kv], dim=0)
    return W_q.clone(), W_k.clone(), W_v.clone()
# %% slices: three slices of one clone
def from_fused(weight, d_kv=None):
    W = weight.clone()
    D = W.size(1)
    kv = D if d_kv is None else d_kv
    return W[:D], W[D:D + kv], W[D + kv:]
# %% from_the_rows: the width of K and V worked out from the number of rows, d_kv only checked; detached
def from_fused(weight, d_kv=None):
    rows, d_model = weight.shape
    width = (rows - d_model) // 2
    assert d_kv in (None, width)
    w = weight.detach().clone()
    return tuple([w[0:d_model], w[d_model:-width], w[-width:]])
# %% index_select: rows chosen by index, which copies
def from_fused(fused, d_kv=None):
    d_model = fused.shape[-1]
    d_kv = d_kv or d_model
    index = torch.arange(fused.shape[0], device=fused.device)
    q = fused[index < d_model]
    k = fused[(index >= d_model) & (index < d_model + d_kv)]
    v = fused[index >= d_model + d_kv]
    return q, k, v
# %% tensor_split_list: cut at places, copied in a list; returns a list; a print left in
def from_fused(weight, d_kv=None):
    d_model = weight.shape[1]
    d_kv = d_model if d_kv is None else d_kv
    pieces = torch.tensor_split(weight, (d_model, d_model + d_kv))
    print([tuple(p.shape) for p in pieces])
    return [torch.empty_like(p).copy_(p) for p in pieces]
# %% narrow_loop: narrow in a loop that moves on
@torch.no_grad()
def from_fused(weight, d_kv=None):
    d_model = weight.shape[1]
    start, result = 0, []
    for rows in (d_model, d_kv or d_model, d_kv or d_model):
        result.append(weight.narrow(0, start, rows).clone(memory_format=torch.contiguous_format))
        start += rows
    return tuple(result)
# %% through_numpy: NumPy in between
def from_fused(weight, d_kv=None):
    D = weight.shape[1]
    d_kv = D if d_kv is None else d_kv
    big = np.array(weight.detach().cpu().double())
    parts = np.split(big, [D, D + d_kv], axis=0)
    return tuple(torch.tensor(part, dtype=weight.dtype, device=weight.device) for part in parts)
# %% parameters: nn.Parameter objects, ready for nn.Linear
def from_fused(weight, d_kv=None):
    d_model = weight.shape[1]
    d_kv = d_model if d_kv is None else d_kv
    blocks = weight.detach().clone().split((d_model, d_kv, d_kv))
    return tuple(nn.Parameter(block.clone()) for block in blocks)
# %% identity_matmul: rows picked by a matrix product
def from_fused(weight, d_kv=None):
    n, d = weight.shape
    d_kv = d if d_kv is None else d_kv
    eye = torch.eye(n, dtype=weight.dtype, device=weight.device)
    return eye[:d] @ weight, eye[d:d + d_kv] @ weight, eye[d + d_kv:] @ weight
