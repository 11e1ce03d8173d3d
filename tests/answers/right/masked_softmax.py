"""Right answers to `masked_softmax`, in the styles of many students. Cells are separated by lines that start with `# %%`."""
# %% safe_rows: empty rows are unmasked before the softmax and zeroed after it
def masked_softmax(scores, mask):
    empty = mask.all(dim=-1, keepdim=True)
    filled = scores.masked_fill(mask & ~empty, float("-inf"))
    weights = torch.softmax(filled, dim=-1)
    return weights.masked_fill(empty, 0.0)
# %% nan_to_num: minus infinity, softmax, NaN replaced by 0
def masked_softmax(scores, mask):
    w = F.softmax(scores.masked_fill(mask, float("-inf")), dim=-1)
    return torch.nan_to_num(w, nan=0.0)
# %% finfo_min: the smallest finite number of the dtype, masked weights zeroed afterwards
def masked_softmax(scores, mask):
    filled = scores.masked_fill(mask, torch.finfo(scores.dtype).min)
    p = filled.softmax(dim=-1)
    return p.masked_fill(mask, 0.0)
# %% exp_by_hand: exp, zero, divide by the sum (by 1 in an empty row)
def masked_softmax(scores, mask):
    top = scores.masked_fill(mask, torch.finfo(scores.dtype).min).amax(dim=-1, keepdim=True)
    shifted = (scores - top).masked_fill(mask, 0.0)
    e = torch.exp(shifted).masked_fill(mask, 0.0)
    total = e.sum(dim=-1, keepdim=True)
    return e / (total + (total == 0))
# %% renormalise: softmax first, mask after it, divide by what is left
def masked_softmax(scores, mask):
    work = scores.float() if scores.dtype in (torch.float16, torch.bfloat16) else scores
    p = torch.softmax(work, dim=-1)
    p = p * (~mask)
    left = p.sum(dim=-1, keepdim=True)
    left = torch.where(left == 0, torch.ones_like(left), left)
    return (p / left).to(scores.dtype)
# %% where_both_sides: torch.where before and after
def masked_softmax(att: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    low = torch.full_like(att, torch.finfo(att.dtype).min)
    att = torch.where(mask, low, att)
    att = att - att.max(dim=-1, keepdim=True)[0]
    e = att.exp()
    w = e / e.sum(-1, keepdim=True)
    return torch.where(mask, torch.zeros_like(w), w)
# %% row_by_row: a loop over flattened rows, only the allowed entries are softmaxed
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
def masked_softmax(scores, mask):
    s = scores.to(torch.promote_types(scores.dtype, torch.float32))
    s = s.masked_fill(mask, float("-inf"))
    lse = torch.logsumexp(s, dim=-1, keepdim=True)
    lse = lse.masked_fill(torch.isinf(lse), 0.0)
    return torch.exp(s - lse).to(scores.dtype)
# %% additive: minus infinity added (nothing added in the empty rows), times a row flag
def masked_softmax(scores, mask):
    has_key = (~mask).any(dim=-1, keepdim=True)
    bias = torch.zeros(mask.shape, dtype=scores.dtype, device=scores.device)
    bias = bias.masked_fill(mask & has_key, float("-inf"))
    weights = torch.softmax(scores + bias, dim=-1)
    return weights * has_key.to(weights.dtype)
# %% float32_then_back: softmax in float32 for half types, -1e9 fill there, masked to zero, cast back
def masked_softmax(scores, mask):
    wide = scores if scores.dtype == torch.float64 else scores.to(torch.float32)
    probs = F.softmax(wide.masked_fill(mask, -1e9), dim=-1)
    probs = probs.masked_fill(mask, 0)
    return probs.type_as(scores)
# %% multiply_by_allowed: multiplication by 1 and 0 instead of fills, clamp of the sum; asserts
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
def masked_softmax(scores, mask):
    wide = scores.float() if scores.dtype == torch.float16 else scores
    n = wide.shape[-1]
    eye = torch.eye(n, dtype=wide.dtype, device=wide.device).expand(*wide.shape[:-2], n, n)
    empty = mask.all(dim=-1, keepdim=True)
    keep = (~mask | empty).expand(wide.shape)
    out = F.scaled_dot_product_attention(wide, eye, eye, attn_mask=keep, scale=1.0)
    return out.masked_fill(empty, 0.0).to(scores.dtype)
# %% module_instance: an nn.Module that is called like a function
class MaskedSoftmax(nn.Module):
    def __init__(self, dim=-1):
        super().__init__()
        self.softmax = nn.Softmax(dim=dim)

    def forward(self, scores, mask):
        empty = mask.all(-1, keepdim=True)
        weights = self.softmax(scores.masked_fill(mask & ~empty, -torch.inf))
        return weights.masked_fill(empty, 0.0)

masked_softmax = MaskedSoftmax()
# %% multiply_and_guard: exp times keep, sum guarded
def masked_softmax(scores, mask):
    keep = (~mask).to(scores.dtype)
    low = torch.finfo(scores.dtype).min
    top = scores.masked_fill(mask, low).amax(-1, keepdim=True)
    e = torch.exp((scores - top).masked_fill(mask, 0)) * keep
    total = e.sum(-1, keepdim=True)
    return e / torch.where(total > 0, total, torch.ones_like(total))
# %% softmax_of_dead_rows_replaced: opens dead rows first, closes them after
def masked_softmax(scores, mask):
    mask = mask.expand_as(scores)
    dead = mask.all(dim=-1, keepdim=True)
    w = scores.masked_fill(mask & ~dead, float("-inf")).softmax(dim=-1)
    return w.masked_fill(dead, 0.0)
# %% upcast: float32 inside and back, finite fill
def masked_softmax(scores, mask):
    wide = scores.float() if scores.dtype in (torch.float16, torch.bfloat16) else scores
    weights = torch.softmax(wide.masked_fill(mask, torch.finfo(wide.dtype).min), dim=-1)
    return (weights * mask.logical_not()).to(scores.dtype)
# %% extra_slot: a sink column that takes everything in dead rows
def masked_softmax(scores, mask):
    mask = torch.broadcast_to(mask, scores.shape)
    dead = mask.all(-1, keepdim=True)
    sink = torch.where(dead, 0.0, float("-inf")).to(scores.dtype)
    filled = torch.cat([scores.masked_fill(mask, float("-inf")), sink], dim=-1)
    return torch.softmax(filled, dim=-1)[..., :-1]
# %% never_above_zero: the shifted scores are kept from rising above 0; at a tie such a function has a kink
def masked_softmax(scores, mask):
    mask = mask.expand(torch.broadcast_shapes(scores.shape, mask.shape))
    empty = mask.all(-1, keepdim=True)
    s = scores.masked_fill(mask & ~empty, -torch.inf)
    e = torch.exp(-torch.relu(s.amax(-1, keepdim=True) - s))
    return (e / e.sum(-1, keepdim=True)).masked_fill(mask | empty, 0.0)
