# %% program_1
def from_interleaved(weight, num_heads):
    d = weight.shape[1]
    blocks = weight.reshape(num_heads, 3, d // num_heads, d)
    return tuple(blocks[:, i].reshape(d, d) for i in range(3))
