"""Wrong answers for load_torch_weights, one mistake a cell."""
# %% slices_share_memory: sets .data to slices of in_proj_weight, which stay tied to PyTorch's layer
def load_torch_weights(attention, torch_attention):
    D = attention.d_model
    W = torch_attention.in_proj_weight.data
    attention.W_q.weight.data = W[:D]
    attention.W_k.weight.data = W[D:2 * D]
    attention.W_v.weight.data = W[2 * D:]
    attention.W_o.weight.data = torch_attention.out_proj.weight.data.clone()
# %% order_q_v_k: takes the three blocks as query, value, key
def load_torch_weights(attention, torch_attention):
    wq, wv, wk = torch_attention.in_proj_weight.chunk(3, dim=0)
    with torch.no_grad():
        attention.W_q.weight.copy_(wq)
        attention.W_k.weight.copy_(wk)
        attention.W_v.weight.copy_(wv)
        attention.W_o.weight.copy_(torch_attention.out_proj.weight)
# %% transposed_for_linear: transposes each block although both sides store (out, in)
@torch.no_grad()
def load_torch_weights(attention, torch_attention):
    d = attention.d_model
    big = torch_attention.in_proj_weight
    for i, layer in enumerate([attention.W_q, attention.W_k, attention.W_v]):
        layer.weight.copy_(big[i * d:(i + 1) * d].T)
    attention.W_o.weight.copy_(torch_attention.out_proj.weight.T)
# %% no_longer_trainable: wraps the copies in Parameters that do not require a gradient
def load_torch_weights(attention, torch_attention):
    q, k, v = torch_attention.in_proj_weight.detach().split(attention.d_model)
    attention.W_q.weight = nn.Parameter(q.clone(), requires_grad=False)
    attention.W_k.weight = nn.Parameter(k.clone(), requires_grad=False)
    attention.W_v.weight = nn.Parameter(v.clone(), requires_grad=False)
    attention.W_o.weight = nn.Parameter(torch_attention.out_proj.weight.detach().clone(), requires_grad=False)
# %% output_copied_backwards: copies the output projection from the learner's module into PyTorch's
def load_torch_weights(attention, torch_attention):
    D = attention.d_model
    with torch.no_grad():
        attention.W_q.weight.copy_(torch_attention.in_proj_weight[:D])
        attention.W_k.weight.copy_(torch_attention.in_proj_weight[D:2 * D])
        attention.W_v.weight.copy_(torch_attention.in_proj_weight[2 * D:3 * D])
        torch_attention.out_proj.weight.copy_(attention.W_o.weight)
# %% every_third_row: takes rows 0, 3, 6 for the query instead of the first third
def load_torch_weights(attention, torch_attention):
    w = torch_attention.in_proj_weight.detach().clone()
    with torch.no_grad():
        attention.W_q.weight.copy_(w[0::3])
        attention.W_k.weight.copy_(w[1::3])
        attention.W_v.weight.copy_(w[2::3])
        attention.W_o.weight.copy_(torch_attention.out_proj.weight.detach())
# %% output_layer_handed_over: puts PyTorch's own output layer into the module instead of a copy of its weight
def load_torch_weights(attention, torch_attention):
    chunks = torch_attention.in_proj_weight.detach().chunk(3)
    for name, chunk in zip(("W_q", "W_k", "W_v"), chunks):
        getattr(attention, name).weight = nn.Parameter(chunk.clone())
    attention.W_o = torch_attention.out_proj
# %% split_by_heads: thinks the rows are stacked head by head, Q, K and V of head 0 first
def load_torch_weights(attention, torch_attention):
    H, d, D = attention.num_heads, attention.d_head, attention.d_model
    per_head = torch_attention.in_proj_weight.reshape(H, 3, d, D)
    with torch.no_grad():
        attention.W_q.weight.copy_(per_head[:, 0].reshape(D, D))
        attention.W_k.weight.copy_(per_head[:, 1].reshape(D, D))
        attention.W_v.weight.copy_(per_head[:, 2].reshape(D, D))
        attention.W_o.weight.copy_(torch_attention.out_proj.weight)
# %% new_layers_with_bias: puts new layers into the module and forgets bias=False
def load_torch_weights(attention, torch_attention):
    D = attention.d_model
    for i, name in enumerate(("W_q", "W_k", "W_v", "W_o")):
        weight = torch_attention.out_proj.weight if name == "W_o" else torch_attention.in_proj_weight[i * D:(i + 1) * D]
        layer = nn.Linear(D, D, dtype=weight.dtype)
        with torch.no_grad():
            layer.weight.copy_(weight)
        setattr(attention, name, layer)
# %% chunk_dim1: chunked by columns, crash
def load_torch_weights(attention, torch_attention):
    q, k, v = torch_attention.in_proj_weight.chunk(3, dim=1)
    with torch.no_grad():
        attention.W_q.weight.copy_(q); attention.W_k.weight.copy_(k); attention.W_v.weight.copy_(v)
        attention.W_o.weight.copy_(torch_attention.out_proj.weight)
# %% tensor_not_param: del and set as plain tensors
def load_torch_weights(attention, torch_attention):
    ws = [*torch_attention.in_proj_weight.chunk(3), torch_attention.out_proj.weight]
    for name, w in zip(("W_q", "W_k", "W_v", "W_o"), ws):
        getattr(attention, name).weight = w.detach().clone()
# %% wrong_way: copies ours into theirs
def load_torch_weights(attention, torch_attention):
    with torch.no_grad():
        torch_attention.in_proj_weight.copy_(torch.cat([attention.W_q.weight, attention.W_k.weight, attention.W_v.weight]))
        torch_attention.out_proj.weight.copy_(attention.W_o.weight)
