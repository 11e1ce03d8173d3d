# %% crash_1: line `w_q, w_k, w_v = weight.split(3, dim=1)`: split takes the size of a piece, not their number, too many values to unpack
def from_conv1d(weight, bias):
    w_q, w_k, w_v = weight.split(3, dim=1)
    b_q, b_k, b_v = bias.chunk(3)
    return {"W_q": w_q.t().clone(), "W_k": w_k.t().clone(), "W_v": w_v.t().clone(),
            "b_q": b_q.clone(), "b_k": b_k.clone(), "b_v": b_v.clone()}
# %% single_2: the biases are views and share memory with bias
def from_conv1d(weight, bias):
    q, k, v = (w.T.clone() for w in weight.chunk(3, 1))
    b = bias.chunk(3)
    return {"W_q": q, "W_k": k, "W_v": v, "b_q": b[0], "b_k": b[1], "b_v": b[2]}
# %% two_3: reshaped instead of transposed | the keys' and the queries' bias are exchanged
def from_conv1d(weight, bias):
    d = weight.shape[0]
    W = weight.reshape(3 * d, d)
    return {"W_q": W[:d].clone(), "W_k": W[d:2*d].clone(), "W_v": W[2*d:].clone(),
            "b_q": bias[d:2*d].clone(), "b_k": bias[:d].clone(), "b_v": bias[2*d:].clone()}
