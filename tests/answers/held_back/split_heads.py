"""Wrong answers for split_heads, one mistake a cell."""
# %% view_in_final_order < right/view_transpose: views straight to (B, H, T, d_head), so a head is cut out of the tokens and not of the features
~ view(B, T, num_heads, D // num_heads).transpose(1, 2) => contiguous().view(B, num_heads, T, D // num_heads)
# %% head_axis_last: cuts the features as (d_head, H), so a head gets every H-th feature
def split_heads(x, num_heads):
    batch, seq, dim = x.shape
    d_head = dim // num_heads
    return x.reshape(batch, seq, d_head, num_heads).permute(0, 3, 1, 2)
# %% stacked_in_front: stacks the heads on axis 0, before the batch
def split_heads(x, num_heads):
    pieces = torch.chunk(x, num_heads, dim=-1)
    return torch.stack(pieces, dim=0)
# %% filled_float32_buffer: copies the heads into a fresh zeros tensor, which is float32 on the CPU whatever x is
def split_heads(x, num_heads):
    B, T, D = x.shape
    d = D // num_heads
    out = torch.zeros(B, num_heads, T, d)
    for h in range(num_heads):
        out[:, h] = x[:, :, h * d:(h + 1) * d]
    return out
# %% heads_counted_from_the_end: slices with -h, so only head 0 is at its place and the others come in reverse order
def split_heads(x, num_heads):
    d = x.size(-1) // num_heads
    heads = x.unflatten(-1, (num_heads, d))
    return torch.stack([heads[:, :, -h] for h in range(num_heads)], dim=1)
# %% features_before_tokens: permutes one axis too many and returns (B, H, d_head, T)
def split_heads(x, num_heads):
    B, T, D = x.shape
    x = x.reshape(B, T, num_heads, D // num_heads)
    return x.permute(0, 2, 3, 1)
# %% split_through_numpy: splits with NumPy and wraps the result again, so no gradient reaches x
def split_heads(x, num_heads):
    arr = x.detach().double().cpu().numpy()
    heads = np.stack(np.split(arr, num_heads, axis=-1), axis=1)
    return torch.tensor(heads, dtype=x.dtype, device=x.device)
# %% chunk_cat < right/chunk_stack: chunks joined along the batch
~ return torch.stack(x.chunk(num_heads, dim=-1), 1) => return torch.cat(x.chunk(num_heads, -1), dim=0)
# %% hard_batch < right/view_transpose: B hard-coded by squeezing the batch
~ B, T, D = x.shape => T, D = x.shape[1:]
~ view(B, T, num_heads, D // num_heads).transpose(1, 2) => reshape(T, num_heads, D // num_heads).transpose(0, 1).unsqueeze(0)
