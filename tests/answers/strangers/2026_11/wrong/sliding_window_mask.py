# %% crash_1: line `torch.arange(seq_len_k - seq_len_q, seq_len_q)`: the end should be seq_len_k; fails or gives too few rows
def sliding_window_mask(seq_len_q, seq_len_k, window, sinks=0, device=None):
    i = torch.arange(seq_len_k - seq_len_q, seq_len_q, device=device).unsqueeze(-1)
    j = torch.arange(seq_len_k, device=device)
    visible = (j <= i) & ((i - j < window) | (j < sinks))
    return ~visible
# %% single_2: the window is one too wide: W keys before its own
def sliding_window_mask(seq_len_q, seq_len_k, window, sinks=0, device=None):
    pos_q = torch.arange(seq_len_q, device=device).view(-1, 1) + (seq_len_k - seq_len_q)
    pos_k = torch.arange(seq_len_k, device=device).view(1, -1)
    future = pos_k > pos_q
    old = (pos_q - pos_k > window) & (pos_k >= sinks)
    return future | old
# %% single_3: sinks are open to every query, also to those that stand before them
def sliding_window_mask(seq_len_q, seq_len_k, window, sinks=0, device=None):
    ones = torch.ones(seq_len_q, seq_len_k, dtype=torch.bool, device=device)
    shift = seq_len_k - seq_len_q
    open_ = ones.tril(shift) & ones.triu(shift - window + 1)
    open_[:, :sinks] = True
    return ~open_
# %% two_4: sinks are ignored | the mask says True = may attend
def sliding_window_mask(seq_len_q, seq_len_k, window, sinks=0, device=None):
    q = torch.arange(seq_len_q, device=device)[:, None] + seq_len_k - seq_len_q
    k = torch.arange(seq_len_k, device=device)[None, :]
    return (k <= q) & (k > q - window)
