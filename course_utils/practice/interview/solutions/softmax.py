"""Model solutions: softmax."""

import torch


def softmax(x):
    largest = x.amax(dim=-1, keepdim=True)  # (..., 1): one for each row
    exponentials = (x - largest).exp()  # the largest is exp(0) = 1: no overflow, and no sum of 0
    return exponentials / exponentials.sum(dim=-1, keepdim=True)


def masked_softmax(scores, mask):
    scores = scores.masked_fill(mask, -torch.inf)
    largest = scores.amax(dim=-1, keepdim=True)  # (..., 1): one for each row
    largest = largest.masked_fill(largest == -torch.inf, 0.0)  # -inf - -inf would be NaN
    exponentials = (scores - largest).exp()  # exactly 0 where masked
    total = exponentials.sum(dim=-1, keepdim=True)
    return exponentials / total.masked_fill(total == 0, 1.0)  # a row with nothing left: zeros


def online_softmax(Q, K, V, block_size):
    largest = torch.full_like(Q[..., :1], -torch.inf)  # (B, T_q, 1), one for each query
    total, output = torch.zeros_like(largest), torch.zeros_like(Q)  # (B, T_q, 1), (B, T_q, d)
    for k, v in zip(K.split(block_size, dim=-2), V.split(block_size, dim=-2), strict=True):
        scores = Q @ k.mT / Q.shape[-1] ** 0.5  # (B, T_q, block): all that is in memory of the table
        new = torch.maximum(largest, scores.amax(dim=-1, keepdim=True))
        shift = new.masked_fill(new == -torch.inf, 0.0)  # no key yet: -inf - -inf would be NaN
        p, rescale = (scores - shift).exp(), (largest - shift).exp()  # rescale is 0 before the first key
        total = total * rescale + p.sum(dim=-1, keepdim=True)
        output, largest = output * rescale + p @ v, new
    return output / total  # (B, T_q, d)


def merge_partials(out_1, lse_1, out_2, lse_2):
    largest = torch.maximum(lse_1, lse_2)  # (B, H, T_q)
    largest = largest.masked_fill(largest == -torch.inf, 0.0)  # no key anywhere: -inf - -inf would be NaN
    share_1, share_2 = (lse_1 - largest).exp(), (lse_2 - largest).exp()
    total = share_1 + share_2
    lse = largest + total.log()  # log(0) = -inf: no key
    nonzero = total.masked_fill(total == 0, 1.0)
    out = share_1[..., None] * out_1 + share_2[..., None] * out_2  # (B, H, T_q, d_head)
    return out / nonzero[..., None], lse
