# %% stable_softmax_01
def softmax(x, axis=-1):
    x = np.asarray(x, dtype=np.float64)
    z = x - x.max(axis=axis, keepdims=True)
    e = np.exp(z)
    return e / e.sum(axis=axis, keepdims=True)
# %% stable_softmax_02: True = keep; rows with nothing to keep come back as zeros
import torch
from typing import Optional

def masked_softmax(scores: torch.Tensor, keep: Optional[torch.Tensor] = None, dim: int = -1) -> torch.Tensor:
    if keep is None:
        shifted = scores - scores.amax(dim=dim, keepdim=True)
        w = shifted.exp()
        return w / w.sum(dim, keepdim=True)
    neg = scores.masked_fill(~keep, float("-inf"))
    top = neg.amax(dim=dim, keepdim=True)
    top = torch.where(torch.isinf(top) & (top < 0), torch.zeros_like(top), top)
    w = torch.exp(neg - top)
    tot = w.sum(dim=dim, keepdim=True)
    return torch.where(tot > 0, w / tot.clamp_min(1e-38), torch.zeros_like(w))
# %% stable_softmax_03: pure python on a list, via logsumexp
from math import exp, log

def sm(v):
    m = max(v)
    lse = m + log(sum(exp(a - m) for a in v))
    return [exp(a - lse) for a in v]
# %% stable_softmax_04: class with temperature, additive mask, upcasts half to float and returns in the input dtype
class Softmax:
    def __init__(self, dim=-1, temperature=1.0):
        self.dim = dim
        self.temperature = temperature

    def __call__(self, logits, additive_mask=None):
        orig = logits.dtype
        x = logits.float() / self.temperature
        if additive_mask is not None:
            x = x + additive_mask.float()
        x = x - x.max(dim=self.dim, keepdim=True).values.detach()
        num = torch.exp(x)
        return (num / num.sum(dim=self.dim, keepdim=True)).to(orig)
# %% stable_softmax_05: plain loops over a 2d array, mask True = hidden, all hidden row gives zeros
def row_softmax(M, hide=None):
    R, C = M.shape
    out = np.zeros((R, C), dtype=float)
    for r in range(R):
        cols = [c for c in range(C) if hide is None or not hide[r][c]]
        if not cols:
            continue
        biggest = M[r][cols[0]]
        for c in cols:
            if M[r][c] > biggest:
                biggest = M[r][c]
        s = 0.0
        for c in cols:
            out[r, c] = np.exp(M[r][c] - biggest)
            s += out[r, c]
        for c in cols:
            out[r, c] /= s
    return out
