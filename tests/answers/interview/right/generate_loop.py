"""Right answers to the topic generate_loop."""
# %% nanogpt
@torch.no_grad()
def generate(model, idx, max_new_tokens, temperature=1.0, top_k=None):
    for _ in range(max_new_tokens):
        logits, _ = model(idx)
        logits = logits[:, -1, :] / temperature
        probs = torch.nn.functional.softmax(logits, dim=-1)
        idx = torch.cat((idx, torch.multinomial(probs, num_samples=1)), dim=1)
    return idx
# %% greedy
def greedy(net, prompt, steps):
    out = prompt.clone()
    while out.shape[1] < prompt.shape[1] + steps:
        nxt = net(out)[:, -1].argmax(dim=-1)
        out = torch.hstack([out, nxt[:, None]])
    return out
# %% list_of_ids
def decode(model, tokens, n):
    tokens = list(tokens)
    for _ in range(n):
        with torch.no_grad():
            logits = model(torch.tensor(tokens).unsqueeze(0))
        tokens.append(logits[0, -1].argmax().item())
    return tokens
# %% huggingface
def generate_text(model, input_ids, max_length_extra):
    model.eval()
    past, cur = None, input_ids
    for _ in range(max_length_extra):
        out = model(cur, past_key_values=past, use_cache=True)
        past = out.past_key_values
        cur = out.logits[:, -1:].argmax(-1)
        input_ids = torch.cat([input_ids, cur], dim=-1)
    return input_ids
# %% recursion
def go_on(model, ids, k):
    import torch
    if k == 0:
        return ids
    step = model(ids)[:, -1, :].argmax(-1, keepdim=True)
    return go_on(model, torch.cat([ids, step], 1), k - 1)
# %% cropped: to the context size
def generate_simple(model, idx, max_new_tokens, context_size):
    for _ in range(max_new_tokens):
        cond = idx[:, -context_size:]
        with torch.no_grad():
            logits = model(cond)
        idx_next = torch.argmax(torch.softmax(logits[:, -1, :], dim=-1), dim=-1, keepdim=True)
        idx = torch.cat((idx, idx_next), dim=1)
    return idx
# %% numpy_lists: the model takes and gives lists
def loop(lm, prompt, n_new):
    seq = [int(t) for t in prompt]
    for _ in range(n_new):
        last = lm(seq)[-1]
        best = max(range(len(last)), key=lambda i: last[i])
        seq.append(best)
    return seq
# %% class_with_cache
class Generator:
    def __init__(self, temperature=1.0):
        self.temperature = temperature

    def generate(self, model, x, num_tokens):
        b, t = x.shape
        buffer = torch.zeros(b, t + num_tokens, dtype=torch.long)
        buffer[:, :t] = x
        cache, cur = None, x
        for i in range(num_tokens):
            logits, cache = model(cur, cache)
            cur = logits[:, -1:].argmax(-1)
            buffer[:, t + i] = cur[:, 0]
        return buffer
# %% made_of_a_model
class Sampler:
    def __init__(self, model, temperature=1.0):
        self.model, self.temperature = model, temperature

    @torch.no_grad()
    def generate(self, tokens, max_new_tokens):
        for _ in range(max_new_tokens):
            p = torch.softmax(self.model(tokens)[:, -1] / self.temperature, -1)
            tokens = torch.cat([tokens, torch.multinomial(p, 1)], -1)
        return tokens
# %% the_model_itself
class GPT(nn.Module):
    def __init__(self, vocab_size, d_model, n_layers):
        super().__init__()
        self.emb = nn.Embedding(vocab_size, d_model)
        self.head = nn.Linear(d_model, vocab_size)

    def forward(self, idx, targets=None):
        return self.head(self.emb(idx)), None

    def generate(self, idx, max_new_tokens):
        for _ in range(max_new_tokens):
            logits, loss = self(idx)
            idx = torch.cat([idx, logits[:, -1, :].argmax(dim=-1, keepdim=True)], dim=1)
        return idx
# %% batch_in_place
def sample(model, prompt_ids, num_new, temperature=1.0, top_p=None, seed=0):
    g = torch.Generator().manual_seed(seed)
    ids = prompt_ids
    for i in range(num_new):
        with torch.inference_mode():
            out = model(ids)
        logits = out.logits if hasattr(out, "logits") else out
        if isinstance(logits, tuple):
            logits = logits[0]
        p = (logits[:, -1] / temperature).softmax(-1)
        ids = torch.cat([ids, torch.multinomial(p, 1, generator=g)], dim=1)
    return ids
# %% order_swapped
def greedy_decode(prompt, model, max_tokens):
    import torch
    seq = torch.as_tensor(prompt).reshape(1, -1)
    for _ in range(max_tokens):
        seq = torch.cat([seq, model(seq)[:, -1:].argmax(-1)], 1)
    return seq[0].tolist()
