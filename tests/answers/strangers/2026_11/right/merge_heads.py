# %% program_1
def merge_heads(x):
    return x.transpose(1, 2).flatten(2)
# %% program_2 < right/cat_unbind
~ x.unbind(dim=1 => list(x.unbind(dim=1)
# %% program_3
def merge_heads(x):
    B, H, T, d = x.shape
    out = x.new_empty(B, T, H * d)
    for h in range(H):
        out[:, :, h * d : (h + 1) * d] = x[:, h]
    return out
