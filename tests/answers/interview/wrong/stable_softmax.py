"""Wrong answers to the topic stable_softmax."""
# %% no_maximum
import numpy as np

def f(x):
    e = np.exp(x)
    return e / e.sum(-1, keepdims=True)

# %% no_maximum_torch
import torch

def f(x, dim=-1):
    return x.exp() / x.exp().sum(dim, keepdim=True)

# %% no_maximum_lists
import math

def f(xs):
    s = sum(math.exp(x) for x in xs)
    return [math.exp(x) / s for x in xs]

# %% one_maximum
import numpy as np

def f(x):
    e = np.exp(x - x.max())
    return e / e.sum(axis=-1, keepdims=True)

# %% columns
import numpy as np

def f(x):
    e = np.exp(x - x.max(axis=0))
    return e / e.sum(axis=0)

# %% columns_torch
import torch

def f(t):
    e = torch.exp(t - t.max(dim=0, keepdim=True).values)
    return e / e.sum(dim=0, keepdim=True)

# %% sum_of_all
import torch

def f(x):
    e = torch.exp(x - x.max(-1, keepdim=True).values)
    return e / e.sum()

# %% not_divided
import numpy as np

def f(x):
    return np.exp(x - x.max(-1, keepdims=True))

# %% mean_subtracted
import numpy as np

def f(x):
    e = np.exp(x - x.mean(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)

# %% min_subtracted
import torch

def f(x):
    e = torch.exp(x - x.min(-1, keepdim=True).values)
    return e / e.sum(-1, keepdim=True)

# %% by_the_largest
import numpy as np

def f(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.max(-1, keepdims=True)

# %% log_softmax
import numpy as np

def f(x):
    z = x - x.max(-1, keepdims=True)
    return z - np.log(np.exp(z).sum(-1, keepdims=True))

# %% added
import numpy as np

def f(x):
    e = np.exp(x + x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)

# %% ready_made
import torch

def f(x):
    return torch.softmax(x, dim=-1)

# %% all_of_it: without a word that it is for one vector
import numpy as np

def f(x):
    e = np.exp(x - np.max(x))
    return e / np.sum(e)

# %% w12
import numpy as np

def f(x):
    x = np.clip(x, -50, 50)
    e = np.exp(x)
    return e / e.sum(-1, keepdims=True)

# %% w13
import torch

def f(x):
    e = torch.exp(x - torch.max(x))
    return e / torch.sum(e, dim=1, keepdim=True)

# %% w14
import numpy as np

def f(x):
    m = x.max(-1, keepdims=True)
    return np.exp(x - m) / np.exp(x).sum(-1, keepdims=True)

# %% w15
import numpy as np

def f(x):
    e = np.exp(x / x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)

# %% starts_at_0: the search for the maximum
import math

def f(scores):
    top = 0.0
    for s in scores:
        top = max(top, s)
    e = [math.exp(s - top) for s in scores]
    return [one / sum(e) for one in e]

# %% starts_at_0_clamped
import torch

def f(x):
    e = torch.exp(x - x.amax(-1, keepdim=True).clamp(min=0))
    return e / e.sum(-1, keepdim=True)

# %% starts_at_0_initial
import numpy as np

def f(row):
    row = np.asarray(row, dtype=float)
    e = np.exp(row - np.max(row, initial=0.0))
    return e / e.sum()

# %% first_entry: is not the maximum
import torch

def f(x):
    e = (x - x[..., :1]).exp()
    return e / e.sum(-1, keepdim=True)

# %% column_sums
import numpy as np

def f(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=0)

# %% top_below: the numerator keeps its size
import numpy as np

def f(z):
    m = np.max(z, axis=-1, keepdims=True)
    return np.exp(z) / np.exp(z - m).sum(axis=-1, keepdims=True)

# %% top_below_logsumexp
import torch

class S(torch.nn.Module):
    def forward(self, x):
        m = x.max(-1, keepdim=True).values
        return (x - (x - m).exp().sum(-1, keepdim=True).log()).exp()

# %% sign_turned
import torch

def f(x, dim=-1):
    m = x.max(dim, keepdim=True).values
    e = torch.exp(m - x)
    return e / e.sum(dim, keepdim=True)

# %% no_exp
def f(xs):
    m = max(xs)
    s = sum(x - m for x in xs)
    return [(x - m) / s for x in xs]

# %% powers_of_two
import torch

def f(x):
    e = 2 ** (x - x.amax(dim=-1, keepdim=True))
    return e / e.sum(dim=-1, keepdim=True)

# %% divided_by_entries
import numpy as np

def f(x):
    y = x - x.max(-1, keepdims=True)
    return np.exp(y) / y.sum(-1, keepdims=True)

# %% divided_by_mean
import torch

def f(x):
    e = torch.exp(x - x.max(-1, True)[0])
    return e / e.mean(-1, True)

# %% capped: large entries
import torch

def f(x):
    e = x.clamp(max=50).exp()
    return e / e.sum(-1, keepdim=True)

# %% one_by_one_without_maximum
import numpy as np

def f(numbers):
    above, below = [], 0.0
    for number in numbers:
        e = np.exp(number)
        above.append(e)
        below = below + e
    return [e / below for e in above]

# %% sum_along_the_last_axis: an axis of the constructor, used for the maximum only
import torch
from torch import nn


class Softmax(nn.Module):
    def __init__(self, dim=-1):
        super().__init__()
        self.dim = dim

    def forward(self, x):
        x = x - x.amax(dim=self.dim, keepdim=True)
        x = x.exp()
        return x / x.sum(-1, keepdim=True)

# %% axis_unused: an axis that changes nothing
import numpy as np

def softmax(x, axis=-1):
    z = np.exp(x - x.max(-1, keepdims=True))
    return z / z.sum(-1, keepdims=True)
