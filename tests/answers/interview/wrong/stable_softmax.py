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
