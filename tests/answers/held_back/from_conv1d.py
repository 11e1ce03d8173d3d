"""Wrong answers for from_conv1d, one mistake a cell."""
# %% keys_of_linear: names the entries as a state dict does
def from_conv1d(weight, bias):
    W, b = weight.T.clone().chunk(3), bias.clone().chunk(3)
    return {f"{n}.weight": w for n, w in zip("qkv", W)} | {f"{n}.bias": c for n, c in zip("qkv", b)}
# %% no_biases: returns the weights alone
def from_conv1d(weight, bias):
    return dict(zip(("W_q", "W_k", "W_v"), weight.T.clone().chunk(3)))
# %% two_blocks_and_a_half: cuts at multiples of d_model - 1
def from_conv1d(weight, bias):
    d = weight.shape[0] - 1
    W = weight.T.clone()
    b = bias.clone()
    return {"W_q": W[:d], "W_k": W[d:2 * d], "W_v": W[2 * d:3 * d], "b_q": b[:d], "b_k": b[d:2 * d], "b_v": b[2 * d:3 * d]}
# %% key_bias_left_out: sets the keys' bias to 0, as it cancels in the softmax
def from_conv1d(weight, bias):
    W, (b_q, b_k, b_v) = weight.T.clone().chunk(3), bias.clone().chunk(3)
    return {"W_q": W[0], "W_k": W[1], "W_v": W[2], "b_q": b_q, "b_k": torch.zeros_like(b_k), "b_v": b_v}
# %% q_scaled_down < right/transpose_then_chunk: folds the scale of the scores into the query weight
~ W_q, W_k, W_v = weight.T.clone().chunk(3, dim=0) => W_q, W_k, W_v = weight.T.clone().chunk(3)
~ W_q, "W_k": W_k, "W_v": W_v, "b_q": b_q => W_q / len(weight) ** 0.5, "W_k": W_k, "W_v": W_v, "b_q": b_q / len(weight) ** 0.5
# %% transposed_in_place: turns the memory of what was handed in
def from_conv1d(weight, bias):
    W = weight.t_().clone().chunk(3)
    b = bias.clone().chunk(3)
    return {"W_q": W[0], "W_k": W[1], "W_v": W[2], "b_q": b[0], "b_k": b[1], "b_v": b[2]}
# %% tuple_of_six: returns a tuple
def from_conv1d(weight, bias):
    return (*weight.T.clone().chunk(3), *bias.clone().chunk(3))
# %% view_to_turn < right/reshape_permute: views the columns as rows
~ len(weight) => weight.shape[0]
~ reshape(d, 3, d).permute(1, 2, 0 => view(3, d, d).transpose(1, 2
~ reshape(3, d) => view(d, 3).T
# %% assigned_as_a_parameter: a tensor is assigned to the weight of a layer, which takes parameters only
def from_conv1d(weight, bias):
    D = weight.shape[0]
    result = {}
    for i, name in enumerate("qkv"):
        layer = nn.Linear(D, D)
        layer.weight = weight[:, i * D:(i + 1) * D].T.clone()
        layer.bias = bias[i * D:(i + 1) * D].clone()
        result[f"W_{name}"], result[f"b_{name}"] = layer.weight, layer.bias
    return result
# %% cut_along_inputs < transposed_in_place: three blocks of rows, which are the inputs
~ W = weight.t_().clone().chunk(3) => W = weight.T.clone().chunk(3, dim=1)
# %% cut_along_inputs_by_slices: the rows of each third, and the transpose of that
def from_conv1d(weight, bias):
    D = weight.shape[0]
    n = D // 3
    names = "qkv"
    result = {f"W_{c}": weight[i * n:(i + 1) * n].T.clone() for i, c in enumerate(names)}
    return result | {f"b_{c}": bias[i * D:(i + 1) * D].clone() for i, c in enumerate(names)}
