# %% program_1
def load_torch_weights(attention, torch_attention):
    with torch.no_grad():
        q, k, v = torch_attention.in_proj_weight.chunk(3, dim=0)
        attention.W_q.weight.copy_(q)
        attention.W_k.weight.copy_(k)
        attention.W_v.weight.copy_(v)
        attention.W_o.weight.copy_(torch_attention.out_proj.weight)
