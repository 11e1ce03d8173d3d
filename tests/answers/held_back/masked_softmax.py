"""Wrong answers for masked_softmax, one mistake a cell."""
# %% nan_repaired_afterwards < right/additive: adds -inf and replaces the NaN rows at the end, which leaves NaN in the gradients
-     has_key = (~mask).any(dim=-1, keepdim=True)
~ mask & has_key, => mask,
~ weights * has_key.to(weights.dtype => torch.nan_to_num(weights, nan=0.0
# %% not_renormalised: zeroes the masked weights after the softmax, so the rows no longer sum to 1
def masked_softmax(scores, mask):
    weights = F.softmax(scores, dim=-1)
    return weights.masked_fill(mask, 0.0)
# %% raw_exp_with_epsilon: takes exp without subtracting the maximum and hides 0/0 behind a small constant
def masked_softmax(scores, mask):
    e = torch.exp(scores) * (~mask)
    return e / (e.sum(dim=-1, keepdim=True) + 1e-9)
# %% only_if_everything_masked: looks for a fully masked tensor rather than for fully masked rows
def masked_softmax(scores, mask):
    if mask.all():
        return scores * 0
    s = scores.masked_fill(mask, float('-inf'))
    return torch.softmax(s, dim=-1)
# %% small_constant_fill: fills with -100, which is larger than real scores that stand far below zero
def masked_softmax(scores, mask):
    filled = torch.where(mask, torch.full_like(scores, -100.0), scores)
    p = torch.softmax(filled, dim=-1)
    # rows with nothing to see (and anything forbidden) -> 0
    return torch.where(mask, torch.zeros_like(p), p)
# %% fills_callers_scores: uses masked_fill_ on the argument, so the caller's scores are overwritten
def masked_softmax(scores, mask):
    nothing_left = mask.all(dim=-1, keepdim=True)
    scores.masked_fill_(mask, float("-inf"))
    scores = scores.masked_fill(nothing_left, 0.0)
    return torch.softmax(scores, dim=-1).masked_fill(nothing_left, 0.0)
# %% uniform_on_empty_rows: fills with the smallest finite number, so a fully masked row becomes uniform instead of zero
def masked_softmax(scores, mask):
    lowest = torch.finfo(scores.dtype).min
    return scores.masked_fill(mask, lowest).softmax(-1)
# %% whole_batch_zero: one fully masked row turns the whole result into zeros
def masked_softmax(scores, mask):
    if mask.all(-1).any():
        return torch.zeros_like(scores)
    return torch.softmax(scores.masked_fill(mask, float('-inf')), dim=-1)
# %% no_max: hand-written, unstable, exp overflows
def masked_softmax(scores, mask):
    e = torch.exp(scores).masked_fill(mask, 0)
    total = e.sum(-1, keepdim=True)
    return e / total.masked_fill(total == 0, 1)
# %% eps_den < raw_exp_with_epsilon: the maximum of the whole tensor is subtracted, and a constant hides the underflow
~ e = torch.exp(scores) * (~mask) => e = torch.exp(scores - scores.max()) * (~mask)
# %% inv_nan: inverted, and NaN in full rows
def masked_softmax(scores, mask):
    return torch.softmax(scores.masked_fill(mask == 0, float('-inf')), dim=-1)
# %% empty_rows_of_the_first_head: looks for fully masked rows in the first head alone
def masked_softmax(scores, mask):
    empty = mask.all(-1, keepdim=True)
    if empty.dim() == 4:
        empty = empty[:, :1]
    weights = torch.softmax(scores.masked_fill(mask, torch.finfo(scores.dtype).min), -1)
    return weights.masked_fill(empty, 0)
# %% empty_rows_of_the_first_example < empty_rows_of_the_first_head: looks for fully masked rows in the first example alone
~ empty = empty[:, :1] => empty = empty[:1]
