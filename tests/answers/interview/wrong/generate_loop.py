"""Wrong answers to the topic generate_loop."""
# %% prompt_lost
def f(model, idx, n):
    new = []
    for _ in range(n):
        t = model(idx)[:, -1].argmax(-1, keepdim=True)
        idx = torch.cat([idx, t], 1)
        new.append(t)
    return torch.cat(new, 1)
# %% one_more < forgets
~ for _ in range(n): => for _ in range(n + 1):
~ idx[:, -1:] => idx
# %% one_less < forgets
~ for _ in range(n): => for _ in range(1, n):
~ idx[:, -1:] => idx
# %% forgets
def f(model, idx, n):
    for _ in range(n):
        idx = torch.cat([idx, model(idx[:, -1:])[:, -1].argmax(-1, keepdim=True)], 1)
    return idx
# %% always_prompt
def f(model, prompt, n):
    out = prompt
    for _ in range(n):
        out = torch.cat([out, model(prompt)[:, -1].argmax(-1, keepdim=True)], 1)
    return out
# %% first_place < forgets
~ (idx[:, -1:])[:, -1] => (idx)[:, 0]
# %% in_front < forgets
~ idx, model(idx[:, -1:])[:, -1].argmax(-1, keepdim=True) => model(idx)[:, -1].argmax(-1, keepdim=True), idx
# %% total_length
def f(model, idx, max_length):
    while idx.shape[1] < max_length:
        idx = torch.cat([idx, model(idx)[:, -1].argmax(-1, keepdim=True)], 1)
    return idx
# %% whole_with_cache
def f(model, idx, n):
    cache = None
    for _ in range(n):
        logits, cache = model(idx, cache)
        idx = torch.cat([idx, logits[:, -1].argmax(-1, keepdim=True)], 1)
    return idx
# %% not_grown < forgets
~ idx = torch.cat([idx, model(idx[:, -1:])[:, -1].argmax(-1, keepdim=True)], 1) => torch.cat([idx, model(idx)[:, -1].argmax(-1, keepdim=True)], 1)
# %% argmin < forgets
~ (idx[:, -1:])[:, -1].argmax => (idx)[:, -1].argmin
# %% wrong_axis < forgets
~ (idx[:, -1:])[:, -1].argmax(-1, keepdim=True) => (idx).argmax(1)[:, -1:]
# %% second_last < forgets
~ (idx[:, -1:])[:, -1] => (idx)[:, -2:][:, 0]
# %% returns_logits < whole_with_cache
-     cache = None
~ logits, cache = model(idx, cache) => logits = model(idx)
~ return idx => return logits
# %% cache_without_prompt: the prompt's cache is thrown away
def f(model, idx, n):
    for i in range(n):
        logits, cache = model(idx if i == 0 else idx[:, -1:], None)
        idx = torch.cat([idx, logits[:, -1].argmax(-1, keepdim=True)], 1)
    return idx
# %% argmax_of_all < forgets
-         idx = torch.cat([idx, model(idx[:, -1:])[:, -1].argmax(-1, keepdim=True)], 1)
+         nxt = model(idx).argmax(-1)[:, :1]
+         idx = torch.cat([idx, nxt], 1)
# %% stops_early_for_batch < forgets
-         idx = torch.cat([idx, model(idx[:, -1:])[:, -1].argmax(-1, keepdim=True)], 1)
+         nxt = model(idx)[:1, -1].argmax(-1, keepdim=True).expand(len(idx), 1)
+         idx = torch.cat([idx, nxt], 1)
# %% cache_not_updated
def f(model, idx, n):
    cache = None
    cur = idx
    for _ in range(n):
        logits, new = model(cur, cache)
        cache = new if cache is None else cache
        cur = logits[:, -1:].argmax(-1)
        idx = torch.cat([idx, cur], 1)
    return idx
# %% w18
def f(model, tokens, steps):
    out = []
    for i in range(steps):
        nxt = int(model(torch.tensor([tokens]))[0, -1].argmax())
        tokens = tokens + [nxt]
        out.append(nxt)
    return out
