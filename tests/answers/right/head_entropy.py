"""Right answers to `head_entropy`, in the styles of many students. Cells are separated by lines that start with `# %%`."""
# %% clamp_log: log of the clamped weights, divided by log(i + 1), row 0 set to 0
def head_entropy(weights):
    T = weights.shape[-1]
    h = -(weights * torch.log(weights.clamp(min=1e-9))).sum(dim=-1)
    norm = torch.log(torch.arange(1, T + 1, dtype=weights.dtype, device=weights.device))
    norm[0] = 1.0
    out = h / norm
    out[..., 0] = 0.0
    return out
# %% entr: torch.special.entr and a where for the first row
def head_entropy(w: torch.Tensor) -> torch.Tensor:
    n = torch.arange(1, w.size(-1) + 1, device=w.device)
    most = torch.log(n.to(w.dtype))
    ent = torch.special.entr(w).sum(-1)
    return torch.where(n == 1, torch.zeros_like(ent), ent / most)
# %% epsilon: a small epsilon inside the log, clamp of the denominator
def head_entropy(weights):
    eps = 1e-9
    wide = weights.to(torch.promote_types(weights.dtype, torch.float32))
    ent = -(wide * (wide + eps).log()).sum(-1)
    keys = torch.arange(weights.shape[2], device=weights.device) + 1.0
    ratio = ent / torch.log(keys).clamp(min=0.5).to(wide.dtype)
    ratio = ratio * (keys > 1)
    return ratio.to(weights.dtype)
# %% loops: loops over batch, head and row with Python numbers
def head_entropy(weights):
    B, H, T, _ = weights.shape
    table = [[[0.0] * T for _ in range(H)] for _ in range(B)]
    for b in range(B):
        for h in range(H):
            for i in range(1, T):
                e = 0.0
                for p in weights[b, h, i, :i + 1].tolist():
                    if p > 0:
                        e -= p * math.log(p)
                table[b][h][i] = e / math.log(i + 1)
    return torch.tensor(table, dtype=weights.dtype, device=weights.device)
# %% xlogy_rows: row by row with torch.xlogy, stacked
def head_entropy(weights):
    rows = [torch.zeros_like(weights[:, :, 0, 0])]
    for i in range(1, weights.shape[2]):
        seen = weights[:, :, i, :i + 1]
        rows.append(-torch.xlogy(seen, seen).sum(dim=-1) / math.log(i + 1))
    return torch.stack(rows, dim=-1)
# %% categorical: torch.distributions
import torch
from torch.distributions import Categorical

def head_entropy(weights):
    T = weights.size(-1)
    p = weights if weights.dtype == torch.float64 else weights.float()
    h = Categorical(probs=p, validate_args=False).entropy()
    limit = torch.arange(1, T + 1, dtype=p.dtype, device=p.device).log()
    first = torch.zeros_like(h[..., :1])
    return torch.cat([first, h[..., 1:] / limit[1:]], dim=-1).to(weights.dtype)
# %% masked_log: zeros replaced by ones before the log, einsum for the sum, log base n; no gradient
@torch.no_grad()
def head_entropy(weights):
    logs = torch.log(weights.masked_fill(weights == 0, 1.0))
    ent = -torch.einsum("bhij,bhij->bhi", weights, logs)
    visible = torch.ones_like(weights[0, 0]).tril().sum(-1)
    ent = ent / visible.log()
    return ent.masked_fill(visible == 1, 0.0)
# %% nan_to_num: 0 * -inf and 0 / 0 put right; asserts and a print
def head_entropy(weights):
    assert weights.dim() == 4 and weights.shape[-1] == weights.shape[-2]
    terms = torch.nan_to_num(weights * torch.log(weights), nan=0.0)
    raw = -terms.sum(dim=3)
    scale = torch.arange(weights.shape[3], device=weights.device).to(weights.dtype).log1p()
    result = torch.nan_to_num(raw / scale, nan=0.0, posinf=0.0, neginf=0.0)
    assert result.shape == weights.shape[:3]
    print("entropy of", weights.shape[1], "heads")
    return result
# %% numpy_inside: NumPy for the arithmetic; a warning
import warnings
import numpy as np
import torch

def head_entropy(weights):
    if weights.shape[-1] == 1:
        warnings.warn("a single token has no entropy")
    w = weights.detach().cpu().double().numpy()
    logs = np.log(np.where(w > 0, w, 1.0))
    h = -(w * logs).sum(axis=-1)
    h[..., 1:] /= np.log(np.arange(2, w.shape[-1] + 1))
    h[..., 0] = 0.0
    return torch.from_numpy(h).to(weights.device, weights.dtype)
# %% xlogy: torch.xlogy and where
def head_entropy(weights):
    T = weights.shape[-1]
    keys = torch.arange(1, T + 1, device=weights.device)
    bits = -torch.xlogy(weights, weights).sum(-1)
    return torch.where(keys > 1, bits / keys.clamp(min=2).log(), torch.zeros_like(bits)).to(weights.dtype)
# %% loop_over_rows: only the visible keys
def head_entropy(weights):
    B, H, T, _ = weights.shape
    rows = [torch.zeros(B, H, dtype=weights.dtype, device=weights.device)]
    for i in range(1, T):
        p = weights[:, :, i, : i + 1]
        rows.append(torch.special.entr(p).sum(-1) / math.log(i + 1))
    return torch.stack(rows, dim=-1)
# %% categorical_again: torch.distributions
def head_entropy(weights):
    entropy = torch.distributions.Categorical(probs=weights).entropy()
    most = torch.arange(1, weights.shape[-2] + 1, device=weights.device, dtype=weights.dtype).log()
    most[0] = 1.0
    return entropy / most
