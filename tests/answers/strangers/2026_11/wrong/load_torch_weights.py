# %% crash_1: line `attention.W_q.weight = W[:d]`: a tensor is assigned where a parameter is expected (TypeError)
def load_torch_weights(attention, torch_attention):
    d = attention.d_model
    W = torch_attention.in_proj_weight.detach().clone()
    attention.W_q.weight = W[:d]
    attention.W_k.weight = W[d:2 * d]
    attention.W_v.weight = W[2 * d:]
    attention.W_o.weight = torch_attention.out_proj.weight.detach().clone()
# %% single_2: .data is set to slices of the other layer's tensor, so both share memory
def load_torch_weights(attention, torch_attention):
    d = attention.d_model
    W = torch_attention.in_proj_weight.data
    attention.W_q.weight.data = W[0:d]
    attention.W_k.weight.data = W[d:2*d]
    attention.W_v.weight.data = W[2*d:3*d]
    attention.W_o.weight.data = torch_attention.out_proj.weight.data
# %% single_3: new parameters are put in place of the old ones, an optimizer still holds the old
def load_torch_weights(attention, torch_attention):
    parts = torch_attention.in_proj_weight.detach().split(attention.d_model)
    for layer, part in zip((attention.W_q, attention.W_k, attention.W_v), parts):
        layer.weight = nn.Parameter(part.clone())
    attention.W_o.weight = nn.Parameter(torch_attention.out_proj.weight.detach().clone())
