"""Stand-ins for exercises, built from library operators: demonstrations use them before the learner has
written the exercise.

`check` and `grade` refuse these objects by the mark that the last lines put on each; the same code typed by a
student passes. The grading worker does not have this file. Ready-made operators are deliberate: they do not
show how an exercise is written.
"""

from functools import reduce

import torch
from torch import nn
from torch.nn import functional as F


def attention_scores(queries, keys):
    return torch.einsum("qd,kd->qk", queries, keys)


def attention_weights(scores):
    return F.softmax(scores, dim=-1)


def attention_output(weights, values):
    return torch.einsum("qk,kd->qd", weights, values)


def row_sums(x):  # an exercise of an earlier release
    return torch.einsum("...k->...", x)


def causal_mask(T):
    return torch.ones(T, T, dtype=torch.bool).triu(1)


def masked_scores(scores, mask):
    return torch.where(mask, -torch.inf, scores)


def softmax(x, dim=-1):
    return F.softmax(x, dim=dim)


def create_causal_mask(seq_len_q, seq_len_k=None, device=None):
    full = torch.ones(seq_len_q, seq_len_k or seq_len_q, device=device)
    return torch.triu(full, 1).bool()


def create_padding_mask(lengths, max_len):
    grid = F.one_hot(lengths.long(), max_len + 1).cumsum(1)
    return grid[:, :max_len].bool()


def create_attention_mask(seq_len_q, seq_len_k=None, is_causal=True, key_padding_lengths=None, device=None):
    T_k = seq_len_k or seq_len_q
    device = device if key_padding_lengths is None else key_padding_lengths.device
    mask = create_causal_mask(seq_len_q, T_k, device).logical_and(torch.tensor(is_causal, device=device))
    if key_padding_lengths is None:
        return mask
    return torch.stack([mask + row for row in create_padding_mask(key_padding_lengths, T_k)])[:, None]


def create_causal_mask_with_cache(seq_len_q, seq_len_k, cache_len, device=None):
    return ~torch.ones(seq_len_q, seq_len_k, device=device).tril(cache_len).bool()


def masked_softmax(scores, mask):
    eye = torch.eye(scores.shape[-1], dtype=scores.dtype, device=scores.device).expand(
        *scores.shape[:-2], -1, -1
    )
    return F.scaled_dot_product_attention(scores, eye, eye, attn_mask=~mask.expand(scores.shape), scale=1.0)


def to_additive_mask(mask, dtype=torch.float32):
    return (~mask).to(dtype).log()


def multi_head_attention(Q, K, V, n_heads):
    q, k, v = (split_heads(torch.as_tensor(t, dtype=torch.float64)[None], n_heads) for t in (Q, K, V))
    return merge_heads(F.scaled_dot_product_attention(q, k, v))[0].numpy()


def split_heads(x, num_heads):
    return torch.stack(x.tensor_split(num_heads, dim=2), dim=1)  # (B, H, T, d_head)


def merge_heads(x):
    return torch.cat(x.unbind(dim=1), dim=2)  # (B, T, d_model)


def scaled_dot_product_attention(Q, K, V, mask=None):
    allowed = None if mask is None else ~mask
    eye = torch.eye(K.shape[-2], dtype=K.dtype, device=K.device).expand(*K.shape[:-2], -1, -1)
    weights = F.scaled_dot_product_attention(Q, K, eye, attn_mask=allowed)
    return F.scaled_dot_product_attention(Q, K, V, attn_mask=allowed), weights


def multi_head_attention_core(Q, K, V, num_heads, mask=None):
    split = (split_heads(t, num_heads) for t in (Q, K, V))
    heads, weights = scaled_dot_product_attention(*split, mask=mask)
    return merge_heads(heads), weights


def trace_causal_attention(X, W_Q, W_K, W_V, W_O, num_heads):
    Q, K, V = (split_heads(torch.matmul(X, W), num_heads) for W in (W_Q, W_K, W_V))
    scores = torch.einsum("bhqd,bhkd->bhqk", Q, K).div(Q.shape[-1] ** 0.5)
    future = create_causal_mask(X.shape[1], device=X.device)
    heads, weights = scaled_dot_product_attention(Q, K, V, future)
    story = {
        "Q": Q,
        "K": K,
        "V": V,
        "scores": scores,
        "masked_scores": torch.where(future, -torch.inf, scores),
    }
    return {
        **story,
        "weights": weights,
        "heads": heads,
        "merged": merge_heads(heads),
        "output": merge_heads(heads).matmul(W_O),
    }


