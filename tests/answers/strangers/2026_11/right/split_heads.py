# %% program_1
def split_heads(x, num_heads):
    B, T, d_model = x.shape
    return x.view(B, T, num_heads, d_model // num_heads).transpose(1, 2)
# %% program_2 < right/chunk_stack
~ , 1) => , dim=1)
