"""What every program of the bug hunt is meant to give, as plain loops in float64.

A function has the name of its program and takes its inputs as NumPy arrays. None: the result is up to chance.
"""

import math

import numpy as np
import torch

from course_utils.practice.bugs.inputs import with_weights


def softmax(row):
    powers = np.exp(row - np.max(row))
    return powers / powers.sum()


def attend(q, k, v, sees=lambda i, j: True):
    """One head: for each query a mix of the values of the keys that it sees."""
    rows = []
    for i, query in enumerate(q):
        seen = [j for j in range(len(k)) if sees(i, j)]
        rows.append(softmax(np.array([query @ k[j] for j in seen]) / math.sqrt(len(query))) @ v[seen])
    return np.array(rows)


def causal(i, j):
    return j <= i


def cut(x, heads):
    """[(T, d)] of neighbouring features."""
    return np.split(x, heads, axis=1)


def beside(heads):
    return np.concatenate(list(heads), axis=1)


def turn(x, base, halves):
    """Rotary positions of (T, d), as complex numbers."""
    d = x.shape[1]
    re, im = (x[:, : d // 2], x[:, d // 2 :]) if halves else (x[:, 0::2], x[:, 1::2])
    angle = np.arange(len(x))[:, None] * base ** (-2 * np.arange(d // 2) / d)
    z = (re + 1j * im) * np.exp(1j * angle)
    return np.concatenate([z.real, z.imag], 1) if halves else np.stack([z.real, z.imag], 2).reshape(x.shape)


# ---- level 1


def future_hidden(scores):
    return [[s if j <= i else -np.inf for j, s in enumerate(row)] for i, row in enumerate(scores)]


def features_to_heads(x, n_heads):
    return cut(x, n_heads)


def mean_of_real_tokens(x, lengths):
    return [tokens[:n].mean(0) for tokens, n in zip(x, lengths, strict=True)]


def row_shares(heat, table):
    return [softmax(row / heat) for row in table]


def blended_after(V, scores, hide):
    return [softmax(row[~no]) @ V[~no] for row, no in zip(scores, hide, strict=True)]


def letters_to_come(prompt, n, after):
    text = [int(letter) for letter in prompt]
    for _ in range(n):
        text.append(int(after[text[-1]].argmax()))
    return text


def shares_of_keys(Q, K, V):
    return attend(Q.T, K.T, V.T).T


def who_sees_whom(lengths, n, total):
    return [
        [[j <= total - n + i and j < length for j in range(total)] for i in range(n)] for length in lengths
    ]


def scale_of_a_head(heads, values, keys, queries):
    cuts = (cut(item, heads) for item in (queries, keys, values))
    return beside(attend(q, k, v) for q, k, v in zip(*cuts, strict=True))


def heads_to_features(pieces):
    return beside(pieces)


def rows_times_matrix(W, x):
    return [[sum(W[o, i] * token[i] for i in range(len(token))) for o in range(len(W))] for token in x]


def bias_of_a_mask(scores, keep):
    return np.where(keep, scores, -np.inf)


def last_block(block, w, values):
    return sum(weight * value for weight, value in zip(w, values, strict=True))


def zero_is_a_score(keep, scores):
    rows = np.zeros(scores.shape)
    for row, open_, arguments in zip(rows, keep, scores, strict=True):
        row[open_] = softmax(arguments[open_])
    return rows


def band_of_keys(n_tokens, window):
    return [[int(0 <= i - j < window) for j in range(n_tokens)] for i in range(n_tokens)]


def votes_to_shares(votes):
    return [[vote / sum(row) for vote in row] for row in votes]


# ---- level 2


def columns_of_weights(logits):
    return np.array([softmax(column) for column in logits.T]).T


def values_of_a_cache(x, wq, wk, wv):
    return attend(x @ wq, x @ wk, x @ wv, causal)


def fused_rows(W, x):
    return attend(*(x @ part.T for part in np.split(W, 3)))


def dropped_weights(scores, V, p, training):
    return None if training else np.array([softmax(row) for row in scores]) @ V


def mask_without_axes(scores, lengths):
    out = np.zeros(scores.shape)
    for b, n in enumerate(lengths):
        out[b, :, :n] = [softmax(row[:n]) for row in scores[b]]
    return out


def one_pass(stream):
    return float(np.logaddexp.reduce(stream))


def turned_pairs(x, theta):
    return np.stack([turn(x[:, h], theta, halves=False) for h in range(x.shape[1])], 1)


def list_of_caches(keys):
    return keys[:, -1]


def one_step_more(K, V, q):
    share = len(q) // len(K)
    return [attend(q[[h]], K[h // share], V[h // share])[0] for h in range(len(q))]


def writing_a_batch(table, ids, steps):
    return [letters_to_come(row, steps, table) for row in ids]


def groups_of_queries(queries, K, V):
    share = len(queries) // len(K)
    return [attend(q, K[h // share], V[h // share]) for h, q in enumerate(queries)]


def the_best_few(k, logits):
    limit = sorted(logits, reverse=True)[min(k, len(logits)) - 1]
    return softmax(np.where(logits >= limit, logits, -np.inf))


def rows_or_columns(x, real):
    tokens = [np.flatnonzero(row) for row in real]
    mixed = [attend(item, item[own], item[own]) for item, own in zip(x, tokens, strict=True)]
    return np.array(mixed) * real[:, :, None]


def low_enough(qkv, half):
    return attend(*(qkv.astype(np.float16).astype(float) if half else qkv), causal)


def keys_the_other_way(a, b):
    return [softmax(np.array([query @ key for key in b]) / math.sqrt(len(query))) for query in a]


def averages_so_far(x):
    return [x[: t + 1].mean(0) for t in range(len(x))]


def only_while_it_learns(n_head, x, training):
    D, weights = x.shape[1], torch.nn.Module()
    weights.to_qkv = torch.nn.Linear(D, 3 * D, bias=False)
    weights.proj = torch.nn.Linear(D, D, bias=False)
    W, W_o = (item.detach().double().numpy() for item in with_weights(weights).parameters())
    q, k, v = (cut(x @ part.T, n_head) for part in np.split(W, 3))
    return beside(attend(*head, causal) for head in zip(q, k, v, strict=True)) @ W_o.T


def format_of_the_result(k, q, exact):
    return q @ k.T / math.sqrt(q.shape[1])


def remainder_of_a_stream(xs):
    return softmax(xs)


def padding_in_front(lengths, table):
    T = len(table)
    return [np.concatenate([table[:1].repeat(T - n, 0), table[:n]]) for n in lengths]


# ---- level 3


def chunk_after_chunk(x, cut):
    return attend(x, x, x, causal)


def positions_go_on(x):
    turned = turn(x, 10000.0, halves=False)
    return [[float(turned[j] @ turned[i]) for j in range(i + 1)] for i in range(len(x))]


def online_mix(q, K, V, block):
    return attend(q[None], K, V)[0]


def groups_by_axes(q, k, v, share):
    queries = cut(q, k.shape[1] * share)
    return beside(attend(item, k[:, h // share], v[:, h // share]) for h, item in enumerate(queries))


def a_maximum_to_begin_with(logits):
    return softmax(logits)


def whole_story_in_numpy(wo, wv, wk, wq, x, h):
    heads = zip(*(cut(x @ w, h) for w in (wq, wk, wv)), strict=True)
    return beside(attend(*head, causal) for head in heads) @ wo


def speeds_of_turning(x, base):
    return turn(x, base, halves=True)


def fused_by_head(W, heads, x):
    parts = cut(x @ W, 3 * heads)
    return beside(attend(*parts[3 * h : 3 * h + 3]) for h in range(heads))


def ring_of_slots(size, x):
    return x[-size:]


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


def blocks_of_memory(pool, pages, n):
    return np.concatenate([pool[page] for page in pages])[:n]


def narrow_scores(scores, hide, half):
    return zero_is_a_score(~hide, scores.astype(np.float16).astype(float) if half else scores)


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