def causal_attention_with_weights(X, W_Q, W_K, W_V, W_O, num_heads):
    story = trace_causal_attention(X, W_Q, W_K, W_V, W_O, num_heads)
    return story["output"], story["weights"]


def multi_head_causal_attention(X, W_Q, W_K, W_V, W_O, num_heads):
    return causal_attention_with_weights(X[None], W_Q, W_K, W_V, W_O, num_heads)[0][0]


class MultiHeadSelfAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.d_model, self.num_heads, self.d_head = d_model, num_heads, d_model // num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=False) for _ in range(4))

    def forward(self, x, is_causal=False, key_padding_lengths=None):
        mask = create_attention_mask(x.shape[1], None, is_causal, key_padding_lengths, x.device)
        return self.W_o(
            multi_head_attention_core(self.W_q(x), self.W_k(x), self.W_v(x), self.num_heads, mask)[0]
        )


class CausalMultiHeadSelfAttention(MultiHeadSelfAttention):
    def forward(self, x):
        return super().forward(x, True)

    def _split_heads(self, x):
        return split_heads(x, self.num_heads)

    def _merge_heads(self, x):
        return merge_heads(x)


def load_torch_weights(attention, torch_attention):
    names = [f"{name}.weight" for name in ("W_q", "W_k", "W_v", "W_o")]
    sources = [*torch_attention.in_proj_weight.detach().chunk(3), torch_attention.out_proj.weight.detach()]
    attention.load_state_dict(dict(zip(names, sources, strict=True)), strict=False)


def kv_cache_bytes(batch_size, num_layers, num_kv_heads, seq_len, head_dim, bytes_per_value=2):
    return torch.Size([2, batch_size, num_layers, num_kv_heads, seq_len, head_dim, bytes_per_value]).numel()


class GroupedQueryAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_model // num_heads
        self.q_proj, self.out_proj = (nn.Linear(d_model, d_model, bias=False) for _ in range(2))
        self.k_proj, self.v_proj = (
            nn.Linear(d_model, num_kv_heads * self.d_head, bias=False) for _ in range(2)
        )

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        Q, K, V = split_heads(self.q_proj(x), self.num_heads), self.k_proj(x), self.v_proj(x)
        new = [split_heads(t, self.num_kv_heads) for t in (K, V)]
        old = [new[0][:, :, :0] if cache is None else cache for cache in (cache_k, cache_v)]
        K, V = (torch.cat(pair, dim=2) for pair in zip(old, new, strict=True))
        T, T_all = Q.shape[2], K.shape[2]
        allowed = ~create_causal_mask_with_cache(T, T_all, T_all - T, x.device) if is_causal else None
        heads = F.scaled_dot_product_attention(Q, K, V, attn_mask=allowed, enable_gqa=True)
        return self.out_proj(merge_heads(heads)), K, V


class MultiHeadAttentionWithCache(GroupedQueryAttentionWithCache):
    def __init__(self, d_model, num_heads):
        super().__init__(d_model, num_heads, num_heads)


def attend_in_chunks(attention, x, chunk_sizes):
    if sum(chunk_sizes) != x.shape[1] or not chunk_sizes:
        raise ValueError(f"the sizes {list(chunk_sizes)} do not add up to {x.shape[1]} tokens")
    outputs, caches = [], ()
    for piece in torch.split(x, list(chunk_sizes), dim=1):
        output, *caches = attention(piece, *caches)
        outputs += [output]
    return torch.hstack(outputs)


class StaticKVCache:
    def __init__(self, batch_size, num_heads, max_len, d_head, dtype=torch.float32, device="cpu"):
        self.both = torch.empty(2, batch_size, num_heads, max_len, d_head, dtype=dtype, device=device)
        self.used = 0

    @torch.no_grad()
    def update(self, k, v):
        free = self.both.shape[3] - self.used
        if k.shape[2] > free:
            raise ValueError(f"{k.shape[2]} new tokens do not fit: {free} places are free")
        self.both.narrow(3, self.used, k.shape[2]).copy_(torch.stack([k, v]))
        self.used += k.shape[2]
        return tuple(self.both.narrow(3, 0, self.used))


