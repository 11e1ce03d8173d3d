"""Wrong answers for merge_heads, one mistake a cell."""
# %% reshape_only < right/transpose_contiguous_view: reshapes without moving the head axis back behind the tokens
~ return x.transpose(1, 2).contiguous().view(B, T, H * d) => return x.reshape(B, T, H * d)
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
# %% heads_averaged < heads_fastest: takes the mean over the heads and repeats it to get the width back
~ B, H, T, d_head = x.shape => n_heads = x.shape[1]
~ return x.permute(0, 2, 3, 1).reshape(B, T, H * d_head) => return x.mean(dim=1).repeat(1, 1, n_heads)
# %% tokens_and_features_exchanged < right/transpose_contiguous_view: transposes the last two axes instead of heads and tokens
~ (1, 2).contiguous().view(B, T, H * d) => (-2, -1).contiguous().view(B, H * d, T).reshape(B, T, -1)
# %% first_example_only: joins the heads of the first example and gives them to the whole batch
def merge_heads(x):
    B, H, T, d = x.shape
    merged = torch.cat([x[0, h] for h in range(H)], dim=-1)   # (T, H * d)
    return merged.unsqueeze(0).expand(B, T, H * d)
# %% shape_names < right/transpose_contiguous_view: reads the shape as (B, T, H, d):
~ B, H, T, d = x.shape => B, T, H, d = x.shape
~ return x.transpose(1, 2).contiguous().view(B, T, H * d) => return x.transpose(1, 2).reshape(B, T, H * d)
