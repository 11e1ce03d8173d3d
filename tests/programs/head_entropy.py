# %% entr: torch.special.entr and a where for the first row
# taken
import torch
def head_entropy(w: torch.Tensor) -> torch.Tensor:
    n = torch.arange(1, w.size(-1) + 1, device=w.device)
    most = torch.log(n.to(w.dtype))
    ent = torch.special.entr(w).sum(-1)
    return torch.where(n == 1, torch.zeros_like(ent), ent / most)
# %% loops: loops over batch, head and row with Python numbers
# taken
import math
import torch
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
# taken
import math
import torch
def head_entropy(weights):
    rows = [torch.zeros_like(weights[:, :, 0, 0])]
    for i in range(1, weights.shape[2]):
        seen = weights[:, :, i, :i + 1]
        rows.append(-torch.xlogy(seen, seen).sum(dim=-1) / math.log(i + 1))
    return torch.stack(rows, dim=-1)
# %% categorical: torch.distributions
# taken
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
# taken
import torch
@torch.no_grad()
def head_entropy(weights):
    logs = torch.log(weights.masked_fill(weights == 0, 1.0))
    ent = -torch.einsum("bhij,bhij->bhi", weights, logs)
    visible = torch.ones_like(weights[0, 0]).tril().sum(-1)
    ent = ent / visible.log()
    return ent.masked_fill(visible == 1, 0.0)
# %% nan_to_num: 0 * -inf and 0 / 0 put right; asserts and a print
# taken
import torch
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
# taken
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
# taken
import torch
def head_entropy(weights):
    T = weights.shape[-1]
    keys = torch.arange(1, T + 1, device=weights.device)
    bits = -torch.xlogy(weights, weights).sum(-1)
    return torch.where(keys > 1, bits / keys.clamp(min=2).log(), torch.zeros_like(bits)).to(weights.dtype)
# %% loop_over_rows: only the visible keys
# taken
import math
import torch
def head_entropy(weights):
    B, H, T, _ = weights.shape
    rows = [torch.zeros(B, H, dtype=weights.dtype, device=weights.device)]
    for i in range(1, T):
        p = weights[:, :, i, : i + 1]
        rows.append(torch.special.entr(p).sum(-1) / math.log(i + 1))
    return torch.stack(rows, dim=-1)
# %% categorical_again: torch.distributions
# taken
import torch
def head_entropy(weights):
    entropy = torch.distributions.Categorical(probs=weights).entropy()
    most = torch.arange(1, weights.shape[-2] + 1, device=weights.device, dtype=weights.dtype).log()
    most[0] = 1.0
    return entropy / most
# %% divided_by_log_of_all_keys: divides every row by the log of T instead of the number of keys that row may see
# refused: divided_by_log_T
import math
import torch
def head_entropy(weights):
    T = weights.shape[-1]
    ent = -(weights * torch.log(weights + 1e-9)).sum(dim=-1)
    return ent / max(math.log(T), 1e-9)
# %% bits_over_nats_with_big_epsilon: two mistakes, log2 is divided by a natural log and the epsilon of 1e-3 is too large
# refused: shown
import torch
def head_entropy(weights):
    B, H, T, _ = weights.shape
    e = -(weights * torch.log2(weights + 1e-3)).sum(-1)
    out = torch.zeros(B, H, T, dtype=weights.dtype, device=weights.device)
    for i in range(1, T):
        out[:, :, i] = e[:, :, i] / torch.log(torch.tensor(i + 1.0, device=weights.device))
    return out
# %% log2: bits over nats
# refused: shown
import torch
def head_entropy(weights):
    T = weights.shape[-1]
    n = torch.arange(1, T + 1, device=weights.device, dtype=weights.dtype).log().clamp(min=1e-12)
    return -(weights * torch.log2(weights + 1e-12)).sum(-1) / n
# %% sign: without the minus
# refused: shown
import torch
def head_entropy(weights):
    T = weights.shape[-1]
    n = torch.arange(1, T + 1, device=weights.device, dtype=weights.dtype).log().clamp(min=1e-12)
    return (weights * torch.log(weights + 1e-12)).sum(-1) / n
# %% col_sum: summed over the queries
# refused: shown
import torch
def head_entropy(weights):
    T = weights.shape[-1]
    n = torch.arange(1, T + 1, device=weights.device, dtype=weights.dtype).log().clamp(min=1e-12)
    return torch.special.entr(weights).sum(-2) / n
# %% keys_that_any_head_sees: counts the keys to which any head or example gives weight
# refused, 1.88: shown
import torch
def head_entropy(weights):
    seen = (weights > 0).any(0).any(0).sum(-1).to(weights.dtype)
    return torch.special.entr(weights).sum(-1) / seen.log().where(seen > 1, 1.0)
# %% row_0_mended: zero times log(0), and only row 0 is mended
# refused: zero_times_log_zero
import torch
def head_entropy(w):
    entropy = -(w * w.log()).sum(-1) / torch.arange(1, w.shape[-1] + 1).log().clamp(min=0.5)
    entropy[..., 0] = 0
    return entropy
# %% strangers_2026_11/program_1
# taken
import math
import torch
def head_entropy(weights):
    B, H, T, _ = weights.shape
    columns = [weights.new_zeros(B, H)]
    for i in range(1, T):
        row = weights[:, :, i, : i + 1]
        safe = torch.where(row > 0, row, torch.ones_like(row))
        columns.append(-(row * safe.log()).sum(-1) / math.log(i + 1))
    return torch.stack(columns, dim=-1)
# %% strangers_2026_11/single_1: 0 * log 0 is NaN, rows with zero weights become NaN
# refused: zero_times_log_zero
import torch
def head_entropy(weights):
    T = weights.size(-1)
    ent = -(weights.tril() * weights.log()).sum(-1)
    seen = torch.arange(1, T + 1, device=weights.device).to(weights.dtype)
    seen[0] = 2.0
    ent = ent / seen.log()
    ent[..., 0] = 0.0
    return ent
# %% strangers_2026_11/single_2: row 0 is 0 / 0 = NaN
# refused: first_row_nan
import torch
def head_entropy(weights):
    keys = torch.arange(1, weights.shape[-1] + 1, device=weights.device, dtype=weights.dtype)
    return torch.special.entr(weights).sum(-1) / torch.log(keys)
# %% strangers_2026_11/single_3: zeros are replaced in place (clamp_), the caller's weights change
# taken, one left 1.88: changes_input
import torch
def head_entropy(weights):
    w = weights.clamp_(min=1e-12)
    n = torch.arange(1, w.shape[-1] + 1, device=w.device, dtype=w.dtype)
    h = -(w * w.log()).sum(-1)
    h = h / torch.log(n)
    h[:, :, 0] = 0
    return h
# %% strangers_2026_11/crash_4: line `h / n[:, None].log()`: the divisor gets an axis too many, (B, H, T) / (T, 1) does not fit or mixes heads
# refused: shown
import math
import torch
def head_entropy(weights):
    T = weights.shape[-1]
    n = torch.arange(1, T + 1, dtype=weights.dtype, device=weights.device)
    h = torch.special.entr(weights).sum(-1)
    n[0] = math.e
    return (h / n[:, None].log()).reshape(weights.shape[:3])
