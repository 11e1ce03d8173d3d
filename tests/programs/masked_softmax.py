# %% nan_to_num: minus infinity, softmax, NaN replaced by 0
# taken
import torch
import torch.nn.functional as F
def masked_softmax(scores, mask):
    w = F.softmax(scores.masked_fill(mask, float("-inf")), dim=-1)
    return torch.nan_to_num(w, nan=0.0)
# %% renormalise: softmax first, mask after it, divide by what is left
# taken
import torch
def masked_softmax(scores, mask):
    work = scores.float() if scores.dtype in (torch.float16, torch.bfloat16) else scores
    p = torch.softmax(work, dim=-1)
    p = p * (~mask)
    left = p.sum(dim=-1, keepdim=True)
    left = torch.where(left == 0, torch.ones_like(left), left)
    return (p / left).to(scores.dtype)
# %% row_by_row: a loop over flattened rows, only the allowed entries are softmaxed
# taken
import torch
def masked_softmax(scores, mask):
    full = torch.broadcast_to(mask, scores.shape)
    flat_s = scores.reshape(-1, scores.shape[-1])
    flat_m = full.reshape(-1, scores.shape[-1])
    rows = []
    for s, m in zip(flat_s, flat_m):
        row = s * 0
        if not bool(m.all()):
            row[~m] = torch.softmax(s[~m], dim=0)
        rows.append(row)
    return torch.stack(rows).reshape(scores.shape)
# %% loops_over_axes: explicit loops over all leading axes through a recursion
# taken
import torch
def masked_softmax(scores, mask):
    mask = mask.expand(scores.shape)
    if scores.dim() > 1:
        return torch.stack([masked_softmax(s, m) for s, m in zip(scores, mask)])
    if mask.all():
        return scores * 0.0
    keep = torch.nonzero(~mask).squeeze(-1)
    e = torch.exp(scores[keep] - scores[keep].max())
    out = scores.new_zeros(scores.shape)
    return out.index_put((keep,), e / e.sum())
# %% logsumexp: log weights in at least float32, the empty rows' infinity replaced
# taken
import torch
def masked_softmax(scores, mask):
    s = scores.to(torch.promote_types(scores.dtype, torch.float32))
    s = s.masked_fill(mask, float("-inf"))
    lse = torch.logsumexp(s, dim=-1, keepdim=True)
    lse = lse.masked_fill(torch.isinf(lse), 0.0)
    return torch.exp(s - lse).to(scores.dtype)
# %% additive: minus infinity added (nothing added in the empty rows), times a row flag
# taken
import torch
def masked_softmax(scores, mask):
    has_key = (~mask).any(dim=-1, keepdim=True)
    bias = torch.zeros(mask.shape, dtype=scores.dtype, device=scores.device)
    bias = bias.masked_fill(mask & has_key, float("-inf"))
    weights = torch.softmax(scores + bias, dim=-1)
    return weights * has_key.to(weights.dtype)
# %% float32_then_back: softmax in float32 for half types, -1e9 fill there, masked to zero, cast back
# taken
import torch
import torch.nn.functional as F
def masked_softmax(scores, mask):
    wide = scores if scores.dtype == torch.float64 else scores.to(torch.float32)
    probs = F.softmax(wide.masked_fill(mask, -1e9), dim=-1)
    probs = probs.masked_fill(mask, 0)
    return probs.type_as(scores)
# %% multiply_by_allowed: multiplication by 1 and 0 instead of fills, clamp of the sum; asserts
# taken
import torch
def masked_softmax(scores, mask):
    allowed = torch.logical_not(mask).to(scores.dtype)
    big = torch.finfo(scores.dtype).max / 4
    peak = torch.max(scores * allowed - big * (1 - allowed), dim=-1, keepdim=True).values
    num = torch.exp((scores - peak) * allowed) * allowed
    den = num.sum(dim=-1, keepdim=True).clamp(min=0.5)
    out = num / den
    assert out.shape == scores.shape
    return out
# %% warn_on_empty: a warning about fully masked rows, then a clone filled in place
# taken
import warnings
import torch

