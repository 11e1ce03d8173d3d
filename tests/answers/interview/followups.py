"""Answers to the stages that follow. A cell begins with `# %% topic stage name: verdict`; the verdict is
"right" or the mistake's name."""
# %% causal_mask 2 lengths_of_both: right
def f(T_q, T_k):
    return torch.ones(T_q, T_k, dtype=torch.bool).tril(T_k - T_q)
# %% causal_mask 2 past: inverted
def f(new, past):
    return np.arange(past + new)[None] > (past + np.arange(new))[:, None]
# %% causal_mask 2 keys_by_default: right
def f(T, S=None):
    S = T if S is None else S
    return torch.arange(S)[None] <= torch.arange(T)[:, None] + S - T
# %% causal_mask 2 keys_by_default_from_the_first: top_left
def f(T, S=None):
    return torch.arange(S or T)[None] <= torch.arange(T)[:, None]
# %% causal_mask 2 top_left: top_left
def f(q_len, k_len):
    return torch.triu(torch.ones(q_len, k_len), 1).bool()
# %% causal_mask 3 table: right
def f(is_real):
    T = is_real.shape[1]
    return torch.tril(torch.ones(T, T)).bool() & is_real[:, None, :]
# %% causal_mask 3 or_for_and: padding_ignored
def f(lengths, T):
    return torch.tril(torch.ones(T, T)).bool()[None].repeat(len(lengths), 1, 1)
