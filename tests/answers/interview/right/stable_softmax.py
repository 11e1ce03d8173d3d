"""Right answers to the topic stable_softmax."""
# %% numpy_keepdims
def softmax(x):
    z = x - np.max(x, axis=-1, keepdims=True)
    e = np.exp(z)
    return e / np.sum(e, axis=-1, keepdims=True)
# %% torch_dim
def stable(logits, dim=-1):
    m, _ = logits.max(dim=dim, keepdim=True)
    ex = (logits - m).exp()
    return ex / ex.sum(dim=dim, keepdim=True)
# %% python_lists: one vector
def softmax_list(xs):
    top = max(xs)
    es = [math.exp(x - top) for x in xs]
    total = sum(es)
    return [e / total for e in es]
# %% log_space: through log-sum-exp
def sm(a, axis):
    m = a.max(axis=axis, keepdims=True)
    lse = m + np.log(np.exp(a - m).sum(axis=axis, keepdims=True))
    return np.exp(a - lse)
# %% row_by_row
def by_rows(X):
    out = np.zeros_like(X)
    for i, row in enumerate(X):
        e = np.exp(row - row.max())
        out[i] = e / e.sum()
    return out
# %% class_callable
class Softmax:
    def __init__(self, dim=-1):
        self.dim = dim

    def __call__(self, x):
        e = torch.exp(x - x.amax(self.dim, keepdim=True))
        return e / e.sum(self.dim, keepdim=True)
# %% module_in_place
class Stable(torch.nn.Module):
    def forward(self, scores):
        scores -= scores.max(-1, keepdim=True).values
        scores.exp_()
        scores /= scores.sum(-1, keepdim=True)
        return scores
# %% temperature
def tempered(z, temperature=1.0):
    z = np.asarray(z) / temperature
    z = z - z.max(axis=-1)[..., None]
    p = np.exp(z)
    return p / p.sum(axis=-1)[..., None]
# %% one_vector: everything in sight, so one vector at a time | vector=True
def vec_softmax(v):
    e = np.exp(v - np.max(v))
    return e / e.sum()
# %% reduce_max
def stable_softmax(logits, axis=None):
    if axis is None:
        axis = -1
    shifted = logits - np.amax(logits, axis, keepdims=True)
    return np.exp(shifted) / np.exp(shifted).sum(axis, keepdims=True)
# %% recursion_of_rows
def soft(x):
    if isinstance(x[0], (list, tuple)):
        return [soft(r) for r in x]
    m = max(x)
    z = sum(math.exp(v - m) for v in x)
    return tuple(math.exp(v - m) / z for v in x)
# %% torch_function
class SM(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = (x - x.max(-1, keepdim=True)[0]).exp()
        y = y / y.sum(-1, keepdim=True)
        ctx.save_for_backward(y)
        return y

def softmax(x):
    return SM.apply(x)
# %% log_sum_exp_helper
def lse(a):
    m = a.max(axis=1)
    return m + np.log(np.sum(np.exp(a - m[:, None]), axis=1))

def probs(a):
    return np.exp(a - lse(a)[:, None])
# %% one_by_one: | vector=True
def f(numbers):
    top = -np.inf
    for number in numbers:
        top = np.maximum(top, number)
    above = [np.exp(number - top) for number in numbers]
    below = sum(above)
    return [e / below for e in above]
