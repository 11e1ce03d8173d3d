"""Wrong answers for LatentAttentionWithCache, one mistake a cell."""
# %% latents_detached < window_of_four: old latents and new ones are cut from the graph
-         c = new if cache is None else torch.cat([cache, new], dim=1)[:, -4:]
+         c = new if cache is None else torch.cat([cache, new], dim=1)
+         c = c.detach()
# %% cache_scaled_down < window_of_four: the cache keeps latents of half their size, and uses them so
~ ([cache, new], dim=1)[:, -4:] => ([cache, new], dim=1)
~ return self.out_proj(out), c => return self.out_proj(out), c / 2
# %% no_mask_within_a_chunk < window_of_four: every query gets the mask of the last one
~ ([cache, new], dim=1)[:, -4:] => ([cache, new], dim=1)
~ mask, -torch => mask[-1:], -torch
# %% added_in_place < window_of_four: the cache that came in is written to
-         c = new if cache is None else torch.cat([cache, new], dim=1)[:, -4:]
+         if cache is None:
+             c = new
+         else:
+             cache *= 1.0001
+             c = torch.cat([cache, new], dim=1)
# %% values_of_turned_latents < window_of_four: the values are made of the latents with their features turned round
~ ([cache, new], dim=1)[:, -4:] => ([cache, new], dim=1)
~ (-1) @ v => (-1) @ self.split(self.v_up(c.flip(-1)))
# %% window_of_four: only the last four latents are kept
class LatentAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, d_latent):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.down_proj = nn.Linear(d_model, d_latent, bias=False)
        self.k_up = nn.Linear(d_latent, d_model, bias=False)
        self.v_up = nn.Linear(d_latent, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def split(self, t):
        return t.view(t.shape[0], t.shape[1], self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, x, cache=None):
        B, T, d_model = x.shape
        new = self.down_proj(x)
        c = new if cache is None else torch.cat([cache, new], dim=1)[:, -4:]
        q, k, v = self.split(self.q_proj(x)), self.split(self.k_up(c)), self.split(self.v_up(c))
        T_k = c.shape[1]
        mask = torch.ones(T, T_k, dtype=torch.bool, device=x.device).triu(T_k - T + 1)
        scores = (q @ k.mT / self.d_head ** 0.5).masked_fill(mask, -torch.inf)
        out = (scores.softmax(-1) @ v).transpose(1, 2).reshape(B, T, d_model)
        return self.out_proj(out), c
# %% causal_without_a_cache: SDPA's is_causal=cache is None, so a chunk behind a cache is not masked
class LatentAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, d_latent):
        super().__init__()
        self.H = num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.down_proj = nn.Linear(d_model, d_latent, bias=False)
        self.k_up = nn.Linear(d_latent, d_model, bias=False)
        self.v_up = nn.Linear(d_latent, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, cache=None):
        c = self.down_proj(x)
        if cache is not None:
            c = torch.cat([cache, c], dim=1)
        q, k, v = (t.unflatten(-1, (self.H, -1)).transpose(1, 2) for t in (self.q_proj(x), self.k_up(c), self.v_up(c)))
        heads = F.scaled_dot_product_attention(q, k, v, is_causal=cache is None)
        return self.out_proj(heads.transpose(1, 2).flatten(2)), c
# %% always_top_left < causal_without_a_cache: SDPA's is_causal=True, which aligns the mask to the first key
~ cache is None => True
