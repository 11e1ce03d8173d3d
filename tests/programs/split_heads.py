# %% view_transpose: view and transpose
# taken
def split_heads(x, num_heads):
    B, T, D = x.shape
    return x.view(B, T, num_heads, D // num_heads).transpose(1, 2)
# %% split_cat: split, unsqueeze and cat
# taken
import torch
def split_heads(tokens, n):
    assert tokens.shape[-1] % n == 0
    d_head = tokens.shape[-1] // n
    pieces = [p.unsqueeze(1) for p in torch.split(tokens, d_head, dim=2)]
    out = torch.cat(pieces, dim=1)
    assert out.shape == (tokens.shape[0], n, tokens.shape[1], d_head)
    return out
# %% einsum_axes: einsum only to swap the axes
# taken
import torch
def split_heads(x, num_heads):
    B, T, D = x.shape
    return torch.einsum("bthd->bhtd", x.reshape(B, T, num_heads, D // num_heads))
# %% gather_columns: an index table of columns
# taken
import torch
def split_heads(x, num_heads):
    D = x.shape[-1]
    columns = torch.arange(D, device=x.device).view(num_heads, D // num_heads)
    return x[:, :, columns].transpose(1, 2)
# %% filled_in_place: a fresh tensor filled head by head; a print left in
# taken
import torch
def split_heads(x, num_heads):
    B, T, D = x.shape
    out = torch.zeros(B, num_heads, T, D // num_heads, dtype=x.dtype, device=x.device)
    for b in range(B):
        for h in range(num_heads):
            out[b, h] = x[b, :, h * (D // num_heads):(h + 1) * (D // num_heads)]
    print("split", tuple(x.shape), "into", tuple(out.shape))
    return out
# %% as_strided: strides by hand
# taken
def split_heads(x, num_heads):
    B, T, D = x.shape
    b, t, d = x.stride()
    w = D // num_heads
    return x.as_strided((B, num_heads, T, w), (b, w * d, t, d), x.storage_offset())
# %% unfold_again: windows of d_head features
# taken
def split_heads(x, num_heads):
    d_head = x.size(-1) // num_heads
    return x.unfold(-1, d_head, d_head).permute(0, 2, 1, 3).contiguous()
# %% filled_float32_buffer: copies the heads into a fresh zeros tensor, which is float32 on the CPU whatever x is
# taken, one left 1.88: casts_dtype
import torch
def split_heads(x, num_heads):
    B, T, D = x.shape
    d = D // num_heads
    out = torch.zeros(B, num_heads, T, d)
    for h in range(num_heads):
        out[:, h] = x[:, :, h * d:(h + 1) * d]
    return out
# %% heads_counted_from_the_end: slices with -h, so only head 0 is at its place and the others come in reverse order
# refused: entries_elsewhere
import torch
def split_heads(x, num_heads):
    d = x.size(-1) // num_heads
    heads = x.unflatten(-1, (num_heads, d))
    return torch.stack([heads[:, :, -h] for h in range(num_heads)], dim=1)
# %% split_through_numpy: splits with NumPy and wraps the result again, so no gradient reaches x
# taken, one left 1.88: detached
import numpy as np
import torch
def split_heads(x, num_heads):
    arr = x.detach().double().cpu().numpy()
    heads = np.stack(np.split(arr, num_heads, axis=-1), axis=1)
    return torch.tensor(heads, dtype=x.dtype, device=x.device)
# %% chunk_cat: chunks joined along the batch
# refused: axes_folded
import torch
def split_heads(x, num_heads):
    return torch.cat(x.chunk(num_heads, -1), dim=0)
# %% hard_batch: B hard-coded by squeezing the batch
# refused: shown
def split_heads(x, num_heads):
    T, D = x.shape[1:]
    return x.reshape(T, num_heads, D // num_heads).transpose(0, 1).unsqueeze(0)
# %% strangers_2026_11/program_1
# taken
def split_heads(x, num_heads):
    B, T, d_model = x.shape
    return x.view(B, T, num_heads, d_model // num_heads).transpose(1, 2)
# %% strangers_2026_11/program_2
# taken
import torch
def split_heads(x, num_heads):
    return torch.stack(x.chunk(num_heads, dim=-1), dim=1)
# %% strangers_2026_11/single_1: reshaped straight to (B, H, T, d_head) without a transpose, numbers of several tokens are mixed
# refused: split_without_transpose
def split_heads(x, num_heads):
    b, t, d = x.shape
    return x.reshape(b, num_heads, t, d // num_heads)
# %% strangers_2026_11/single_2: the features are dealt out in turn: head h gets features h, h + H, ... instead of a band
# refused: split_interleaved
def split_heads(x, num_heads):
    b, t, d = x.size()
    x = x.reshape(b, t, d // num_heads, num_heads)
    return x.permute(0, 3, 1, 2)
# %% strangers_2026_11/crash_3: line `x.view(B, T, num_heads, d_model / num_heads)`: / gives a float, a size must be an int
# refused: shown
def split_heads(x, num_heads):
    B, T, d_model = x.shape
    x = x.view(B, T, num_heads, d_model / num_heads)
    return x.transpose(1, 2)
# %% strangers_2026_11/crash_4: line `x.view(B * T, ...)`: joins two axes of a tensor that may not be contiguous
# refused, 1.88: view_noncontiguous
def split_heads(x, num_heads):
    B, T, D = x.shape
    flat = x.view(B * T, num_heads, D // num_heads)
    return flat.reshape(B, T, num_heads, -1).permute(0, 2, 1, 3)
# %% strangers_2026_11/two_5: no transpose, the heads stand behind the tokens | a batch of one loses its axis
# refused: not_transposed
def split_heads(x, num_heads):
    d_head = x.shape[-1] // num_heads
    return x.unflatten(-1, (num_heads, d_head)).squeeze(0)