def get_attention_weights(x, W_q, W_k, num_heads, mask=None):
    Q, K = split_heads(x.matmul(W_q), num_heads), split_heads(x.matmul(W_k), num_heads)
    return scaled_dot_product_attention(Q, K, K, mask)[1]


def head_entropy(weights):
    counts = torch.arange(1, weights.shape[-1] + 1, dtype=weights.dtype, device=weights.device)
    return torch.special.entr(weights).sum(-1) / counts.log().clamp(min=1e-12)


def head_scores(weights):
    later = weights[:, :, 2:].transpose(0, 1)  # (H, B, T - 2, T)
    kinds = {
        "previous": torch.diagonal(later, 1, -2, -1),
        "first": later[..., 0],
        "self": torch.diagonal(later, 2, -2, -1),
    }
    return {kind: mass.flatten(1).mean(1) for kind, mass in kinds.items()}


def induction_score(weights, tokens):
    followers = F.pad(tokens[:, :, None] == tokens[:, None, :], (1, 0))[..., :-1].tril()
    rows = followers.any(-1)
    mass = (weights * followers[:, None]).sum(-1)  # (B, H, T)
    return (mass * rows[:, None]).sum((0, 2)) / rows.sum().clamp(min=1)


def from_fused(weight, d_kv=None):
    d_model = weight.shape[1]
    return torch.split_with_sizes_copy(weight, [d_model, d_kv or d_model, d_kv or d_model])


def from_conv1d(weight, bias):
    blocks, biases = torch.t_copy(weight).tensor_split(3), torch.clone(bias).tensor_split(3)
    return dict(zip(("W_q", "W_k", "W_v", "b_q", "b_k", "b_v"), (*blocks, *biases), strict=True))


def from_interleaved(weight, num_heads):
    rows, d_head = torch.arange(len(weight), device=weight.device), weight.shape[1] // num_heads
    return weight[rows.div(d_head, rounding_mode="floor").remainder(3).argsort(stable=True)].chunk(3)


def translate_mask(mask, source, target, dtype=torch.float32):
    if not {source, target} <= {"masked", "attend", "ones", "additive"}:
        raise ValueError(f"no mask is translated from {source!r} to {target!r}")
    masked = mask.bool().bitwise_xor(torch.tensor(source in ("attend", "ones"), device=mask.device))
    if target == "additive":
        return masked.to(dtype).neg().log1p()
    turned = masked.bitwise_xor(torch.tensor(target != "masked", device=mask.device))
    return turned.long() if target == "ones" else turned


def left_padded_positions(lengths, max_len):
    tokens = F.one_hot(max_len - lengths, max_len).cumsum(1)  # (B, T)
    return tokens.cumsum(1) - tokens


def apply_rope(x, positions, base=10000.0):
    half = x.shape[-1] // 2
    speeds = torch.logspace(0, 1 / half - 1, half, base, dtype=torch.float64, device=x.device)
    angles = torch.einsum("bt,j->btj", positions.double().expand(len(x), -1), speeds)[:, None]
    turned = torch.complex(*x.double().chunk(2, -1)) * torch.polar(torch.ones_like(angles), angles)
    return torch.cat([turned.real, turned.imag], -1).to(x.dtype)


def sliding_window_mask(seq_len_q, seq_len_k, window, sinks=0, device=None):
    past = seq_len_k - seq_len_q
    near = torch.ones(seq_len_q, seq_len_k, device=device).triu(past - window + 1)
    return near.index_fill(1, torch.arange(min(sinks, seq_len_k), device=device), 1).tril(past).logical_not()


class RingKVCache:
    def __init__(self, batch_size, num_heads, window, d_head, sinks=0, dtype=torch.float32, device="cpu"):
        self.both = torch.empty(2, batch_size, num_heads, sinks + window, d_head, dtype=dtype, device=device)
        self.positions = torch.arange(0, device=device)
        self.window, self.sinks, self.seen = window, sinks, 0

    @torch.no_grad()
    def update(self, k, v):
        new = torch.arange(self.seen, self.seen + k.shape[2], device=self.both.device)
        self.seen += len(new)
        joined = torch.cat([self.both.narrow(3, 0, len(self.positions)), torch.stack([k, v])], 3)
        positions = torch.cat([self.positions, new])
        (slots,) = torch.where((positions < self.sinks) | (positions >= self.seen - self.window))
        self.positions = positions[slots]
        self.both.narrow(3, 0, len(slots)).copy_(joined.index_select(3, slots))
        return *joined.index_select(3, slots), self.positions