def masked_softmax(scores, mask):
    none_left = mask.all(-1, keepdim=True)
    warnings.warn("rows without any allowed key get zeros")
    s = scores.clone()
    s.masked_fill_(mask, float("-inf"))
    s.masked_fill_(none_left, 0.0)
    w = s.softmax(-1)
    return torch.where(none_left, torch.zeros((), dtype=w.dtype, device=w.device), w)
# %% sdpa_identity: F.scaled_dot_product_attention with identity keys and values hands out the weights
# taken
import torch
import torch.nn.functional as F
def masked_softmax(scores, mask):
    wide = scores.float() if scores.dtype == torch.float16 else scores
    n = wide.shape[-1]
    eye = torch.eye(n, dtype=wide.dtype, device=wide.device).expand(*wide.shape[:-2], n, n)
    empty = mask.all(dim=-1, keepdim=True)
    keep = (~mask | empty).expand(wide.shape)
    out = F.scaled_dot_product_attention(wide, eye, eye, attn_mask=keep, scale=1.0)
    return out.masked_fill(empty, 0.0).to(scores.dtype)
# %% multiply_and_guard: exp times keep, sum guarded
# taken
import torch
def masked_softmax(scores, mask):
    keep = (~mask).to(scores.dtype)
    low = torch.finfo(scores.dtype).min
    top = scores.masked_fill(mask, low).amax(-1, keepdim=True)
    e = torch.exp((scores - top).masked_fill(mask, 0)) * keep
    total = e.sum(-1, keepdim=True)
    return e / torch.where(total > 0, total, torch.ones_like(total))
# %% safe_rows: empty rows are unmasked before the softmax and zeroed after it
# taken
import torch
def masked_softmax(scores, mask):
    empty = mask.all(dim=-1, keepdim=True)
    filled = scores.masked_fill(mask & ~empty, float("-inf"))
    weights = torch.softmax(filled, dim=-1)
    return weights.masked_fill(empty, 0.0)
# %% softmax_of_dead_rows_replaced: opens dead rows first, closes them after
# taken
def masked_softmax(scores, mask):
    mask = mask.expand_as(scores)
    dead = mask.all(dim=-1, keepdim=True)
    w = scores.masked_fill(mask & ~dead, float("-inf")).softmax(dim=-1)
    return w.masked_fill(dead, 0.0)
# %% upcast: float32 inside and back, finite fill
# taken
import torch
def masked_softmax(scores, mask):
    wide = scores.float() if scores.dtype in (torch.float16, torch.bfloat16) else scores
    weights = torch.softmax(wide.masked_fill(mask, torch.finfo(wide.dtype).min), dim=-1)
    return (weights * mask.logical_not()).to(scores.dtype)
# %% extra_slot: a sink column that takes everything in dead rows
# taken
import torch
def masked_softmax(scores, mask):
    mask = torch.broadcast_to(mask, scores.shape)
    dead = mask.all(-1, keepdim=True)
    sink = torch.where(dead, 0.0, float("-inf")).to(scores.dtype)
    filled = torch.cat([scores.masked_fill(mask, float("-inf")), sink], dim=-1)
    return torch.softmax(filled, dim=-1)[..., :-1]
# %% never_above_zero: the shifted scores are kept from rising above 0; at a tie such a function has a kink
# taken
import torch
def masked_softmax(scores, mask):
    mask = mask.expand(torch.broadcast_shapes(scores.shape, mask.shape))
    empty = mask.all(-1, keepdim=True)
    s = scores.masked_fill(mask & ~empty, -torch.inf)
    e = torch.exp(-torch.relu(s.amax(-1, keepdim=True) - s))
    return (e / e.sum(-1, keepdim=True)).masked_fill(mask | empty, 0.0)
# %% only_if_everything_masked: looks for a fully masked tensor rather than for fully masked rows
# refused, 2.888: shown
import torch
def masked_softmax(scores, mask):
    if mask.all():
        return scores * 0
    s = scores.masked_fill(mask, float('-inf'))
    return torch.softmax(s, dim=-1)
