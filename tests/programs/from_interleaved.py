# %% row_numbers: the row numbers are worked out, and used as an index
# taken
import torch
def from_interleaved(weight, num_heads):
    D = weight.shape[-1]
    d_head = D // num_heads
    row = torch.arange(D, device=weight.device)
    first = row // d_head * 3 * d_head + row % d_head
    return weight[first], weight[first + d_head], weight[first + 2 * d_head]
# %% chunks_of_chunks: chunks for the heads, chunks for the kinds; returns a list
# taken
import torch
def from_interleaved(weight, num_heads):
    per_head = [head.chunk(3) for head in weight.chunk(num_heads)]
    return [torch.vstack(kind) for kind in zip(*per_head)]
# %% row_by_row: copies every row to its place
# taken
import torch
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
# taken
import torch
def from_interleaved(weight, num_heads):
    d_head = weight.shape[1] // num_heads
    kind = torch.arange(weight.shape[0], device=weight.device).div(d_head, rounding_mode="floor") % 3
    return tuple(weight[kind == i].clone() for i in (0, 1, 2))
# %% einops_like: unflatten, movedim and flatten on a detached clone
# taken
def from_interleaved(weight, num_heads):
    split = weight.detach().clone().unflatten(0, (num_heads, 3, -1))
    W_q, W_k, W_v = split.movedim(1, 0).flatten(1, 2)
    return W_q, W_k, W_v
# %% stacked: one tensor of three weights
# taken
def from_interleaved(weight, num_heads):
    D = weight.shape[1]
    return weight.reshape(num_heads, 3, D // num_heads, D).transpose(0, 1).reshape(3, D, D)
# %% grouped_by_pairs: takes q and k of a head as one block of pairs, row by row
# refused: shown
def from_interleaved(weight, num_heads):
    D = weight.shape[1]
    d = D // num_heads
    W = weight.reshape(num_heads, 3 * d, D)
    return W[:, 0:2 * d:2].reshape(D, D), W[:, 1:2 * d:2].reshape(D, D), W[:, 2 * d:].reshape(D, D)
# %% rotary_order: also brings the rows of q and k from pairs to halves
# refused: entries_elsewhere; seed 20260720 refused, 1.88: entries_elsewhere
def from_interleaved(weight, num_heads):
    D = weight.shape[1]
    q, k, v = weight.reshape(num_heads, 3, D // num_heads, D).unbind(1)
    q, k = (t.reshape(num_heads, -1, 2, D).transpose(1, 2).reshape(num_heads, -1, D) if t.shape[1] % 2 == 0 else t for t in (q, k))
    return q.reshape(D, D), k.reshape(D, D), v.reshape(D, D)
# %% strides_of_heads: steps through the rows with the number of heads
# refused: every_third_row
def from_interleaved(weight, num_heads):
    D = weight.shape[1]
    return tuple(weight[i::3][:D].roll(i * num_heads, 0) for i in range(3))
# %% mean_of_heads: averages the heads
# refused: shown
def from_interleaved(weight, num_heads):
    D = weight.shape[1]
    W = weight.reshape(num_heads, 3, D // num_heads, D).mean(0)
    return W[0], W[1], W[2]
# %% view_after_permute: permutes and then views, which the memory order refuses
# refused: view_noncontiguous
def from_interleaved(weight, num_heads):
    D = weight.shape[1]
    W = weight.view(num_heads, 3, D // num_heads, D).permute(1, 0, 2, 3)
    return W.view(3, D, D).unbind(0)
# %% strangers_2026_11/program_1
# taken
def from_interleaved(weight, num_heads):
    d = weight.shape[1]
    blocks = weight.reshape(num_heads, 3, d // num_heads, d)
    return tuple(blocks[:, i].reshape(d, d) for i in range(3))
# %% strangers_2026_11/crash_1: line `weight.view(num_heads, 3, d_head)`: the input axis is missing, the size does not fit
# refused: shown
def from_interleaved(weight, num_heads):
    d_head = weight.shape[0] // (3 * num_heads)
    w = weight.view(num_heads, 3, d_head)
    q, k, v = w.unbind(1)
    return q.flatten(0, 1), k.flatten(0, 1), v.flatten(0, 1)
# %% strangers_2026_11/single_2: cut into thirds as if Q, K and V were stacked
# refused: cut_in_three_blocks
def from_interleaved(weight, num_heads):
    q, k, v = weight.clone().chunk(3, dim=0)
    return q, k, v
# %% strangers_2026_11/two_3: the axes of heads and of q, k, v are exchanged in the view | K and V in the wrong order
# refused: cut_in_three_blocks
def from_interleaved(weight, num_heads):
    d = weight.shape[1]
    w = weight.reshape(3, num_heads, d // num_heads, d)
    return w[0].reshape(d, d), w[2].reshape(d, d), w[1].reshape(d, d)
