# %% generate_loop_01
@torch.no_grad()
def generate(model, idx, max_new_tokens, temperature=0.0, top_k=None, seed=None, block_size=None):
    """idx: LongTensor (B, T). temperature 0 is greedy. Returns (B, T + max_new_tokens)."""
    gen = None
    if seed is not None:
        gen = torch.Generator(device=idx.device)
        gen.manual_seed(seed)
    for _ in range(max_new_tokens):
        idx_cond = idx if block_size is None or idx.size(1) <= block_size else idx[:, -block_size:]
        out = model(idx_cond)
        logits = out[0] if isinstance(out, tuple) else out
        logits = logits[:, -1, :]
        if temperature == 0:
            idx_next = logits.argmax(dim=-1, keepdim=True)
        else:
            logits = logits / temperature
            if top_k is not None:
                v, _ = torch.topk(logits, min(top_k, logits.size(-1)))
                logits = logits.masked_fill(logits < v[:, [-1]], float("-inf"))
            probs = F.softmax(logits, dim=-1)
            idx_next = torch.multinomial(probs, num_samples=1, generator=gen)
        idx = torch.cat((idx, idx_next), dim=1)
    return idx
# %% generate_loop_02
def pick(logits, temperature, top_k, rng):
    if temperature <= 0:
        return int(np.argmax(logits))
    z = np.asarray(logits, dtype=np.float64) / temperature
    if top_k and top_k < z.size:
        keep = np.argpartition(z, -top_k)[-top_k:]
        masked = np.full_like(z, -np.inf)
        masked[keep] = z[keep]
        z = masked
    p = np.exp(z - z.max())
    p /= p.sum()
    return int(rng.choice(p.size, p=p))

def sample_text(model, prompt, n_new, temperature=0.0, top_k=0, seed=None):
    """model(list of ids) -> array (len, vocab), or (vocab,) for the last one. Returns prompt + new ids."""
    rng = np.random.default_rng(seed)
    tokens = [int(t) for t in prompt]
    for _ in range(n_new):
        logits = np.atleast_2d(np.asarray(model(tokens)))[-1]
        tokens.append(pick(logits, temperature, top_k, rng))
    return tokens
# %% generate_loop_03
def stream(model, prompt, n):
    """Yields the new tokens one after the other. model(tokens) -> one row of scores a token."""
    tokens = list(prompt)
    for _ in range(n):
        last = model(tokens)[-1]
        best = max(range(len(last)), key=lambda i: last[i])
        tokens.append(best)
        yield best

def greedy_generate(model, prompt, n):
    """Only the new tokens, without the prompt."""
    return list(stream(model, prompt, n))
# %% generate_loop_04
from dataclasses import dataclass
from typing import List, Optional

import torch

@dataclass
class GenerationConfig:
    do_sample: bool = False
    temperature: float = 1.0
    top_p: float = 1.0
    eos_token_id: Optional[int] = None
    seed: Optional[int] = None

class TextGenerator:
    def __init__(self, model, config: Optional[GenerationConfig] = None):
        self.model = model
        self.config = config or GenerationConfig()

    def _next(self, logits, g):
        cfg = self.config
        if not cfg.do_sample:
            return int(logits.argmax())
        probs = torch.softmax(logits.float() / cfg.temperature, dim=-1)
        p, order = torch.sort(probs, descending=True)
        # drop a token when those before it already hold top_p
        p = p.masked_fill(torch.cumsum(p, 0) - p >= cfg.top_p, 0.0) if cfg.top_p < 1.0 else p
        if p.sum() == 0:
            return int(order[0])
        return int(order[torch.multinomial(p, 1, generator=g)])

    @torch.inference_mode()
    def generate(self, prompt: List[int], max_new_tokens: int) -> List[int]:
        g = None
        if self.config.seed is not None:
            g = torch.Generator().manual_seed(self.config.seed)
        was_training = getattr(self.model, "training", False)
        if was_training:
            self.model.eval()
        ids = list(prompt)
        try:
            for _ in range(max_new_tokens):
                logits = self.model(torch.tensor([ids], dtype=torch.long))
                token = self._next(logits[0, -1], g)
                ids.append(token)
                if token == self.config.eos_token_id:
                    break
        finally:
            if was_training:
                self.model.train()
        return ids
