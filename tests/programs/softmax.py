# %% line_by_line: subtract the max along dim, exp, divide
# taken
import torch
def softmax(x, dim=-1):
    m = x.max(dim=dim, keepdim=True).values
    e = torch.exp(x - m)
    return e / e.sum(dim=dim, keepdim=True)
# %% log_by_hand: max plus log of the summed exponentials, then exp
# taken
import torch
def softmax(x, dim=-1):
    biggest, _ = torch.max(x, dim, keepdim=True)
    shifted = x - biggest
    log_total = torch.log(torch.sum(torch.exp(shifted), dim, keepdim=True))
    return torch.exp(shifted - log_total)
# %% loop_over_rows: move dim last, flatten, one row at a time, put back
# taken
import torch
def softmax(x, dim=-1):
    moved = x.movedim(dim, -1)
    rows = moved.reshape(-1, moved.shape[-1])
    results = []
    for row in rows:
        e = torch.exp(row - row.max())
        results.append(e / e.sum())
    return torch.stack(results).reshape(moved.shape).movedim(-1, dim)
# %% unbind_reduce: slices along dim, running maximum, list comprehension and stack
# taken
from functools import reduce
import torch

def softmax(x, dim=-1):
    slices = x.unbind(dim)
    top = reduce(torch.maximum, slices)
    exps = [torch.exp(s - top) for s in slices]
    total = sum(exps)
    return torch.stack([e / total for e in exps], dim=dim)
# %% transpose_and_einsum: swap the axis to the end, sum with einsum, swap back
# taken
import torch
def softmax(x, dim=-1):
    y = x.transpose(dim, -1)
    y = torch.exp(y - y.max(dim=-1, keepdim=True)[0])
    norm = torch.einsum("...k->...", y)
    y = y / norm.unsqueeze(-1)
    return y.transpose(dim, -1)
# %% online: one pass with a running max and a running sum, as in FlashAttention
# taken
import torch
def softmax(x, dim=-1):
    z = x if x.dtype == torch.float64 else x.float()
    floor = torch.finfo(z.dtype).min
    n = z.shape[dim]
    run_max = torch.full_like(z.select(dim, 0), floor)
    run_sum = torch.zeros_like(run_max)
    for j in range(n):
        new_max = torch.maximum(run_max, z.select(dim, j))
        run_sum = run_sum * torch.exp(run_max - new_max) + torch.exp(z.select(dim, j) - new_max)
        run_max = new_max
    out = torch.exp(z - run_max.unsqueeze(dim)) / run_sum.unsqueeze(dim)
    return out.to(x.dtype)
# %% where_on_inf: minus infinity handled explicitly with torch.where
# taken
import torch
def softmax(t, dim=-1):
    gone = torch.isneginf(t)
    peak = t.max(dim=dim, keepdim=True).values
    safe = torch.where(gone, torch.zeros_like(t), t - peak)
    e = torch.where(gone, torch.zeros_like(t), torch.exp(safe))
    return e / e.sum(dim=dim, keepdim=True)
# %% sort_for_max: the max read from a sort, a print left in, shapes asserted
# taken
import torch
def softmax(x, dim=-1):
    ordered = torch.sort(x, dim=dim, descending=True).values
    biggest = ordered.narrow(dim, 0, 1)
    assert biggest.shape[dim] == 1
    e = torch.exp(x - biggest)
    print("softmax over", x.shape[dim], "entries")
    p = e * (1 / e.sum(dim=dim, keepdim=True))
    assert p.shape == x.shape
    return p
# %% in_place_on_own_copy: in-place arithmetic, but only on a fresh tensor
# taken
import torch
def softmax(x, dim=-1):
    z = x - x.amax(dim=dim, keepdim=True)
    z = z.exp_()
    return z / torch.sum(z, dim=dim, keepdim=True)
