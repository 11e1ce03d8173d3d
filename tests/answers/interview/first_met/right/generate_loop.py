# %% generate_loop_01: minGPT-like: crops context, temperature, top-k, argmax when do_sample False; batch with end token fills the rest with eos
@torch.no_grad()
def generate(model, idx, max_new_tokens, temperature=1.0, do_sample=False, top_k=None, eos_id=None, block_size=1024):
    done = torch.zeros(idx.size(0), 1, dtype=torch.bool, device=idx.device)
    for _ in range(max_new_tokens):
        ctx = idx[:, -block_size:]
        logits = model(ctx)[:, -1, :] / temperature
        if top_k is not None:
            kth = torch.topk(logits, min(top_k, logits.size(-1))).values[:, -1:]
            logits = logits.masked_fill(logits < kth, float("-inf"))
        if do_sample:
            nxt = torch.multinomial(F.softmax(logits, dim=-1), 1)
        else:
            nxt = logits.argmax(dim=-1, keepdim=True)
        if eos_id is not None:
            nxt = torch.where(done, torch.full_like(nxt, eos_id), nxt)
            done = done | (nxt == eos_id)
        idx = torch.cat((idx, nxt), dim=1)
        if eos_id is not None and done.all():
            break
    return idx
# %% generate_loop_02: a python generator yielding ids; next_logits(list of ids) -> vector; the end token itself is not yielded
def stream_tokens(next_logits, prompt, limit, stop=None, temp=0.0, rng=None):
    ids = list(prompt)
    rng = rng or np.random.default_rng()
    for _ in range(limit):
        z = np.asarray(next_logits(ids), dtype=float)
        if temp == 0.0:
            t = int(z.argmax())
        else:
            z = z / temp
            z = np.exp(z - z.max())
            t = int(rng.choice(len(z), p=z / z.sum()))
        if t == stop:
            return
        ids.append(t)
        yield t
# %% generate_loop_03: model(tokens, cache) -> (logits, cache); prefill once then one token per call; returns only the new tokens, end token included
@torch.inference_mode()
def decode_with_cache(model, prompt, *, n_new, eos=None):
    cache = None
    feed = prompt
    new = []
    finished = torch.zeros(prompt.shape[0], dtype=torch.bool)
    for step in range(n_new):
        logits, cache = model(feed, cache)
        tok = logits[:, -1].argmax(-1)
        if eos is not None:
            tok = tok.masked_fill(finished, eos)
            finished |= tok.eq(eos)
        new.append(tok)
        if finished.all():
            break
        feed = tok[:, None]
    return torch.stack(new, dim=1) if new else prompt[:, :0]
# %% generate_loop_04: dataclass with nucleus (top-p) sampling and own torch.Generator seed; returns a dict; first token over the p line is kept
from dataclasses import dataclass
from typing import Callable, Dict, List, Optional
import torch

@dataclass
class Generator:
    logits_fn: Callable[[torch.Tensor], torch.Tensor]
    max_tokens: int = 16
    top_p: float = 1.0
    temperature: float = 1.0
    end_id: Optional[int] = None
    seed: int = 0

    def _pick(self, logits: torch.Tensor, rng: torch.Generator) -> int:
        if self.temperature <= 0:
            return int(logits.argmax())
        probs = torch.softmax(logits / self.temperature, dim=-1)
        p, order = probs.sort(descending=True)
        before = p.cumsum(0) - p
        p = p.masked_fill(before >= self.top_p, 0.0)
        return int(order[torch.multinomial(p, 1, generator=rng)])

    def run(self, prompt: List[int]) -> Dict[str, object]:
        rng = torch.Generator().manual_seed(self.seed)
        ids, why = list(prompt), "length"
        while len(ids) - len(prompt) < self.max_tokens:
            logits = self.logits_fn(torch.tensor([ids]))[0, -1]
            t = self._pick(logits, rng)
            ids.append(t)
            if t == self.end_id:
                why = "end"
                break
        return {"tokens": ids, "new": ids[len(prompt):], "reason": why}
# %% generate_loop_05: French names, preallocated output filled with pad, ragged right-padded prompts: known prompt tokens are forced (teacher) while shorter rows already generate
def genererTexte(modele, invites, nbMax, jetonFin, jetonVide=0):
    longueurs = [len(i) for i in invites]
    total = max(longueurs) + nbMax
    sortie = torch.full((len(invites), total), jetonVide, dtype=torch.long)
    connu = torch.zeros(len(invites), total, dtype=torch.bool)
    for r, inv in enumerate(invites):
        sortie[r, :len(inv)] = torch.tensor(inv)
        connu[r, :len(inv)] = True
    fini = torch.zeros(len(invites), dtype=torch.bool)
    limites = torch.tensor(longueurs) + nbMax
    with torch.no_grad():
        for pos in range(min(longueurs), total):
            scores = modele(sortie[:, :pos])[:, -1]
            choix = scores.argmax(dim=-1)
            fini = fini | (pos >= limites)
            choix = torch.where(fini, torch.full_like(choix, jetonVide), choix)
            choix = torch.where(connu[:, pos], sortie[:, pos], choix)
            sortie[:, pos] = choix
            fini = fini | ((choix == jetonFin) & ~connu[:, pos])
            if bool(fini.all()):
                break
    return [ligne[:n].tolist() for ligne, n in zip(sortie, limites.tolist())]