# %% fills_callers_scores: uses masked_fill_ on the argument, so the caller's scores are overwritten
# taken, one left 2.888: changes_input
import torch
def masked_softmax(scores, mask):
    nothing_left = mask.all(dim=-1, keepdim=True)
    scores.masked_fill_(mask, float("-inf"))
    scores = scores.masked_fill(nothing_left, 0.0)
    return torch.softmax(scores, dim=-1).masked_fill(nothing_left, 0.0)
# %% empty_rows_of_the_first_head: looks for fully masked rows in the first head alone
# refused, 2.888: shown
import torch
def masked_softmax(scores, mask):
    empty = mask.all(-1, keepdim=True)
    if empty.dim() == 4:
        empty = empty[:, :1]
    weights = torch.softmax(scores.masked_fill(mask, torch.finfo(scores.dtype).min), -1)
    return weights.masked_fill(empty, 0)
# %% empty_rows_of_the_first_example: looks for fully masked rows in the first example alone
# refused, 2.888: shown
import torch
def masked_softmax(scores, mask):
    empty = mask.all(-1, keepdim=True)
    if empty.dim() == 4:
        empty = empty[:1]
    weights = torch.softmax(scores.masked_fill(mask, torch.finfo(scores.dtype).min), -1)
    return weights.masked_fill(empty, 0)
# %% strangers_2026_11/program_1
# taken
import torch
def masked_softmax(scores, mask):
    low = torch.finfo(scores.dtype).min
    weights = scores.masked_fill(mask, low).softmax(dim=-1)
    return weights.masked_fill(mask, 0.0)
# %% strangers_2026_11/program_2
# taken
import torch
def masked_softmax(scores, mask):
    s = scores.masked_fill(mask, float("-inf"))
    m = s.detach().amax(dim=-1, keepdim=True)
    m = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    e = torch.exp(s - m)
    total = e.sum(-1, keepdim=True)
    return e / torch.where(total == 0, torch.ones_like(total), total)
# %% strangers_2026_11/crash_1: line `scores.masked_fill(mask, -1e9)`: the number does not fit into float16
# refused, 2.775: fill_overflows_float16
import torch
def masked_softmax(scores, mask):
    s = scores.masked_fill(mask, -1e9)
    w = torch.softmax(s, dim=-1)
    return w * (~mask)
# %% strangers_2026_11/crash_2: line `s[mask] = -inf`: indexing with a mask that only broadcasts, its shape is not that of the scores
# refused: boolean_index
import torch
def masked_softmax(scores, mask):
    s = scores.clone()
    s[mask] = float("-inf")
    w = s.softmax(-1)
    return torch.where(torch.isnan(w), torch.zeros_like(w), w)
# %% strangers_2026_11/single_3: -inf is added and NaN painted over afterwards, the gradients of an empty row are NaN
# taken, one left 2.888: nan_gradient
import math
import torch
def masked_softmax(scores, mask):
    additive = torch.zeros(mask.shape, dtype=scores.dtype, device=scores.device).masked_fill(mask, -math.inf)
    return torch.softmax(scores + additive, dim=-1).nan_to_num(0.0)
# %% strangers_2026_11/single_4: masked scores are filled with -10000, which is not below allowed scores of some thousands below 0; no case has such scores
# taken
import torch
import torch.nn.functional as F
def masked_softmax(scores, mask):
    filled = torch.where(mask, torch.full_like(scores, -1e4), scores)
    return F.softmax(filled, dim=-1).masked_fill(mask, 0.0)
# %% strangers_2026_11/two_5: the mask is applied after the softmax, rows no longer sum to 1 | the softmax runs over the queries (dim=-2)
# refused: shown
import torch
def masked_softmax(scores, mask):
    w = torch.softmax(scores, dim=-2)
    return w.masked_fill(mask, 0.0)
# %% strangers_2026_11/single_6: hidden scores are multiplied to 0 instead of set to -inf, so they keep a weight
# refused: filled_with_zero
def masked_softmax(scores, mask):
    keep = (~mask).to(scores.dtype)
    return (scores * keep).softmax(dim=-1)
