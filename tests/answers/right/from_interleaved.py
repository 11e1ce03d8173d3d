"""Right answers to `from_interleaved`, in the styles of many students. Cells are separated by lines that start with `# %%`."""
# %% reshape_unbind: the rows get three axes, one of which is unbound
def from_interleaved(weight, num_heads):
    d_model = weight.shape[1]
    by_head = weight.reshape(num_heads, 3, d_model // num_heads, d_model)
    return tuple(W.reshape(d_model, d_model) for W in by_head.unbind(1))
# %% loop_cat: a loop over the heads, slices joined at the end
def from_interleaved(weight, num_heads):
    d_head = weight.shape[1] // num_heads
    q, k, v = [], [], []
    for h in range(num_heads):
        start = h * 3 * d_head
        q.append(weight[start:start + d_head])
        k.append(weight[start + d_head:start + 2 * d_head])
        v.append(weight[start + 2 * d_head:start + 3 * d_head])
    return torch.cat(q), torch.cat(k), torch.cat(v)
# %% transpose_axes: the axis of q, k, v is moved to the front, then all is one reshape
def from_interleaved(weight, num_heads):
    rows, D = weight.shape
    W = weight.view(num_heads, 3, -1, D) if weight.is_contiguous() else weight.reshape(num_heads, 3, -1, D)
    W = W.transpose(0, 1).reshape(3, D, D)
    return W[0], W[1], W[2]
# %% row_numbers: the row numbers are worked out, and used as an index
def from_interleaved(weight, num_heads):
    D = weight.shape[-1]
    d_head = D // num_heads
    row = torch.arange(D, device=weight.device)
    first = row // d_head * 3 * d_head + row % d_head
    return weight[first], weight[first + d_head], weight[first + 2 * d_head]
# %% chunks_of_chunks: chunks for the heads, chunks for the kinds; returns a list
def from_interleaved(weight, num_heads):
    per_head = [head.chunk(3) for head in weight.chunk(num_heads)]
    return [torch.vstack(kind) for kind in zip(*per_head)]
# %% row_by_row: copies every row to its place
def from_interleaved(weight, num_heads):
    D = weight.shape[1]
    d = D // num_heads
    out = torch.empty(3, D, D, dtype=weight.dtype, device=weight.device)
    for r in range(3 * D):
        h, rest = divmod(r, 3 * d)
        kind, j = divmod(rest, d)
        out[kind, h * d + j] = weight[r]
    print("moved", 3 * D, "rows")
    return tuple(out)
# %% boolean_rows: a boolean for each row says whose it is
def from_interleaved(weight, num_heads):
    d_head = weight.shape[1] // num_heads
    kind = torch.arange(weight.shape[0], device=weight.device).div(d_head, rounding_mode="floor") % 3
    return tuple(weight[kind == i].clone() for i in (0, 1, 2))
# %% einops_like: unflatten, movedim and flatten on a detached clone
def from_interleaved(weight, num_heads):
    split = weight.detach().clone().unflatten(0, (num_heads, 3, -1))
    W_q, W_k, W_v = split.movedim(1, 0).flatten(1, 2)
    return W_q, W_k, W_v
# %% sorted_rows: a stable sort by kind brings the rows together
def from_interleaved(weight, num_heads):
    d = weight.shape[1] // num_heads
    kinds = [(r // d) % 3 for r in range(len(weight))]
    order = sorted(range(len(weight)), key=lambda r: kinds[r])
    return torch.stack([weight[r] for r in order]).chunk(3)
# %% stacked: one tensor of three weights
def from_interleaved(weight, num_heads):
    D = weight.shape[1]
    return weight.reshape(num_heads, 3, D // num_heads, D).transpose(0, 1).reshape(3, D, D)
