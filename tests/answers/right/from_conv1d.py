"""Right answers to `from_conv1d`, in the styles of many students. Cells are separated by lines that start with `# %%`."""
# %% transpose_then_chunk: the whole weight is turned, then cut by rows
def from_conv1d(weight, bias):
    W_q, W_k, W_v = weight.T.clone().chunk(3, dim=0)
    b_q, b_k, b_v = bias.clone().chunk(3)
    return {"W_q": W_q, "W_k": W_k, "W_v": W_v, "b_q": b_q, "b_k": b_k, "b_v": b_v}
# %% chunk_then_transpose: cut by columns, each block turned and copied
def from_conv1d(weight, bias):
    blocks = [block.t().contiguous().clone() for block in weight.chunk(3, dim=-1)]
    biases = [b.clone() for b in bias.chunk(3, dim=-1)]
    return dict(zip(["W_q", "W_k", "W_v"], blocks)) | dict(zip(["b_q", "b_k", "b_v"], biases))
# %% loop_slices: slices in a loop over names
def from_conv1d(weight, bias):
    d = weight.shape[0]
    out = {}
    for i, name in enumerate("qkv"):
        out[f"W_{name}"] = weight[:, i * d:(i + 1) * d].clone().transpose(0, 1)
        out[f"b_{name}"] = bias[i * d:(i + 1) * d].clone()
    return out
# %% reshape_permute: the outputs get two axes, which are moved to the front
def from_conv1d(weight, bias):
    d = len(weight)
    W = weight.reshape(d, 3, d).permute(1, 2, 0).clone()
    b = bias.reshape(3, d).clone()
    return {"W_q": W[0], "W_k": W[1], "W_v": W[2], "b_q": b[0], "b_k": b[1], "b_v": b[2]}
# %% split_sizes: torch.split by d_model; other keys in between, detached
def from_conv1d(weight, bias):
    weight, bias = weight.detach(), bias.detach()
    d_model = weight.size(0)
    q, k, v = torch.split(weight, d_model, dim=1)
    bq, bk, bv = torch.split(bias, d_model)
    result = {"b_q": bq.clone(), "b_k": bk.clone(), "b_v": bv.clone(), "d_model": d_model}
    result.update(W_q=q.T.clone(), W_k=k.T.clone(), W_v=v.T.clone())
    return result
# %% einsum: a one-hot einsum
def from_conv1d(weight, bias):
    d = weight.shape[0]
    W = torch.einsum("iko->koi", weight.unflatten(1, (3, d))).clone()
    b = bias.unflatten(0, (3, d)).clone()
    names = ("q", "k", "v")
    return {**{f"W_{n}": W[i] for i, n in enumerate(names)}, **{f"b_{n}": b[i] for i, n in enumerate(names)}}
# %% filled_linear: three nn.Linear are filled, and their weights returned
def from_conv1d(weight, bias):
    d = weight.shape[0]
    result = {}
    for place, name in enumerate(("q", "k", "v")):
        layer = nn.Linear(d, d, device=weight.device, dtype=weight.dtype)
        with torch.no_grad():
            layer.weight.copy_(weight[:, place * d:(place + 1) * d].T)
            layer.bias.copy_(bias[place * d:(place + 1) * d])
        result["W_" + name], result["b_" + name] = layer.weight, layer.bias
    return result
# %% column_by_column: each output is a row of its own; a print left in
def from_conv1d(weight, bias):
    d = weight.shape[0]
    rows = [weight[:, column] for column in range(3 * d)]
    print(len(rows), "outputs")
    stacks = [torch.stack(rows[i * d:(i + 1) * d]) for i in range(3)]
    numbers = [torch.stack([bias[i * d + j] for j in range(d)]) for i in range(3)]
    return {"W_q": stacks[0], "b_q": numbers[0], "W_k": stacks[1], "b_k": numbers[1], "W_v": stacks[2], "b_v": numbers[2]}
# %% through_numpy: NumPy in between
def from_conv1d(weight, bias):
    like = {"dtype": weight.dtype, "device": weight.device}
    big, small = np.array(weight.detach().cpu().double()), np.array(bias.detach().cpu().double())
    W = [torch.tensor(block.T.copy(), **like) for block in np.split(big, 3, axis=1)]
    b = [torch.tensor(block, **like) for block in np.split(small, 3)]
    return {"W_q": W[0], "W_k": W[1], "W_v": W[2], "b_q": b[0], "b_k": b[1], "b_v": b[2]}
