"""Wrong answers for MultiHeadSelfAttention, one mistake a cell unless it says two."""
# %% view_there_and_back < right/view_transpose: cuts the heads with view and glues them with view, never transposing, so heads mix tokens
-         if d_model % num_heads != 0:
-             raise ValueError("d_model must be divisible by num_heads")
~ W_q(x).view(B, T, self.num_heads, self.d_head).transpose(1, 2) => W_q(x).view(B, self.num_heads, T, self.d_head)
~ W_k(x).view(B, T, self.num_heads, self.d_head).transpose(1, 2) => W_k(x).view(B, self.num_heads, T, self.d_head)
~ W_v(x).view(B, T, self.num_heads, self.d_head).transpose(1, 2) => W_v(x).view(B, self.num_heads, T, self.d_head)
~ key_padding_lengths.to(x.device) => key_padding_lengths
-         weights = torch.softmax(scores, dim=-1)
-         out = weights @ v
-         out = out.transpose(1, 2).contiguous().view(B, T, D)
-         return self.W_o(out)
+         out = torch.softmax(scores, dim=-1) @ v
+         return self.W_o(out.view(B, T, D))
# %% einsum_letters_exchanged: the einsum answers with keys before queries, so the softmax runs over the queries
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.h = num_heads
        self.dh = d_model // num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=False) for _ in range(4))

    def forward(self, x, is_causal=False, key_padding_lengths=None):
        b, t, _ = x.shape
        q = self.W_q(x).reshape(b, t, self.h, self.dh)
        k = self.W_k(x).reshape(b, t, self.h, self.dh)
        v = self.W_v(x).reshape(b, t, self.h, self.dh)
        scores = torch.einsum("bqhd,bkhd->bhkq", q, k) * self.dh ** -0.5
        mask = torch.zeros(b, 1, t, t, dtype=torch.bool, device=x.device)
        if is_causal:
            mask = mask | torch.ones(t, t, dtype=torch.bool, device=x.device).triu(1)
        if key_padding_lengths is not None:
            pad = torch.arange(t, device=x.device) >= key_padding_lengths.unsqueeze(-1)
            mask = mask | pad[:, None, None, :]
        w = scores.masked_fill(mask, -1e9).softmax(dim=-1)
        out = torch.einsum("bhqk,bkhd->bqhd", w, v)
        return self.W_o(out.reshape(b, t, -1))
# %% scaled_by_number_of_heads: takes q.size(1) after the split, which is the number of heads and not the head width
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        assert d_model % num_heads == 0
        self.num_heads = num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)

    def split(self, t):
        return t.unflatten(-1, (self.num_heads, -1)).transpose(1, 2)

    def attend(self, q, k, v, mask):
        scores = torch.matmul(q, k.transpose(2, 3)) / math.sqrt(q.size(1))
        if mask is not None:
            scores = scores.masked_fill(mask, -1e9)
        return F.softmax(scores, dim=-1) @ v

    def forward(self, x, is_causal=False, key_padding_lengths=None):
        T = x.size(1)
        pos = torch.arange(T, device=x.device)
        mask = None
        if is_causal:
            mask = pos[None, :] > pos[:, None]
        if key_padding_lengths is not None:
            pad = (pos >= key_padding_lengths[:, None])[:, None, None, :]
            mask = pad if mask is None else (mask | pad)
        out = self.attend(self.split(self.W_q(x)), self.split(self.W_k(x)), self.split(self.W_v(x)), mask)
        return self.W_o(out.transpose(1, 2).flatten(-2))
