"""Right answers to `merge_partials`, in the styles of many people. Cells are separated by lines that start with `# %%`."""
# %% shifted: both weights measured against the larger lse
def merge_partials(out_1, lse_1, out_2, lse_2):
    largest = torch.maximum(lse_1, lse_2)
    largest = torch.where(largest == -torch.inf, torch.zeros_like(largest), largest)
    w_1, w_2 = torch.exp(lse_1 - largest), torch.exp(lse_2 - largest)
    total = w_1 + w_2
    out = (w_1.unsqueeze(-1) * out_1 + w_2.unsqueeze(-1) * out_2) / total.clamp(min=1).unsqueeze(-1)
    lse = torch.where(total > 0, largest + total.clamp(min=1).log(), -torch.inf)
    return out, lse
# %% logaddexp: torch's own logarithm of a sum, with rows that see nothing set aside
def merge_partials(out_1, lse_1, out_2, lse_2):
    nothing = torch.isneginf(lse_1) & torch.isneginf(lse_2)
    a, b = lse_1.masked_fill(nothing, 0), lse_2.masked_fill(nothing, 0)
    both = torch.logaddexp(a, b)
    shares = torch.stack([(a - both).exp(), (b - both).exp()]).masked_fill(nothing, 0)
    out = shares[0][..., None] * out_1 + shares[1][..., None] * out_2
    return out, both.masked_fill(nothing, float("-inf"))
# %% sigmoid: the share of the second half is a sigmoid, as in FlashAttention's ring merge
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
def merge_partials(out_1, lse_1, out_2, lse_2):
    lse = torch.stack([lse_1, lse_2], dim=-1)                        # (B, H, T_q, 2)
    out = torch.stack([out_1, out_2], dim=-1)                        # (B, H, T_q, d_head, 2)
    nothing = (lse == -torch.inf).all(dim=-1, keepdim=True)
    safe = lse.masked_fill(nothing, 0.0)
    weights = safe.softmax(dim=-1).masked_fill(nothing, 0.0)
    merged = safe.logsumexp(dim=-1).masked_fill(nothing[..., 0], -torch.inf)
    return (out * weights.unsqueeze(-2)).sum(dim=-1), merged
# %% swapped so that the larger comes first: exp of a difference that is never above 0
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
