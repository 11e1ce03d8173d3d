# %% logaddexp: torch's own logarithm of a sum, with rows that see nothing set aside
# taken
import torch
def merge_partials(out_1, lse_1, out_2, lse_2):
    nothing = torch.isneginf(lse_1) & torch.isneginf(lse_2)
    a, b = lse_1.masked_fill(nothing, 0), lse_2.masked_fill(nothing, 0)
    both = torch.logaddexp(a, b)
    shares = torch.stack([(a - both).exp(), (b - both).exp()]).masked_fill(nothing, 0)
    out = shares[0][..., None] * out_1 + shares[1][..., None] * out_2
    return out, both.masked_fill(nothing, float("-inf"))
# %% sigmoid: the share of the second half is a sigmoid, as in FlashAttention's ring merge
# taken
import torch
import torch.nn.functional as F
def merge_partials(out_1, lse_1, out_2, lse_2):
    empty_1, empty_2 = lse_1 == -torch.inf, lse_2 == -torch.inf
    a = lse_1.masked_fill(empty_1, 0.0)
    b = lse_2.masked_fill(empty_2, 0.0)
    share = torch.sigmoid(b - a)
    share = torch.where(empty_2, 0.0, torch.where(empty_1, 1.0, share)).to(out_1.dtype)[..., None]
    out = out_1 + share * (out_2 - out_1)
    out = torch.where((empty_1 & empty_2)[..., None], 0.0, out)
    lse = torch.where(empty_1, lse_2, torch.where(empty_2, lse_1, a - F.logsigmoid(a - b)))
    return out, lse
# %% softmax of the two: both parts in one tensor, a softmax over the two lse
# taken
import torch
def merge_partials(out_1, lse_1, out_2, lse_2):
    lse = torch.stack([lse_1, lse_2], dim=-1)                        # (B, H, T_q, 2)
    out = torch.stack([out_1, out_2], dim=-1)                        # (B, H, T_q, d_head, 2)
    nothing = (lse == -torch.inf).all(dim=-1, keepdim=True)
    safe = lse.masked_fill(nothing, 0.0)
    weights = safe.softmax(dim=-1).masked_fill(nothing, 0.0)
    merged = safe.logsumexp(dim=-1).masked_fill(nothing[..., 0], -torch.inf)
    return (out * weights.unsqueeze(-2)).sum(dim=-1), merged
# %% swapped so that the larger comes first: exp of a difference that is never above 0
# taken
import torch
def merge_partials(out_1, lse_1, out_2, lse_2):
    first = lse_1 >= lse_2
    big, small = torch.where(first, lse_1, lse_2), torch.where(first, lse_2, lse_1)
    o_big = torch.where(first.unsqueeze(-1), out_1, out_2)
    o_small = torch.where(first.unsqueeze(-1), out_2, out_1)
    seen = big > -torch.inf
    ratio = torch.exp(small - torch.where(seen, big, 0.0)) * seen
    out = (o_big + ratio.unsqueeze(-1) * o_small) / (1 + ratio).unsqueeze(-1) * seen.unsqueeze(-1)
    return out, big + torch.log1p(ratio)
# %% in a wider dtype: computed in float32 or better, einsum for the weights
# taken
import torch
def merge_partials(out_1, lse_1, out_2, lse_2):
    wide = torch.promote_types(lse_1.dtype, torch.float32)
    parts = [(o.to(wide), l.to(wide)) for o, l in ((out_1, lse_1), (out_2, lse_2))]
    top = torch.maximum(parts[0][1], parts[1][1]).detach()
    top = top.nan_to_num(neginf=0.0)
    weights = [(l - top).exp() for _, l in parts]
    total = weights[0] + weights[1]
    empty = total == 0
    total = total.masked_fill(empty, 1)
    out = sum(torch.einsum("bht,bhtd->bhtd", w / total, o) for w, (o, _) in zip(weights, parts))
    lse = (top + total.log()).masked_fill(empty, -torch.inf)
    return out.to(out_1.dtype), lse.to(lse_1.dtype)
# %% row masks: rows where one half is empty take the other as it is
# taken
import torch
def merge_partials(out_1, lse_1, out_2, lse_2):
    e1, e2 = torch.isinf(lse_1), torch.isinf(lse_2)
    l1 = torch.where(e1, 0, lse_1)
    l2 = torch.where(e2, 0, lse_2)
    m = torch.max(l1, l2)
    p1, p2 = torch.exp(l1 - m), torch.exp(l2 - m)
    p1 = torch.where(e1, 0, torch.where(e2, 1, p1))
    p2 = torch.where(e2, 0, torch.where(e1, 1, p2))
    s = torch.where(e1 & e2, 1, p1 + p2)
    out = (out_1 * p1[..., None] + out_2 * p2[..., None]) / s[..., None]
    lse = torch.where(e1, lse_2, torch.where(e2, lse_1, m + torch.log(s)))
    return out, lse