# %% sdpa_mask_not_inverted: hands a mask where True is forbidden to PyTorch's function, for which True is allowed
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, is_causal=False, key_padding_lengths=None):
        B, T, D = x.shape
        q, k, v = [lin(x).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
                   for lin in (self.W_q, self.W_k, self.W_v)]
        mask = None
        if key_padding_lengths is not None:
            padded = torch.arange(T, device=x.device) >= key_padding_lengths.view(B, 1)
            mask = padded.view(B, 1, 1, T).expand(B, 1, T, T)
        if is_causal:
            future = torch.ones(T, T, device=x.device).triu(1).bool()
            mask = future if mask is None else future | mask
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        return self.W_o(y.transpose(1, 2).reshape(B, T, D))
# %% lengths_decremented_in_place: subtracts 1 from the caller's lengths to be able to compare with >
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.H = num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, is_causal=False, key_padding_lengths=None):
        B, T, D = x.size()
        d = D // self.H
        q = self.W_q(x).view(B, T, self.H, d).permute(0, 2, 1, 3)
        k = self.W_k(x).view(B, T, self.H, d).permute(0, 2, 1, 3)
        v = self.W_v(x).view(B, T, self.H, d).permute(0, 2, 1, 3)
        scores = q @ k.mT / math.sqrt(d)
        col = torch.arange(T, device=x.device)
        if is_causal:
            scores = scores.masked_fill(col > col[:, None], -torch.inf)
        if key_padding_lengths is not None:
            key_padding_lengths -= 1          # index of the last real token
            pad = col[None, :] > key_padding_lengths[:, None]
            scores = scores.masked_fill(pad[:, None, None, :], -torch.inf)
        out = (scores.softmax(-1) @ v).permute(0, 2, 1, 3).reshape(B, T, D)
        return self.W_o(out)
# %% padding_in_elif: looks at the padding only when the attention is not causal
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.d_head = d_model // num_heads
        self.scale = self.d_head ** 0.5
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)

    def build_mask(self, T, is_causal, lengths, device):
        if is_causal:
            return torch.triu(torch.ones(1, 1, T, T, device=device), diagonal=1).bool()
        elif lengths is not None:
            return (torch.arange(T, device=device).unsqueeze(0) >= lengths.unsqueeze(1)).unsqueeze(1).unsqueeze(2)
        return torch.zeros(1, 1, T, T, device=device).bool()

    def forward(self, x, is_causal=False, key_padding_lengths=None):
        B, T, D = x.shape
        Q = self.W_q(x).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        K = self.W_k(x).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        V = self.W_v(x).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        scores = torch.matmul(Q, K.transpose(-1, -2)) / self.scale
        scores = scores.masked_fill(self.build_mask(T, is_causal, key_padding_lengths, x.device), float("-inf"))
        attn = torch.softmax(scores, dim=-1)
        out = torch.matmul(attn, V).transpose(1, 2).contiguous().view(B, T, D)
        return self.W_o(out)
# %% batch_mask_meets_heads: adds padding as (B, T, T) without a head axis, so the batch lines up with the heads
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.n_heads = num_heads
        self.hd = d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, is_causal=False, key_padding_lengths=None):
        batch, n, dim = x.shape
        q = self.W_q(x).reshape(batch, n, self.n_heads, self.hd).swapaxes(1, 2)
        k = self.W_k(x).reshape(batch, n, self.n_heads, self.hd).swapaxes(1, 2)
        v = self.W_v(x).reshape(batch, n, self.n_heads, self.hd).swapaxes(1, 2)
        att = q @ k.swapaxes(-1, -2) / math.sqrt(self.hd)
        mask = torch.zeros(n, n, dtype=torch.bool, device=x.device)
        if is_causal:
            mask = torch.ones(n, n, dtype=torch.bool, device=x.device).triu(1)
        if key_padding_lengths is not None:
            pad = torch.arange(n, device=x.device)[None] >= key_padding_lengths[:, None]   # (B, T)
            mask = mask | pad[:, None, :]
        att = att.masked_fill(mask, -1e9).softmax(dim=-1)
        return self.W_o((att @ v).swapaxes(1, 2).reshape(batch, n, dim))
# %% mask_kept_from_first_call: stores the causal mask at the first call and uses it for every later length
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.d_head = d_model // num_heads
        self.mask = None
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, is_causal=False, key_padding_lengths=None):
        B, T, D = x.shape
        if self.mask is None:   # only build it once
            self.mask = torch.triu(torch.ones(T, T, dtype=torch.bool, device=x.device), diagonal=1)
        heads = lambda z: z.view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        q, k, v = heads(self.W_q(x)), heads(self.W_k(x)), heads(self.W_v(x))
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if is_causal:
            scores = scores.masked_fill(self.mask, float("-inf"))
        if key_padding_lengths is not None:
            pad = torch.arange(T, device=x.device) >= key_padding_lengths[:, None]
            scores = scores.masked_fill(pad[:, None, None], float("-inf"))
        return self.W_o((F.softmax(scores, -1) @ v).transpose(1, 2).reshape(B, T, D))
