# %% stable_softmax_01: hidden scores are multiplied to 0 before the exp, so they still get weight exp(0 - max)
def softmax_masked(scores, mask, axis=-1):
    """mask: 1 keep, 0 drop"""
    s = scores * mask
    s = s - s.max(axis=axis, keepdims=True)
    e = np.exp(s)
    return e / e.sum(axis=axis, keepdims=True)
# %% stable_softmax_02: the mask is applied after normalising and the rest is not renormalised
import torch
from torch import Tensor

def safe_softmax(logits: Tensor, *, keep: Tensor | None = None) -> Tensor:
    mx, _ = logits.max(dim=-1, keepdim=True)
    ex = torch.exp(logits - mx)
    p = ex / ex.sum(dim=-1, keepdim=True)
    if keep is not None:
        p = p * keep.to(p.dtype)
    return p
# %% stable_softmax_03: the sum is over the whole array, so only all rows together add up to one
def softmax2d(a):
    a = np.array(a, float)
    rowmax = np.amax(a, axis=1)[:, None]
    a = np.exp(a - rowmax)
    total = np.sum(a)
    return a / total
# %% stable_softmax_04: the mask sense is turned round: padding_mask is True for padding but the real places are filled
class StableSoftmax(nn.Module):
    def __init__(self, dim=-1):
        super().__init__()
        self.dim = dim

    def forward(self, x, padding_mask=None):
        # padding_mask: bool, True means this place is padding
        if padding_mask is not None:
            x = x.masked_fill(padding_mask == 0, torch.finfo(x.dtype).min)
        x = x - torch.amax(x, self.dim, keepdim=True)
        x = torch.exp(x)
        return x / torch.sum(x, self.dim, keepdim=True)
# %% stable_softmax_05: the maximum is taken off in the numerator only, the denominator uses the raw values
def softMax(values):
    peak = max(values)
    below = 0.0
    for v in values:
        below += math.exp(v)
    return [math.exp(v - peak) / below for v in values]
# %% stable_softmax_06: the score is multiplied by the temperature instead of divided
def probs(z, T=1.0):
    z = np.asarray(z, dtype=np.float64) * T
    lse = np.logaddexp.reduce(z, axis=-1, keepdims=True)
    return np.exp(z - lse)
# %% stable_softmax_07: the fill is 1e-9 (nearly zero) where -1e9 was meant
def F_softmax(inp, valid_lens=None):
    # inp (B, Q, K), valid_lens (B,)
    if valid_lens is not None:
        cols = torch.arange(inp.shape[-1])
        inp = torch.where(cols[None, None, :] < valid_lens[:, None, None], inp, torch.tensor(1e-9))
    inp = inp - inp.max(-1, keepdim=True)[0]
    out = inp.exp()
    return out / out.sum(-1, keepdim=True)
