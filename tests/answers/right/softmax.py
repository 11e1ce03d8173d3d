"""Right answers to `softmax`, in the styles of many students. Cells are separated by lines that start with `# %%`."""
# %% line_by_line: subtract the max along dim, exp, divide
def softmax(x, dim=-1):
    m = x.max(dim=dim, keepdim=True).values
    e = torch.exp(x - m)
    return e / e.sum(dim=dim, keepdim=True)
# %% amax_detached: amax without gradient, one expression
def softmax(logits: torch.Tensor, dim: int = -1) -> torch.Tensor:
    shifted = logits - logits.amax(dim, keepdim=True).detach()
    return shifted.exp().div(shifted.exp().sum(dim, keepdim=True))
# %% logsumexp: exp of the log probabilities, in at least float32
def softmax(x, dim=-1):
    z = x.to(torch.promote_types(x.dtype, torch.float32))
    return (z - torch.logsumexp(z, dim=dim, keepdim=True)).exp().to(x.dtype)
# %% log_by_hand: max plus log of the summed exponentials, then exp
def softmax(x, dim=-1):
    biggest, _ = torch.max(x, dim, keepdim=True)
    shifted = x - biggest
    log_total = torch.log(torch.sum(torch.exp(shifted), dim, keepdim=True))
    return torch.exp(shifted - log_total)
# %% loop_over_rows: move dim last, flatten, one row at a time, put back
def softmax(x, dim=-1):
    moved = x.movedim(dim, -1)
    rows = moved.reshape(-1, moved.shape[-1])
    results = []
    for row in rows:
        e = torch.exp(row - row.max())
        results.append(e / e.sum())
    return torch.stack(results).reshape(moved.shape).movedim(-1, dim)
# %% unbind_reduce: slices along dim, running maximum, list comprehension and stack
from functools import reduce
import torch

def softmax(x, dim=-1):
    slices = x.unbind(dim)
    top = reduce(torch.maximum, slices)
    exps = [torch.exp(s - top) for s in slices]
    total = sum(exps)
    return torch.stack([e / total for e in exps], dim=dim)
# %% transpose_and_einsum: swap the axis to the end, sum with einsum, swap back
def softmax(x, dim=-1):
    y = x.transpose(dim, -1)
    y = torch.exp(y - y.max(dim=-1, keepdim=True)[0])
    norm = torch.einsum("...k->...", y)
    y = y / norm.unsqueeze(-1)
    return y.transpose(dim, -1)
# %% float32_then_back: half types are computed in float32, the result is cast to the input's dtype
def softmax(x, dim=-1):
    work = x.float() if x.dtype in (torch.float16, torch.bfloat16) else x
    work = work - work.max(dim=dim, keepdim=True).values
    num = torch.exp(work)
    den = num.sum(dim=dim, keepdim=True)
    return (num / den).to(x.dtype)
# %% online: one pass with a running max and a running sum, as in FlashAttention
def softmax(x, dim=-1):
    z = x if x.dtype == torch.float64 else x.float()
    floor = torch.finfo(z.dtype).min
    n = z.shape[dim]
    run_max = torch.full_like(z.select(dim, 0), floor)
    run_sum = torch.zeros_like(run_max)
    for j in range(n):
        new_max = torch.maximum(run_max, z.select(dim, j))
        run_sum = run_sum * torch.exp(run_max - new_max) + torch.exp(z.select(dim, j) - new_max)
        run_max = new_max
    out = torch.exp(z - run_max.unsqueeze(dim)) / run_sum.unsqueeze(dim)
    return out.to(x.dtype)
# %% where_on_inf: minus infinity handled explicitly with torch.where
def softmax(t, dim=-1):
    gone = torch.isneginf(t)
    peak = t.max(dim=dim, keepdim=True).values
    safe = torch.where(gone, torch.zeros_like(t), t - peak)
    e = torch.where(gone, torch.zeros_like(t), torch.exp(safe))
    return e / e.sum(dim=dim, keepdim=True)
# %% sort_for_max: the max read from a sort, a print left in, shapes asserted
def softmax(x, dim=-1):
    ordered = torch.sort(x, dim=dim, descending=True).values
    biggest = ordered.narrow(dim, 0, 1)
    assert biggest.shape[dim] == 1
    e = torch.exp(x - biggest)
    print("softmax over", x.shape[dim], "entries")
    p = e * (1 / e.sum(dim=dim, keepdim=True))
    assert p.shape == x.shape
    return p
# %% in_place_on_own_copy: in-place arithmetic, but only on a fresh tensor
def softmax(x, dim=-1):
    z = x - x.amax(dim=dim, keepdim=True)
    z = z.exp_()
    return z / torch.sum(z, dim=dim, keepdim=True)
# %% log_space_float32: the logarithm of the weights in float32
def softmax(x, dim=-1):
    z = x.float()
    return (z - z.logsumexp(dim, keepdim=True)).exp().to(x.dtype)
# %% logsumexp_again: exp of x minus logsumexp
def softmax(x, dim=-1):
    return (x - torch.logsumexp(x, dim, keepdim=True)).exp()
# %% moved_axis_with_asserts: the axis moved last, unbound rows, moved back
def softmax(x: torch.Tensor, dim: int = -1) -> torch.Tensor:
    assert isinstance(x, torch.Tensor) and x.dim() >= 1
    y = x.movedim(dim, -1)
    top, _ = y.max(dim=-1, keepdim=True)
    e = (y - top).exp()
    weights = torch.einsum("...k,...->...k", e, e.sum(-1).reciprocal())
    assert weights.shape == y.shape
    return weights.movedim(-1, dim)
# %% helper_class: a small class with properties, detached maximum
class _Rows:
    def __init__(self, x, dim):
        self.x, self.dim = x, dim
    @property
    def shifted(self):
        return self.x - self.x.detach().amax(dim=self.dim, keepdim=True)
    @property
    def exps(self):
        return torch.exp(self.shifted)
def softmax(x, dim=-1):
    e = _Rows(x, dim).exps
    return torch.div(e, torch.sum(e, dim=dim, keepdim=True))
# %% never_above_zero < line_by_line: the shifted scores are kept from rising above 0, as people do who fear an overflow; at a tie such a function has a kink
~ m = => top =
~ x - m => torch.minimum(x - top, torch.zeros_like(x))
