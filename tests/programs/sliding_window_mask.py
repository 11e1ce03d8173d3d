# %% loops: every entry by itself
# taken
import torch
def sliding_window_mask(seq_len_q, seq_len_k, window, sinks=0, device=None):
    mask = torch.ones(seq_len_q, seq_len_k, dtype=torch.bool, device=device)
    for i in range(seq_len_q):
        position = seq_len_k - seq_len_q + i
        mask[i, max(0, position - window + 1):position + 1] = False
        mask[i, :min(sinks, position + 1)] = False
    return mask
# %% square_then_last_rows: the mask of the whole text, of which the last rows are kept
# taken
import torch
def sliding_window_mask(seq_len_q, seq_len_k, window, sinks=0, device=None):
    i = torch.arange(seq_len_k, device=device)
    distance = i[:, None] - i[None, :]
    blocked = (distance < 0) | ((distance >= window) & (i >= sinks))
    return blocked[-seq_len_q:]
# %% with_the_causal_mask: an earlier exercise gives the causal half
# taken
import torch
def create_causal_mask_with_cache(seq_len_q, seq_len_k, cache_len, device=None):
    return torch.ones(seq_len_q, seq_len_k, dtype=torch.bool, device=device).triu(cache_len + 1)

def sliding_window_mask(seq_len_q, seq_len_k, window, sinks=0, device=None):
    cached = seq_len_k - seq_len_q
    future = create_causal_mask_with_cache(seq_len_q, seq_len_k, cached, device=device)
    not_too_old = create_causal_mask_with_cache(seq_len_q, seq_len_k, cached - window, device=device)
    old = torch.logical_not(not_too_old)
    columns = torch.arange(seq_len_k, device=device).expand_as(old)
    return torch.logical_or(future, torch.where(columns < sinks, torch.zeros_like(old), old))
# %% lists: rows of Python booleans
# taken
import torch
def sliding_window_mask(T_q, T_k, w, sinks=0, device=None):
    rows = []
    for p in range(T_k - T_q, T_k):
        rows.append([j > p or (p - j >= w and j >= sinks) for j in range(T_k)])
    return torch.tensor(rows, device=device)
# %% numbers_compared: a sum of counts, compared at the end
# taken
import torch
def sliding_window_mask(seq_len_q: int, seq_len_k: int, window: int, sinks: int = 0, device=None) -> torch.Tensor:
    ones = torch.ones((seq_len_q, seq_len_k), device=device)
    offset = seq_len_k - seq_len_q
    band = torch.tril(ones, diagonal=offset) - torch.tril(ones, diagonal=offset - window)
    if sinks > 0:
        first = torch.zeros_like(ones)
        first[:, :sinks] = 1
        band = band + first * torch.tril(ones, diagonal=offset)
    return band == 0
# %% filled_backwards: a set of keys, filled from the newest one until it has enough
# taken
import torch
def sliding_window_mask(seq_len_q, seq_len_k, window, sinks=0, device=None):
    mask = torch.ones(seq_len_q, seq_len_k, dtype=torch.bool, device=device)
    for i in range(seq_len_q):
        p = seq_len_k - seq_len_q + i
        keep = set(range(min(sinks, p + 1)))
        j = p
        while len(keep) < min(window + sinks, p + 1):
            keep.add(j)
            j -= 1
        mask[i, sorted(keep)] = False
    return mask
# %% sinks_only_when_full: sinks are kept only for queries that stand behind the first window and all sinks twice over
# refused: shown
import torch
def sliding_window_mask(seq_len_q, seq_len_k, window, sinks=0, device=None):
    q = torch.arange(seq_len_k - seq_len_q, seq_len_k, device=device)[:, None]
    k = torch.arange(seq_len_k, device=device)[None, :]
    kept = (k < sinks) & (q >= 2 * (window + sinks))
    return (k > q) | ((q - k >= window) & ~kept)
# %% every_other_key: the window is dilated
# refused: shown
import torch
def sliding_window_mask(seq_len_q, seq_len_k, window, sinks=0, device=None):
    q = torch.arange(seq_len_k - seq_len_q, seq_len_k, device=device)[:, None]
    k = torch.arange(seq_len_k, device=device)[None, :]
    seen = (k <= q) & (q - k < 2 * window) & ((q - k) % 2 == 0)
    return ~(seen | ((k < sinks) & (k <= q)))
# %% device_forgotten_for_sinks: the sinks' columns are made on the CPU
# taken, one left 1.914: fixed_device
import torch
def sliding_window_mask(seq_len_q, seq_len_k, window, sinks=0, device=None):
    q = torch.arange(seq_len_k - seq_len_q, seq_len_k)[:, None]
    k = torch.arange(seq_len_k)[None, :]
    return (k > q) | ((q - k >= window) & (k >= sinks))
