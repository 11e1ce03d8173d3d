# %% generate_loop_01
def greedy_decode(model, prompt, max_new_tokens, eos_id=None):
    """model(ids) -> array (len(ids), vocab).  Returns the prompt plus the continuation."""
    ids = list(prompt)
    for _ in range(max_new_tokens):
        logits = model(np.array(ids))
        nxt = int(np.argmax(logits[-1]))
        ids.append(nxt)
        if eos_id is not None and nxt == eos_id:
            break
    return ids
# %% generate_loop_02
@torch.no_grad()
def generate(model, idx, max_new_tokens, block_size, temperature=1.0, do_sample=False, top_k=None):
    """idx: LongTensor (b, t); model(idx) -> logits (b, t, vocab)"""
    for _ in range(max_new_tokens):
        idx_cond = idx if idx.size(1) <= block_size else idx[:, -block_size:]
        logits = model(idx_cond)
        logits = logits[:, -1, :] / temperature
        if top_k is not None:
            v, _ = torch.topk(logits, min(top_k, logits.size(-1)))
            logits[logits < v[:, [-1]]] = -float("inf")
        probs = F.softmax(logits, dim=-1)
        if do_sample:
            idx_next = torch.multinomial(probs, num_samples=1)
        else:
            _, idx_next = torch.topk(probs, k=1, dim=-1)
        idx = torch.cat((idx, idx_next), dim=1)
    return idx
# %% generate_loop_03
@torch.inference_mode()
def batch_generate(lm, input_ids: torch.LongTensor, max_length: int, eos_token_id: int, pad_token_id: int):
    """Greedy search for a batch.  Rows that have hit EOS are filled with padding."""
    device = input_ids.device
    unfinished = torch.ones(input_ids.shape[0], dtype=torch.long, device=device)
    while input_ids.shape[1] < max_length:
        next_token_logits = lm(input_ids)[:, -1, :]
        next_tokens = torch.argmax(next_token_logits, dim=-1)
        next_tokens = next_tokens * unfinished + pad_token_id * (1 - unfinished)
        input_ids = torch.cat([input_ids, next_tokens[:, None]], dim=-1)
        unfinished = unfinished.mul((next_tokens != eos_token_id).long())
        if unfinished.max() == 0:
            break
    return input_ids
# %% generate_loop_04
def nucleus_sample(logits, p, temperature, rng):
    z = logits / temperature
    probs = np.exp(z - z.max())
    probs /= probs.sum()
    order = np.argsort(-probs)
    cum = np.cumsum(probs[order])
    cut = int(np.searchsorted(cum, p)) + 1            # smallest set whose mass reaches p
    keep = order[:cut]
    w = probs[keep] / probs[keep].sum()
    return int(rng.choice(keep, p=w))

def nucleus_generate(next_logits, prompt, n_tokens, p=0.9, temperature=1.0, seed=0):
    """next_logits(list of ids) -> (vocab,) logits of the next token.  Returns only the new ids."""
    rng = np.random.default_rng(seed)
    context = list(prompt)
    for _ in range(n_tokens):
        context.append(nucleus_sample(np.asarray(next_logits(context)), p, temperature, rng))
    return context[len(prompt):]
# %% generate_loop_05
@torch.no_grad()
def generate_cached(model, prompt, steps):
    """
    model(x, cache) -> (logits, cache): x holds only tokens the cache has not seen.
    prompt: (B, T).  Greedy.  Returns (B, T + steps).
    """
    tokens = prompt
    cache = None
    x = prompt                                        # prefill with the whole prompt
    for _ in range(steps):
        logits, cache = model(x, cache)
        x = logits[:, -1].argmax(dim=-1, keepdim=True)   # (B, 1), the only new input next time
        tokens = torch.cat([tokens, x], dim=1)
    return tokens
# %% generate_loop_06
from typing import Callable, Iterator, List, Optional

import torch

def stream(
    model: Callable[[torch.Tensor], torch.Tensor],
    prompt: List[int],
    *,
    limit: int = 50,
    stop_tokens: tuple = (),
    temperature: float = 0.0,
    generator: Optional[torch.Generator] = None,
) -> Iterator[int]:
    """Yield token ids one by one.  temperature == 0 means greedy.  Stop tokens are not yielded."""
    ids = torch.tensor([prompt])
    for _ in range(limit):
        with torch.no_grad():
            last = model(ids)[0, -1]
        if temperature == 0:
            token = last.argmax()
        else:
            token = torch.multinomial((last / temperature).softmax(-1), 1, generator=generator)[0]
        if token.item() in stop_tokens:
            return
        yield token.item()
        ids = torch.cat([ids, token.view(1, 1)], dim=1)
# %% generate_loop_07
import math
import random
from dataclasses import dataclass

@dataclass
class GenConfig:
    max_tokens: int = 20
    temperature: float = 1.0
    top_k: int = 0                # 0 = off
    repetition_penalty: float = 1.0
    eos: int = -1

class Generator:
    """model: list of ids -> list of next-token logits.  No libraries."""

    def __init__(self, model, cfg: GenConfig, seed=None):
        self.model, self.cfg = model, cfg
        self.rand = random.Random(seed)

    def _pick(self, logits, ids):
        c = self.cfg
        logits = list(logits)
        for t in set(ids):
            logits[t] = logits[t] / c.repetition_penalty if logits[t] > 0 else logits[t] * c.repetition_penalty
        cand = sorted(range(len(logits)), key=lambda t: logits[t], reverse=True)
        if c.temperature == 0:
            return cand[0]
        if c.top_k:
            cand = cand[:c.top_k]
        top = logits[cand[0]]
        w = [math.exp((logits[t] - top) / c.temperature) for t in cand]
        r = self.rand.random() * sum(w)
        for t, wt in zip(cand, w):
            r -= wt
            if r < 0:
                return t
        return cand[-1]

    def __call__(self, prompt):
        ids = list(prompt)
        for _ in range(self.cfg.max_tokens):
            t = self._pick(self.model(ids), ids)
            ids.append(t)
            if t == self.cfg.eos:
                break
        return ids
