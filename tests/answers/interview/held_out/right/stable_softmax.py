# %% stable_softmax_01 < interview/first_met/right/stable_softmax_01
# %% stable_softmax_02
import torch
from torch import Tensor

def stable_softmax(logits: Tensor, dim: int = -1) -> Tensor:
    # softmax(x) == softmax(x - c), choose c = max so the biggest exponent is exp(0)
    c = logits.amax(dim=dim, keepdim=True).detach()
    num = (logits - c).exp()
    return num / num.sum(dim=dim, keepdim=True)
# %% stable_softmax_03
def softmax(xs):
    m = max(xs)
    exps = [math.exp(x - m) for x in xs]
    total = sum(exps)
    return [e / total for e in exps]
# %% stable_softmax_04
def masked_softmax(scores, mask=None, dim=-1):
    """mask: bool, True = keep.  A row with nothing to keep gives zeros rather than nan."""
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    row_max = scores.max(dim=dim, keepdim=True).values
    row_max = torch.where(torch.isinf(row_max), torch.zeros_like(row_max), row_max)
    ex = torch.exp(scores - row_max)
    denom = ex.sum(dim=dim, keepdim=True)
    return ex / denom.clamp(min=1e-20)
# %% stable_softmax_05
def logsumexp(a, axis):
    m = np.max(a, axis=axis, keepdims=True)
    return m + np.log(np.sum(np.exp(a - m), axis=axis, keepdims=True))

def log_softmax(a, axis=-1):
    return a - logsumexp(a, axis)

def softmax_from_lse(a, axis=-1):
    return np.exp(log_softmax(a, axis))
# %% stable_softmax_06
def softmax_rows(A, n, m):
    """A is a flat row-major buffer holding an n x m matrix; overwritten with its row softmax."""
    for r in range(n):
        base = r * m
        hi = A[base]
        for c in range(1, m):
            if A[base + c] > hi:
                hi = A[base + c]
        s = 0.0
        for c in range(m):
            A[base + c] = math.exp(A[base + c] - hi)
            s += A[base + c]
        inv = 1.0 / s
        for c in range(m):
            A[base + c] *= inv
    return A
# %% stable_softmax_07
class Softmax(nn.Module):
    def __init__(self, dim: int = -1, temperature: float = 1.0):
        super().__init__()
        if temperature <= 0:
            raise ValueError("temperature must be positive")
        self.dim = dim
        self.temperature = temperature

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        in_dtype = x.dtype
        x = x.float() / self.temperature            # half precision is not enough for the sum
        x = x - x.max(dim=self.dim, keepdim=True)[0]
        p = torch.exp(x)
        p = p / p.sum(dim=self.dim, keepdim=True)
        return p.to(in_dtype)
# %% stable_softmax_08
class StableSoftmax(torch.autograd.Function):
    """Softmax over the last axis with a hand-written backward."""

    @staticmethod
    def forward(ctx, x):
        e = torch.exp(x - x.max(-1, keepdim=True).values)
        y = e / e.sum(-1, keepdim=True)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, dy):
        (y,) = ctx.saved_tensors
        # J = diag(y) - y y^T   =>   dx = y * (dy - <dy, y>)
        return y * (dy - (dy * y).sum(-1, keepdim=True))
