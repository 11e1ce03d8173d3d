"""Programs for the interview topic stable_softmax. tests/course_utils/interview/test_programs.py explains the format."""

# %% numpy_keepdims, part 1: right
# taken
import numpy as np

def softmax(x):
    z = x - np.max(x, axis=-1, keepdims=True)
    e = np.exp(z)
    return e / np.sum(e, axis=-1, keepdims=True)

# %% torch_dim, part 1: right
# taken
def stable(x, dim=-1):
    m, _ = x.max(dim=dim, keepdim=True)
    ex = (x - m).exp()
    return ex / ex.sum(dim=dim, keepdim=True)

# %% log_space, part 1: through log-sum-exp
# taken
import numpy as np

def sm(x, dim):
    m = x.max(axis=dim, keepdims=True)
    lse = m + np.log(np.exp(x - m).sum(axis=dim, keepdims=True))
    return np.exp(x - lse)

# %% row_by_row, part 1: right
# taken
import numpy as np

def by_rows(x):
    out = np.zeros_like(x)
    for i, row in enumerate(x):
        e = np.exp(row - row.max())
        out[i] = e / e.sum()
    return out

# %% temperature, part 1: right
# taken
import numpy as np

def tempered(x, temperature=1.0):
    x = np.asarray(x) / temperature
    x = x - x.max(axis=-1)[..., None]
    p = np.exp(x)
    return p / p.sum(axis=-1)[..., None]

interview.check(lambda x: tempered(x, temperature=1.0))

# %% reduce_max, part 1: right
# taken
import numpy as np

def stable_softmax(x, dim=None):
    if dim is None:
        dim = -1
    shifted = x - np.amax(x, dim, keepdims=True)
    return np.exp(shifted) / np.exp(shifted).sum(dim, keepdims=True)

# %% torch_function, part 1: right
# taken
import torch

