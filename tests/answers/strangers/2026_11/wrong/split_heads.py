# %% single_1 < strangers/2026_11/right/program_1: reshaped straight to (B, H, T, d_head) without a transpose, numbers of several tokens are mixed
~ B, T, d_model = x.shape => b, t, d = x.shape
~ return x.view(B, T, num_heads, d_model // num_heads).transpose(1, 2) => return x.reshape(b, num_heads, t, d // num_heads)
# %% single_2: the features are dealt out in turn: head h gets features h, h + H, ... instead of a band
def split_heads(x, num_heads):
    b, t, d = x.size()
    x = x.reshape(b, t, d // num_heads, num_heads)
    return x.permute(0, 3, 1, 2)
# %% crash_3: line `x.view(B, T, num_heads, d_model / num_heads)`: / gives a float, a size must be an int
def split_heads(x, num_heads):
    B, T, d_model = x.shape
    x = x.view(B, T, num_heads, d_model / num_heads)
    return x.transpose(1, 2)
# %% crash_4: line `x.view(B * T, ...)`: joins two axes of a tensor that may not be contiguous
def split_heads(x, num_heads):
    B, T, D = x.shape
    flat = x.view(B * T, num_heads, D // num_heads)
    return flat.reshape(B, T, num_heads, -1).permute(0, 2, 1, 3)
# %% two_5: no transpose, the heads stand behind the tokens | a batch of one loses its axis
def split_heads(x, num_heads):
    d_head = x.shape[-1] // num_heads
    return x.unflatten(-1, (num_heads, d_head)).squeeze(0)
