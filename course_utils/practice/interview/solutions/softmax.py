"""Model solutions: softmax."""

import torch


def softmax(x):
    largest = x.max(dim=-1, keepdim=True).values  # (..., 1): one for each row
    exponentials = (x - largest).exp()  # the largest is exp(0) = 1: no overflow, and no sum of 0
    return exponentials / exponentials.sum(dim=-1, keepdim=True)


def masked_softmax(x, mask):
    x = x.masked_fill(mask, -torch.inf)
    largest = x.max(dim=-1, keepdim=True).values
    largest = largest.masked_fill(largest == -torch.inf, 0.0)  # -inf - -inf would be NaN
    exponentials = (x - largest).exp()  # exactly 0 where masked
    total = exponentials.sum(dim=-1, keepdim=True)
    return exponentials / total.masked_fill(total == 0, 1.0)  # a row with nothing left: zeros


def online_softmax(x, block=128):
    largest, total = torch.tensor(-torch.inf), torch.tensor(0.0)
    for part in x.split(block):  # each entry is read once
        new = torch.maximum(largest, part.max())
        total = total * (largest - new).exp() + (part - new).exp().sum()  # rescale what was summed
        largest = new
    return (x - largest).exp() / total


def merge_partials(out_1, lse_1, out_2, lse_2):
    largest = torch.maximum(lse_1, lse_2)  # (B, H, T_q)
    largest = largest.masked_fill(largest == -torch.inf, 0.0)  # no key anywhere: -inf - -inf would be NaN
    share_1, share_2 = (lse_1 - largest).exp(), (lse_2 - largest).exp()
    total = share_1 + share_2
    lse = largest + total.log()  # log(0) = -inf: no key
    nonzero = total.masked_fill(total == 0, 1.0)
    out = (share_1[..., None] * out_1 + share_2[..., None] * out_2) / nonzero[
        ..., None
    ]  # (B, H, T_q, d_head)
    return out, lse
