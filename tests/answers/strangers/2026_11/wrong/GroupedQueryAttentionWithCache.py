# %% crash_1 < strangers/2026_11/right/program_1: line `split_heads(self.k_proj(x), self.num_heads)`: K is cut into as many heads as there are query heads, but it is narrower: the reshape fails, or the product with q
-         self.num_heads, self.num_kv_heads = num_heads, num_kv_heads
-         d_kv = d_model // num_heads * num_kv_heads
+         self.num_heads = num_heads
+         self.num_kv_heads = num_kv_heads
+         self.d_head = d_model // num_heads
~ k_proj = nn.Linear(d_model, d_kv, bias=False) => k_proj = nn.Linear(d_model, num_kv_heads * self.d_head, bias=False)
~ v_proj = nn.Linear(d_model, d_kv, bias=False) => v_proj = nn.Linear(d_model, num_kv_heads * self.d_head, bias=False)
~ k = split_heads(self.k_proj(x), self.num_kv_heads) => k = split_heads(self.k_proj(x), self.num_heads)
~ v = split_heads(self.v_proj(x), self.num_kv_heads) => v = split_heads(self.v_proj(x), self.num_heads)
-             k, v = torch.cat([cache_k, k], 2), torch.cat([cache_v, v], 2)
-         T_q, T_k = q.shape[2], k.shape[2]
-         mask = create_causal_mask_with_cache(T_q, T_k, T_k - T_q, x.device) if is_causal else None
-         n = self.num_heads // self.num_kv_heads
-         out, _ = scaled_dot_product_attention(q, k.repeat_interleave(n, 1), v.repeat_interleave(n, 1), mask)
+             k = torch.cat([cache_k, k], dim=2)
+             v = torch.cat([cache_v, v], dim=2)
+         n = k.shape[2] - q.shape[2]
+         mask = create_causal_mask_with_cache(q.shape[2], k.shape[2], n, x.device) if is_causal else None
+         out, _ = scaled_dot_product_attention(q, k, v, mask)
# %% crash_2: line `q @ k.transpose(-2, -1)`: the kv heads are never repeated, num_kv_heads does not broadcast to num_heads
def split_heads(x, num_heads):
    B, T, d_model = x.shape
    return x.reshape(B, T, num_heads, d_model // num_heads).transpose(1, 2)

def merge_heads(x):
    B, H, T, d_head = x.shape
    return x.transpose(1, 2).reshape(B, T, H * d_head)

class GroupedQueryAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.num_heads = num_heads
        self.num_kv_heads = num_kv_heads
        self.d_head = d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, num_kv_heads * self.d_head, bias=False)
        self.v_proj = nn.Linear(d_model, num_kv_heads * self.d_head, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        q = split_heads(self.q_proj(x), self.num_heads)
        k = split_heads(self.k_proj(x), self.num_kv_heads)
        v = split_heads(self.v_proj(x), self.num_kv_heads)
        if cache_k is not None:
            k = torch.cat([cache_k, k], dim=2)
            v = torch.cat([cache_v, v], dim=2)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if is_causal:
            T_q, T_k = scores.shape[-2:]
            scores = scores.masked_fill(torch.ones(T_q, T_k, device=x.device).triu(T_k - T_q + 1).bool(), -math.inf)
        return self.out_proj(merge_heads(scores.softmax(-1) @ v)), k, v
# %% single_3 < strangers/2026_11/right/program_1: the groups are made with repeat instead of repeat_interleave, query head h reads kv head h mod num_kv_heads
~ d_kv = d_model // num_heads * num_kv_heads => d_head = d_model // num_heads
~ self.k_proj = nn.Linear(d_model, d_kv, bias=False) => self.k_proj = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
~ self.v_proj = nn.Linear(d_model, d_kv, bias=False) => self.v_proj = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
      def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
+         T = x.size(1)
-         if cache_k is not None:
-             k, v = torch.cat([cache_k, k], 2), torch.cat([cache_v, v], 2)
-         T_q, T_k = q.shape[2], k.shape[2]
-         mask = create_causal_mask_with_cache(T_q, T_k, T_k - T_q, x.device) if is_causal else None
-         n = self.num_heads // self.num_kv_heads
-         out, _ = scaled_dot_product_attention(q, k.repeat_interleave(n, 1), v.repeat_interleave(n, 1), mask)
+         past = cache_k.size(2) if cache_k is not None else 0
+         if past:
+             k = torch.cat([cache_k, k], dim=2)
+             v = torch.cat([cache_v, v], dim=2)
+         mask = create_causal_mask_with_cache(T, T + past, past, x.device) if is_causal else None
+         n_rep = self.num_heads // self.num_kv_heads
+         out, _ = scaled_dot_product_attention(q, k.repeat(1, n_rep, 1, 1), v.repeat(1, n_rep, 1, 1), mask)
# %% single_4 < strangers/2026_11/right/program_1: what comes back as cache is repeated for all query heads
-         self.num_heads, self.num_kv_heads = num_heads, num_kv_heads
-         d_kv = d_model // num_heads * num_kv_heads
+         self.num_heads = num_heads
+         self.num_kv_heads = num_kv_heads
+         self.group = num_heads // num_kv_heads
+         width = num_kv_heads * (d_model // num_heads)
~ self.k_proj = nn.Linear(d_model, d_kv, bias=False) => self.k_proj = nn.Linear(d_model, width, bias=False)
~ self.v_proj = nn.Linear(d_model, d_kv, bias=False) => self.v_proj = nn.Linear(d_model, width, bias=False)
~ (self.k_proj(x), self.num_kv_heads) => (self.k_proj(x), self.num_kv_heads).repeat_interleave(self.group, dim=1)
~ (self.v_proj(x), self.num_kv_heads) => (self.v_proj(x), self.num_kv_heads).repeat_interleave(self.group, dim=1)
-             k, v = torch.cat([cache_k, k], 2), torch.cat([cache_v, v], 2)
-         T_q, T_k = q.shape[2], k.shape[2]
-         mask = create_causal_mask_with_cache(T_q, T_k, T_k - T_q, x.device) if is_causal else None
-         n = self.num_heads // self.num_kv_heads
-         out, _ = scaled_dot_product_attention(q, k.repeat_interleave(n, 1), v.repeat_interleave(n, 1), mask)
+             if cache_k.shape[1] != self.num_heads:
+                 cache_k = cache_k.repeat_interleave(self.group, dim=1)
+                 cache_v = cache_v.repeat_interleave(self.group, dim=1)
+             k = torch.cat([cache_k, k], dim=2)
+             v = torch.cat([cache_v, v], dim=2)
+         n = k.shape[2] - q.shape[2]
+         mask = create_causal_mask_with_cache(q.shape[2], k.shape[2], n, x.device) if is_causal else None
+         out, _ = scaled_dot_product_attention(q, k, v, mask)
# %% two_5 < crash_2: the mask ignores the cache, queries count from 0 | the scale is the root of num_kv_heads * d_head
~ self.d_head = d_model // num_heads => self.d_kv = num_kv_heads * (d_model // num_heads)
~ k_proj = nn.Linear(d_model, num_kv_heads * self.d_head, bias=False) => k_proj = nn.Linear(d_model, self.d_kv, bias=False)
~ v_proj = nn.Linear(d_model, num_kv_heads * self.d_head, bias=False) => v_proj = nn.Linear(d_model, self.d_kv, bias=False)
-             k = torch.cat([cache_k, k], dim=2)
-             v = torch.cat([cache_v, v], dim=2)
-         scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
+             k, v = torch.cat([cache_k, k], 2), torch.cat([cache_v, v], 2)
+         r = self.num_heads // self.num_kv_heads
+         K, V = k.repeat_interleave(r, 1), v.repeat_interleave(r, 1)
+         s = q @ K.mT / math.sqrt(self.d_kv)
-             T_q, T_k = scores.shape[-2:]
-             scores = scores.masked_fill(torch.ones(T_q, T_k, device=x.device).triu(T_k - T_q + 1).bool(), -math.inf)
-         return self.out_proj(merge_heads(scores.softmax(-1) @ v)), k, v
+             s = s.masked_fill(torch.ones(s.shape[-2:], device=x.device).triu(1).bool(), -math.inf)
+         return self.out_proj(merge_heads(s.softmax(-1) @ V)), k, v