# %% output_layer_has_bias: leaves the default bias on in the output layer
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, x, is_causal=False, key_padding_lengths=None):
        B, T, D = x.shape
        H, d = self.num_heads, D // self.num_heads
        q = self.W_q(x).view(B, T, H, d).transpose(1, 2)
        k = self.W_k(x).view(B, T, H, d).transpose(1, 2)
        v = self.W_v(x).view(B, T, H, d).transpose(1, 2)
        scores = torch.einsum("bhid,bhjd->bhij", q, k) / d ** 0.5
        if is_causal:
            i = torch.arange(T, device=x.device)
            scores = scores.masked_fill(i[None, :] > i[:, None], -1e9)
        if key_padding_lengths is not None:
            j = torch.arange(T, device=x.device)
            scores = scores.masked_fill((j >= key_padding_lengths[:, None])[:, None, None, :], -1e9)
        out = torch.einsum("bhij,bhjd->bihd", scores.softmax(-1), v)
        return self.W_o(out.reshape(B, T, D))
# %% functional_dropout: uses F.dropout, which is on by default, even in eval mode
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.d_k = d_model // num_heads
        self.h = num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, is_causal=False, key_padding_lengths=None):
        nbatches, T = x.size(0), x.size(1)
        query, key, value = [
            lin(x).view(nbatches, -1, self.h, self.d_k).transpose(1, 2)
            for lin in (self.W_q, self.W_k, self.W_v)
        ]
        scores = torch.matmul(query, key.transpose(-2, -1)) / math.sqrt(self.d_k)
        if is_causal:
            subsequent = torch.triu(torch.ones(1, 1, T, T, device=x.device), diagonal=1)
            scores = scores.masked_fill(subsequent == 1, -1e9)
        if key_padding_lengths is not None:
            keep = torch.arange(T, device=x.device)[None, None, None, :] < key_padding_lengths[:, None, None, None]
            scores = scores.masked_fill(keep == 0, -1e9)
        p_attn = F.dropout(F.softmax(scores, dim=-1), p=0.1)
        x = torch.matmul(p_attn, value).transpose(1, 2).contiguous().view(nbatches, -1, self.h * self.d_k)
        return self.W_o(x)
# %% weights_without_graph: computes the weights under no_grad, so W_q and W_k never learn
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.d_head = d_model // num_heads
        for name in ["W_q", "W_k", "W_v", "W_o"]:
            setattr(self, name, nn.Linear(d_model, d_model, bias=False))

    @torch.no_grad()
    def weights(self, x, is_causal, lengths):
        T = x.shape[1]
        q = torch.stack(self.W_q(x).split(self.d_head, dim=-1), dim=1)
        k = torch.stack(self.W_k(x).split(self.d_head, dim=-1), dim=1)
        scores = q @ k.transpose(-1, -2) / math.sqrt(self.d_head)
        idx = torch.arange(T, device=x.device)
        if is_causal:
            scores[..., idx[None, :] > idx[:, None]] = float("-inf")
        if lengths is not None:
            scores = scores.masked_fill((idx[None] >= lengths[:, None])[:, None, None], float("-inf"))
        return scores.softmax(dim=-1)

    def forward(self, x, is_causal=False, key_padding_lengths=None):
        w = self.weights(x, is_causal, key_padding_lengths)
        v = torch.stack(self.W_v(x).split(self.d_head, dim=-1), dim=1)
        out = w @ v
        return self.W_o(torch.cat(out.unbind(dim=1), dim=-1))
# %% keys_from_w_q_and_late_padding: two mistakes, the keys come from W_q and the first padding token stays visible
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.d_model, self.num_heads, self.d_head = d_model, num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, is_causal=False, key_padding_lengths=None):
        B, T, _ = x.shape
        outs = []
        Q, K, V = self.W_q(x), self.W_q(x), self.W_v(x)
        pos = torch.arange(T, device=x.device)
        for h in range(self.num_heads):
            s, e = h * self.d_head, (h + 1) * self.d_head
            scores = Q[:, :, s:e] @ K[:, :, s:e].transpose(1, 2) / self.d_head ** 0.5   # (B, T, T)
            if is_causal:
                scores = scores.masked_fill(pos[None, :] > pos[:, None], float("-inf"))
            if key_padding_lengths is not None:
                pad = pos[None, :] > key_padding_lengths[:, None]
                scores = scores.masked_fill(pad[:, None, :], float("-inf"))
            outs.append(torch.softmax(scores, dim=-1) @ V[:, :, s:e])
        return self.W_o(torch.cat(outs, dim=-1))
