# %% single_1 < held_back/heads_fastest: reshaped without exchanging heads and tokens first
~ permute(0, 2, 3, 1).reshape => contiguous().view
# %% single_2: the head axis ends up last, so the features of the heads alternate
def merge_heads(x):
    B, H, T, dh = x.shape
    return x.permute(0, 2, 3, 1).reshape(B, T, dh * H)
# %% crash_3: line `torch.cat(x, dim=-1)`: cat wants a list of tensors, not one tensor
def merge_heads(x):
    x = x.transpose(0, 1)
    return torch.cat(x, dim=-1)
# %% two_4: heads and features are exchanged instead of heads and tokens | the batch of one is squeezed away
def merge_heads(x):
    B, H, T, d = x.shape
    y = x.transpose(1, 3).reshape(B, T, H * d)
    return y.squeeze(0)
