# %% transpose_contiguous_view: the classic
# taken
def merge_heads(x):
    B, H, T, d = x.shape
    return x.transpose(1, 2).contiguous().view(B, T, H * d)
# %% movedim_flatten: movedim and flatten
# taken
def merge_heads(x):
    return x.movedim(1, 2).flatten(start_dim=2)
# %% cat_unbind: the heads side by side
# taken
import torch
def merge_heads(x):
    return torch.cat(x.unbind(dim=1), dim=-1)
# %% stack_flatten: heads stacked on axis 2
# taken
import torch
def merge_heads(x):
    return torch.stack([x[:, h] for h in range(x.size(1))], dim=2).flatten(2)
# %% cat_of_heads: unbound along 1
# taken
import torch
def merge_heads(x):
    return torch.cat(x.unbind(dim=1), dim=-1)
# %% einsum_flatten: an einsum that only permutes
# taken
import torch
def merge_heads(x):
    return torch.einsum("bhtd->bthd", x).flatten(start_dim=2)
# %% view_after_transpose: calls view on a transposed tensor, which fails as soon as there are several heads and tokens
# refused: view_noncontiguous
def merge_heads(x):
    B, H, T, d = x.size()
    x = x.transpose(1, 2)
    return x.view(B, T, H * d)
# %% transposes_the_argument: uses transpose_, which leaves the caller's tensor with its axes exchanged
# taken, one left 1.9: changes_input
def merge_heads(x):
    B, H, T, d_head = x.shape
    x.transpose_(1, 2)
    return x.contiguous().view(B, T, H * d_head)
# %% first_example_only: joins the heads of the first example and gives them to the whole batch
# refused: entries_elsewhere
import torch
def merge_heads(x):
    B, H, T, d = x.shape
    merged = torch.cat([x[0, h] for h in range(H)], dim=-1)   # (T, H * d)
    return merged.unsqueeze(0).expand(B, T, H * d)
# %% strangers_2026_11/program_1
# taken
def merge_heads(x):
    return x.transpose(1, 2).flatten(2)
# %% strangers_2026_11/program_2
# taken
import torch
def merge_heads(x):
    return torch.cat(list(x.unbind(dim=1)), dim=-1)
# %% strangers_2026_11/program_3
# taken
def merge_heads(x):
    B, H, T, d = x.shape
    out = x.new_empty(B, T, H * d)
    for h in range(H):
        out[:, :, h * d : (h + 1) * d] = x[:, h]
    return out
# %% strangers_2026_11/single_1: reshaped without exchanging heads and tokens first
# refused: merge_without_transpose
def merge_heads(x):
    B, H, T, d_head = x.shape
    return x.contiguous().view(B, T, H * d_head)
# %% strangers_2026_11/single_2: the head axis ends up last, so the features of the heads alternate
# refused: merge_interleaved
def merge_heads(x):
    B, H, T, dh = x.shape
    return x.permute(0, 2, 3, 1).reshape(B, T, dh * H)
# %% strangers_2026_11/crash_3: line `torch.cat(x, dim=-1)`: cat wants a list of tensors, not one tensor
# refused: joins_one_tensor
import torch
def merge_heads(x):
    x = x.transpose(0, 1)
    return torch.cat(x, dim=-1)
# %% strangers_2026_11/two_4: heads and features are exchanged instead of heads and tokens | the batch of one is squeezed away
# refused: wrong_axes_transposed
def merge_heads(x):
    B, H, T, d = x.shape
    y = x.transpose(1, 3).reshape(B, T, H * d)
    return y.squeeze(0)