# %% four_axes: the mask has axes for batch and heads
# refused: axes_folded
import torch
def sliding_window_mask(seq_len_q, seq_len_k, window, sinks=0, device=None):
    q = torch.arange(seq_len_k - seq_len_q, seq_len_k, device=device)[:, None]
    k = torch.arange(seq_len_k, device=device)[None, :]
    return ((k > q) | ((q - k >= window) & (k >= sinks)))[None, None]
# %% always_one_sink: the first key stays visible also where no sinks are asked for
# refused: shown
import torch
def sliding_window_mask(seq_len_q, seq_len_k, window, sinks=0, device=None):
    q = torch.arange(seq_len_k - seq_len_q, seq_len_k, device=device)[:, None]
    k = torch.arange(seq_len_k, device=device)[None, :]
    return (k > q) | ((q - k >= window) & (k >= max(sinks, 1)))
# %% first_row_empty: the window of position p is p - window to p - 1, and the first token sees itself
# refused: shown
import torch
def sliding_window_mask(seq_len_q, seq_len_k, window, sinks=0, device=None):
    q = torch.arange(seq_len_k - seq_len_q, seq_len_k, device=device)[:, None]
    k = torch.arange(seq_len_k, device=device)[None, :]
    seen = ((k < q) & (k >= q - window)) | ((k < sinks) & (k <= q)) | ((q == 0) & (k == 0))
    return ~seen
# %% cache_of_the_window: takes all that lies before the chunk's own window for gone
# refused: shown
import torch
def sliding_window_mask(seq_len_q, seq_len_k, window, sinks=0, device=None):
    q = torch.arange(seq_len_k - seq_len_q, seq_len_k, device=device)[:, None]
    k = torch.arange(seq_len_k, device=device)[None, :]
    start = max(seq_len_k - seq_len_q - window + 1, 0)
    return (k > q) | ((k < start) & (k >= sinks))
# %% kept_by_sizes: a mask is kept for T_q and T_k, whatever the window
# refused: repeats; seeds 11, 3 refused: shown
import torch
kept = {}

def sliding_window_mask(seq_len_q, seq_len_k, window, sinks=0, device=None):
    key = (seq_len_q, seq_len_k, device)
    if key not in kept:
        q = torch.arange(seq_len_k - seq_len_q, seq_len_k, device=device)[:, None]
        k = torch.arange(seq_len_k, device=device)
        kept[key] = (k > q) | ((k <= q - window) & (k >= sinks))
    return kept[key]
# %% strangers_2026_11/program_1
# taken
import torch
def sliding_window_mask(seq_len_q, seq_len_k, window, sinks=0, device=None):
    offset = seq_len_k - seq_len_q
    full = torch.ones(seq_len_q, seq_len_k, dtype=torch.bool, device=device)
    too_old = full.tril(offset - window)
    too_old[:, :sinks] = False
    return full.triu(offset + 1) | too_old
# %% strangers_2026_11/crash_1: line `torch.arange(seq_len_k - seq_len_q, seq_len_q)`: the end should be seq_len_k; fails or gives too few rows
# refused: shown
import torch
def sliding_window_mask(seq_len_q, seq_len_k, window, sinks=0, device=None):
    i = torch.arange(seq_len_k - seq_len_q, seq_len_q, device=device).unsqueeze(-1)
    j = torch.arange(seq_len_k, device=device)
    visible = (j <= i) & ((i - j < window) | (j < sinks))
    return ~visible
# %% strangers_2026_11/single_2: the window is one too wide: W keys before its own
# refused: window_too_long
import torch
def sliding_window_mask(seq_len_q, seq_len_k, window, sinks=0, device=None):
    pos_q = torch.arange(seq_len_q, device=device).view(-1, 1) + (seq_len_k - seq_len_q)
    pos_k = torch.arange(seq_len_k, device=device).view(1, -1)
    future = pos_k > pos_q
    old = (pos_q - pos_k > window) & (pos_k >= sinks)
    return future | old
# %% strangers_2026_11/single_3: sinks are open to every query, also to those that stand before them
# refused: sinks_from_the_future
import torch
def sliding_window_mask(seq_len_q, seq_len_k, window, sinks=0, device=None):
    ones = torch.ones(seq_len_q, seq_len_k, dtype=torch.bool, device=device)
    shift = seq_len_k - seq_len_q
    open_ = ones.tril(shift) & ones.triu(shift - window + 1)
    open_[:, :sinks] = True
    return ~open_
# %% strangers_2026_11/two_4: sinks are ignored | the mask says True = may attend
# refused: shown
import torch
def sliding_window_mask(seq_len_q, seq_len_k, window, sinks=0, device=None):
    q = torch.arange(seq_len_q, device=device)[:, None] + seq_len_k - seq_len_q
    k = torch.arange(seq_len_k, device=device)[None, :]
    return (k <= q) & (k > q - window)
