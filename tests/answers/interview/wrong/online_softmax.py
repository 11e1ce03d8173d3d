"""Wrong answers to the topic online_softmax."""
# %% not_scaled
import math

def f(xs):
    m, d = float("-inf"), 0.0
    for x in xs:
        m = max(m, x)
        d += math.exp(x - m)
    return [math.exp(x - m) / d for x in xs]

# %% not_scaled_blocks
import torch

def f(x, block=4):
    m, l = torch.tensor(-torch.inf), torch.tensor(0.0)
    for b in x.split(block):
        m = torch.maximum(m, b.max())
        l = l + (b - m).exp().sum()
    return (x - m).exp() / l

# %% inverse
import math

def f(xs):
    m, d = xs[0], 0.0
    for x in xs:
        new = max(m, x)
        d = d * math.exp(new - m) + math.exp(x - new)
        m = new
    return m, d

# %% from_zero
import math

def f(xs):
    m, d = 0.0, 0.0
    for x in xs:
        new = max(m, x)
        d = d * math.exp(m - new) + math.exp(x - new)
        m = new
    return [math.exp(x - m) / d for x in xs]

# %% newest_maximum
import numpy as np

def f(x):
    m, d = -np.inf, 0.0
    for v in x:
        d = d * np.exp(m - v) + 1.0
        m = v if v > m else m
    return np.exp(x - m) / d

# %% output_not_scaled
import numpy as np

def f(scores, values):
    m, l, o = -np.inf, 0.0, np.zeros(values.shape[1])
    for s, v in zip(scores, values):
        new = max(m, s)
        l = l * np.exp(m - new) + np.exp(s - new)
        o = o + np.exp(s - new) * v
        m = new
    return o / l

# %% flash_output_not_scaled
import torch

def f(q, k, v, block=2):
    o, m, l = torch.zeros(q.shape[0], v.shape[1]), torch.full((q.shape[0], 1), -torch.inf), torch.zeros(q.shape[0], 1)
    for kb, vb in zip(k.split(block), v.split(block)):
        s = q @ kb.T / q.shape[-1] ** 0.5
        new = torch.maximum(m, s.amax(1, keepdim=True))
        p = (s - new).exp()
        l, o, m = l * (m - new).exp() + p.sum(1, keepdim=True), o + p @ vb, new
    return o / l

# %% never_divided
import torch

def f(q, k, v, block=2):
    o, m = torch.zeros(q.shape[0], v.shape[1]), torch.full((q.shape[0], 1), -torch.inf)
    for kb, vb in zip(k.split(block), v.split(block)):
        s = q @ kb.T / q.shape[-1] ** 0.5
        new = torch.maximum(m, s.amax(1, keepdim=True))
        o, m = o * (m - new).exp() + (s - new).exp() @ vb, new
    return o

# %% rest_dropped
import numpy as np

def f(x, block=2):
    m, d = -np.inf, 0.0
    for i in range(len(x) // block):
        b = x[i * block : (i + 1) * block]
        new = max(m, b.max())
        d = d * np.exp(m - new) + np.exp(b - new).sum()
        m = new
    return np.exp(x - m) / d

# %% kept_as_they_came
import math

def f(xs):
    m, d, es = -math.inf, 0.0, []
    for x in xs:
        new = max(m, x)
        d = d * math.exp(m - new) + math.exp(x - new)
        m = new
        es.append(math.exp(x - m))
    return [e / d for e in es]

# %% no_maximum
import numpy as np

def f(xs):
    d = 0.0
    for x in xs:
        d += np.exp(x)
    return np.exp(xs) / d

# %% two_passes
import math

def f(xs):
    m = max(xs)
    d = 0.0
    for x in xs:
        d += math.exp(x - m)
    return [math.exp(x - m) / d for x in xs]

# %% plain_numpy
import numpy as np

def f(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)

# %% plain_torch
import torch

def f(x):
    e = torch.exp(x - torch.amax(x, -1, keepdim=True))
    return e / e.sum(-1, keepdim=True)

# %% ready_made
import torch

def f(x):
    for _ in x:
        pass
    return torch.softmax(x, -1)

# %% half_not_scaled
import math

def f(xs):
    m, d = -math.inf, 0.0
    for x in xs:
        if x > m:
            d, m = d + 1.0, x
        else:
            d += math.exp(x - m)
    return m, d
