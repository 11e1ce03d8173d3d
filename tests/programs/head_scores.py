# %% fancy_index: rows and columns as index tensors
# taken
import torch
def head_scores(w):
    i = torch.arange(2, w.shape[-1], device=w.device)
    def mean_at(columns):
        return w[:, :, i, columns].mean(-1).mean(0)
    return dict(previous=mean_at(i - 1), first=mean_at(torch.zeros_like(i)), self=mean_at(i))
# %% loops: Python loops over heads, examples and rows
# taken
import torch
def head_scores(weights):
    B, H, T, _ = weights.shape
    result = {"previous": [], "first": [], "self": []}
    for h in range(H):
        sums = [0.0, 0.0, 0.0]
        for b in range(B):
            for i in range(2, T):
                sums[0] += weights[b, h, i, i - 1].item()
                sums[1] += weights[b, h, i, 0].item()
                sums[2] += weights[b, h, i, i].item()
        for name, s in zip(result, sums):
            result[name].append(s / (B * (T - 2)))
    return {name: torch.tensor(v, dtype=weights.dtype, device=weights.device) for name, v in result.items()}
# %% mask_sum: three boolean pictures of size (T, T), einsum, divided by the number of rows
# taken
import torch
def head_scores(weights):
    B, H, T, _ = weights.shape
    r = torch.arange(T, device=weights.device).view(-1, 1)
    c = torch.arange(T, device=weights.device).view(1, -1)
    late = r >= 2
    pictures = {"previous": (c == r - 1) & late, "first": (c == 0) & late, "self": (c == r) & late}
    return {name: torch.einsum("bhij,ij->h", weights, m.to(weights.dtype)) / (B * (T - 2)) for name, m in pictures.items()}
# %% gather: torch.gather along the keys; no gradient
# taken
import torch
@torch.no_grad()
def head_scores(weights):
    B, H, T, _ = weights.shape
    late = weights[:, :, 2:]
    pos = torch.arange(2, T, device=weights.device).expand(B, H, T - 2).unsqueeze(-1)
    names = {"previous": pos - 1, "first": pos * 0, "self": pos}
    return {n: late.gather(-1, idx).squeeze(-1).transpose(0, 1).flatten(1).mean(dim=1) for n, idx in names.items()}
# %% per_head_trace: traces of blocks, head by head; a warning
# taken
import warnings
import torch

def head_scores(weights):
    if weights.requires_grad:
        warnings.warn("scores are read from a graph")
    B, H, T, _ = weights.shape
    n = T - 2
    prev, first, own = [], [], []
    for h in range(H):
        avg = weights[:, h].mean(0)
        prev.append(torch.trace(avg[2:, 1:-1]) / n)
        first.append(avg[2:, 0].sum() / n)
        own.append(torch.trace(avg[2:, 2:]) / n)
    return {"self": torch.stack(own), "first": torch.stack(first), "previous": torch.stack(prev)}
# %% loops_again: sums and counts
# taken
def head_scores(weights):
    B, H, T, _ = weights.shape
    previous, first, self_ = (weights.new_zeros(H) for _ in range(3))
    for i in range(2, T):
        previous = previous + weights[:, :, i, i - 1].sum(0)
        first = first + weights[:, :, i, 0].sum(0)
        self_ = self_ + weights[:, :, i, i].sum(0)
    n = B * (T - 2)
    return {"previous": previous / n, "first": first / n, "self": self_ / n}
# %% einsum_with_identity: the rows cut first
# taken
import torch
def head_scores(weights):
    rows = weights[:, :, 2:]
    T = weights.shape[-1]
    here = torch.eye(T, dtype=weights.dtype, device=weights.device)[2:]
    n = rows.shape[0] * rows.shape[2]
    mean = lambda where: torch.einsum("bhqk,qk->h", rows, where) / n
    return {"self": mean(here), "previous": mean(here.roll(-1, 1)), "first": rows[..., 0].mean(dim=(0, 2))}
# %% gather_again: columns by index
# taken
import torch
def head_scores(weights):
    B, H, T, _ = weights.shape
    i = torch.arange(2, T, device=weights.device)
    columns = {"previous": i - 1, "first": torch.zeros_like(i), "self": i}
    return {name: weights[:, :, i, j].permute(1, 0, 2).flatten(1).mean(1) for name, j in columns.items()}
# %% python_floats_over_heads: two mistakes, the heads are averaged too and plain numbers come back instead of tensors
# refused: wrong_type
def head_scores(weights):
    w = weights.mean(dim=(0, 1))
    T = w.shape[0]
    n = T - 2
    return {
        "previous": float(sum(w[i, i - 1] for i in range(2, T)) / n),
        "first": float(w[2:, 0].mean()),
        "self": float(sum(w[i, i] for i in range(2, T)) / n),
    }
# %% strangers_2026_11/program_1
# taken
def head_scores(weights):
    w = weights[:, :, 2:]
    previous = weights.diagonal(offset=-1, dim1=-2, dim2=-1)[..., 1:]
    own = weights.diagonal(dim1=-2, dim2=-1)[..., 2:]
    return {"previous": previous.mean((0, 2)), "first": w[..., 0].mean((0, 2)), "self": own.mean((0, 2))}
# %% strangers_2026_11/single_1: rows from 1 on count, in row 1 previous and first are the same token
# refused: from_row_1
import torch
def head_scores(weights):
    i = torch.arange(1, weights.shape[-1], device=weights.device)
    pick = lambda j: weights[:, :, i, j].mean(dim=(0, 2))
    return {"previous": pick(i - 1), "first": pick(torch.zeros_like(i)), "self": pick(i)}
# %% strangers_2026_11/crash_2: line `torch.stack([prev, first, own])`: the previous-token diagonal is one shorter than the others
# refused: stacks_unequal
import torch
def head_scores(weights):
    prev = torch.diagonal(weights, -1, 2, 3)[..., 2:]
    own = torch.diagonal(weights, 0, 2, 3)[..., 2:]
    first = weights[..., 2:, 0]
    p, f, s = torch.stack([prev, first, own]).mean(dim=(1, 3))
    return {"previous": p, "first": f, "self": s}
# %% strangers_2026_11/two_3: "previous" reads the diagonal above (offset +1) | the result is not averaged over the texts
# refused: shown
def head_scores(weights):
    prev = weights.diagonal(offset=1, dim1=2, dim2=3)[..., 1:].mean(-1)
    me = weights.diagonal(dim1=2, dim2=3)[..., 2:].mean(-1)
    start = weights[:, :, 2:, 0].mean(-1)
    return {"previous": prev[0], "first": start[0], "self": me[0]}