class SM(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = (x - x.max(-1, keepdim=True)[0]).exp()
        y = y / y.sum(-1, keepdim=True)
        ctx.save_for_backward(y)
        return y

def softmax(x):
    return SM.apply(x)

# %% stable_softmax_01_a, part 1: right
# taken
import numpy as np

def softmax(x, dim=-1):
    x = np.asarray(x, dtype=np.float64)
    z = x - x.max(axis=dim, keepdims=True)
    e = np.exp(z)
    return e / e.sum(axis=dim, keepdims=True)

# %% stable_softmax_02_a, part 1: True = keep; rows with nothing to keep come back as zeros
# taken
import torch
from typing import Optional

def masked_softmax(x: torch.Tensor, mask: Optional[torch.Tensor] = None, dim: int = -1) -> torch.Tensor:
    if mask is None:
        shifted = x - x.amax(dim=dim, keepdim=True)
        w = shifted.exp()
        return w / w.sum(dim, keepdim=True)
    neg = x.masked_fill(~mask, float("-inf"))
    top = neg.amax(dim=dim, keepdim=True)
    top = torch.where(torch.isinf(top) & (top < 0), torch.zeros_like(top), top)
    w = torch.exp(neg - top)
    tot = w.sum(dim=dim, keepdim=True)
    return torch.where(tot > 0, w / tot.clamp_min(1e-38), torch.zeros_like(w))

interview.check(lambda x, dim: masked_softmax(x, mask=None, dim=dim))

# %% stable_softmax_05_a, part 1: plain loops over a 2d array, mask True = hidden, all hidden row gives zeros
# taken
import numpy as np

def row_softmax(x, mask=None):
    R, C = x.shape
    out = np.zeros((R, C), dtype=float)
    for r in range(R):
        cols = [c for c in range(C) if mask is None or not mask[r][c]]
        if not cols:
            continue
        biggest = x[r][cols[0]]
        for c in cols:
            if x[r][c] > biggest:
                biggest = x[r][c]
        s = 0.0
        for c in cols:
            out[r, c] = np.exp(x[r][c] - biggest)
            s += out[r, c]
        for c in cols:
            out[r, c] /= s
    return out

interview.check(lambda x: row_softmax(x, mask=None))

# %% stable_softmax_04_b, part 1: right
# taken
import torch

def masked_softmax(x, mask=None, dim=-1):
    """mask: bool, True = keep.  A row with nothing to keep gives zeros rather than nan."""
    if mask is not None:
        x = x.masked_fill(~mask, float("-inf"))
    row_max = x.max(dim=dim, keepdim=True).values
    row_max = torch.where(torch.isinf(row_max), torch.zeros_like(row_max), row_max)
    ex = torch.exp(x - row_max)
    denom = ex.sum(dim=dim, keepdim=True)
    return ex / denom.clamp(min=1e-20)

interview.check(lambda x, dim: masked_softmax(x, mask=None, dim=dim))

# %% stable_softmax_05_b, part 1: right
# taken
import numpy as np

def logsumexp(a, axis):
    m = np.max(a, axis=axis, keepdims=True)
    return m + np.log(np.sum(np.exp(a - m), axis=axis, keepdims=True))

def log_softmax(a, axis=-1):
    return a - logsumexp(a, axis)

def softmax_from_lse(x, dim=-1):
    return np.exp(log_softmax(x, dim))

# %% not_divided, part 1: not normalised
# refused: not_normalised
import numpy as np

def f(x):
    return np.exp(x - x.max(-1, keepdims=True))

# %% no_maximum, part 1: unstable
# refused: unstable
import numpy as np

def f(x):
    e = np.exp(x)
    return e / e.sum(-1, keepdims=True)

# %% one_maximum, part 1: global max
# refused: global_max
import numpy as np

def f(x):
    e = np.exp(x - x.max())
    return e / e.sum(axis=-1, keepdims=True)

# %% columns, part 1: default not last
# refused: default_not_last
import numpy as np

def f(x):
    e = np.exp(x - x.max(axis=0))
    return e / e.sum(axis=0)

# %% mean_subtracted, part 1: not the maximum
# refused: not_the_maximum
import numpy as np

def f(x):
    e = np.exp(x - x.mean(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)

# %% all_of_it, part 1: without a word that it is for one vector
# refused: another_normalisation
import numpy as np

def f(x):
    e = np.exp(x - np.max(x))
    return e / np.sum(e)

# %% with_an_axis, part 1: right
# taken
import torch

def softmax(x, dim):
    e = torch.exp(x - x.max(dim, keepdim=True).values)
    return e / e.sum(dim, keepdim=True)

# %% row_by_row, part 1: plain Python
# taken
import math

def softmax(x):
    out = []
    for row in x:
        top = max(row)
        exps = [math.exp(v - top) for v in row]
        total = sum(exps)
        out.append([e / total for e in exps])
    return out

# %% hidden_rows, part 4: right
# taken
import torch

def softmax(scores, mask):
    s = scores.masked_fill(mask, float("-inf"))
    m = s.max(-1, keepdim=True).values.clamp(min=-1e30)
    e = (s - m).exp()
    return e / e.sum(-1, keepdim=True).clamp(min=1e-30)

# %% mask_of_the_visible, part 4: the mask the other way around
# refused: inverted
import torch

def softmax(scores, mask):
    s = scores.masked_fill(~mask, float("-inf"))
    m = s.max(-1, keepdim=True).values.clamp(min=-1e30)
    e = (s - m).exp()
    return e / e.sum(-1, keepdim=True).clamp(min=1e-30)

# %% overwrites, part 1: works in place on the caller's table
# taken: changes_input
import torch

def softmax(x):
    x -= x.amax(1, keepdim=True)
    x.exp_()
    x /= x.sum(1, keepdim=True)
    return x

# %% overwrites_a_copy, part 1: in place, on a copy
# taken
import torch

def softmax(x):
    x = x.clone()
    x -= x.amax(1, keepdim=True)
    return x.exp_().div_(x.sum(1, keepdim=True))
