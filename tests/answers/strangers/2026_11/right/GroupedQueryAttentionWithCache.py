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

class GroupedQueryAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.num_heads, self.num_kv_heads = num_heads, num_kv_heads
        d_kv = d_model // num_heads * num_kv_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_kv, bias=False)
        self.v_proj = nn.Linear(d_model, d_kv, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        q = split_heads(self.q_proj(x), self.num_heads)
        k = split_heads(self.k_proj(x), self.num_kv_heads)
        v = split_heads(self.v_proj(x), self.num_kv_heads)
        if cache_k is not None:
            k, v = torch.cat([cache_k, k], 2), torch.cat([cache_v, v], 2)
        T_q, T_k = q.shape[2], k.shape[2]
        mask = create_causal_mask_with_cache(T_q, T_k, T_k - T_q, x.device) if is_causal else None
        n = self.num_heads // self.num_kv_heads
        out, _ = scaled_dot_product_attention(q, k.repeat_interleave(n, 1), v.repeat_interleave(n, 1), mask)
        return self.out_proj(merge_heads(out)), k, v
# %% program_2
class GroupedQueryAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.d = d_model // num_heads
        self.g = num_kv_heads
        self.r = num_heads // num_kv_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, self.g * self.d, bias=False)
        self.v_proj = nn.Linear(d_model, self.g * self.d, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        B, T, D = x.shape
        q = self.q_proj(x).view(B, T, self.g, self.r, self.d)
        k = self.k_proj(x).view(B, T, self.g, self.d).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.g, self.d).transpose(1, 2)
        past = 0
        if cache_k is not None:
            past = cache_k.size(2)
            k = torch.cat((cache_k, k), 2)
            v = torch.cat((cache_v, v), 2)
        s = torch.einsum("bigrd,bgjd->bgrij", q, k) / math.sqrt(self.d)
        if is_causal:
            i = torch.arange(T, device=x.device) + past
            s = s.masked_fill(torch.arange(past + T, device=x.device) > i[:, None], -math.inf)
        y = torch.einsum("bgrij,bgjd->bigrd", s.softmax(-1), v)
        return self.out_proj(y.reshape(B, T, D)), k, v
