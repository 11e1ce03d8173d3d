"""Right answers to `split_heads`, in the styles of many students. Cells are separated by lines that start with `# %%`."""
# %% view_transpose: view and transpose
def split_heads(x, num_heads):
    B, T, D = x.shape
    return x.view(B, T, num_heads, D // num_heads).transpose(1, 2)
# %% reshape_permute: reshape, permute, contiguous
def split_heads(x: torch.Tensor, num_heads: int) -> torch.Tensor:
    b, t, d = x.size()
    if d % num_heads != 0:
        raise ValueError(f"{d} is not divisible by {num_heads}")
    return x.reshape(b, t, num_heads, -1).permute(0, 2, 1, 3).contiguous()
# %% unflatten: unflatten and movedim
def split_heads(x, num_heads):
    return x.unflatten(-1, (num_heads, x.shape[-1] // num_heads)).movedim(2, 1)
# %% loop_slices: a slice of features for each head, stacked
def split_heads(x, num_heads):
    d = x.shape[2] // num_heads
    heads = []
    for h in range(num_heads):
        heads.append(x[:, :, h * d:(h + 1) * d])
    return torch.stack(heads, dim=1)
# %% chunk_stack: chunk along the features
def split_heads(x, num_heads):
    return torch.stack(x.chunk(num_heads, dim=-1), 1)
# %% split_cat: split, unsqueeze and cat
def split_heads(tokens, n):
    assert tokens.shape[-1] % n == 0
    d_head = tokens.shape[-1] // n
    pieces = [p.unsqueeze(1) for p in torch.split(tokens, d_head, dim=2)]
    out = torch.cat(pieces, dim=1)
    assert out.shape == (tokens.shape[0], n, tokens.shape[1], d_head)
    return out
# %% einsum_axes < view_transpose: einsum only to swap the axes
~ x.view(B, T, num_heads, D // num_heads).transpose(1, 2) => torch.einsum("bthd->bhtd", x.reshape(B, T, num_heads, D // num_heads))
# %% unfold: windows of d_head features with step d_head
def split_heads(x, num_heads):
    d = x.size(-1) // num_heads
    return x.unfold(2, d, d).swapaxes(1, 2)
# %% gather_columns: an index table of columns
def split_heads(x, num_heads):
    D = x.shape[-1]
    columns = torch.arange(D, device=x.device).view(num_heads, D // num_heads)
    return x[:, :, columns].transpose(1, 2)
# %% filled_in_place: a fresh tensor filled head by head; a print left in
def split_heads(x, num_heads):
    B, T, D = x.shape
    out = torch.zeros(B, num_heads, T, D // num_heads, dtype=x.dtype, device=x.device)
    for b in range(B):
        for h in range(num_heads):
            out[b, h] = x[b, :, h * (D // num_heads):(h + 1) * (D // num_heads)]
    print("split", tuple(x.shape), "into", tuple(out.shape))
    return out
# %% unflatten_again < unflatten: and movedim
~ x.shape[-1] // num_heads => -1
# %% chunk_and_stack < chunk_stack: along a new axis
~ return torch.stack(x.chunk(num_heads, dim=-1), 1) => return torch.stack(torch.chunk(x, num_heads, dim=2), dim=1)
# %% as_strided: strides by hand
def split_heads(x, num_heads):
    B, T, D = x.shape
    b, t, d = x.stride()
    w = D // num_heads
    return x.as_strided((B, num_heads, T, w), (b, w * d, t, d), x.storage_offset())
# %% unfold_again: windows of d_head features
def split_heads(x, num_heads):
    d_head = x.size(-1) // num_heads
    return x.unfold(-1, d_head, d_head).permute(0, 2, 1, 3).contiguous()