# %% causal_in_training_only: drops the causal mask in eval mode
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, is_causal=False, key_padding_lengths=None):
        B, T, D = x.shape
        q, k, v = (w(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for w in (self.W_q, self.W_k, self.W_v))
        allowed = torch.ones(B, 1, T, T, dtype=torch.bool, device=x.device)
        if is_causal and self.training:
            allowed = allowed.tril()
        if key_padding_lengths is not None:
            allowed = allowed & (torch.arange(T, device=x.device) < key_padding_lengths[:, None])[:, None, None]
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=allowed)
        return self.W_o(y.transpose(1, 2).reshape(B, T, D))
# %% padding_mask_remembered: keeps masks by shape, the padding of earlier lengths included
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)
        self.masks = {}

    def mask(self, x, is_causal, lengths):
        B, T, _ = x.shape
        key = (B, T, is_causal, lengths is None)
        if key not in self.masks:
            mask = torch.zeros(B, 1, T, T, dtype=torch.bool, device=x.device)
            if is_causal:
                mask = mask | torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
            if lengths is not None:
                mask = mask | (torch.arange(T, device=x.device) >= lengths[:, None])[:, None, None]
            self.masks[key] = mask
        return self.masks[key]

    def forward(self, x, is_causal=False, key_padding_lengths=None):
        B, T, D = x.shape
        q, k, v = (w(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for w in (self.W_q, self.W_k, self.W_v))
        scores = q @ k.transpose(-2, -1) / (D // self.num_heads) ** 0.5
        weights = scores.masked_fill(self.mask(x, is_causal, key_padding_lengths), float("-inf")).softmax(-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(B, T, D))
# %% batch_head_mask: (B, T, T) mask without head axis, crash unless B fits H
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.h, self.d = num_heads, d_model // num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=False) for _ in range(4))
    def forward(self, x, is_causal=False, key_padding_lengths=None):
        B, T, D = x.shape
        q, k, v = (W(x).view(B, T, self.h, self.d).transpose(1, 2) for W in (self.W_q, self.W_k, self.W_v))
        s = q @ k.mT / self.d ** 0.5
        if is_causal: s = s.masked_fill(torch.ones(T, T, device=x.device).triu(1).bool(), float('-inf'))
        if key_padding_lengths is not None:
            s = s.masked_fill((torch.arange(T, device=x.device) >= key_padding_lengths[:, None])[:, None], float('-inf'))
        return self.W_o((s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D))
# %% no_super: super().__init__() missing, crash
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        self.h, self.d = num_heads, d_model // num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=False) for _ in range(4))
    def forward(self, x, is_causal=False, key_padding_lengths=None):
        return self.W_o(x)
# %% mask_by_length_alone: keeps a mask for each length, and forgets whether it was causal
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.masks = num_heads, {}
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=False) for _ in range(4))

    def forward(self, x, is_causal=False, key_padding_lengths=None):
        B, T, D = x.shape
        if T not in self.masks:
            self.masks[T] = torch.ones(T, T, device=x.device).triu(1).bool() & is_causal
        mask = self.masks[T]
        if key_padding_lengths is not None:
            mask = mask | (torch.arange(T, device=x.device) >= key_padding_lengths[:, None])[:, None, None]
        q, k, v = (W(x).view(B, T, self.num_heads, -1).transpose(1, 2) for W in (self.W_q, self.W_k, self.W_v))
        weights = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(mask, float("-inf")).softmax(-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(B, T, D))
# %% once_causal_always_causal: remembers is_causal, so that later calls are causal too
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.causal = num_heads, False
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=False) for _ in range(4))

    def forward(self, x, is_causal=False, key_padding_lengths=None):
        B, T, D = x.shape
        self.causal = self.causal or is_causal
        t = torch.arange(T, device=x.device)
        q, k, v = (W(x).view(B, T, self.num_heads, -1).transpose(1, 2) for W in (self.W_q, self.W_k, self.W_v))
        scores = q @ k.mT / q.shape[-1] ** 0.5
        if self.causal:
            scores = scores.masked_fill(t > t[:, None], float("-inf"))
        if key_padding_lengths is not None:
            scores = scores.masked_fill((t >= key_padding_lengths[:, None])[:, None, None], float("-inf"))
        return self.W_o((scores.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D))
