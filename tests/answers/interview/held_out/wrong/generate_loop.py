# %% generate_loop_01: the prediction is read at the first position where it should be read at the last.
def greedy_generate(model, tokens, num_steps):
    """tokens (B, T) -> (B, T + num_steps)"""
    model.eval()
    with torch.no_grad():
        for _ in range(num_steps):
            logits = model(tokens)                    # (B, T, V)
            preds = logits.argmax(dim=-1)             # (B, T)
            tokens = torch.cat([tokens, preds[:, :1]], dim=1)
    return tokens
# %% generate_loop_02: after the first step only the newest token is given to a model that has no cache, so the context is lost.
def generate(forward, prompt, n):
    """forward(ids) -> (len(ids), V) logits (no cache inside)"""
    out = list(prompt)
    x = np.array(prompt)
    for _ in range(n):
        logits = forward(x)
        tok = logits[-1].argmax()
        out.append(int(tok))
        x = np.array([tok])
    return out
# %% generate_loop_03: a context longer than block_size is cropped to its first tokens, not its last.
@torch.no_grad()
def generate(model, idx, max_new_tokens, block_size, sample=False):
    for _ in range(max_new_tokens):
        idx_cond = idx[:, :block_size]
        logits = model(idx_cond)
        probs = F.softmax(logits[:, -1, :], dim=-1)
        if sample:
            nxt = torch.multinomial(probs, 1)
        else:
            nxt = probs.argmax(-1, keepdim=True)
        idx = torch.cat((idx, nxt), dim=1)
    return idx
# %% generate_loop_04: the logits are multiplied by the temperature, so a high temperature makes the text sharper.
def sample(model, start_ids, length, temperature=0.8, generator=None):
    """Plain temperature sampling.  start_ids: 1-D LongTensor"""
    ids = start_ids.clone()
    for _ in range(length):
        with torch.no_grad():
            logits = model(ids[None])[0, -1]
        probs = torch.softmax(logits * temperature, dim=0)
        nxt = torch.multinomial(probs, 1, generator=generator)
        ids = torch.cat([ids, nxt])
    return ids
# %% generate_loop_05: the cut-off is the largest of the top-k values (v[:, :1]) where it should be the smallest, so only one token survives.
def top_k_filter(logits, k):
    v, _ = torch.topk(logits, k, dim=-1)
    return torch.where(logits < v[:, :1], torch.full_like(logits, float("-inf")), logits)

@torch.no_grad()
def top_k_generate(model, x, steps, k=5, temperature=1.0):
    for _ in range(steps):
        logits = model(x)[:, -1] / temperature
        probs = F.softmax(top_k_filter(logits, k), dim=-1)
        x = torch.cat([x, torch.multinomial(probs, 1)], dim=-1)
    return x
# %% generate_loop_06: the token that takes the cumulative mass past p is left out of the nucleus.
def softmax(x):
    e = np.exp(x - x.max())
    return e / e.sum()

def top_p_generate(model, ids, n, top_p=0.9, rng=np.random.default_rng()):
    """model(ids) -> (V,) next-token logits.  Nucleus = the smallest set with mass >= top_p."""
    ids = list(ids)
    while n > 0:
        p = softmax(model(ids))
        order = p.argsort()[::-1]
        cum = p[order].cumsum()
        keep = order[cum <= top_p]
        if keep.size == 0:
            keep = order[:1]
        q = p[keep] / p[keep].sum()
        ids.append(int(rng.choice(keep, p=q)))
        n -= 1
    return ids
# %% generate_loop_07: the nucleus mask is in sorted order but is applied to the unsorted logits.
class Sampler(nn.Module):
    def __init__(self, model, top_p=0.9, temperature=1.0):
        super().__init__()
        self.model, self.top_p, self.temperature = model, top_p, temperature

    def _filter(self, logits):
        sorted_logits, _ = torch.sort(logits, descending=True, dim=-1)
        cum = sorted_logits.softmax(-1).cumsum(-1)
        remove = cum > self.top_p
        remove[..., 1:] = remove[..., :-1].clone()
        remove[..., 0] = False
        return logits.masked_fill(remove, float("-inf"))

    @torch.no_grad()
    def forward(self, input_ids, max_new_tokens):
        for _ in range(max_new_tokens):
            logits = self.model(input_ids)[:, -1, :] / self.temperature
            probs = self._filter(logits).softmax(dim=-1)
            input_ids = torch.cat([input_ids, torch.multinomial(probs, num_samples=1)], dim=1)
        return input_ids
# %% generate_loop_08: the loop ends as soon as any row produces EOS, so the other rows are cut short.
@torch.no_grad()
def generate_batch(model, input_ids, eos_id, max_new_tokens=32, pad_id=0):
    """Greedy, batched.  A row that is done is padded with pad_id until all rows are done."""
    done = torch.zeros(input_ids.size(0), dtype=torch.bool)
    for _ in range(max_new_tokens):
        nxt = model(input_ids)[:, -1].argmax(-1)
        nxt = torch.where(done, torch.full_like(nxt, pad_id), nxt)
        input_ids = torch.cat([input_ids, nxt.unsqueeze(1)], dim=1)
        done |= nxt == eos_id
        if done.any():
            break
    return input_ids
