"""Wrong answers for absorb_key_projection, one mistake a cell unless it says two."""
# %% tokens_for_heads: takes the size of axis 2 for the number of heads
def absorb_key_projection(q, k_up_weight):
    B, T, H, d_head = q.shape
    W = k_up_weight.reshape(H, -1, k_up_weight.shape[1])
    return torch.einsum("bhtd,hdl->bhtl", q, W)
# %% neighbours_weight: head h uses the rows of head h + 1
def absorb_key_projection(q, k_up_weight):
    W = k_up_weight.view(q.shape[1], q.shape[-1], -1).roll(-1, 0)
    return q @ W
# %% scaled_and_interleaved: two mistakes, the rows are dealt out in turn and the result is scaled
def absorb_key_projection(q, k_up_weight):
    B, H, T, d = q.shape
    W = k_up_weight.view(d, H, -1).transpose(0, 1)
    return q @ W / d ** 0.5
# %% weight_as_numbers: turns the weight to numbers, through which no gradient passes
def absorb_key_projection(q, k_up_weight):
    W = torch.tensor(k_up_weight.tolist(), dtype=q.dtype, device=q.device)
    return q @ W.view(q.shape[1], q.shape[-1], -1)
# %% orthogonal_weight < neighbours_weight: multiplies with the orthogonal part of the weight
~ k_up_weight.view(q.shape[1], q.shape[-1], -1).roll(-1, 0) => torch.linalg.qr(k_up_weight.view(q.shape[1], q.shape[-1], -1).transpose(1, 2))[0]
~ return q @ W => return q @ W.transpose(1, 2)
# %% axes_swapped_in_view: the weight is viewed as (H, d_latent, d_head), and transposed
def absorb_key_projection(q, k_up_weight):
    H, d_head = q.shape[1], q.shape[-1]
    return q @ k_up_weight.view(H, -1, d_head).transpose(1, 2)
# %% axes_swapped_in_einsum: tokens before heads
def absorb_key_projection(q, k_up_weight):
    each = k_up_weight.unflatten(0, (q.shape[1], -1))
    return torch.einsum("bhtd,hdl->bthl", q, each)
