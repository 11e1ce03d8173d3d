"""Wrong answers for MultiHeadAttentionWithCache, one mistake a cell unless it says two."""
# %% new_before_old < new_first_topleft: joins the new keys and values in front of the cached ones
-         self.num_heads, self.d_head = num_heads, d_model // num_heads
+         self.num_heads = num_heads
+         self.d_head = d_model // num_heads
-     def split(self, x):
-         B, T, D = x.shape
-         return x.view(B, T, self.num_heads, self.d_head).transpose(1, 2)
+     def split(self, t):
+         B, T, D = t.shape
+         return t.view(B, T, self.num_heads, self.d_head).transpose(1, 2)
~ scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5 => scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
~ ones(T, k.shape[2], dtype=torch.bool, device=x.device).triu(1) => triu(torch.ones(T, past + T, dtype=torch.bool, device=x.device), diagonal=1 + past)
-         out = scores.softmax(-1) @ v
-         out = out.transpose(1, 2).reshape(B, T, D)
-         return self.out_proj(out), k, v
+         out = torch.softmax(scores, dim=-1) @ v
+         return self.out_proj(out.transpose(1, 2).reshape(B, T, D)), k, v
# %% sdpa_is_causal < no_mask_in_eval: relies on is_causal of PyTorch's function, which starts both positions at 0 and ignores the cache
-         q, k, v = (p(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for p in (self.q_proj, self.k_proj, self.v_proj))
+         q = self.q_proj(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
+         k = self.k_proj(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
+         v = self.v_proj(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
-             k, v = torch.cat([cache_k, k], 2), torch.cat([cache_v, v], 2)
-         allowed = None
-         if is_causal and self.training:
-             allowed = torch.ones(q.size(2), k.size(2), dtype=torch.bool, device=x.device).tril(k.size(2) - q.size(2))
-         y = F.scaled_dot_product_attention(q, k, v, attn_mask=allowed)
+             k, v = torch.cat([cache_k, k], dim=-2), torch.cat([cache_v, v], dim=-2)
+         y = F.scaled_dot_product_attention(q, k, v, is_causal=is_causal)
# %% past_length_from_head_axis: reads the cache length from axis 1, which holds the heads
class MultiHeadAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.h, self.dh = num_heads, d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        b, t, c = x.size()
        q = self.q_proj(x).view(b, t, self.h, self.dh).transpose(1, 2)
        k = self.k_proj(x).view(b, t, self.h, self.dh).transpose(1, 2)
        v = self.v_proj(x).view(b, t, self.h, self.dh).transpose(1, 2)
        past_len = cache_k.size(1) if cache_k is not None else 0
        if cache_k is not None:
            k = torch.cat((cache_k, k), dim=2)
            v = torch.cat((cache_v, v), dim=2)
        att = (q @ k.transpose(2, 3)) * (1.0 / math.sqrt(self.dh))
        if is_causal:
            q_pos = past_len + torch.arange(t, device=x.device)[:, None]
            k_pos = torch.arange(k.size(2), device=x.device)[None, :]
            att = att.masked_fill(k_pos > q_pos, float("-inf"))
        y = att.softmax(dim=-1) @ v
        y = y.transpose(1, 2).contiguous().view(b, t, c)
        return self.out_proj(y), k, v
# %% offset_read_after_join: measures the cache after the new keys were joined to it, so the mask forbids nothing
class MultiHeadAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.d_head = d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def _heads(self, x):
        return x.reshape(x.shape[0], x.shape[1], self.num_heads, self.d_head).permute(0, 2, 1, 3)

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        q = self._heads(self.q_proj(x))
        k = self._heads(self.k_proj(x))
        v = self._heads(self.v_proj(x))
        if cache_k is None:
            cache_k, cache_v = k, v
        else:
            cache_k = torch.cat([cache_k, k], dim=2)
            cache_v = torch.cat([cache_v, v], dim=2)
        scores = q @ cache_k.mT / self.d_head ** 0.5
        if is_causal:
            T_q, T_k = scores.shape[-2:]
            cache_len = cache_k.shape[2]
            mask = torch.ones(T_q, T_k, device=x.device).triu(diagonal=1 + cache_len).bool()
            scores = scores.masked_fill(mask, -1e9)
        out = F.softmax(scores, dim=-1) @ cache_v
        out = self.out_proj(out.permute(0, 2, 1, 3).flatten(2))
        return out, cache_k, cache_v
# %% scaled_keys_go_into_cache: divides all keys by sqrt(d_head) and returns them, so cached keys are scaled again at each call
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
        B, T, D = x.shape
        q = self.q_proj(x).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        offset = 0
        if cache_k is not None:
            offset = cache_k.size(2)
            k = torch.cat([cache_k, k], dim=2)
            v = torch.cat([cache_v, v], dim=2)
        k = k / math.sqrt(self.d_head)
        scores = torch.einsum("bhqd,bhkd->bhqk", q, k)
        if is_causal:
            rows = torch.arange(T, device=x.device).unsqueeze(1) + offset
            cols = torch.arange(k.size(2), device=x.device).unsqueeze(0)
            scores = scores.masked_fill(cols > rows, float("-inf"))
        weights = scores.softmax(-1)
        context = torch.einsum("bhqk,bhkd->bqhd", weights, v).reshape(B, T, D)
        return self.out_proj(context), k, v
# %% values_joined_to_key_cache: a copy and paste slip joins the new values to the cached keys
class MultiHeadAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be divisible by num_heads")
        self.num_heads = num_heads
        self.d_head = d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        B, T, D = x.shape
        q = torch.stack(self.q_proj(x).chunk(self.num_heads, dim=-1), dim=1)
        k = torch.stack(self.k_proj(x).chunk(self.num_heads, dim=-1), dim=1)
        v = torch.stack(self.v_proj(x).chunk(self.num_heads, dim=-1), dim=1)
        T_past = 0
        if cache_k is not None:
            T_past = cache_k.shape[-2]
            k = torch.cat([cache_k, k], dim=-2)
            v = torch.cat([cache_k, v], dim=-2)
        scores = q @ k.transpose(-1, -2) / math.sqrt(self.d_head)
        if is_causal:
            mask = torch.ones(T, T_past + T, dtype=torch.bool, device=x.device).triu(T_past + 1)
            scores = scores.masked_fill(mask, -1e9)
        heads = torch.softmax(scores, dim=-1) @ v
        return self.out_proj(torch.cat(list(heads.unbind(1)), dim=-1)), k, v
# %% cache_on_the_module: remembers keys and values on self, so a second sequence continues the first
class MultiHeadAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)
        self.cache_k = None
        self.cache_v = None

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        B, T, D = x.shape
        shape = (B, T, self.num_heads, self.d_head)
        q = self.q_proj(x).view(shape).transpose(1, 2)
        k = self.k_proj(x).view(shape).transpose(1, 2)
        v = self.v_proj(x).view(shape).transpose(1, 2)
        if cache_k is not None:
            self.cache_k, self.cache_v = cache_k, cache_v
        if self.cache_k is not None:
            k = torch.cat([self.cache_k, k], dim=2)
            v = torch.cat([self.cache_v, v], dim=2)
        self.cache_k, self.cache_v = k, v
        T_k = k.shape[2]
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if is_causal:
            full = torch.triu(torch.ones(T_k, T_k, dtype=torch.bool, device=x.device), diagonal=1)
            scores = scores.masked_fill(full[T_k - T:], float("-inf"))
        out = (scores.softmax(dim=-1) @ v).transpose(1, 2).reshape(B, T, D)
        return self.out_proj(out), k, v
# %% cache_before_transpose: caches keys and values as (B, T, H, d_head), before the heads are moved forward
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
        B, T, D = x.shape
        q = self.q_proj(x).view(B, T, self.num_heads, self.d_head)
        k = self.k_proj(x).view(B, T, self.num_heads, self.d_head)
        v = self.v_proj(x).view(B, T, self.num_heads, self.d_head)
        past = 0
        if cache_k is not None:
            past = cache_k.shape[1]
            k = torch.cat([cache_k, k], dim=1)
            v = torch.cat([cache_v, v], dim=1)
        scores = torch.einsum("bqhd,bkhd->bhqk", q, k) / math.sqrt(self.d_head)
        if is_causal:
            pos_q = torch.arange(past, past + T, device=x.device)
            pos_k = torch.arange(past + T, device=x.device)
            scores = scores.masked_fill(pos_k[None, :] > pos_q[:, None], -1e9)
        out = torch.einsum("bhqk,bkhd->bqhd", scores.softmax(-1), v)
        return self.out_proj(out.reshape(B, T, D)), k, v
# %% only_last_query_when_cached: keeps only the last query whenever there is a cache, so a chunk gives one output
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
        B = x.shape[0]
        def heads(t):
            return t.view(B, -1, self.num_heads, self.d_head).transpose(1, 2)
        q, k, v = heads(self.q_proj(x)), heads(self.k_proj(x)), heads(self.v_proj(x))
        decoding = cache_k is not None
        if decoding:
            q = q[:, :, -1:, :]
            k = torch.cat([cache_k, k], dim=2)
            v = torch.cat([cache_v, v], dim=2)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if is_causal and not decoding:
            T = x.shape[1]
            scores = scores.masked_fill(torch.ones(T, T, device=x.device).triu(1).bool(), float("-inf"))
        out = torch.softmax(scores, dim=-1) @ v
        out = out.transpose(1, 2).reshape(B, -1, self.num_heads * self.d_head)
        return self.out_proj(out), k, v
# %% keys_detached: detaches keys and values before they are used, because a cache needs no gradient
class MultiHeadAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.H = num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        B, T, D = x.shape
        d = D // self.H
        q = self.q_proj(x).view(B, T, self.H, d).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.H, d).transpose(1, 2).detach()
        v = self.v_proj(x).view(B, T, self.H, d).transpose(1, 2).detach()
        P = 0
        if cache_k is not None:
            P = cache_k.size(2)
            k, v = torch.cat([cache_k, k], 2), torch.cat([cache_v, v], 2)
        s = q @ k.mT / d ** 0.5
        if is_causal:
            s = s + torch.full((T, P + T), float("-inf"), dtype=s.dtype, device=s.device).triu(P + 1)
        return self.out_proj((s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D)), k, v
# %% grows_callers_cache < global_maximum: makes the tensors that the caller handed in longer instead of returning new ones
-         self.num_heads, self.d_head = num_heads, d_model // num_heads
+         self.num_heads = num_heads
+         self.d_head = d_model // num_heads
-         T_all = k.shape[2]
+             cache_k.data, cache_v.data = k.data, v.data      # update the cache
~ ones(T, T_all, dtype=torch.bool, device=x.device).triu(past + 1) => triu(torch.ones(T, past + T, device=x.device), diagonal=past + 1) == 1
-         out = ((scores - scores.max()).exp() / (scores - scores.max()).exp().sum(-1, keepdim=True) @ v).transpose(1, 2).reshape(B, T, D)
+         out = torch.matmul(torch.softmax(scores, dim=-1), v)
+         out = out.transpose(1, 2).contiguous().view(B, T, D)
# %% always_causal_and_new_only: two mistakes, is_causal is never read and only the new keys and values come back
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
        B, T, D = x.shape
        q = self.q_proj(x).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        new_k = self.k_proj(x).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        new_v = self.v_proj(x).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        if cache_k is not None:
            k = torch.cat([cache_k, new_k], dim=2)
            v = torch.cat([cache_v, new_v], dim=2)
        else:
            k, v = new_k, new_v
        T_k = k.size(2)
        mask = torch.ones(T, T_k, dtype=torch.bool, device=x.device).tril(diagonal=T_k - T)
        out = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        out = out.transpose(1, 2).reshape(B, T, D)
        return self.out_proj(out), new_k, new_v
# %% mask_kept_by_chunk_size: remembers one mask for each number of new tokens, whatever the cache holds
class MultiHeadAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)
        self.masks = {}

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        B, T, D = x.shape
        q, k, v = (p(x).view(B, T, self.num_heads, self.d_head).transpose(1, 2) for p in (self.q_proj, self.k_proj, self.v_proj))
        if cache_k is not None:
            k, v = torch.cat([cache_k, k], 2), torch.cat([cache_v, v], 2)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if is_causal and T > 1:
            if T not in self.masks:
                self.masks[T] = torch.ones(T, k.size(2), dtype=torch.bool, device=x.device).triu(k.size(2) - T + 1)
            scores = scores.masked_fill(self.masks[T], float("-inf"))
        y = scores.softmax(-1) @ v
        return self.out_proj(y.transpose(1, 2).reshape(B, T, D)), k, v
# %% first_call_always_causal < no_mask_in_eval: reads is_causal only when there is a cache
-         if cache_k is not None:
+         if cache_k is None:
+             y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
+         else:
-         allowed = None
-         if is_causal and self.training:
-             allowed = torch.ones(q.size(2), k.size(2), dtype=torch.bool, device=x.device).tril(k.size(2) - q.size(2))
-         y = F.scaled_dot_product_attention(q, k, v, attn_mask=allowed)
+             T, S = q.size(2), k.size(2)
+             allowed = torch.ones(T, S, dtype=torch.bool, device=x.device).tril(S - T) if is_causal else None
+             y = F.scaled_dot_product_attention(q, k, v, attn_mask=allowed)
# %% no_mask_in_eval: generation is thought to need no mask, so eval mode has none
class MultiHeadAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        q, k, v = (p(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for p in (self.q_proj, self.k_proj, self.v_proj))
        if cache_k is not None:
            k, v = torch.cat([cache_k, k], 2), torch.cat([cache_v, v], 2)
        allowed = None
        if is_causal and self.training:
            allowed = torch.ones(q.size(2), k.size(2), dtype=torch.bool, device=x.device).tril(k.size(2) - q.size(2))
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=allowed)
        return self.out_proj(y.transpose(1, 2).flatten(2)), k, v
# %% no_mask_cached < new_first_topleft: mask dropped as soon as there is a cache
~ k = torch.cat([k, cache_k], dim=2) => k = torch.cat([cache_k, k], dim=2)
~ v = torch.cat([v, cache_v], dim=2) => v = torch.cat([cache_v, v], dim=2)
-         if is_causal:
-             mask = torch.ones(T, k.shape[2], dtype=torch.bool, device=x.device).triu(1)
+         if is_causal and cache_k is None:
+             mask = torch.ones(T, k.shape[2], dtype=torch.bool, device=x.device).triu(past + 1)
# %% new_first_topleft: new before old and top-left mask
class MultiHeadAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def split(self, x):
        B, T, D = x.shape
        return x.view(B, T, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        B, T, D = x.shape
        q, k, v = self.split(self.q_proj(x)), self.split(self.k_proj(x)), self.split(self.v_proj(x))
        past = 0
        if cache_k is not None:
            past = cache_k.shape[2]
            k = torch.cat([k, cache_k], dim=2)
            v = torch.cat([v, cache_v], dim=2)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        if is_causal:
            mask = torch.ones(T, k.shape[2], dtype=torch.bool, device=x.device).triu(1)
            scores = scores.masked_fill(mask, float("-inf"))
        out = scores.softmax(-1) @ v
        out = out.transpose(1, 2).reshape(B, T, D)
        return self.out_proj(out), k, v
# %% flat_cache < new_first_topleft: cache before the split, (B, T, D)
~ split(self.k_proj(x)), self.split(self.v_proj(x)) => k_proj(x), self.v_proj(x)
-             past = cache_k.shape[2]
-             k = torch.cat([k, cache_k], dim=2)
-             v = torch.cat([v, cache_v], dim=2)
+             past = cache_k.shape[1]
+             k = torch.cat([cache_k, k], dim=1)
+             v = torch.cat([cache_v, v], dim=1)
+         ck, cv = k, v
+         k, v = self.split(k), self.split(v)
~ (T, k.shape[2], dtype=torch.bool, device=x.device).triu(1) => (T, k.shape[2], dtype=torch.bool, device=x.device).triu(past + 1)
~ return self.out_proj(out), k, v => return self.out_proj(out), ck, cv
# %% mask_by_sizes_alone: keeps a mask for each pair of sizes, and forgets whether it was causal
class MultiHeadAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head, self.masks = num_heads, d_model // num_heads, {}
        self.q_proj, self.out_proj = (nn.Linear(d_model, d_model, bias=False) for _ in range(2))
        self.k_proj, self.v_proj = (nn.Linear(d_model, d_model, bias=False) for _ in range(2))

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        B, T, D = x.shape
        q, k, v = (W(x).view(B, T, -1, self.d_head).transpose(1, 2) for W in (self.q_proj, self.k_proj, self.v_proj))
        if cache_k is not None:
            k, v = torch.cat([cache_k, k], 2), torch.cat([cache_v, v], 2)
        T_k = k.shape[2]
        if (T, T_k) not in self.masks:
            self.masks[T, T_k] = torch.ones(T, T_k, device=x.device).triu(T_k - T + 1).bool() & is_causal
        scores = q @ k.mT / self.d_head ** 0.5
        weights = scores.masked_fill(self.masks[T, T_k], float("-inf")).softmax(-1)
        return self.out_proj((weights @ v).transpose(1, 2).reshape(B, T, D)), k, v
# %% mask_kept_by_number_of_keys < global_maximum: builds the mask anew only when the number of keys has changed
          self.out_proj = nn.Linear(d_model, d_model, bias=False)
+         self.mask = None
-             mask = torch.ones(T, T_all, dtype=torch.bool, device=x.device).triu(past + 1)
-             scores = scores.masked_fill(mask, float("-inf"))
-         out = ((scores - scores.max()).exp() / (scores - scores.max()).exp().sum(-1, keepdim=True) @ v).transpose(1, 2).reshape(B, T, D)
+             if self.mask is None or self.mask.shape[-1] != T_all:
+                 self.mask = torch.ones(T, T_all, dtype=torch.bool, device=x.device).triu(past + 1)
+             scores = scores.masked_fill(self.mask, float("-inf"))
+         out = (scores.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D)
# %% mask_kept_by_cache_length < global_maximum: remembers one mask for each cache length, whatever the number of new tokens
          self.out_proj = nn.Linear(d_model, d_model, bias=False)
+         self.masks = {}
-             mask = torch.ones(T, T_all, dtype=torch.bool, device=x.device).triu(past + 1)
-             scores = scores.masked_fill(mask, float("-inf"))
-         out = ((scores - scores.max()).exp() / (scores - scores.max()).exp().sum(-1, keepdim=True) @ v).transpose(1, 2).reshape(B, T, D)
+             if past not in self.masks:
+                 self.masks[past] = torch.ones(T, T_all, dtype=torch.bool, device=x.device).triu(past + 1)
+             scores = scores.masked_fill(self.masks[past], float("-inf"))
+         out = (scores.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D)
# %% zeros_masked < global_maximum: fills with 0 and then masks every 0, allowed scores of 0 included
-             scores = scores.masked_fill(mask, float("-inf"))
-         out = ((scores - scores.max()).exp() / (scores - scores.max()).exp().sum(-1, keepdim=True) @ v).transpose(1, 2).reshape(B, T, D)
+             scores = scores.masked_fill(mask, 0)
+             scores = scores.masked_fill(scores == 0, float("-inf"))
+         out = (scores.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D)
# %% global_maximum: a softmax by hand that subtracts one maximum for all rows
class MultiHeadAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        B, T, D = x.shape
        q = self.q_proj(x).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        past = 0 if cache_k is None else cache_k.shape[2]
        if cache_k is not None:
            k, v = torch.cat([cache_k, k], dim=2), torch.cat([cache_v, v], dim=2)
        T_all = k.shape[2]
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if is_causal:
            mask = torch.ones(T, T_all, dtype=torch.bool, device=x.device).triu(past + 1)
            scores = scores.masked_fill(mask, float("-inf"))
        out = ((scores - scores.max()).exp() / (scores - scores.max()).exp().sum(-1, keepdim=True) @ v).transpose(1, 2).reshape(B, T, D)
        return self.out_proj(out), k, v
