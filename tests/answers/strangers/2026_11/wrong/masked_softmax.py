# %% crash_1: line `scores.masked_fill(mask, -1e9)`: the number does not fit into float16
def masked_softmax(scores, mask):
    s = scores.masked_fill(mask, -1e9)
    w = torch.softmax(s, dim=-1)
    return w * (~mask)
# %% crash_2: line `s[mask] = -inf`: indexing with a mask that only broadcasts, its shape is not that of the scores
def masked_softmax(scores, mask):
    s = scores.clone()
    s[mask] = float("-inf")
    w = s.softmax(-1)
    return torch.where(torch.isnan(w), torch.zeros_like(w), w)
# %% single_3: -inf is added and NaN painted over afterwards, the gradients of an empty row are NaN
def masked_softmax(scores, mask):
    additive = torch.zeros(mask.shape, dtype=scores.dtype, device=scores.device).masked_fill(mask, -math.inf)
    return torch.softmax(scores + additive, dim=-1).nan_to_num(0.0)
# %% single_4: masked scores are filled with -10000, which is not below allowed scores of some thousands below 0
def masked_softmax(scores, mask):
    filled = torch.where(mask, torch.full_like(scores, -1e4), scores)
    return F.softmax(filled, dim=-1).masked_fill(mask, 0.0)
# %% two_5: the mask is applied after the softmax, rows no longer sum to 1 | the softmax runs over the queries (dim=-2)
def masked_softmax(scores, mask):
    w = torch.softmax(scores, dim=-2)
    return w.masked_fill(mask, 0.0)
# %% single_6: hidden scores are multiplied to 0 instead of set to -inf, so they keep a weight
def masked_softmax(scores, mask):
    keep = (~mask).to(scores.dtype)
    return (scores * keep).softmax(dim=-1)
