# %% generate_loop_01: after the prompt the whole text is fed again each step although the cache already holds it
@torch.no_grad()
def greedy_with_cache(model, ids, n):
    """model(ids, cache) -> logits (B,T,V), cache"""
    logits, cache = model(ids, None)
    for i in range(n):
        tok = logits[:, -1].argmax(-1, keepdim=True)
        ids = torch.cat([ids, tok], dim=1)
        if i < n - 1:
            logits, cache = model(ids, cache)
    return ids
# %% generate_loop_02: for shorter right-padded prompts the first step reads the logits at the last column, not at the last real token
def batch_generate(model, prompts, n_new, pad=0):
    lens = torch.tensor([len(p) for p in prompts])
    width = int(lens.max())
    buf = torch.full((len(prompts), width + n_new), pad)
    for b, p in enumerate(prompts):
        buf[b, :len(p)] = torch.tensor(p)
    rows = torch.arange(len(prompts))
    with torch.no_grad():
        for step in range(n_new):
            cur = lens + step
            logits = model(buf[:, :width + step])
            last = logits[:, -1]
            buf[rows, cur] = last.argmax(-1)
    return [buf[b, lens[b]:lens[b] + n_new].tolist() for b in range(len(prompts))]
# %% generate_loop_03: the batch stops as soon as any one row has made the end token
class sampleText:
    def __init__(self, net, endToken, maxNew=20):
        self.net, self.endToken, self.maxNew = net, endToken, maxNew

    @torch.no_grad()
    def __call__(self, start):
        seq = start
        finished = torch.zeros(len(start), dtype=torch.bool)
        for _ in range(self.maxNew):
            nxt = self.net(seq)[:, -1].argmax(dim=-1)
            nxt[finished] = self.endToken
            seq = torch.cat([seq, nxt.unsqueeze(1)], dim=1)
            finished |= nxt == self.endToken
            if finished.any():
                break
        return seq
# %% generate_loop_04: the number drawn is a place within the top k list and is used as the token id itself
def topk_generate(model, ids, *, steps, k=5, temperature=1.0, generator=None):
    for _ in range(steps):
        with torch.no_grad():
            logits = model(ids)[:, -1, :]
        vals, inds = torch.topk(logits / temperature, k, dim=-1)
        choice = torch.multinomial(vals.softmax(-1), 1, generator=generator)
        ids = torch.cat((ids, choice), dim=-1)
    return ids
# %% generate_loop_05: rows that have made the end token go on making tokens instead of being filled with padding
def translate(step_fn, bos_batch, eos, pad, max_len):
    """step_fn(ids (B,T)) -> (B,T,V). returns new tokens (B, n); after eos only pad"""
    ids = np.array(bos_batch)
    start = ids.shape[1]
    alive = np.ones(len(ids), dtype=bool)
    while alive.any() and ids.shape[1] - start < max_len:
        nxt = step_fn(ids)[:, -1].argmax(-1)
        ids = np.concatenate([ids, nxt[:, None]], axis=1)
        alive &= nxt != eos
    return ids[:, start:]
# %% generate_loop_06: the token that crosses the top-p line is dropped too (and the best one is kept only by a special case)
def nucleus(next_logits, context, count, p=0.9, seed=0):
    rng = np.random.default_rng(seed)
    ctx = list(context)
    for _ in range(count):
        z = np.asarray(next_logits(ctx), dtype=np.float64)
        pr = np.exp(z - z.max())
        pr /= pr.sum()
        order = np.argsort(-pr)
        cum = np.cumsum(pr[order])
        keep = cum <= p
        keep[0] = True
        cand = order[keep]
        w = pr[cand] / pr[cand].sum()
        ctx.append(int(rng.choice(cand, p=w)))
    return ctx[len(context):]
# %% generate_loop_07: max_new_tokens is compared with the whole length, so the prompt is counted as made text
def generate(model, tokens, max_new_tokens, eos_token_id=None):
    """model: list of ids -> list of scores for the next id"""
    out = list(tokens)
    while len(out) < max_new_tokens:
        scores = model(out)
        best = max(range(len(scores)), key=scores.__getitem__)
        out.append(best)
        if best == eos_token_id:
            break
    return out
# %% generate_loop_08: the prefill takes the whole prompt and then its last token is fed again, so it stands in the cache twice
import torch
from typing import Iterator

def token_stream(forward, prompt: torch.Tensor, limit: int, eos: int | None = None) -> Iterator[int]:
    """forward(tokens (1,S), cache) -> (logits (1,S,V), cache)"""
    _, cache = forward(prompt, None)
    cur = prompt[:, -1:]
    for _ in range(limit):
        logits, cache = forward(cur, cache)
        cur = logits[:, -1:].argmax(-1)
        yield cur.item()
        if cur.item() == eos:
            return
