# %% program_1
def multi_head_attention_core(Q, K, V, num_heads, mask=None):
    B, T, D = Q.shape
    q = Q.reshape(B, T, num_heads, -1)
    k = K.reshape(B, T, num_heads, -1)
    v = V.reshape(B, T, num_heads, -1)
    att = torch.einsum("bihd,bjhd->bhij", q, k) / math.sqrt(D // num_heads)
    if mask is not None:
        att = torch.where(mask, float("-inf"), att)
    att = F.softmax(att, dim=-1)
    return torch.einsum("bhij,bjhd->bihd", att, v).reshape(B, T, D), att
