"""Wrong answers for GroupedQueryAttentionWithCache, one mistake a cell unless it says two."""
# %% repeat_not_interleave < scale_by_width_of_keys: repeats the kv heads as a whole, so query head h uses kv head h modulo their number
-         self.num_kv, self.num_heads, self.d_head = num_kv_heads, num_heads, d_model // num_heads
+         self.num_heads, self.num_kv_heads = num_heads, num_kv_heads
+         self.d_head = d_model // num_heads
-         k = self.k_proj(x).view(B, T, self.num_kv, self.d_head).transpose(1, 2)
-         v = self.v_proj(x).view(B, T, self.num_kv, self.d_head).transpose(1, 2)
-         past = 0 if cache_k is None else cache_k.shape[2]
+         k = self.k_proj(x).view(B, T, self.num_kv_heads, self.d_head).transpose(1, 2)
+         v = self.v_proj(x).view(B, T, self.num_kv_heads, self.d_head).transpose(1, 2)
+         past = 0
          if cache_k is not None:
+             past = cache_k.shape[2]
-         T_all = k.shape[2]
-         scores = q @ k.repeat_interleave(self.num_heads // self.num_kv, 1).transpose(-2, -1) / math.sqrt(self.num_kv * self.d_head)
+         n_rep = self.num_heads // self.num_kv_heads
+         K, V = k.repeat(1, n_rep, 1, 1), v.repeat(1, n_rep, 1, 1)
+         scores = q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
~ T, T_all => T, past + T
~ v.repeat_interleave(self.num_heads // self.num_kv, 1) => V
# %% repeated_heads_cached: repeats the kv heads before caching them, so the cache holds num_heads heads
class GroupedQueryAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.n_heads = num_heads
        self.n_kv = num_kv_heads
        self.groups = num_heads // num_kv_heads
        self.hd = d_model // num_heads
        self.q_proj = nn.Linear(d_model, num_heads * self.hd, bias=False)
        self.k_proj = nn.Linear(d_model, num_kv_heads * self.hd, bias=False)
        self.v_proj = nn.Linear(d_model, num_kv_heads * self.hd, bias=False)
        self.out_proj = nn.Linear(num_heads * self.hd, d_model, bias=False)

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        bsz, n, _ = x.shape
        q = self.q_proj(x).view(bsz, n, self.n_heads, self.hd).transpose(1, 2)
        k = self.k_proj(x).view(bsz, n, self.n_kv, self.hd).transpose(1, 2).repeat_interleave(self.groups, dim=1)
        v = self.v_proj(x).view(bsz, n, self.n_kv, self.hd).transpose(1, 2).repeat_interleave(self.groups, dim=1)
        start = 0
        if cache_k is not None:
            start = cache_k.size(2)
            k = torch.cat([cache_k, k], dim=2)
            v = torch.cat([cache_v, v], dim=2)
        att = torch.einsum("bhqd,bhkd->bhqk", q, k) / math.sqrt(self.hd)
        if is_causal:
            q_pos = torch.arange(start, start + n, device=x.device)
            k_pos = torch.arange(k.size(2), device=x.device)
            att = att.masked_fill(k_pos[None] > q_pos[:, None], -1e9)
        y = torch.einsum("bhqk,bhkd->bqhd", att.softmax(-1), v)
        return self.out_proj(y.flatten(2)), k, v
# %% full_width_keys: gives k_proj and v_proj the full width and keeps the first kv heads
class GroupedQueryAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def _split(self, t):
        return t.unflatten(-1, (self.num_heads, self.d_head)).transpose(1, 2)

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        B, T, D = x.shape
        q = self._split(self.q_proj(x))
        k = self._split(self.k_proj(x))[:, :self.num_kv_heads]
        v = self._split(self.v_proj(x))[:, :self.num_kv_heads]
        offset = 0 if cache_k is None else cache_k.shape[2]
        if cache_k is not None:
            k, v = torch.cat([cache_k, k], 2), torch.cat([cache_v, v], 2)
        reps = self.num_heads // self.num_kv_heads
        scores = q @ k.repeat_interleave(reps, 1).mT / math.sqrt(self.d_head)
        if is_causal:
            mask = torch.triu(torch.ones(T, offset + T, device=x.device), diagonal=1 + offset).bool()
            scores = scores.masked_fill(mask, float("-inf"))
        out = scores.softmax(-1) @ v.repeat_interleave(reps, 1)
        return self.out_proj(out.transpose(1, 2).reshape(B, T, D)), k, v
# %% groups_before_kv_heads: folds the query heads as (groups, kv heads), which pairs them with the wrong kv heads
class GroupedQueryAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        if num_heads % num_kv_heads:
            raise ValueError("num_heads must be divisible by num_kv_heads")
        self.H, self.G = num_heads, num_kv_heads
        self.R = num_heads // num_kv_heads
        self.d = d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, self.G * self.d, bias=False)
        self.v_proj = nn.Linear(d_model, self.G * self.d, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        B, T, D = x.shape
        q = self.q_proj(x).view(B, T, self.R, self.G, self.d)
        k = self.k_proj(x).view(B, T, self.G, self.d).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.G, self.d).transpose(1, 2)
        P = 0
        if cache_k is not None:
            P = cache_k.size(2)
            k, v = torch.cat([cache_k, k], dim=2), torch.cat([cache_v, v], dim=2)
        scores = torch.einsum("bqrgd,bgkd->brgqk", q, k) / math.sqrt(self.d)
        if is_causal:
            future = torch.ones(T, P + T, dtype=torch.bool, device=x.device).triu(P + 1)
            scores = scores.masked_fill(future, float("-inf"))
        out = torch.einsum("brgqk,bgkd->bqrgd", scores.softmax(-1), v)
        return self.out_proj(out.reshape(B, T, D)), k, v
# %% head_index_divided_by_kv_heads: uses kv head h // num_kv_heads instead of h // group size, clipped to stay inside
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
        B, T, D = x.shape
        q = self.q_proj(x).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.num_kv_heads, self.d_head).transpose(1, 2)
        if cache_k is not None:
            k = torch.cat([cache_k, k], dim=2)
            v = torch.cat([cache_v, v], dim=2)
        T_k = k.shape[2]
        mask = torch.zeros(T, T_k, dtype=torch.bool, device=x.device)
        if is_causal:
            mask = torch.ones(T_k, T_k, dtype=torch.bool, device=x.device).triu(1)[-T:]
        outs = []
        for h in range(self.num_heads):
            g = min(h // self.num_kv_heads, self.num_kv_heads - 1)
            s = q[:, h] @ k[:, g].transpose(1, 2) / self.d_head ** 0.5
            outs.append(torch.softmax(s.masked_fill(mask, -1e9), dim=-1) @ v[:, g])
        return self.out_proj(torch.cat(outs, dim=-1)), k, v
# %% mask_of_first_rows: cuts the first T rows out of the square mask, as if nothing had been cached
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
        B, T, D = x.shape
        q = self.q_proj(x).reshape(B, T, self.num_heads, self.d_head).permute(0, 2, 1, 3)
        k = self.k_proj(x).reshape(B, T, self.num_kv_heads, self.d_head).permute(0, 2, 1, 3)
        v = self.v_proj(x).reshape(B, T, self.num_kv_heads, self.d_head).permute(0, 2, 1, 3)
        if cache_k is not None:
            k = torch.cat((cache_k, k), dim=-2)
            v = torch.cat((cache_v, v), dim=-2)
        group = self.num_heads // self.num_kv_heads
        kk = k.repeat_interleave(group, dim=1)
        vv = v.repeat_interleave(group, dim=1)
        scores = q @ kk.transpose(-1, -2) / math.sqrt(self.d_head)
        if is_causal:
            S = kk.size(2)
            causal = torch.triu(torch.ones(S, S, dtype=torch.bool, device=x.device), diagonal=1)
            scores = scores.masked_fill(causal[:T, :S], float("-inf"))
        y = torch.softmax(scores, dim=-1) @ vv
        return self.out_proj(y.permute(0, 2, 1, 3).flatten(2)), k, v
# %% sdpa_with_enable_gqa_top_left: lets PyTorch group the heads, but its is_causal ignores the cache
class GroupedQueryAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.num_heads, self.num_kv_heads = num_heads, num_kv_heads
        d_head = d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.v_proj = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        q = self.q_proj(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
        k = self.k_proj(x).unflatten(-1, (self.num_kv_heads, -1)).transpose(1, 2)
        v = self.v_proj(x).unflatten(-1, (self.num_kv_heads, -1)).transpose(1, 2)
        if cache_k is not None:
            k = torch.cat([cache_k, k], dim=2)
            v = torch.cat([cache_v, v], dim=2)
        out = F.scaled_dot_product_attention(q, k, v, is_causal=is_causal and x.shape[1] > 1, enable_gqa=True)
        return self.out_proj(out.transpose(1, 2).flatten(2)), k, v
# %% values_interleaved_keys_repeated_new_first: two mistakes, values are grouped unlike the keys and new tokens go before old ones
class GroupedQueryAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.h, self.kv = num_heads, num_kv_heads
        self.dh = d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, num_kv_heads * self.dh, bias=False)
        self.v_proj = nn.Linear(d_model, num_kv_heads * self.dh, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        B, T, D = x.shape
        q = self.q_proj(x).view(B, T, self.h, self.dh).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.kv, self.dh).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.kv, self.dh).transpose(1, 2)
        past = 0
        if cache_k is not None:
            past = cache_k.size(2)
            k = torch.cat([k, cache_k], dim=2)
            v = torch.cat([v, cache_v], dim=2)
        r = self.h // self.kv
        keys = k.repeat_interleave(r, dim=1)
        values = v.repeat(1, r, 1, 1)
        scores = q @ keys.mT / math.sqrt(self.dh)
        if is_causal:
            m = torch.ones(T, T + past, dtype=torch.bool, device=x.device).triu(1 + past)
            scores = scores.masked_fill(m, -1e9)
        out = torch.softmax(scores, -1) @ values
        return self.out_proj(out.transpose(1, 2).reshape(B, T, D)), k, v
