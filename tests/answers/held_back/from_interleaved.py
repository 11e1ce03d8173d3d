"""Wrong answers for from_interleaved, one mistake a cell."""
# %% grouped_by_pairs: takes q and k of a head as one block of pairs, row by row
def from_interleaved(weight, num_heads):
    D = weight.shape[1]
    d = D // num_heads
    W = weight.reshape(num_heads, 3 * d, D)
    return W[:, 0:2 * d:2].reshape(D, D), W[:, 1:2 * d:2].reshape(D, D), W[:, 2 * d:].reshape(D, D)
# %% values_as_a_block: the queries and keys are interleaved, the values all last
def from_interleaved(weight, num_heads):
    D = weight.shape[1]
    qk = weight[:2 * D].reshape(num_heads, 2, D // num_heads, D)
    return qk[:, 0].reshape(D, D), qk[:, 1].reshape(D, D), weight[2 * D:].clone()
# %% rotary_order: also brings the rows of q and k from pairs to halves
def from_interleaved(weight, num_heads):
    D = weight.shape[1]
    q, k, v = weight.reshape(num_heads, 3, D // num_heads, D).unbind(1)
    q, k = (t.reshape(num_heads, -1, 2, D).transpose(1, 2).reshape(num_heads, -1, D) if t.shape[1] % 2 == 0 else t for t in (q, k))
    return q.reshape(D, D), k.reshape(D, D), v.reshape(D, D)
# %% strides_of_heads < right/stacked: steps through the rows with the number of heads
-     return weight.reshape(num_heads, 3, D // num_heads, D).transpose(0, 1).reshape(3, D, D)
+     return tuple(weight[i::3][:D].roll(i * num_heads, 0) for i in range(3))
# %% mean_of_heads: averages the heads
def from_interleaved(weight, num_heads):
    D = weight.shape[1]
    W = weight.reshape(num_heads, 3, D // num_heads, D).mean(0)
    return W[0], W[1], W[2]
# %% view_after_permute: permutes and then views, which the memory order refuses
def from_interleaved(weight, num_heads):
    D = weight.shape[1]
    W = weight.view(num_heads, 3, D // num_heads, D).permute(1, 0, 2, 3)
    return W.view(3, D, D).unbind(0)
