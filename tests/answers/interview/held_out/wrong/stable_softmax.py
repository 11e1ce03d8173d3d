# %% stable_softmax_01: the maximum is never subtracted, so large logits overflow to nan.
def softmax(x: torch.Tensor, dim: int = -1) -> torch.Tensor:
    e = torch.exp(x)
    return e / e.sum(dim=dim, keepdim=True)
# %% stable_softmax_02: the maximum is taken over axis 0 while the normalisation runs over the last axis.
def softmax(X):
    """X: (batch, classes)"""
    shifted = X - np.max(X, axis=0, keepdims=True)
    ex = np.exp(shifted)
    return ex / np.sum(ex, axis=1, keepdims=True)
# %% stable_softmax_03: the denominator sums over the whole array rather than over each row.
def stable_softmax(scores):
    m = scores.max(axis=-1, keepdims=True)
    numer = np.exp(scores - m)
    return numer / np.sum(numer)
# %% stable_softmax_04: the sum drops its axis, so for (T, T) scores every column rather than every row is divided by the row sums.
def attn_softmax(scores):
    # scores: (T, T)
    scores = scores - scores.max(dim=-1, keepdim=True)[0]   # (T, T)
    weights = scores.exp()                                  # (T, T)
    return weights / weights.sum(dim=-1)                    # (T, T)
# %% stable_softmax_05: the temperature divides the exponentials, not the logits, so it cancels out.
import math
from typing import List

def softmax_t(logits: List[float], temperature: float = 1.0) -> List[float]:
    peak = max(logits)
    weights = [math.exp(v - peak) / temperature for v in logits]
    z = sum(weights)
    return [w / z for w in weights]
# %% stable_softmax_06: the logits are multiplied by the temperature where they should be divided by it.
class TemperatureSoftmax(nn.Module):
    def __init__(self, tau=0.7, dim=-1):
        super().__init__()
        self.tau, self.dim = tau, dim

    def forward(self, logits):
        z = logits * self.tau
        z = z - z.amax(self.dim, keepdim=True)
        ez = z.exp()
        return ez / ez.sum(self.dim, keepdim=True)
# %% stable_softmax_07: the numerator uses the original x and only the denominator uses the shifted x.
def safe_softmax(x, axis=-1):
    c = np.max(x, axis=axis, keepdims=True)
    denom = np.exp(x - c).sum(axis=axis, keepdims=True)
    return np.exp(x) / denom
# %% stable_softmax_08: overflow is avoided by clipping the logits to [-10, 10], which flattens everything beyond 10.
def softmax_no_overflow(x, dim=-1):
    x = torch.clamp(x, min=-10.0, max=10.0)
    ex = torch.exp(x)
    return ex / ex.sum(dim, keepdim=True)
# %% stable_softmax_09: the log-sum-exp forgets to add the maximum back.
def _lse(v):
    hi = v.max(-1)[..., None]
    return np.log(np.exp(v - hi).sum(-1))[..., None]

def softmax(v):
    return np.exp(v - _lse(v))
# %% stable_softmax_10: the backward pass uses only the diagonal of the Jacobian, y * (1 - y).
class SoftmaxFn(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logits):
        logits = logits - logits.max(dim=-1, keepdim=True)[0]
        exps = logits.exp()
        out = exps / exps.sum(dim=-1, keepdim=True)
        ctx.save_for_backward(out)
        return out

    @staticmethod
    def backward(ctx, grad_output):
        out, = ctx.saved_tensors
        return grad_output * out * (1 - out)
# %% stable_softmax_11: masked scores are set to 0, which still earns them weight, rather than to -inf.
def masked_softmax(scores: np.ndarray, valid: np.ndarray) -> np.ndarray:
    """scores (..., K), valid (..., K) bool -- invalid keys must get probability 0."""
    scores = np.where(valid, scores, 0.0)
    scores = scores - scores.max(-1, keepdims=True)
    p = np.exp(scores)
    return p / p.sum(-1, keepdims=True)
# %% stable_softmax_12: the output buffer copies the input's dtype, so integer logits have their exponentials cut down to 0 or 1.
def softmax(x):
    x = np.array(x)
    out = np.empty_like(x)
    for i, row in enumerate(x):
        out[i] = np.exp(row - row.max())
    return out / out.sum(axis=1, keepdims=True)
# %% stable_softmax_13: the running sum is set to zero once outside the row loop, so it carries over from row to row.
from math import exp

def softmax2d(a):
    rows, cols = len(a), len(a[0])
    out = [[0.0] * cols for _ in range(rows)]
    s = 0.0
    for i in range(rows):
        mx = max(a[i])
        for j in range(cols):
            out[i][j] = exp(a[i][j] - mx)
            s += out[i][j]
        for j in range(cols):
            out[i][j] /= s
    return out
# %% stable_softmax_14: exp2 replaces exp without multiplying the exponent by log2(e).
@torch.no_grad()
def fast_softmax(x: torch.Tensor) -> torch.Tensor:
    """GPU kernels use exp2 because it is a single instruction."""
    row_max, _ = x.max(dim=-1, keepdim=True)
    num = torch.exp2(x - row_max)
    return num / num.sum(dim=-1, keepdim=True)
# %% stable_softmax_15: when a new maximum turns up, the running sum is not rescaled to it.
def softmax_one_pass(x):
    """Find the max and the normaliser in one sweep, then write the output."""
    m, d = -math.inf, 0.0
    for v in x:
        if v > m:
            m = v
        d = d + math.exp(v - m)
    return [math.exp(v - m) / d for v in x]
