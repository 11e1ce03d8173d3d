"""Right answers to `absorb_key_projection`, in the styles of many people. Cells are separated by lines that start with `# %%`."""
# %% view and matmul
def absorb_key_projection(q, k_up_weight):
    B, H, T, d_head = q.shape
    return q @ k_up_weight.view(H, d_head, -1)
# %% einsum
def absorb_key_projection(q, k_up_weight):
    W = k_up_weight.reshape(q.shape[1], q.shape[3], k_up_weight.shape[1])
    return torch.einsum("bhtd,hdl->bhtl", q, W)
# %% a loop over heads
def absorb_key_projection(q, k_up_weight):
    d = q.shape[-1]
    heads = [q[:, h] @ k_up_weight[h * d:(h + 1) * d] for h in range(q.shape[1])]
    return torch.stack(heads, dim=1)
# %% chunks
def absorb_key_projection(q, k_up_weight):
    pairs = zip(q.unbind(1), k_up_weight.chunk(q.size(1), dim=0))
    return torch.stack([torch.matmul(a, w) for a, w in pairs], 1)
# %% linear with the transpose
def absorb_key_projection(q, k_up_weight):
    blocks = k_up_weight.split(q.shape[-1])
    return torch.cat([F.linear(q[:, h:h + 1], w.T) for h, w in enumerate(blocks)], dim=1)
# %% products and a sum
def absorb_key_projection(q, k_up_weight):
    W = k_up_weight.unflatten(0, (q.shape[1], q.shape[-1]))
    return (q[..., None] * W[None, :, None]).sum(-2)
# %% one wide block-diagonal product
def absorb_key_projection(q, k_up_weight):
    B, H, T, d = q.shape
    wide = torch.block_diag(*k_up_weight.split(d))
    return (q.transpose(1, 2).reshape(B, T, H * d) @ wide).view(B, T, H, -1).transpose(1, 2)
# %% weight on the left
def absorb_key_projection(q, k_up_weight):
    W = k_up_weight.reshape(q.shape[1], -1, k_up_weight.shape[-1]).transpose(1, 2)
    return (W @ q.transpose(2, 3)).transpose(2, 3)
