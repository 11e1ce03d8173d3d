"""Right answers to `head_scores`, in the styles of many students. Cells are separated by lines that start with `# %%`."""
# %% diagonal: torch.diagonal with an offset
def head_scores(weights):
    prev = torch.diagonal(weights, offset=-1, dim1=-2, dim2=-1)[..., 1:]
    own = torch.diagonal(weights, dim1=-2, dim2=-1)[..., 2:]
    first = weights[:, :, 2:, 0]
    return {"previous": prev.mean(dim=(0, 2)), "first": first.mean(dim=(0, 2)), "self": own.mean(dim=(0, 2))}
# %% fancy_index: rows and columns as index tensors
def head_scores(w):
    i = torch.arange(2, w.shape[-1], device=w.device)
    def mean_at(columns):
        return w[:, :, i, columns].mean(-1).mean(0)
    return dict(previous=mean_at(i - 1), first=mean_at(torch.zeros_like(i)), self=mean_at(i))
# %% loops: Python loops over heads, examples and rows
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
# %% row_loop_stack: a loop over rows, vectors stacked
def head_scores(weights: torch.Tensor) -> dict:
    T = weights.size(2)
    rows = range(2, T)
    previous = torch.stack([weights[:, :, i, i - 1] for i in rows])
    first = torch.stack([weights[:, :, i, 0] for i in rows])
    itself = torch.stack([weights[:, :, i, i] for i in rows])
    return {"previous": previous.mean((0, 1)), "first": first.mean((0, 1)), "self": itself.mean((0, 1))}
# %% mask_sum: three boolean pictures of size (T, T), einsum, divided by the number of rows
def head_scores(weights):
    B, H, T, _ = weights.shape
    r = torch.arange(T, device=weights.device).view(-1, 1)
    c = torch.arange(T, device=weights.device).view(1, -1)
    late = r >= 2
    pictures = {"previous": (c == r - 1) & late, "first": (c == 0) & late, "self": (c == r) & late}
    return {name: torch.einsum("bhij,ij->h", weights, m.to(weights.dtype)) / (B * (T - 2)) for name, m in pictures.items()}
# %% eye_pictures: batch mean first, shifted identities multiplied in; asserts and a print
def head_scores(weights):
    T = weights.shape[-1]
    assert T >= 3
    mean = weights.mean(dim=0)[:, 2:]
    eye = torch.eye(T, dtype=weights.dtype, device=weights.device)
    out = {}
    out["previous"] = (mean * eye[1:-1]).sum(-1).mean(-1)
    out["first"] = mean[..., 0].mean(-1)
    out["self"] = (mean * eye[2:]).sum(-1).mean(-1)
    print("scores of", weights.shape[1], "heads:", list(out))
    return out
# %% gather: torch.gather along the keys; no gradient
@torch.no_grad()
def head_scores(weights):
    B, H, T, _ = weights.shape
    late = weights[:, :, 2:]
    pos = torch.arange(2, T, device=weights.device).expand(B, H, T - 2).unsqueeze(-1)
    names = {"previous": pos - 1, "first": pos * 0, "self": pos}
    return {n: late.gather(-1, idx).squeeze(-1).transpose(0, 1).flatten(1).mean(dim=1) for n, idx in names.items()}
# %% per_head_trace: traces of blocks, head by head; a warning
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
def head_scores(weights):
    rows = weights[:, :, 2:]
    T = weights.shape[-1]
    here = torch.eye(T, dtype=weights.dtype, device=weights.device)[2:]
    n = rows.shape[0] * rows.shape[2]
    mean = lambda where: torch.einsum("bhqk,qk->h", rows, where) / n
    return {"self": mean(here), "previous": mean(here.roll(-1, 1)), "first": rows[..., 0].mean(dim=(0, 2))}
# %% gather_again: columns by index
def head_scores(weights):
    B, H, T, _ = weights.shape
    i = torch.arange(2, T, device=weights.device)
    columns = {"previous": i - 1, "first": torch.zeros_like(i), "self": i}
    return {name: weights[:, :, i, j].permute(1, 0, 2).flatten(1).mean(1) for name, j in columns.items()}
