# %% crash_1 < strangers/2026_11/right/program_1: line `torch.cat([cache, c], dim=2)`: latents are joined along the features, not the tokens
          c = self.down_proj(x)
+         n = 0
-             c = torch.cat([cache, c], dim=1)
-         q, k, v = (split_heads(t, self.num_heads) for t in (self.q_proj(x), self.k_up(c), self.v_up(c)))
-         T_q, T_k = x.shape[1], c.shape[1]
-         mask = create_causal_mask_with_cache(T_q, T_k, T_k - T_q, device=x.device)
-         return self.out_proj(merge_heads(scaled_dot_product_attention(q, k, v, mask)[0])), c
+             n = cache.shape[1]
+             c = torch.cat([cache, c], dim=2)
+         q = split_heads(self.q_proj(x), self.num_heads)
+         k = split_heads(self.k_up(c), self.num_heads)
+         v = split_heads(self.v_up(c), self.num_heads)
+         mask = create_causal_mask_with_cache(x.shape[1], n + x.shape[1], n, x.device)
+         y, _ = scaled_dot_product_attention(q, k, v, mask)
+         return self.out_proj(merge_heads(y)), c
# %% crash_2 < strangers/2026_11/right/program_1: line `self.down_proj(x)`: the layers of the latent are made with in and out exchanged (written as the shapes of the weights), x does not fit
-         self.down_proj = nn.Linear(d_model, d_latent, bias=False)
-         self.k_up = nn.Linear(d_latent, d_model, bias=False)
-         self.v_up = nn.Linear(d_latent, d_model, bias=False)

          self.out_proj = nn.Linear(d_model, d_model, bias=False)
+         self.down_proj = nn.Linear(d_latent, d_model, bias=False)
+         self.k_up = nn.Linear(d_model, d_latent, bias=False)
+         self.v_up = nn.Linear(d_model, d_latent, bias=False)
~ c = torch.cat([cache, c], dim=1) => c = torch.cat([cache, c], 1)
-         T_q, T_k = x.shape[1], c.shape[1]
-         mask = create_causal_mask_with_cache(T_q, T_k, T_k - T_q, device=x.device)
+         n = c.shape[1] - x.shape[1]
+         mask = create_causal_mask_with_cache(x.shape[1], c.shape[1], n, x.device)
# %% single_3 < two_5: scaled by the root of d_latent instead of d_head
          self.num_heads = num_heads
+         self.scale = 1 / math.sqrt(d_latent)
-         first = cache is None
-         c = self.down_proj(x) if first else torch.cat([cache, self.down_proj(x)], dim=1)
-         q, k = split_heads(self.q_proj(x), self.num_heads), split_heads(self.k_up(c), self.num_heads)
-         v = split_heads(self.k_up(c), self.num_heads)
-         y = F.scaled_dot_product_attention(q, k, v, is_causal=first)
-         return self.out_proj(merge_heads(y)), c
+         c = self.down_proj(x)
+         if cache is not None:
+             c = torch.cat([cache, c], dim=1)
+         q = split_heads(self.q_proj(x), self.num_heads)
+         k = split_heads(self.k_up(c), self.num_heads)
+         v = split_heads(self.v_up(c), self.num_heads)
+         T, N = q.shape[2], k.shape[2]
+         s = q @ k.mT * self.scale
+         s = s.masked_fill(torch.ones(T, N, dtype=torch.bool, device=x.device).triu(N - T + 1), -math.inf)
+         return self.out_proj(merge_heads(s.softmax(-1) @ v)), c
# %% single_4 < strangers/2026_11/right/program_1: only the new latents are returned as the cache
-         c = self.down_proj(x)
-         if cache is not None:
-             c = torch.cat([cache, c], dim=1)
-         q, k, v = (split_heads(t, self.num_heads) for t in (self.q_proj(x), self.k_up(c), self.v_up(c)))
-         T_q, T_k = x.shape[1], c.shape[1]
-         mask = create_causal_mask_with_cache(T_q, T_k, T_k - T_q, device=x.device)
-         return self.out_proj(merge_heads(scaled_dot_product_attention(q, k, v, mask)[0])), c
+         new = self.down_proj(x)
+         everything = new if cache is None else torch.cat([cache, new], dim=1)
+         q = split_heads(self.q_proj(x), self.num_heads)
+         k = split_heads(self.k_up(everything), self.num_heads)
+         v = split_heads(self.v_up(everything), self.num_heads)
+         T, N = new.shape[1], everything.shape[1]
+         y, _ = scaled_dot_product_attention(q, k, v, create_causal_mask_with_cache(T, N, N - T, x.device))
+         return self.out_proj(merge_heads(y)), new
# %% two_5: no causal mask in a chunk with a cache | values are made with k_up
def split_heads(x, num_heads):
    B, T, d_model = x.shape
    return x.reshape(B, T, num_heads, d_model // num_heads).transpose(1, 2)

def merge_heads(x):
    B, H, T, d_head = x.shape
    return x.transpose(1, 2).reshape(B, T, H * d_head)

class LatentAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, d_latent):
        super().__init__()
        self.num_heads = num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.down_proj = nn.Linear(d_model, d_latent, bias=False)
        self.k_up = nn.Linear(d_latent, d_model, bias=False)
        self.v_up = nn.Linear(d_latent, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, cache=None):
        first = cache is None
        c = self.down_proj(x) if first else torch.cat([cache, self.down_proj(x)], dim=1)
        q, k = split_heads(self.q_proj(x), self.num_heads), split_heads(self.k_up(c), self.num_heads)
        v = split_heads(self.k_up(c), self.num_heads)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=first)
        return self.out_proj(merge_heads(y)), c