# %% w19 < forgets
~ for _ in range(n): => for i in range(n - 1):
~ [:, -1:] => [:, i:]
# %% top_k_one_more: compared with the place after the last one
def generate(model, idx, n, top_k=None):
    for _ in range(n):
        z = model(idx)[:, -1]
        if top_k is not None and top_k < z.shape[-1]:
            z[z < z.sort(descending=True).values[:, top_k, None]] = float("-inf")
        idx = torch.cat([idx, torch.multinomial(z.softmax(-1), 1)], 1)
    return idx
# %% top_k_left_out: the best ones are removed
def generate(model, prompt, n, k=0):
    ids = list(prompt)
    for _ in range(n):
        z = np.array(model(ids)[-1], dtype=float)
        if 0 < k < len(z):
            z[np.argsort(z)[-k:]] = -np.inf
        p = np.exp(z - z.max())
        ids.append(int(np.random.choice(len(p), p=p / p.sum())))
    return ids
# %% top_k_zeros
def generate(model, idx, n, temperature=1.0, top_k=4):
    for _ in range(n):
        z = model(idx)[:, -1] / temperature
        kept = z.topk(top_k)
        z = torch.zeros_like(z).scatter(1, kept.indices, kept.values)
        idx = torch.cat([idx, torch.multinomial(z.softmax(-1), 1)], 1)
    return idx
# %% top_k_even
import random

def generate(model, prompt, n, top_k=1):
    ids = list(prompt)
    for _ in range(n):
        z = model(ids)[-1]
        best = sorted(range(len(z)), key=lambda t: -z[t])[:top_k]
        ids.append(random.choice(best))
    return ids
# %% top_p_crossing_dropped
def generate(model, idx, n, top_p=1.0):
    for _ in range(n):
        p, order = model(idx)[:, -1].softmax(-1).sort(descending=True)
        out = p.cumsum(-1) > top_p
        out[:, 0] = False
        p = p.masked_fill(out, 0.0)
        idx = torch.cat([idx, order.gather(1, torch.multinomial(p, 1))], 1)
    return idx
# %% top_p_not_sorted < interview/right/rng_needed
~ def gen(model, prompt, n, rng): => def generate(model, prompt, n, top_p=1.0):
~ z = np.asarray(model(ids)[-1], dtype=float) => z = np.array(model(ids)[-1], dtype=float)
-         ids.append(int(rng.choice(len(p), p=p)))
+         p = np.where(np.cumsum(p) - p < top_p, p, 0.0)
+         ids.append(int(np.random.choice(len(p), p=p / p.sum())))
# %% temperature_of_weights < temperature_of_nothing
-         p = torch.softmax(model(idx)[:, -1], -1) / temperature
+         p = torch.softmax(model(idx)[:, -1], -1)
+         p = torch.softmax(p / temperature, -1) if temperature != 1 else p
# %% temperature_of_nothing: multinomial makes weights sum to 1 again
def generate(model, idx, n, temperature=1.0):
    for _ in range(n):
        p = torch.softmax(model(idx)[:, -1], -1) / temperature
        idx = torch.cat([idx, torch.multinomial(p, 1)], 1)
    return idx
# %% penalty_for_all_signs: of a record
from dataclasses import dataclass

import torch

@dataclass
class Options:
    steps: int = 4
    repetition_penalty: float = 1.3

def generate(model, ids, options: Options):
    for _ in range(options.steps):
        z = model(ids)[:, -1]
        z = z.scatter(1, ids, z.gather(1, ids) / options.repetition_penalty)
        ids = torch.cat([ids, z.argmax(-1, keepdim=True)], 1)
    return ids
# %% penalty_times_all
def generate(model, prompt, n, penalty=1.0):
    ids = list(prompt)
    for _ in range(n):
        z = np.array(model(ids)[-1], dtype=float)
        for t in set(ids):
            z[t] *= penalty
        ids.append(int(z.argmax()))
    return ids