# %% stable_softmax 2 axis: right
def f(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
# %% stable_softmax 2 second_axis: wrong_axis
def f(x):
    e = np.exp(x - x.max(-2, keepdims=True))
    return e / e.sum(-2, keepdims=True)
# %% stable_softmax 2 second_axis_always: default_not_last
def f(a):
    axis = 1 if a.ndim > 1 else 0
    e = np.exp(a - a.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
# %% stable_softmax 3 zeros: right
def f(scores, allowed):
    s = scores.masked_fill(~allowed, float("-inf"))
    m = s.amax(-1, keepdim=True)
    e = torch.where(allowed, (s - m).exp(), 0.0)
    return e / e.sum(-1, keepdim=True).clamp(min=1e-9)
# %% stable_softmax 3 nan: row_of_nan
def f(x, mask):
    x = np.where(mask, -np.inf, x)
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)
# %% mha 2 masked_inside: right
class A(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h, self.qkv, self.out = n_heads, nn.Linear(d_model, 3 * d_model), nn.Linear(d_model, d_model)

    def forward(self, x):
        B, T, D = x.shape
        q, k, v = (t.view(B, T, self.h, -1).transpose(1, 2) for t in self.qkv(x).chunk(3, -1))
        s = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(torch.ones(T, T).triu(1).bool(), -torch.inf)
        return self.out((s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D))
# %% mha 2 no_mask: no_mask
def f(x, wq, wk, wv, wo, n_heads):
    B, T, D = x.shape
    q, k, v = ((x @ w).view(B, T, n_heads, -1).transpose(1, 2) for w in (wq, wk, wv))
    return ((q @ k.mT / (D // n_heads) ** 0.5).softmax(-1) @ v).transpose(1, 2).reshape(B, T, D) @ wo
# %% mha 4 lengths: right
def f(x, wq, wk, wv, wo, n_heads, lengths):
    B, T, D = x.shape
    q, k, v = ((x @ w).view(B, T, n_heads, -1).transpose(1, 2) for w in (wq, wk, wv))
    s = q @ k.mT / (D // n_heads) ** 0.5
    pad = torch.arange(T)[None, :] >= lengths[:, None]
    s = s.masked_fill(pad[:, None, None, :], -torch.inf)
    return (s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D) @ wo
# %% mha 4 key_padding_mask: right
class A(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h, self.qkv, self.out = n_heads, nn.Linear(d_model, 3 * d_model), nn.Linear(d_model, d_model)

    def forward(self, x, key_padding_mask=None):
        B, T, D = x.shape
        q, k, v = (t.view(B, T, self.h, -1).transpose(1, 2) for t in self.qkv(x).chunk(3, -1))
        s = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(torch.ones(T, T).triu(1).bool(), -torch.inf)
        if key_padding_mask is not None:
            s = s.masked_fill(key_padding_mask[:, None, None, :], -torch.inf)
        return self.out((s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D))
# %% mha 4 attention_mask_of_ones: right
def f(q, k, v, n_heads, attention_mask):
    B, T, D = q.shape
    q, k, v = (t.view(B, T, n_heads, -1).transpose(1, 2) for t in (q, k, v))
    s = q @ k.mT / (D // n_heads) ** 0.5 + (1.0 - attention_mask[:, None, None, :]) * -1e9
    return (s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D)
# %% mha 4 one_more: padding_one_off
def f(x, wq, wk, wv, wo, n_heads, lengths):
    B, T, D = x.shape
    q, k, v = ((x @ w).view(B, T, n_heads, -1).transpose(1, 2) for w in (wq, wk, wv))
    s = q @ k.mT / (D // n_heads) ** 0.5
    pad = torch.arange(T)[None, :] > lengths[:, None]
    s = s.masked_fill(pad[:, None, None, :], -torch.inf)
    return (s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D) @ wo
# %% mha 4 ignored: padding_ignored
def f(x, wq, wk, wv, wo, n_heads, lengths):
    B, T, D = x.shape
    q, k, v = ((x @ w).view(B, T, n_heads, -1).transpose(1, 2) for w in (wq, wk, wv))
    return ((q @ k.mT / (D // n_heads) ** 0.5).softmax(-1) @ v).transpose(1, 2).reshape(B, T, D) @ wo
# %% cached_mha 2 grouped: right
class G(nn.Module):
    def __init__(self, d_model, n_heads, n_kv_heads):
        super().__init__()
        self.h, self.g, self.d = n_heads, n_kv_heads, d_model // n_heads
        self.q, self.o = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)
        self.k, self.v = (nn.Linear(d_model, n_kv_heads * self.d) for _ in range(2))

    def forward(self, x, cache=None):
        B, T, D = x.shape
        q = self.q(x).view(B, T, self.h, self.d).transpose(1, 2)
        k, v = (w(x).view(B, T, self.g, self.d).transpose(1, 2) for w in (self.k, self.v))
        if cache is not None:
            k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
        S, r = k.shape[2], self.h // self.g
        s = q @ k.repeat_interleave(r, 1).mT / self.d**0.5
        s = s.masked_fill(torch.ones(T, S).triu(S - T + 1).bool(), -torch.inf)
        return self.o((s.softmax(-1) @ v.repeat_interleave(r, 1)).transpose(1, 2).flatten(2)), (k, v)
# %% rope 2 offset: right
def f(x, offset=0):
    T, d = x.shape[-2:]
    a = torch.outer(torch.arange(offset, offset + T).float(), 10000 ** (-torch.arange(0, d, 2) / d))
    b, c = x.chunk(2, -1)
    return torch.cat([b * a.cos() - c * a.sin(), b * a.sin() + c * a.cos()], -1)
# %% rope 2 ignored: start_ignored
def f(x, start_pos=0):
    T, d = x.shape[-2:]
    a = torch.outer(torch.arange(T).float(), 10000 ** (-torch.arange(0, d, 2) / d))
    b, c = x.chunk(2, -1)
    return torch.cat([b * a.cos() - c * a.sin(), b * a.sin() + c * a.cos()], -1)
# %% generate_loop 2 cached: right
def f(model, idx, n):
    cache, cur = None, idx
    for _ in range(n):
        logits, cache = model(cur, cache)
        cur = logits[:, -1:].argmax(-1)
        idx = torch.cat([idx, cur], 1)
    return idx
# %% generate_loop 2 uncached: no_cache
def f(model, idx, n):
    for _ in range(n):
        logits, _ = model(idx, None)
        idx = torch.cat([idx, logits[:, -1:].argmax(-1)], 1)
    return idx
# %% generate_loop 3 stops: right
def f(model, idx, max_new_tokens, eos_token_id=None):
    for _ in range(max_new_tokens):
        nxt = model(idx)[:, -1].argmax(-1, keepdim=True)
        idx = torch.cat([idx, nxt], 1)
        if eos_token_id is not None and (nxt == eos_token_id).all():
            break
    return idx
# %% generate_loop 3 goes_on: end_ignored
def f(model, idx, n, eos):
    for _ in range(n):
        idx = torch.cat([idx, model(idx)[:, -1].argmax(-1, keepdim=True)], 1)
    return idx
# %% generate_loop 3 leaves_out: end_left_out
def f(model, idx, n, stop):
    for _ in range(n):
        nxt = model(idx)[:, -1].argmax(-1, keepdim=True)
        if nxt.item() == stop:
            break
        idx = torch.cat([idx, nxt], 1)
    return idx
# %% causal_mask 3 both_sides: rows with nothing to attend to
def f(lengths, T):
    real = torch.arange(T)[None] < lengths[:, None]
    return torch.tril(torch.ones(T, T)).bool() & real[:, :, None] & real[:, None, :]
# %% mha 4 causal_and_ignored: padding_ignored
def f(x, wq, wk, wv, wo, n_heads, lengths):
    B, T, D = x.shape
    q, k, v = ((x @ w).view(B, T, n_heads, -1).transpose(1, 2) for w in (wq, wk, wv))
    s = (q @ k.mT / (D // n_heads) ** 0.5).masked_fill(torch.ones(T, T).triu(1).bool(), -torch.inf)
    return (s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D) @ wo
# %% mha 4 hides_queries_too: right
def f(x, wq, wk, wv, wo, n_heads, lengths):
    B, T, D = x.shape
    q, k, v = ((x @ w).view(B, T, n_heads, -1).transpose(1, 2) for w in (wq, wk, wv))
    real = torch.arange(T) < lengths[:, None]
    keep = torch.ones(T, T).tril().bool() & real[:, None, :] & real[:, :, None]
    s = (q @ k.mT / (D // n_heads) ** 0.5).masked_fill(~keep[:, None], -1e9)
    return (s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D) @ wo
# %% mha 2 sees_all_in_one_head: looks at the future
def f(x, wq, wk, wv, wo, n_heads):
    B, T, D = x.shape
    q, k, v = ((x @ w).view(B, T, n_heads, -1).transpose(1, 2) for w in (wq, wk, wv))
    m = torch.ones(T, T).triu(1).bool().repeat(n_heads, 1, 1)
    m[0] = False
    s = (q @ k.mT / (D // n_heads) ** 0.5).masked_fill(m, -torch.inf)
    return (s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D) @ wo
# %% causal_mask 2 batch_and_past: right
def f(bsz, tgt_len, past_key_values_length=0):
    m = torch.full((tgt_len, tgt_len + past_key_values_length), -torch.inf).triu(1 + past_key_values_length)
    return m.expand(bsz, 1, *m.shape)
# %% causal_mask 2 shape_and_past: right
def f(input_shape, past_key_values_length=0):
    B, T = input_shape
    keep = torch.ones(T, T + past_key_values_length).tril(past_key_values_length).bool()
    return keep.expand(B, 1, *keep.shape)
# %% causal_mask 2 batch_and_past_unused: top_left
def f(bsz, tgt_len, past_key_values_length=0):
    m = torch.full((tgt_len, tgt_len + past_key_values_length), -torch.inf).triu(1)
    return m.expand(bsz, 1, *m.shape)
# %% causal_mask 3 or_for_both: padding_or_causal
def f(real):
    T = real.shape[1]
    return torch.ones(T, T).tril().bool()[None] | real[:, None, :]
# %% rope 2 start_of_keys_alone: start_of_one_alone
def f(q, k, start):
    T, d = q.shape[-2:]
    def turn(x, first):
        a = (first + np.arange(T))[:, None] * 1e4 ** (-np.arange(0, d, 2) / d)
        b, c = np.split(x, 2, -1)
        return np.concatenate([b * np.cos(a) - c * np.sin(a), b * np.sin(a) + c * np.cos(a)], -1)
    return turn(q, 0), turn(k, start)
# %% stable_softmax 3 true_is_open_and_nothing_for_empty_rows: row_of_nan
def weigh(scores, visible):
    left = np.where(visible, scores, -np.inf)
    grown = np.exp(left - left.max(axis=-1, keepdims=True))
    return grown / grown.sum(axis=-1, keepdims=True)
# %% stable_softmax 3 the_maximum_of_what_is_left: right
def weigh(scores, hidden):
    top = np.where(hidden, -np.inf, scores).max(axis=-1, keepdims=True)
    grown = np.where(hidden, 0.0, np.exp(np.minimum(scores - np.where(np.isinf(top), 0.0, top), 0.0)))
    total = grown.sum(axis=-1, keepdims=True)
    return grown / np.where(total == 0, 1.0, total)
# %% rope 2 complex_table_cut_at_the_tokens: right
def apply_rotary_emb(xq, xk, freqs_cis):
    def turned(x):
        pairs = torch.view_as_complex(x.float().reshape(*x.shape[:-1], -1, 2))
        assert freqs_cis.shape == (x.shape[1], pairs.shape[-1])
        return torch.view_as_real(pairs * freqs_cis[None, :, None]).flatten(3)
    return turned(xq), turned(xk)
# %% rope 2 sines_and_cosines_cut_at_the_tokens: right
def rotate_half(x):
    return torch.cat((-x[..., x.shape[-1] // 2 :], x[..., : x.shape[-1] // 2]), dim=-1)

def apply_rotary_pos_emb(q, k, cos, sin, position_ids=None, unsqueeze_dim=1):
    cos, sin = cos.unsqueeze(unsqueeze_dim), sin.unsqueeze(unsqueeze_dim)
    return q * cos + rotate_half(q) * sin, k * cos + rotate_half(k) * sin
# %% rope 2 table_looked_up_by_positions: right
def rotate_half(x):
    return torch.cat((-x[..., x.shape[-1] // 2 :], x[..., : x.shape[-1] // 2]), dim=-1)

def apply_rotary_pos_emb(q, k, cos, sin, position_ids):
    cos, sin = cos[position_ids].unsqueeze(1), sin[position_ids].unsqueeze(1)
    return q * cos + rotate_half(q) * sin, k * cos + rotate_half(k) * sin
# %% rope 2 complex_table_and_where_to_begin: right
def turned(x, freqs_cis, start_pos):
    table = freqs_cis[start_pos : start_pos + x.shape[1]][None, :, None]
    return torch.view_as_real(torch.view_as_complex(x.reshape(*x.shape[:-1], -1, 2)) * table).flatten(3)
# %% rope 2 table_of_pairs_for_halves: layouts_mixed
def turned(x, freqs):
    cos, sin = freqs.cos().repeat_interleave(2, -1), freqs.sin().repeat_interleave(2, -1)
    a, b = x.chunk(2, -1)
    return x * cos + torch.cat([-b, a], -1) * sin
# %% rope 2 queries_in_halves_and_keys_in_pairs: numbers are those of no mistake
def turned(q, k, cos, sin):
    assert cos.shape[-1] == q.shape[-1] // 2
    a, b = q.chunk(2, -1)
    c, d = k[..., ::2], k[..., 1::2]
    halves = torch.cat([a * cos - b * sin, a * sin + b * cos], -1)
    return halves, torch.stack([c * cos - d * sin, c * sin + d * cos], -1).flatten(-2)
# %% rope 2 table_turned_back: turned_back
def turned(q, k, cos, sin):
    def back(x):
        a, b = x.chunk(2, -1)
        return x * cos - torch.cat([-b, a], -1) * sin
    return back(q), back(k)
# %% rope 2 table_cut_without_the_start: start_ignored
def turned(x, cos, sin, start=0):
    cos, sin = cos[: x.shape[-2]], sin[: x.shape[-2]]
    a, b = x.chunk(2, -1)
    return x * cos + torch.cat([-b, a], -1) * sin
# %% mha 2 padding_or_causal_in_a_class: padding_or_causal
class Attention(torch.nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.q, self.k, self.v, self.o = (torch.nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x, lengths):
        B, T, D = x.shape
        q, k, v = (p(x).view(B, T, self.n_heads, -1).transpose(1, 2) for p in (self.q, self.k, self.v))
        real = torch.arange(T)[None] < torch.as_tensor(lengths)[:, None]
        open_ = torch.ones(T, T).tril().bool() | real[:, None, None]
        s = (q @ k.mT / (D // self.n_heads) ** 0.5).masked_fill(~open_, -torch.inf)
        return self.o((s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D))
# %% mha 4 hidden_only_where_both_hide: padding_or_causal
class Attention(torch.nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.q, self.k, self.v, self.o = (torch.nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x, pad_mask):
        B, T, D = x.shape
        q, k, v = (p(x).view(B, T, self.n_heads, -1).transpose(1, 2) for p in (self.q, self.k, self.v))
        hidden = torch.ones(T, T).triu(1).bool() & pad_mask[:, None, None]
        s = (q @ k.mT / (D // self.n_heads) ** 0.5).masked_fill(hidden, -torch.inf)
        return self.o((s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D))
# %% mha 4 padding_alone_without_a_causal_mask: right
class Attention(torch.nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.q, self.k, self.v, self.o = (torch.nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x, pad_mask):
        B, T, D = x.shape
        q, k, v = (p(x).view(B, T, self.n_heads, -1).transpose(1, 2) for p in (self.q, self.k, self.v))
        s = (q @ k.mT / (D // self.n_heads) ** 0.5).masked_fill(pad_mask[:, None, None], -torch.inf)
        return self.o((s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D))
# %% generate_loop 0 nothing_to_put_together: with no new tokens (a number of 0)
def generate(model, tokens, n):
    new = []
    for _ in range(n):
        new.append(model(torch.cat([tokens, *new], 1))[:, -1].argmax(-1, keepdim=True))
    return torch.cat([tokens, torch.cat(new, 1)], 1)
# %% generate_loop 0 last_place_in_a_record: right
def generate(model, tokens, n):
    for _ in range(n):
        tokens = torch.cat([tokens, model(tokens).logits.argmax(-1, keepdim=True)], 1)
    return tokens
# %% generate_loop 2 last_place_in_a_record: right
def generate(model, tokens, n):
    cache, new = None, tokens
    for _ in range(n):
        out = model(new, cache)
        cache, new = out.cache, out.logits.argmax(-1, keepdim=True)
        tokens = torch.cat([tokens, new], 1)
    return tokens
# %% generate_loop 3 last_place_in_a_record: right
def generate(model, tokens, n, eos):
    for _ in range(n):
        new = model(tokens).logits.argmax(-1, keepdim=True)
        tokens = torch.cat([tokens, new], 1)
        if (new == eos).all():
            break
    return tokens
# %% generate_loop 2 last_place_of_one_text: right
def generate(model, tokens, n):
    cache, new = None, tokens
    for _ in range(n):
        logits, cache = model(new, cache)
        new = logits.argmax().view(1)
        tokens = torch.cat([tokens, new])
    return tokens
# %% generate_loop 3 end_dropped: end_left_out
def f(model, ids, max_new, eos_id):
    cache, newest = None, ids
    for _ in range(max_new):
        logits, cache = model(newest, cache)
        token = logits[-1].argmax()
        if token == eos_id:
            break
        ids, newest = torch.cat([ids, token[None]]), token[None]
    return ids