# %% generate_loop_09: `finished` is overwritten at each step, not accumulated, so a finished row starts producing tokens again.
def decode(step_fn, prompts, eos, pad, max_steps):
    """step_fn(ids (B, T)) -> (B, V) next-token logits.  Finished rows must be padded."""
    ids = np.array(prompts)
    finished = np.zeros(len(ids), dtype=bool)
    for _ in range(max_steps):
        if finished.all():
            break
        nxt = step_fn(ids).argmax(axis=-1)
        nxt = np.where(finished, pad, nxt)
        finished = nxt == eos
        ids = np.concatenate([ids, nxt[:, None]], axis=1)
    return ids
# %% generate_loop_10: the loop compares the total length with max_new_tokens, so the prompt's tokens eat up the budget.
def argmax(values):
    best = 0
    for i in range(1, len(values)):
        if values[i] > values[best]:
            best = i
    return best

def complete(model, prompt_ids, max_new_tokens, eos_id=None):
    """model: list of ids -> list of next-token logits.  Adds up to max_new_tokens tokens to the prompt."""
    ids = prompt_ids[:]
    while len(ids) < max_new_tokens:
        tok = argmax(model(ids))
        ids.append(tok)
        if tok == eos_id:
            break
    return ids
# %% generate_loop_11: after the prefill the last prompt token is fed again, so it stands in the cache twice.
@torch.no_grad()
def generate_with_cache(model, prompt_ids, max_new_tokens):
    """model(ids, past) -> (logits, past); ids are the tokens not yet in past"""
    # 1. prefill
    _, past = model(prompt_ids, None)
    # 2. decode
    generated = [prompt_ids]
    cur = prompt_ids[:, -1:]
    for _ in range(max_new_tokens):
        logits, past = model(cur, past)
        cur = torch.argmax(logits[:, -1, :], dim=-1, keepdim=True)
        generated.append(cur)
    return torch.cat(generated, dim=1)
# %% generate_loop_12: the inverse-CDF draw compares r with each single probability, not with the cumulative sum.
import math
import random

def softmax(xs, t):
    m = max(xs)
    e = [math.exp((x - m) / t) for x in xs]
    s = sum(e)
    return [v / s for v in e]

def draw(probs, rnd):
    r = rnd.random()
    for i, p in enumerate(probs):
        if r < p:
            return i
    return len(probs) - 1

def sample_text(model, ids, n, temperature=1.0, seed=None):
    rnd = random.Random(seed)
    ids = list(ids)
    for _ in range(n):
        ids.append(draw(softmax(model(ids), temperature), rnd))
    return ids
# %% generate_loop_13: the two cases of the repetition penalty are swapped, so seen tokens become more likely.
import torch
from torch import Tensor

@torch.inference_mode()
def generate_no_repeat(model, prompt: Tensor, n_new: int, penalty: float = 1.3) -> Tensor:
    """Greedy with a CTRL-style repetition penalty: tokens already present become less likely.  prompt: (T,)"""
    seq = prompt.clone()
    for _ in range(n_new):
        scores = model(seq.unsqueeze(0))[0, -1].clone()
        seen = seq.unique()
        s = scores[seen]
        scores[seen] = torch.where(s < 0, s / penalty, s * penalty)
        seq = torch.cat((seq, scores.argmax().view(1)))
    return seq
# %% generate_loop_14: the generator is seeded inside the loop, so every step draws the same random number.
def generate(logits_fn, ids, n_tokens, temperature=1.0, seed=0):
    """logits_fn(ids) -> (vocab,).  Same seed, same text."""
    ids = list(ids)
    for _ in range(n_tokens):
        rng = np.random.default_rng(seed)
        z = np.asarray(logits_fn(ids)) / temperature
        p = np.exp(z - z.max())
        p = p / p.sum()
        ids.append(int(rng.choice(len(p), p=p)))
    return ids
# %% generate_loop_15: logits outside the top k are set to 0 before the softmax where they should be -inf, so they can still be drawn.
from dataclasses import dataclass
from typing import Any

import torch

@dataclass
class TextGenerator:
    model: Any
    context_length: int = 256
    top_k: int = 3
    temperature: float = 1.0

    @torch.no_grad()
    def run(self, token_ids: torch.Tensor, max_new: int) -> torch.Tensor:
        for _ in range(max_new):
            logits = self.model(token_ids[:, -self.context_length:])[:, -1]
            top_vals, top_idx = logits.topk(self.top_k, dim=-1)
            kept = torch.zeros_like(logits).scatter(-1, top_idx, top_vals)
            probs = torch.softmax(kept / self.temperature, dim=-1)
            nxt = torch.multinomial(probs, 1)
            token_ids = torch.cat([token_ids, nxt], dim=1)
        return token_ids
