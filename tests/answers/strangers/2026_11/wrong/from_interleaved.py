# %% crash_1: line `weight.view(num_heads, 3, d_head)`: the input axis is missing, the size does not fit
def from_interleaved(weight, num_heads):
    d_head = weight.shape[0] // (3 * num_heads)
    w = weight.view(num_heads, 3, d_head)
    q, k, v = w.unbind(1)
    return q.flatten(0, 1), k.flatten(0, 1), v.flatten(0, 1)
# %% single_2: cut into thirds as if Q, K and V were stacked
def from_interleaved(weight, num_heads):
    q, k, v = weight.clone().chunk(3, dim=0)
    return q, k, v
# %% two_3: the axes of heads and of q, k, v are exchanged in the view | K and V in the wrong order
def from_interleaved(weight, num_heads):
    d = weight.shape[1]
    w = weight.reshape(3, num_heads, d // num_heads, d)
    return w[0].reshape(d, d), w[2].reshape(d, d), w[1].reshape(d, d)