# %% presence_added < interview/right/frequency_penalty
~ def generate(model, ids, n, frequency_penalty=0.0): => def generate(model, ids, n, presence_penalty=0.0):
-         z = z - frequency_penalty * torch.bincount(ids, minlength=z.shape[0])
+         z[ids.unique()] += presence_penalty
# %% seeded_in_the_loop < temperature_of_nothing
~ def generate(model, idx, n, temperature=1.0): => def generate(model, idx, n, temperature=1.0, seed=1234):
-         p = torch.softmax(model(idx)[:, -1], -1) / temperature
+         torch.manual_seed(seed)
+         p = torch.softmax(model(idx)[:, -1] / temperature, -1)
# %% seed_of_another_library
def generate(model, idx, n, seed=0):
    np.random.seed(seed)
    for _ in range(n):
        idx = torch.cat([idx, torch.multinomial(model(idx)[:, -1].softmax(-1), 1)], 1)
    return idx
# %% flag_turned
def generate(model, idx, n, do_sample=False):
    for _ in range(n):
        z = model(idx)[:, -1]
        new = z.argmax(-1, keepdim=True) if do_sample else torch.multinomial(z.softmax(-1), 1)
        idx = torch.cat([idx, new], 1)
    return idx
# %% one_place_on: the place is searched in a list that begins with 0
def generate(model, prompt, n, seed=None):
    rng, ids = np.random.default_rng(seed), list(prompt)
    for _ in range(n):
        z = np.array(model(ids)[-1], dtype=float)
        p = np.exp(z - z.max())
        r = rng.random() * p.sum()
        total, t = 0.0, 0
        while total <= r:
            total += p[t]
            t += 1
        ids.append(t % len(p))
    return ids
# %% context_of_the_beginning < interview/right/context_cut: in a class
~ -self.context_length : => : self.context_length
# %% context_one_less < forgets
~ def f(model, idx, n): => def generate(model, idx, n, block_size=16):
~ [:, -1:] => [:, -block_size + 1 :]
# %% text_cut: what is returned is what the model got
def generate(model, idx, n, block_size=64):
    for _ in range(n):
        idx = idx[:, -block_size:]
        idx = torch.cat([idx, model(idx)[:, -1].argmax(-1, keepdim=True)], 1)
    return idx
# %% strategy_topk_places < interview/right/strategy
-             new = i.gather(-1, torch.multinomial(v.softmax(-1), 1))
+             new = torch.multinomial(v.softmax(-1), 1)
+         elif strategy == "sample":
+             new = torch.multinomial(z.softmax(-1), 1)
-             new = torch.multinomial(z.softmax(-1), 1)
+             raise ValueError(strategy)
# %% min_p_absolute < temperature_of_nothing
~ def generate(model, idx, n, temperature=1.0): => def gen(model, idx, n, min_p=0.0):
-         p = torch.softmax(model(idx)[:, -1], -1) / temperature
+         p = model(idx)[:, -1].softmax(-1)
+         p = torch.where(p < min_p, 0.0, p)
# %% top_p_greater
def gen(model, ids, n, top_p=0.9):
    for _ in range(n):
        p = model(ids)[:, -1].softmax(-1)
        s, i = p.sort(descending=True)
        c = s.cumsum(-1)
        s[c < top_p] = 0
        new = i.gather(-1, torch.multinomial(s / s.sum(-1, keepdim=True), 1))
        ids = torch.cat([ids, new], 1)
    return ids
# %% top_k_ascending
def gen(model, prompt, n, top_k=None, rng=None):
    rng = rng or np.random.default_rng()
    ids = list(prompt)
    for _ in range(n):
        z = np.array(model(ids)[-1], dtype=float)
        if top_k:
            keep = np.argsort(z)[:top_k]
            m = np.full_like(z, -np.inf)
            m[keep] = z[keep]
            z = m
        p = np.exp(z - z.max())
        p /= p.sum()
        ids.append(int(rng.choice(len(p), p=p)))
    return ids
# %% one_token_at_least
def generate(model, tokens, n):
    while True:
        new = model(tokens)[:, -1].argmax(-1, keepdim=True)
        tokens = torch.cat([tokens, new], 1)
        n -= 1
        if n <= 0:
            return tokens