# %% eos_optional
@torch.no_grad()
def generate(model, input_ids, max_new_tokens=20, eos_token_id=None, do_sample=False):
    finished = torch.zeros(len(input_ids), dtype=torch.bool)
    for _ in range(max_new_tokens):
        nxt = model(input_ids)[:, -1].argmax(-1)
        input_ids = torch.cat([input_ids, nxt.unsqueeze(1)], dim=1)
        if eos_token_id is not None:
            finished |= nxt == eos_token_id
            if finished.all():
                break
    return input_ids
# %% all_settings: of a record
from dataclasses import dataclass

import torch

@dataclass
class Settings:
    max_new_tokens: int = 10
    temperature: float = 0.8
    top_k: int = 3
    top_p: float = 0.9
    repetition_penalty: float = 1.1
    do_sample: bool = True

@torch.no_grad()
def generate(model, ids, settings=Settings()):
    for _ in range(settings.max_new_tokens):
        logits = model(ids)[:, -1].clone()
        if settings.repetition_penalty != 1.0:
            old = logits.gather(1, ids)
            factor = settings.repetition_penalty
            logits.scatter_(1, ids, torch.where(old > 0, old / factor, old * factor))
        if not settings.do_sample:
            ids = torch.cat([ids, logits.argmax(-1, keepdim=True)], 1)
            continue
        logits = logits / settings.temperature
        if settings.top_k:
            lowest = logits.topk(min(settings.top_k, logits.shape[-1])).values[:, -1:]
            logits[logits < lowest] = float("-inf")
        if settings.top_p < 1:
            ordered, places = logits.sort(descending=True)
            mass = ordered.softmax(-1).cumsum(-1) - ordered.softmax(-1)
            out = (mass >= settings.top_p).scatter(1, places, mass >= settings.top_p)
            logits[out] = float("-inf")
        ids = torch.cat([ids, torch.multinomial(logits.softmax(-1), 1)], 1)
    return ids
# %% ascending_nucleus: from the least likely on
def sample(model, x, n, temperature=1.0, nucleus=0.95):
    for _ in range(n):
        z = model(x)[0, -1] / temperature
        z, order = torch.sort(z)
        drop = z.softmax(0).cumsum(0) <= 1 - nucleus
        drop[-1] = False
        z[drop] = -torch.inf
        x = torch.cat([x, order[torch.multinomial(z.softmax(0), 1)].view(1, 1)], 1)
    return x
# %% lists_and_random: the sum of weights is compared
import math
import random

def generate(model, prompt, n, temperature=1.0, top_k=0, seed=None):
    rng, text = random.Random(seed), list(prompt)
    for _ in range(n):
        z = [one / temperature for one in model(text)[-1]]
        ranked = sorted(range(len(z)), key=lambda t: z[t], reverse=True)
        ranked = ranked[:top_k] if top_k > 0 else ranked
        w = [math.exp(z[t] - z[ranked[0]]) for t in ranked]
        r, total = rng.random() * sum(w), 0.0
        for t, one in zip(ranked, w):
            total += one
            if r < total:
                break
        text.append(t)
    return text
# %% gumbel: noise on the logits
def decode(forward, tokens, steps, temperature=1.0, greedy=False):
    out = list(tokens)
    for _ in range(steps):
        z = np.asarray(forward(out))[-1]
        if not greedy:
            z = z / temperature + np.random.gumbel(size=z.shape)
        out.append(int(z.argmax()))
    return out
# %% class_of_a_forward
class Writer(nn.Module):
    def __init__(self, net, min_p=0.05, temperature=1.0):
        super().__init__()
        self.net, self.min_p, self.temperature = net, min_p, temperature

    def forward(self, ids, n_new):
        for _ in range(n_new):
            p = torch.softmax(self.net(ids)[:, -1] / self.temperature, -1)
            p = p * (p >= self.min_p * p.amax(-1, keepdim=True))
            ids = torch.cat([ids, torch.multinomial(p, 1)], -1)
        return ids
# %% frequency_penalty: what came is counted, and subtracted
def generate(model, ids, n, frequency_penalty=0.0):
    for _ in range(n):
        z = model(ids[None])[0, -1]
        z = z - frequency_penalty * torch.bincount(ids, minlength=z.shape[0])
        ids = torch.cat([ids, z.argmax().view(1)])
    return ids
# %% penalty_of_new_ones: the prompt counts nothing
def generate(model, prompt, n, repetition_penalty=1.0):
    new = []
    for _ in range(n):
        z = np.array(model(list(prompt) + new)[-1], dtype=float)
        for t in set(new):
            z[t] = z[t] / repetition_penalty if z[t] > 0 else z[t] * repetition_penalty
        new.append(int(z.argmax()))
    return list(prompt) + new
