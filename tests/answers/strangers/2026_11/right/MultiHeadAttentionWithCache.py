# %% program_1
def split_heads(x, num_heads):
    B, T, d_model = x.shape
    return x.reshape(B, T, num_heads, d_model // num_heads).transpose(1, 2)

def merge_heads(x):
    B, H, T, d_head = x.shape
    return x.transpose(1, 2).reshape(B, T, H * d_head)

def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ V, weights

def create_causal_mask_with_cache(seq_len_q, seq_len_k, cache_len, device=None):
    q = torch.arange(cache_len, cache_len + seq_len_q, device=device)
    return torch.arange(seq_len_k, device=device)[None, :] > q[:, None]

class MultiHeadAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        T = x.shape[1]
        q = split_heads(self.q_proj(x), self.num_heads)
        k = split_heads(self.k_proj(x), self.num_heads)
        v = split_heads(self.v_proj(x), self.num_heads)
        cached = 0
        if cache_k is not None:
            cached = cache_k.shape[2]
            k = torch.cat([cache_k, k], dim=2)
            v = torch.cat([cache_v, v], dim=2)
        mask = create_causal_mask_with_cache(T, cached + T, cached, x.device) if is_causal else None
        out, _ = scaled_dot_product_attention(q, k, v, mask)
        return self.out_proj(merge_heads(out)), k, v
# %% program_2
class MultiHeadAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.h, self.d = num_heads, d_model // num_heads
        for n in ["q_proj", "k_proj", "v_proj", "out_proj"]:
            self.add_module(n, nn.Linear(d_model, d_model, bias=False))

    def heads(self, t):
        return t.unflatten(2, (self.h, self.d)).movedim(2, 1)

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        q, k, v = self.heads(self.q_proj(x)), self.heads(self.k_proj(x)), self.heads(self.v_proj(x))
        if cache_k is None:
            cache_k, cache_v = k[:, :, :0], v[:, :, :0]
        k, v = torch.cat((cache_k, k), -2), torch.cat((cache_v, v), -2)
        T_q, T_k = q.shape[-2], k.shape[-2]
        att = q @ k.mT / self.d ** 0.5
        if is_causal:
            att = att + torch.full((T_q, T_k), float("-inf"), dtype=att.dtype, device=x.device).triu(T_k - T_q + 1)
        y = att.softmax(-1) @ v
        return self.out_proj(y.movedim(1, 2).flatten(2)), k, v
