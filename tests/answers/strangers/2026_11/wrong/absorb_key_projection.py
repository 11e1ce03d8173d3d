# %% crash_1: line `q @ U.transpose(-2, -1)`: the heads' weight is transposed, d_latent meets d_head
def absorb_key_projection(q, k_up_weight):
    B, H, T, d_head = q.shape
    U = k_up_weight.reshape(H, d_head, -1)
    return q @ U.transpose(-2, -1)
# %% single_2: the rows are dealt out in turn: view (d_head, H) instead of (H, d_head)
def absorb_key_projection(q, k_up_weight):
    H, d = q.shape[1], q.shape[3]
    U = k_up_weight.reshape(d, H, -1)
    return torch.einsum("bhtd,dhc->bhtc", q, U)
# %% single_3: the result is divided by the root of d_head, but is to be unscaled
def absorb_key_projection(q, k_up_weight):
    B, H, T, d_head = q.shape
    W = k_up_weight.unflatten(0, (H, d_head))
    return torch.einsum("bhtd,hdc->bhtc", q, W) / math.sqrt(d_head)
# %% two_4 < strangers/2026_11/right/program_1: every head uses the rows of head 0 | heads and tokens are exchanged in the result
~ B, H, T, d = q.shape => d = q.shape[-1]
~ return q @ k_up_weight.view(H, d, -1) => return (q @ k_up_weight[:d]).transpose(1, 2)
