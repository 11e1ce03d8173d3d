# %% stable_softmax_01
def softmax(x: torch.Tensor, dim: int = -1) -> torch.Tensor:
    x_max = x.amax(dim=dim, keepdim=True)
    e = (x - x_max).exp()
    return e / e.sum(dim=dim, keepdim=True)
# %% stable_softmax_02
from math import exp

def stable_softmax(xs):
    """Softmax of one plain list of numbers."""
    if not xs:
        return []
    biggest = max(xs)
    weights = [exp(v - biggest) for v in xs]
    total = sum(weights)
    return [w / total for w in weights]
# %% stable_softmax_03
def log_sum_exp(z, axis=-1):
    c = np.max(z, axis=axis, keepdims=True)
    return c + np.log(np.sum(np.exp(z - c), axis=axis, keepdims=True))

def softmax(z, axis=-1):
    z = np.asarray(z, dtype=np.float64)
    return np.exp(z - log_sum_exp(z, axis=axis))
# %% stable_softmax_04
class StableSoftmax(nn.Module):
    """Computes in float32 and gives back the dtype it was given."""

    def __init__(self, dim=-1):
        super().__init__()
        self.dim = dim

    def forward(self, logits):
        in_dtype = logits.dtype
        z = logits if in_dtype == torch.float64 else logits.float()
        shift = z.max(dim=self.dim, keepdim=True).values.detach()
        num = torch.exp(z - shift)
        out = num / num.sum(self.dim, keepdim=True)
        return out.to(in_dtype) if in_dtype.is_floating_point else out
