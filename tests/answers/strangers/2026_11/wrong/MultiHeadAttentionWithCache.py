# %% crash_1: line `scores.masked_fill(mask, ...)`: the mask is (T, T) and the scores (T, T_cached + T)
def split_heads(x, num_heads):
    B, T, d_model = x.shape
    return x.reshape(B, T, num_heads, d_model // num_heads).transpose(1, 2)

def merge_heads(x):
    B, H, T, d_head = x.shape
    return x.transpose(1, 2).reshape(B, T, H * d_head)

class MultiHeadAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.d_head = d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        T = x.shape[1]
        q, k, v = (split_heads(p(x), self.num_heads) for p in (self.q_proj, self.k_proj, self.v_proj))
        if cache_k is not None:
            k = torch.cat([cache_k, k], dim=2)
            v = torch.cat([cache_v, v], dim=2)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if is_causal:
            mask = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
            scores = scores.masked_fill(mask, -math.inf)
        return self.out_proj(merge_heads(scores.softmax(-1) @ v)), k, v
# %% single_2 < strangers/2026_11/right/program_1: the cache is kept in self between calls and used when none is given
          self.out_proj = nn.Linear(d_model, d_model, bias=False)
+         self.cache_k = None
+         self.cache_v = None
-         T = x.shape[1]
+         if cache_k is not None:
+             self.cache_k, self.cache_v = cache_k, cache_v
-         cached = 0
-         if cache_k is not None:
-             cached = cache_k.shape[2]
-             k = torch.cat([cache_k, k], dim=2)
-             v = torch.cat([cache_v, v], dim=2)
-         mask = create_causal_mask_with_cache(T, cached + T, cached, x.device) if is_causal else None
-         out, _ = scaled_dot_product_attention(q, k, v, mask)
-         return self.out_proj(merge_heads(out)), k, v
+         if self.cache_k is not None and self.cache_k.shape[0] == x.shape[0]:
+             k = torch.cat([self.cache_k, k], dim=2)
+             v = torch.cat([self.cache_v, v], dim=2)
+         self.cache_k, self.cache_v = k, v
+         n = k.shape[2] - q.shape[2]
+         mask = create_causal_mask_with_cache(q.shape[2], k.shape[2], n, x.device) if is_causal else None
+         return self.out_proj(merge_heads(scaled_dot_product_attention(q, k, v, mask)[0])), k, v
# %% two_3 < strangers/2026_11/right/program_1: new keys are put before the old ones | is_causal is ignored, always causal
-         T = x.shape[1]
-         q = split_heads(self.q_proj(x), self.num_heads)
-         k = split_heads(self.k_proj(x), self.num_heads)
-         v = split_heads(self.v_proj(x), self.num_heads)
-         cached = 0
-         if cache_k is not None:
-             cached = cache_k.shape[2]
-             k = torch.cat([cache_k, k], dim=2)
-             v = torch.cat([cache_v, v], dim=2)
-         mask = create_causal_mask_with_cache(T, cached + T, cached, x.device) if is_causal else None
+         q, k, v = (split_heads(l(x), self.num_heads) for l in (self.q_proj, self.k_proj, self.v_proj))
+         n = 0 if cache_k is None else cache_k.shape[-2]
+         if n:
+             k = torch.cat([k, cache_k], dim=-2)
+             v = torch.cat([v, cache_v], dim=-2)
+         mask = create_causal_mask_with_cache(x.shape[1], x.shape[1] + n, n, x.device)
