"""Wrong answers to the topic stable_softmax."""
# %% no_maximum
def f(x):
    e = np.exp(x)
    return e / e.sum(-1, keepdims=True)
# %% no_maximum_torch
def f(x, dim=-1):
    return x.exp() / x.exp().sum(dim, keepdim=True)
# %% no_maximum_lists
def f(xs):
    s = sum(math.exp(x) for x in xs)
    return [math.exp(x) / s for x in xs]
# %% one_maximum < mean_subtracted
~ e = np.exp(x - x.mean(-1, keepdims=True)) => e = np.exp(x - x.max())
~ return e / e.sum(-1, keepdims=True) => return e / e.sum(axis=-1, keepdims=True)
# %% columns < mean_subtracted
~ e = np.exp(x - x.mean(-1, keepdims=True)) => e = np.exp(x - x.max(axis=0))
~ return e / e.sum(-1, keepdims=True) => return e / e.sum(axis=0)
# %% columns_torch
def f(t):
    e = torch.exp(t - t.max(dim=0, keepdim=True).values)
    return e / e.sum(dim=0, keepdim=True)
# %% sum_of_all < mean_subtracted
~ e = np.exp(x - x.mean(-1, keepdims=True)) => e = torch.exp(x - x.max(-1, keepdim=True).values)
~ return e / e.sum(-1, keepdims=True) => return e / e.sum()
# %% not_divided
def f(x):
    return np.exp(x - x.max(-1, keepdims=True))
# %% mean_subtracted
def f(x):
    e = np.exp(x - x.mean(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)
# %% min_subtracted
def f(x):
    e = torch.exp(x - x.min(-1, keepdim=True).values)
    return e / e.sum(-1, keepdim=True)
# %% by_the_largest < mean_subtracted
~ e = np.exp(x - x.mean(-1, keepdims=True)) => e = np.exp(x - x.max(-1, keepdims=True))
~ return e / e.sum(-1, keepdims=True) => return e / e.max(-1, keepdims=True)
# %% log_softmax < mean_subtracted
~ e = np.exp(x - x.mean(-1, keepdims=True)) => z = x - x.max(-1, keepdims=True)
~ return e / e.sum(-1, keepdims=True) => return z - np.log(np.exp(z).sum(-1, keepdims=True))
# %% added < mean_subtracted
~ e = np.exp(x - x.mean(-1, keepdims=True)) => e = np.exp(x + x.max(-1, keepdims=True))
# %% ready_made
def f(x):
    return torch.softmax(x, dim=-1)
# %% all_of_it < mean_subtracted: without a word that it is for one vector
~ e = np.exp(x - x.mean(-1, keepdims=True)) => e = np.exp(x - np.max(x))
~ return e / e.sum(-1, keepdims=True) => return e / np.sum(e)
# %% w12 < no_maximum
  def f(x):
+     x = np.clip(x, -50, 50)
# %% w13
def f(x):
    e = torch.exp(x - torch.max(x))
    return e / torch.sum(e, dim=1, keepdim=True)
# %% w14 < mean_subtracted
~ e = np.exp(x - x.mean(-1, keepdims=True)) => m = x.max(-1, keepdims=True)
~ return e / e.sum(-1, keepdims=True) => return np.exp(x - m) / np.exp(x).sum(-1, keepdims=True)
# %% w15 < mean_subtracted
~ e = np.exp(x - x.mean(-1, keepdims=True)) => e = np.exp(x / x.max(-1, keepdims=True))
# %% starts_at_0: the search for the maximum
def f(scores):
    top = 0.0
    for s in scores:
        top = max(top, s)
    e = [math.exp(s - top) for s in scores]
    return [one / sum(e) for one in e]
# %% starts_at_0_clamped < min_subtracted
~ e = torch.exp(x - x.min(-1, keepdim=True).values) => e = torch.exp(x - x.amax(-1, keepdim=True).clamp(min=0))
# %% starts_at_0_initial
def f(row):
    row = np.asarray(row, dtype=float)
    e = np.exp(row - np.max(row, initial=0.0))
    return e / e.sum()
# %% first_entry < min_subtracted: is not the maximum
-     e = torch.exp(x - x.min(-1, keepdim=True).values)
+     e = (x - x[..., :1]).exp()
# %% column_sums < mean_subtracted
~ e = np.exp(x - x.mean(-1, keepdims=True)) => e = np.exp(x - x.max(axis=-1, keepdims=True))
~ return e / e.sum(-1, keepdims=True) => return e / e.sum(axis=0)
# %% top_below: the numerator keeps its size
def f(z):
    m = np.max(z, axis=-1, keepdims=True)
    return np.exp(z) / np.exp(z - m).sum(axis=-1, keepdims=True)
# %% top_below_logsumexp
class S(torch.nn.Module):
    def forward(self, x):
        m = x.max(-1, keepdim=True).values
        return (x - (x - m).exp().sum(-1, keepdim=True).log()).exp()
# %% sign_turned
def f(x, dim=-1):
    m = x.max(dim, keepdim=True).values
    e = torch.exp(m - x)
    return e / e.sum(dim, keepdim=True)
# %% no_exp
def f(xs):
    m = max(xs)
    s = sum(x - m for x in xs)
    return [(x - m) / s for x in xs]
# %% powers_of_two < mean_subtracted
~ e = np.exp(x - x.mean(-1, keepdims=True)) => e = 2 ** (x - x.amax(dim=-1, keepdim=True))
~ return e / e.sum(-1, keepdims=True) => return e / e.sum(dim=-1, keepdim=True)
# %% divided_by_entries < mean_subtracted
~ e = np.exp(x - x.mean(-1, keepdims=True)) => y = x - x.max(-1, keepdims=True)
~ return e / e.sum(-1, keepdims=True) => return np.exp(y) / y.sum(-1, keepdims=True)
# %% divided_by_mean < mean_subtracted
~ e = np.exp(x - x.mean(-1, keepdims=True)) => e = torch.exp(x - x.max(-1, True)[0])
~ return e / e.sum(-1, keepdims=True) => return e / e.mean(-1, True)
# %% capped < min_subtracted: large entries
-     e = torch.exp(x - x.min(-1, keepdim=True).values)
+     e = x.clamp(max=50).exp()
# %% one_by_one_without_maximum
def f(numbers):
    above, below = [], 0.0
    for number in numbers:
        e = np.exp(number)
        above.append(e)
        below = below + e
    return [e / below for e in above]
# %% sum_along_the_last_axis < interview/held_out_later/wrong/stable_softmax_04: an axis of the constructor, used for the maximum only
# %% axis_unused < interview/held_out_later/wrong/stable_softmax_01: an axis that changes nothing
~ e = np.exp(x - np.max(x)) => z = np.exp(x - x.max(-1, keepdims=True))
~ return e / e.sum(axis=axis, keepdims=True) => return z / z.sum(-1, keepdims=True)