# %% never_above_zero: the shifted scores are kept from rising above 0, as people do who fear an overflow; at a tie such a function has a kink
# taken
import torch
def softmax(x, dim=-1):
    top = x.max(dim=dim, keepdim=True).values
    e = torch.exp(torch.minimum(x - top, torch.zeros_like(x)))
    return e / e.sum(dim=dim, keepdim=True)
# %% sum_broadcast_on_last_axis: sums along dim but puts the lost axis back at the end, which is only right for the last dim
# refused: shown
import torch
def softmax(x, dim=-1):
    biggest = torch.amax(x, dim=dim, keepdim=True)
    e = torch.exp(x - biggest)
    total = e.sum(dim)
    return e / total.unsqueeze(-1)
# %% numpy_round_trip: computes in NumPy and comes back, so no gradient reaches x
# taken, one left 1.88: detached
import numpy as np
import torch
def softmax(x, dim=-1):
    arr = x.detach().to(torch.float64).numpy()
    arr = arr - arr.max(axis=dim, keepdims=True)
    e = np.exp(arr)
    p = e / e.sum(axis=dim, keepdims=True)
    return torch.from_numpy(p).to(x.dtype)
# %% shifts_input_in_place: subtracts the maximum with -=, which changes the caller's tensor
# taken, one left 1.88: changes_input
import torch
def softmax(x, dim=-1):
    m, _ = x.max(dim=dim, keepdim=True)
    x -= m
    x_exp = torch.exp(x)
    return x_exp / torch.sum(x_exp, dim=dim, keepdim=True)
# %% minus_inf_becomes_zero: replaces -inf by a score of 0, so forbidden entries get real weight
# refused, 1.88: shown
import torch
def softmax(x, dim=-1):
    # -inf gives nan later, get rid of it first
    x = torch.where(torch.isinf(x), torch.zeros_like(x), x)
    x = x - x.max(dim=dim, keepdim=True)[0]
    out = torch.exp(x)
    return out / out.sum(dim=dim, keepdim=True)
# %% sum_wrong_axis: max along dim, sum always along the last axis
# refused: shown
import torch
def softmax(x, dim=-1):
    e = torch.exp(x - x.max(dim=dim, keepdim=True)[0])
    return e / e.sum(-1, keepdim=True)
# %% max_tuple: forgets .values after torch.max, crash
# refused: values_and_places
import torch
def softmax(x, dim=-1):
    e = torch.exp(x - torch.max(x, dim=dim, keepdim=True))
    return e / e.sum(dim=dim, keepdim=True)
# %% median_subtracted: shifts by the median of each row, so a score far above the others overflows
# refused, 1.88: shown
import torch
def softmax(x, dim=-1):
    middle = x.median(dim, keepdim=True).values
    e = torch.exp(x - middle.nan_to_num(neginf=0.0))
    return e / e.sum(dim, keepdim=True)
# %% strangers_2026_11/program_1
# taken
import torch
def softmax(x, dim=-1):
    # log-space: log p = x - logsumexp(x)
    return torch.exp(x - torch.logsumexp(x, dim, keepdim=True))
# %% strangers_2026_11/crash_1: line `x - x.max(dim, keepdim=True)`: max with a dim gives a (values, indices) pair, which cannot be subtracted (TypeError)
# refused: values_and_places
import torch
def softmax(x, dim=-1):
    shifted = x - x.max(dim=dim, keepdim=True)
    e = torch.exp(shifted)
    return e / e.sum(dim=dim, keepdim=True)
# %% strangers_2026_11/single_2: the maximum is subtracted in place, so the caller's x changes
# taken, one left 1.88: changes_input
def softmax(x, dim=-1):
    with_max = x.max(dim, keepdim=True).values
    x -= with_max
    x = x.exp()
    x /= x.sum(dim, keepdim=True)
    return x
# %% strangers_2026_11/two_3: no maximum is subtracted (overflow for large scores) | computes and returns float32 whatever the dtype of x
# refused, 1.76: unstable
def softmax(x, dim=-1):
    e = x.float().exp()
    return e / e.sum(dim, keepdim=True)
