"""Wrong answers for merge_heads, one mistake a cell."""

# %% reshape_only: reshapes without moving the head axis back behind the tokens
def merge_heads(x):
    B, H, T, d = x.shape
    return x.reshape(B, T, H * d)

# %% heads_fastest: moves the heads behind the features, so the features of the heads are interleaved
def merge_heads(x):
    B, H, T, d_head = x.shape
    return x.permute(0, 2, 3, 1).reshape(B, T, H * d_head)

# %% view_after_transpose: calls view on a transposed tensor, which fails as soon as there are several heads and tokens
def merge_heads(x):
    B, H, T, d = x.size()
    x = x.transpose(1, 2)
    return x.view(B, T, H * d)

# %% transposes_the_argument: uses transpose_, which leaves the caller's tensor with its axes exchanged
def merge_heads(x):
    B, H, T, d_head = x.shape
    x.transpose_(1, 2)
    return x.contiguous().view(B, T, H * d_head)

# %% heads_averaged: takes the mean over the heads and repeats it to get the width back
def merge_heads(x):
    n_heads = x.shape[1]
    return x.mean(dim=1).repeat(1, 1, n_heads)

# %% tokens_and_features_exchanged: transposes the last two axes instead of heads and tokens
def merge_heads(x):
    B, H, T, d = x.shape
    return x.transpose(-2, -1).contiguous().view(B, H * d, T).reshape(B, T, -1)

# %% first_example_only: joins the heads of the first example and gives them to the whole batch
import torch

def merge_heads(x):
    B, H, T, d = x.shape
    merged = torch.cat([x[0, h] for h in range(H)], dim=-1)   # (T, H * d)
    return merged.unsqueeze(0).expand(B, T, H * d)

# %% shape_names: reads the shape as (B, T, H, d):
def merge_heads(x):
    B, T, H, d = x.shape
    return x.transpose(1, 2).reshape(B, T, H * d)