class DecoderBlock(nn.Module):
    def __init__(self, attention, d_model, d_hidden):
        super().__init__()
        self.attention = attention
        self.norm_1, self.norm_2 = (nn.LayerNorm(d_model) for _ in range(2))
        self.up, self.down = nn.Linear(d_model, d_hidden), nn.Linear(d_hidden, d_model)

    def forward(self, x, *caches, **named_caches):
        attended, *caches = self.attention(self.norm_1(x), *caches, **named_caches)
        halfway = torch.stack([x, attended]).sum(dim=0)
        mlp = nn.Sequential(self.norm_2, self.up, nn.GELU(), self.down)
        return torch.stack([halfway, mlp(halfway)]).sum(dim=0), *caches


def next_token_probabilities(logits, temperature=1.0, top_k=None):
    k = min(top_k or logits.shape[-1], logits.shape[-1])
    largest = logits.topk(k, dim=-1) if temperature else logits.max(dim=-1, keepdim=True)
    shares = F.softmax(largest.values.div(temperature or 1), dim=-1)
    return torch.zeros_like(logits).scatter_add(-1, largest.indices, shares)


def generate(model, tokens, max_new_tokens, choose):
    def grown(text, _):
        tokens, unread, *cache = text
        logits, cache = model(unread, *cache)
        unread = choose(logits.select(1, -1)).unsqueeze(1)
        return torch.hstack([tokens, unread]), unread, cache

    return reduce(grown, range(max_new_tokens), (tokens, tokens))[0]


def online_softmax_attention(Q, K, V, block_size):
    wide = torch.promote_types(Q.dtype, torch.float32)
    q = Q.to(wide) * Q.shape[-1] ** -0.5

    def read(state, block):
        out, lse = state
        scores = torch.einsum("...qd,...kd->...qk", q, block[0].to(wide))
        both = torch.logaddexp(lse, scores.logsumexp(-1, keepdim=True))
        return out * (lse - both).exp() + (scores - both).exp() @ block[1].to(wide), both

    start = torch.zeros_like(q), q.new_full((*q.shape[:-1], 1), -torch.inf)
    blocks = zip(K.split(block_size, -2), V.split(block_size, -2), strict=True)
    return reduce(read, blocks, start)[0].to(Q.dtype)


def merge_partials(out_1, lse_1, out_2, lse_2):
    lse = torch.stack([lse_1, lse_2], -1)
    unseen = lse.isneginf().all(-1, keepdim=True)
    finite = lse.masked_fill(unseen, 0)
    shares = finite.softmax(-1).masked_fill(unseen, 0)
    out = torch.einsum("bhts,bhtds->bhtd", shares, torch.stack([out_1, out_2], -1))
    return out, finite.logsumexp(-1).masked_fill(unseen[..., 0], -torch.inf)


def gather_paged(blocks, block_table, length):
    needed = block_table.tensor_split([-(-length // blocks.shape[1])])[0]
    return blocks.index_select(0, needed).flatten(0, 1).movedim(1, 0).narrow(1, 0, length)


class LatentAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, d_latent):
        super().__init__()
        self.num_heads = num_heads
        self.q_proj, self.out_proj = (nn.Linear(d_model, d_model, bias=False) for _ in range(2))
        self.k_up, self.v_up = (nn.Linear(d_latent, d_model, bias=False) for _ in range(2))
        self.down_proj = nn.Linear(d_model, d_latent, bias=False)

    def forward(self, x, cache=None):
        all_latents = self.down_proj(x)
        if cache is not None:
            all_latents = torch.hstack([cache, all_latents])
        T, T_all = x.shape[1], all_latents.shape[1]
        allowed = ~create_causal_mask_with_cache(T, T_all, T_all - T, x.device)
        Q, K, V = (
            split_heads(t, self.num_heads)
            for t in (self.q_proj(x), self.k_up(all_latents), self.v_up(all_latents))
        )
        heads = F.scaled_dot_product_attention(Q, K, V, attn_mask=allowed)
        return self.out_proj(merge_heads(heads)), all_latents


def absorb_key_projection(q, k_up_weight):
    return torch.einsum("bhtd,hdl->bhtl", q, torch.stack(k_up_weight.tensor_split(q.shape[1])))


for obj in [obj for obj in globals().values() if getattr(obj, "__module__", None) == __name__]:
    obj.is_stand_in = True
del obj