# %% nan_after_nan_to_num: the result is mended, and the gradient is NaN
# taken, one left 2.918: nan_gradient
import torch
def merge_partials(out_1, lse_1, out_2, lse_2):
    weights = torch.stack([lse_1, lse_2]).softmax(0).nan_to_num(0)
    out = weights[0][..., None] * out_1 + weights[1][..., None] * out_2
    return out, torch.logaddexp(lse_1, lse_2)
# %% means_of_lse: the mean of both lse
# refused: shown
import torch
def merge_partials(out_1, lse_1, out_2, lse_2):
    m = torch.maximum(lse_1, lse_2)
    m = m.masked_fill(m == -torch.inf, 0)
    a, b = (lse_1 - m).exp(), (lse_2 - m).exp()
    total = (a + b).clamp(min=1)
    return (a / total)[..., None] * out_1 + (b / total)[..., None] * out_2, (lse_1 + lse_2) / 2
# %% axis_of_features_missing: the weights meet the features instead of the queries
# refused: shown
import torch
def merge_partials(out_1, lse_1, out_2, lse_2):
    m = torch.maximum(lse_1, lse_2)
    m = m.masked_fill(m == -torch.inf, 0)
    a, b = (lse_1 - m).exp(), (lse_2 - m).exp()
    total = a + b
    out = (a * out_1 + b * out_2) / total.clamp(min=1)
    return out, torch.where(total > 0, m + total.clamp(min=1).log(), -torch.inf)
# %% written_into_the_first: the first half is overwritten with the result
# taken, one left 2.918: changes_input
import torch
def merge_partials(out_1, lse_1, out_2, lse_2):
    m = torch.maximum(lse_1, lse_2)
    m = m.masked_fill(m == -torch.inf, 0)
    a, b = (lse_1 - m).exp(), (lse_2 - m).exp()
    total = (a + b).clamp(min=1)
    with torch.no_grad():
        out_1.mul_((a / total)[..., None]).add_((b / total)[..., None] * out_2)
    return out_1, torch.where(a + b > 0, m + total.log(), -torch.inf)
# %% always_float32: whatever comes in
# taken, one left 2.918: casts_dtype
import torch
def merge_partials(out_1, lse_1, out_2, lse_2):
    out_1, lse_1, out_2, lse_2 = out_1.float(), lse_1.float(), out_2.float(), lse_2.float()
    m = torch.maximum(lse_1, lse_2)
    m = m.masked_fill(m == -torch.inf, 0)
    a, b = (lse_1 - m).exp(), (lse_2 - m).exp()
    total = (a + b).clamp(min=1)
    return (a / total)[..., None] * out_1 + (b / total)[..., None] * out_2, torch.where(a + b > 0, m + total.log(), -torch.inf)
# %% masked_half_returned: where one half is masked, its output comes back
# refused, 2.836: shown
import torch
def merge_partials(out_1, lse_1, out_2, lse_2):
    m = torch.maximum(lse_1, lse_2)
    m = m.masked_fill(m == -torch.inf, 0)
    a, b = (lse_1 - m).exp(), (lse_2 - m).exp()
    total = (a + b).clamp(min=1)
    out = (a / total)[..., None] * out_1 + (b / total)[..., None] * out_2
    out = torch.where(torch.isinf(lse_2)[..., None], out_2, out)
    return out, torch.where(a + b > 0, m + total.log(), -torch.inf)
# %% one_lse_for_all_heads: the weights of the first head serve all
# refused: shown
import torch
def merge_partials(out_1, lse_1, out_2, lse_2):
    m = torch.maximum(lse_1, lse_2)
    m = m.masked_fill(m == -torch.inf, 0)
    a, b = (lse_1 - m).exp(), (lse_2 - m).exp()
    total = (a + b).clamp(min=1)
    w = (a / total)[:, :1, :, None]
    return w * out_1 + (b / total)[:, :1, :, None] * out_2, torch.where(a + b > 0, m + total.log(), -torch.inf)
# %% blind_2026_11_29/t_mean_sumlse: plain mean of the outputs AND lse simply added
# refused: averaged
def merge_partials(out_1, lse_1, out_2, lse_2):
    return (out_1 + out_2) / 2, lse_1 + lse_2