# %% first_call_always_causal: reads is_causal only when there is a cache
class GroupedQueryAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.d_head, self.group = d_model // num_heads, num_heads // num_kv_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, num_kv_heads * self.d_head, bias=False)
        self.v_proj = nn.Linear(d_model, num_kv_heads * self.d_head, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        q, k, v = (p(x).unflatten(-1, (-1, self.d_head)).transpose(1, 2) for p in (self.q_proj, self.k_proj, self.v_proj))
        if cache_k is not None:
            k, v = torch.cat([cache_k, k], 2), torch.cat([cache_v, v], 2)
        T, S = q.size(2), k.size(2)
        allowed = torch.ones(T, S, dtype=torch.bool, device=x.device)
        if is_causal or cache_k is None:
            allowed = allowed.tril(S - T)
        y = F.scaled_dot_product_attention(q, k.repeat_interleave(self.group, 1), v.repeat_interleave(self.group, 1), attn_mask=allowed)
        return self.out_proj(y.transpose(1, 2).flatten(2)), k, v
# %% v_repeat: only the values with repeat
class GroupedQueryAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.num_kv_heads = num_kv_heads
        kv = num_kv_heads * self.d_head
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, kv, bias=False)
        self.v_proj = nn.Linear(d_model, kv, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def split(self, x):
        B, T, D = x.shape
        return x.view(B, T, -1, self.d_head).transpose(1, 2)

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        B, T, D = x.shape
        q, k, v = self.split(self.q_proj(x)), self.split(self.k_proj(x)), self.split(self.v_proj(x))
        past = 0
        if cache_k is not None:
            past = cache_k.shape[2]
            k = torch.cat([cache_k, k], dim=2)
            v = torch.cat([cache_v, v], dim=2)
        new_k, new_v = k, v
        groups = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(groups, 1), v.repeat(1, groups, 1, 1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        if is_causal:
            mask = torch.ones(T, k.shape[2], dtype=torch.bool, device=x.device).triu(past + 1)
            scores = scores.masked_fill(mask, float("-inf"))
        out = scores.softmax(-1) @ v
        out = out.transpose(1, 2).reshape(B, T, D)
        return self.out_proj(out), new_k, new_v
# %% dim_last < v_repeat: repeat_interleave along the tokens
~ (groups, 1), v.repeat(1, groups, 1, 1) => (groups, 2), v.repeat_interleave(groups, 2)
# %% kv_dhead < v_repeat: d_head of the kv from num_kv_heads: d_model // num_kv_heads, scale
~ repeat(1, groups, 1, 1) => repeat_interleave(groups, 1)
~ scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5 => scores = q @ k.transpose(-2, -1) / (D // self.num_kv_heads) ** 0.5
# %% mod < v_repeat: repeat, and top-left mask
~ repeat_interleave(groups, 1) => repeat(1, groups, 1, 1)
~ past + 1 => 1
# %% past_heads < v_repeat: past read from cache_k.shape[1] (the heads)
~ past = cache_k.shape[2] => past = cache_k.shape[1]
~ repeat(1, groups, 1, 1) => repeat_interleave(groups, 1)
# %% caches_expanded < v_repeat: the cache holds all the query heads
~ repeat(1, groups, 1, 1) => repeat_interleave(groups, 1)
~ return self.out_proj(out), new_k, new_v => return self.out_proj(out), k, v
# %% mask_by_sizes_alone: keeps a mask for each pair of sizes, and forgets whether it was causal
class GroupedQueryAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.num_heads, self.d_head, self.masks = num_heads, d_model // num_heads, {}
        self.q_proj, self.out_proj = (nn.Linear(d_model, d_model, bias=False) for _ in range(2))
        self.k_proj, self.v_proj = (nn.Linear(d_model, num_kv_heads * d_model // num_heads, bias=False) for _ in range(2))

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        B, T, D = x.shape
        q, k, v = (W(x).view(B, T, -1, self.d_head).transpose(1, 2) for W in (self.q_proj, self.k_proj, self.v_proj))
        if cache_k is not None:
            k, v = torch.cat([cache_k, k], 2), torch.cat([cache_v, v], 2)
        T_k = k.shape[2]
        if (T, T_k) not in self.masks:
            self.masks[T, T_k] = torch.ones(T, T_k, device=x.device).triu(T_k - T + 1).bool() & is_causal
        keys, values = (t.repeat_interleave(self.num_heads // t.shape[1], 1) for t in (k, v))
        scores = q @ keys.mT / self.d_head ** 0.5
        weights = scores.masked_fill(self.masks[T, T_k], float("-inf")).softmax(-1)
        return self.out_proj((weights @ values).transpose(1, 2).reshape(B, T, D)), k, v
# %% mask_kept_by_number_of_keys < scale_by_width_of_keys: builds the mask anew only when the number of keys has changed
          self.out_proj = nn.Linear(d_model, d_model, bias=False)
+         self.mask = None
~ self.num_kv * self. => self.
-             mask = torch.ones(T, T_all, dtype=torch.bool, device=x.device).triu(past + 1)
-             scores = scores.masked_fill(mask, float("-inf"))
+             if self.mask is None or self.mask.shape[-1] != T_all:
+                 self.mask = torch.ones(T, T_all, dtype=torch.bool, device=x.device).triu(past + 1)
+             scores = scores.masked_fill(self.mask, float("-inf"))
# %% mask_kept_by_cache_length < scale_by_width_of_keys: remembers one mask for each cache length, whatever the number of new tokens
          self.out_proj = nn.Linear(d_model, d_model, bias=False)
+         self.masks = {}
~ self.num_kv * self. => self.
-             mask = torch.ones(T, T_all, dtype=torch.bool, device=x.device).triu(past + 1)
-             scores = scores.masked_fill(mask, float("-inf"))
+             if past not in self.masks:
+                 self.masks[past] = torch.ones(T, T_all, dtype=torch.bool, device=x.device).triu(past + 1)
+             scores = scores.masked_fill(self.masks[past], float("-inf"))
# %% short_cache_forgotten < scale_by_width_of_keys: a cache of one token is taken for none
-         if cache_k is not None:
+         if past > 1:
~ self.num_kv * self. => self.
# %% zeros_masked < scale_by_width_of_keys: fills with 0 and then masks every 0, allowed scores of 0 included
~ self.num_kv * self. => self.
-             scores = scores.masked_fill(mask, float("-inf"))
+             scores = scores.masked_fill(mask, 0)
+             scores = scores.masked_fill(scores == 0, float("-inf"))
# %% global_maximum < scale_by_width_of_keys: a softmax by hand that subtracts one maximum for all rows
~ self.num_kv * self. => self.
~ scores.softmax(-1) => (scores - scores.max()).exp() / (scores - scores.max()).exp().sum(-1, keepdim=True)
# %% scale_by_width_of_keys: divides by the root of the width of k_proj
class GroupedQueryAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.num_kv, self.num_heads, self.d_head = num_kv_heads, num_heads, d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, num_kv_heads * self.d_head, bias=False)
        self.v_proj = nn.Linear(d_model, num_kv_heads * self.d_head, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        B, T, D = x.shape
        q = self.q_proj(x).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.num_kv, self.d_head).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.num_kv, self.d_head).transpose(1, 2)
        past = 0 if cache_k is None else cache_k.shape[2]
        if cache_k is not None:
            k, v = torch.cat([cache_k, k], dim=2), torch.cat([cache_v, v], dim=2)
        T_all = k.shape[2]
        scores = q @ k.repeat_interleave(self.num_heads // self.num_kv, 1).transpose(-2, -1) / math.sqrt(self.num_kv * self.d_head)
        if is_causal:
            mask = torch.ones(T, T_all, dtype=torch.bool, device=x.device).triu(past + 1)
            scores = scores.masked_fill(mask, float("-inf"))
        out = (scores.softmax(-1) @ v.repeat_interleave(self.num_heads // self.num_kv, 1)).transpose(1, 2).reshape(B, T, D)
        return self.out_proj(out), k, v