# %% temperature_zero_is_greedy
def generate(model, idx, max_new_tokens, temperature=0.0, top_p=None, generator=None):
    for _ in range(max_new_tokens):
        logits = model(idx)[:, -1]
        if temperature == 0:
            new = logits.argmax(-1, keepdim=True)
        else:
            p = torch.softmax(logits / temperature, -1)
            if top_p is not None:
                ranked, order = p.sort(-1, descending=True)
                ranked[ranked.cumsum(-1) - ranked > top_p] = 0
                p = torch.zeros_like(p).scatter(-1, order, ranked)
            new = torch.multinomial(p, 1, generator=generator)
        idx = torch.cat([idx, new], -1)
    return idx
# %% context_cut: for the model only
class Story:
    def __init__(self, model, context_length=8):
        self.model, self.context_length = model, context_length

    def generate(self, ids, n):
        for _ in range(n):
            new = self.model(ids[:, -self.context_length :])[:, -1].argmax(-1)
            ids = torch.cat([ids, new[:, None]], 1)
        return ids
# %% rng_needed
def gen(model, prompt, n, rng):
    ids = list(prompt)
    for _ in range(n):
        z = np.asarray(model(ids)[-1], dtype=float)
        p = np.exp(z - z.max())
        p /= p.sum()
        ids.append(int(rng.choice(len(p), p=p)))
    return ids
# %% generator_needed
def gen(model, idx, n, temperature, generator):
    for _ in range(n):
        p = (model(idx)[:, -1] / temperature).softmax(-1)
        idx = torch.cat([idx, torch.multinomial(p, 1, generator=generator)], 1)
    return idx
# %% top_p_needed
def gen(model, idx, n, temperature, top_k, top_p):
    for _ in range(n):
        z = model(idx)[:, -1] / temperature
        v = z.topk(top_k).values[:, -1:]
        z = z.masked_fill(z < v, -1e30)
        s, i = z.sort(-1, descending=True)
        p = s.softmax(-1)
        p = p.masked_fill(p.cumsum(-1) - p >= top_p, 0)
        idx = torch.cat([idx, i.gather(1, torch.multinomial(p, 1))], 1)
    return idx
# %% strategy
def gen(model, idx, n, strategy="greedy", k=5, temperature=1.0):
    for _ in range(n):
        z = model(idx)[:, -1] / temperature
        if strategy == "greedy":
            new = z.argmax(-1, keepdim=True)
        elif strategy == "top_k":
            v, i = z.topk(k)
            new = i.gather(-1, torch.multinomial(v.softmax(-1), 1))
        else:
            new = torch.multinomial(z.softmax(-1), 1)
        idx = torch.cat([idx, new], 1)
    return idx
# %% dict_config
def gen(model, idx, cfg={"n": 4, "temperature": 1.0}):
    for _ in range(cfg["n"]):
        idx = torch.cat([idx, torch.multinomial((model(idx)[:, -1] / cfg["temperature"]).softmax(-1), 1)], 1)
    return idx
# %% categorical
import torch
from torch.distributions import Categorical

def gen(model, idx, n, temperature=0.7, top_k=None):
    out = idx.clone()
    for _ in range(n):
        z = model(out)[:, -1] / max(temperature, 1e-8)
        if top_k:
            v, i = torch.topk(z, top_k)
            z = torch.full_like(z, float("-inf")).scatter(-1, i, v)
        out = torch.cat([out, Categorical(logits=z).sample()[:, None]], -1)
    return out
# %% namedtuple_config
import torch
from typing import NamedTuple

class Cfg(NamedTuple):
    max_new: int = 5
    temp: float = 1.0

class Sampler:
    def __init__(self, model, cfg: Cfg = Cfg()):
        self.model, self.cfg = model, cfg

    def __call__(self, idx):
        for _ in range(self.cfg.max_new):
            p = (self.model(idx)[:, -1] / self.cfg.temp).softmax(-1)
            idx = torch.cat([idx, torch.multinomial(p, 1)], 1)
        return idx
# %% dataclass_generator
import torch
from dataclasses import dataclass
from typing import Any

@dataclass
class Generator:
    model: Any
    temperature: float = 1.0
    top_k: int = 0
    seed: int = 0

    def generate(self, prompt, num_tokens):
        g = torch.Generator().manual_seed(self.seed)
        for _ in range(num_tokens):
            z = self.model(prompt)[:, -1] / self.temperature
            if self.top_k > 0:
                z = z.masked_fill(z < z.topk(self.top_k).values[:, -1:], float("-inf"))
            prompt = torch.cat([prompt, torch.multinomial(z.softmax(-1), 1, generator=g)], 1)
        return prompt
