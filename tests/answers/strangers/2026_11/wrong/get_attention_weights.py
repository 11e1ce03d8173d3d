# %% single_1: the weights are averaged over the heads, as nn.MultiheadAttention does by default
def split_heads(x, num_heads):
    B, T, d_model = x.shape
    return x.reshape(B, T, num_heads, d_model // num_heads).transpose(1, 2)

def get_attention_weights(x, W_q, W_k, num_heads, mask=None):
    q, k = split_heads(x @ W_q, num_heads), split_heads(x @ W_k, num_heads)
    s = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        s = s.masked_fill(mask, -math.inf)
    return s.softmax(-1).mean(dim=1)
# %% single_2 < single_1: W.T instead of W (F.linear), as if the matrices were weights of nn.Linear
-     q, k = split_heads(x @ W_q, num_heads), split_heads(x @ W_k, num_heads)
-     s = q @ k.mT / math.sqrt(q.shape[-1])
+     q = split_heads(F.linear(x, W_q), num_heads)
+     k = split_heads(F.linear(x, W_k), num_heads)
+     att = torch.matmul(q, k.transpose(2, 3)) / math.sqrt(q.size(-1))
~ s = s.masked_fill(mask, -math.inf) => att = att.masked_fill(mask, float("-inf"))
~ return s.softmax(-1).mean(dim=1) => return torch.softmax(att, dim=3)
# %% crash_3: line `s.masked_fill(mask, ...)`: mask is None when none is given
def split_heads(x, num_heads):
    B, T, d_model = x.shape
    return x.reshape(B, T, num_heads, d_model // num_heads).transpose(1, 2)

def get_attention_weights(x, W_q, W_k, num_heads, mask=None):
    q, k = (split_heads(x @ W, num_heads) for W in (W_q, W_k))
    s = torch.einsum("bhid,bhjd->bhij", q, k) / q.shape[-1] ** 0.5
    s = s.masked_fill(mask, -math.inf)
    return s.softmax(dim=-1)
