"""The intended result of every program of the bug hunt, computed with plain loops in float64.

A function has its program's name, or an entry in REFERENCES; it takes NumPy arrays. None: a random result.
"""

import math

import numpy as np
import torch

from course_utils.practice.bugs.inputs import with_weights


def softmax(row):
    powers = np.exp(row - np.max(row))
    return powers / powers.sum()


def attend(q, k, v, sees=lambda i, j: True):
    """One head: for each query, a weighted sum of the values of the visible keys."""
    rows = []
    for i, query in enumerate(q):
        visible = [j for j in range(len(k)) if sees(i, j)]
        rows.append(softmax(np.array([query @ k[j] for j in visible]) / math.sqrt(len(query))) @ v[visible])
    return np.array(rows)


def causal(i, j):
    return j <= i


def cut(x, heads):
    """[(T, d)]: blocks of neighbouring features."""
    return np.split(x, heads, axis=1)


def beside(heads):
    return np.concatenate(list(heads), axis=1)


def turn(x, base, halves):
    """Rotary positions for (T, d), computed with complex numbers."""
    d = x.shape[1]
    re, im = (x[:, : d // 2], x[:, d // 2 :]) if halves else (x[:, 0::2], x[:, 1::2])
    angle = np.arange(len(x))[:, None] * base ** (-2 * np.arange(d // 2) / d)
    z = (re + 1j * im) * np.exp(1j * angle)
    return np.concatenate([z.real, z.imag], 1) if halves else np.stack([z.real, z.imag], 2).reshape(x.shape)


def letters_to_come(prompt, n, after):
    text = [int(letter) for letter in prompt]
    for _ in range(n):
        text.append(int(after[text[-1]].argmax()))
    return text


def scale_of_a_head(heads, values, keys, queries):
    cuts = (cut(item, heads) for item in (queries, keys, values))
    return beside(attend(q, k, v) for q, k, v in zip(*cuts, strict=True))


def zero_is_a_score(keep, scores):
    rows = np.zeros(scores.shape)
    for row, open_, arguments in zip(rows, keep, scores, strict=True):
        row[open_] = softmax(arguments[open_])
    return rows


def mask_without_axes(scores, lengths):
    out = np.zeros(scores.shape)
    for b, n in enumerate(lengths):
        out[b, :, :n] = [softmax(row[:n]) for row in scores[b]]
    return out


def one_step_more(K, V, q):
    share = len(q) // len(K)
    return [attend(q[[h]], K[h // share], V[h // share])[0] for h in range(len(q))]


def groups_of_queries(queries, K, V):
    share = len(queries) // len(K)
    return [attend(q, K[h // share], V[h // share]) for h, q in enumerate(queries)]


def the_best_few(k, logits):
    limit = sorted(logits, reverse=True)[min(k, len(logits)) - 1]
    return softmax(np.where(logits >= limit, logits, -np.inf))


def rows_or_columns(x, real):
    tokens = [np.flatnonzero(row) for row in real]
    mixed = [attend(item, item[indices], item[indices]) for item, indices in zip(x, tokens, strict=True)]
    return np.array(mixed) * real[:, :, None]


def averages_so_far(x):
    return [x[: t + 1].mean(0) for t in range(len(x))]


def only_while_it_learns(n_head, x, training):
    D, weights = x.shape[1], torch.nn.Module()
    weights.to_qkv = torch.nn.Linear(D, 3 * D, bias=False)
    weights.proj = torch.nn.Linear(D, D, bias=False)
    W, W_o = (item.detach().double().numpy() for item in with_weights(weights).parameters())
    q, k, v = (cut(x @ part.T, n_head) for part in np.split(W, 3))
    return beside(attend(*head, causal) for head in zip(q, k, v, strict=True)) @ W_o.T


def padding_in_front(lengths, table):
    T = len(table)
    return [np.concatenate([table[:1].repeat(T - n, 0), table[:n]]) for n in lengths]


def positions_go_on(x):
    turned = turn(x, 10000.0, halves=False)
    return [[float(turned[j] @ turned[i]) for j in range(i + 1)] for i in range(len(x))]


def groups_by_axes(q, k, v, share):
    queries = cut(q, k.shape[1] * share)
    return beside(attend(item, k[:, h // share], v[:, h // share]) for h, item in enumerate(queries))


def whole_story_in_numpy(wo, wv, wk, wq, x, h):
    heads = zip(*(cut(x @ w, h) for w in (wq, wk, wv)), strict=True)
    return beside(attend(*head, causal) for head in heads) @ wo


def fused_by_head(W, heads, x):
    parts = cut(x @ W, 3 * heads)
    return beside(attend(*parts[3 * h : 3 * h + 3]) for h in range(heads))


def a_small_encoder(ids, lengths, table):
    means = []
    for letters, n in zip(ids, lengths, strict=True):
        h = table[letters[:n]]
        for _ in range(2):
            h = h + attend(h, h, h)
        means.append(h.mean(0))
    return means


def when_to_stop(ids, table, end, most):
    rows, needed = [], []
    for letter in ids:
        row = letters_to_come([letter], most, table)[1:]
        stop = row.index(end) + 1 if end in row else most
        rows.append(row[:stop] + [end] * (most - stop))
        needed.append(stop)
    return [row[: max(needed)] for row in rows]


def block_of_a_decoder(x, W):
    def norm(rows):
        return (rows - rows.mean(1, keepdims=True)) / np.sqrt(rows.var(1, keepdims=True) + 1e-5)

    x = x + averages_so_far(norm(x))
    return x + np.maximum(norm(x) @ W, 0)


def sinks_and_window(n, past, window, sinks):
    places = range(past, past + n)
    return [[int(j <= i and (j < sinks or i - j < window)) for j in range(past + n)] for i in places]


def decoder_in_steps(Wq, Wk, Wv, H, G, x, step):
    q, k = ([turn(item, 10000.0, halves=True) for item in cut(x @ W, n)] for W, n in ((Wq, H), (Wk, G)))
    v = cut(x @ Wv, G)
    return beside(attend(q[h], k[h * G // H], v[h * G // H], causal) for h in range(H))


def smallest_nucleus(logits, p):
    probs, result = softmax(logits), np.zeros(len(logits))
    for token in sorted(range(len(probs)), key=lambda token: -probs[token]):
        if result.sum() < p:
            result[token] = probs[token]
    return result / result.sum()


def loss_of_the_targets(logits, targets):
    chances = np.array([softmax(row) for row in logits])
    right = np.eye(logits.shape[1])[targets]
    loss = -np.mean([math.log(row[target]) for row, target in zip(chances, targets, strict=True)])
    return [loss, (chances - right) / len(targets)]


def experts_of_a_token(x, router, experts, k):
    rows = []
    for token in x:
        scores = token @ router
        best = np.argsort(-scores)[:k]
        rows.append(sum(w * (token @ experts[e]) for w, e in zip(softmax(scores[best]), best, strict=True)))
    return rows


def eight_bits(x, W):
    rows = []
    for row in W:
        scale = max(abs(row)) / 127 or 1.0
        rows.append([round(weight / scale) * scale for weight in row])
    return x @ np.array(rows).T


def gradient_of_scores(Q, K, V, dO):
    root, dQ, dK, dV = math.sqrt(Q.shape[1]), np.zeros(Q.shape), np.zeros(K.shape), np.zeros(V.shape)
    for i, query in enumerate(Q):
        p = softmax(K @ query / root)
        dS = (np.diag(p) - np.outer(p, p)) @ (V @ dO[i])
        dQ[i] = dS @ K / root
        dK += np.outer(dS, query) / root
        dV += np.outer(p, dO[i])
    return [dQ, dK, dV]


def memory_of_fixed_size(q, k, v):
    q, k = (np.where(z > 0, z + 1, np.exp(z)) for z in (q, k))
    rows = []
    for i, query in enumerate(q):
        weights = k[: i + 1] @ query
        rows.append(weights / weights.sum() @ v[: i + 1])
    return rows


REFERENCES = {
    "future_hidden": lambda scores: np.where(np.tri(len(scores), dtype=bool), scores, -np.inf),
    "features_to_heads": lambda x, n_heads: cut(x, n_heads),
    "mean_of_real_tokens": lambda x, lengths: [
        tokens[:n].mean(0) for tokens, n in zip(x, lengths, strict=True)
    ],
    "row_shares": lambda heat, table: [softmax(row / heat) for row in table],
    "blended_after": lambda V, scores, hide: [
        softmax(row[~no]) @ V[~no] for row, no in zip(scores, hide, strict=True)
    ],
    "shares_of_keys": lambda Q, K, V: attend(Q.T, K.T, V.T).T,
    "who_sees_whom": lambda lengths, n, total: [
        [[j <= total - n + i and j < length for j in range(total)] for i in range(n)] for length in lengths
    ],
    "heads_to_features": lambda pieces: beside(pieces),
    "rows_times_matrix": lambda W, x: np.einsum("oi,ti->to", W, x),
    "bias_of_a_mask": lambda scores, keep: np.where(keep, scores, -np.inf),
    "last_block": lambda block, w, values: np.einsum("t,td->d", w, values),
    "band_of_keys": lambda n_tokens, window: [
        [int(0 <= i - j < window) for j in range(n_tokens)] for i in range(n_tokens)
    ],
    "votes_to_shares": lambda votes: [[vote / sum(row) for vote in row] for row in votes],
    "columns_of_weights": lambda logits: np.array([softmax(column) for column in logits.T]).T,
    "values_of_a_cache": lambda x, wq, wk, wv: attend(x @ wq, x @ wk, x @ wv, causal),
    "fused_rows": lambda W, x: attend(*(x @ part.T for part in np.split(W, 3))),
    "dropped_weights": lambda scores, V, p, training: (
        [p, 1 / (1 - p), 1 / (1 - p)] if training else np.array([softmax(row) for row in scores]) @ V
    ),
    "one_pass": lambda stream: float(np.logaddexp.reduce(stream)),
    "turned_pairs": lambda x, theta: np.stack(
        [turn(x[:, h], theta, halves=False) for h in range(x.shape[1])], 1
    ),
    "list_of_caches": lambda keys: keys[:, -1],
    "writing_a_batch": lambda table, ids, steps: [letters_to_come(row, steps, table) for row in ids],
    "low_enough": lambda qkv, half: attend(*(qkv.astype(np.float16).astype(float) if half else qkv), causal),
    "keys_the_other_way": lambda a, b: [
        softmax(np.array([query @ key for key in b]) / math.sqrt(len(query))) for query in a
    ],
    "format_of_the_result": lambda k, q, exact: q @ k.T / math.sqrt(q.shape[1]),
    "remainder_of_a_stream": lambda xs: softmax(xs),
    "chunk_after_chunk": lambda x, cut: attend(x, x, x, causal),
    "online_mix": lambda q, K, V, block: attend(q[None], K, V)[0],
    "a_maximum_to_begin_with": lambda logits: softmax(logits),
    "speeds_of_turning": lambda x, base: turn(x, base, halves=True),
    "ring_of_slots": lambda size, x: x[-size:],
    "blocks_of_memory": lambda pool, pages, n: np.concatenate([pool[page] for page in pages])[:n],
    "narrow_scores": lambda scores, hide, half: zero_is_a_score(
        ~hide, scores.astype(np.float16).astype(float) if half else scores
    ),
}
REFERENCES |= {name: value for name, value in vars().copy().items() if callable(value)}
