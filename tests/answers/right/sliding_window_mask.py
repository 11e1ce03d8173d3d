"""Right answers to `sliding_window_mask`, in the styles of many students. Cells are separated by lines that start with `# %%`."""
# %% allowed_negated: what may be seen, then turned round
def sliding_window_mask(seq_len_q, seq_len_k, window, sinks=0, device=None):
    q = torch.arange(seq_len_k - seq_len_q, seq_len_k, device=device).unsqueeze(1)
    k = torch.arange(seq_len_k, device=device).unsqueeze(0)
    causal = k <= q
    near = (q - k) < window
    return ~(causal & (near | (k < sinks)))
# %% triu_and_tril: two triangles, moved by the length of the past
def sliding_window_mask(seq_len_q, seq_len_k, window, sinks=0, device=None):
    past = seq_len_k - seq_len_q
    ones = torch.ones(seq_len_q, seq_len_k, dtype=torch.bool, device=device)
    too_old = ones.tril(past - window)
    too_old[:, :sinks] = False
    return ones.triu(past + 1) | too_old
# %% loops: every entry by itself
def sliding_window_mask(seq_len_q, seq_len_k, window, sinks=0, device=None):
    mask = torch.ones(seq_len_q, seq_len_k, dtype=torch.bool, device=device)
    for i in range(seq_len_q):
        position = seq_len_k - seq_len_q + i
        mask[i, max(0, position - window + 1):position + 1] = False
        mask[i, :min(sinks, position + 1)] = False
    return mask
# %% square_then_last_rows: the mask of the whole text, of which the last rows are kept
def sliding_window_mask(seq_len_q, seq_len_k, window, sinks=0, device=None):
    i = torch.arange(seq_len_k, device=device)
    distance = i[:, None] - i[None, :]
    blocked = (distance < 0) | ((distance >= window) & (i >= sinks))
    return blocked[-seq_len_q:]
# %% with_the_causal_mask: an earlier exercise gives the causal half
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
def sliding_window_mask(T_q, T_k, w, sinks=0, device=None):
    rows = []
    for p in range(T_k - T_q, T_k):
        rows.append([j > p or (p - j >= w and j >= sinks) for j in range(T_k)])
    return torch.tensor(rows, device=device)
# %% numbers_compared: a sum of counts, compared at the end
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
