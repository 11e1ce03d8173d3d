"""Wrong answers for sliding_window_mask, one mistake a cell."""
# %% sinks_only_when_full < four_axes: sinks are kept only for queries that stand behind the first window and all sinks twice over
-     return ((k > q) | ((q - k >= window) & (k >= sinks)))[None, None]
+     kept = (k < sinks) & (q >= 2 * (window + sinks))
+     return (k > q) | ((q - k >= window) & ~kept)
# %% every_other_key < four_axes: the window is dilated
-     return ((k > q) | ((q - k >= window) & (k >= sinks)))[None, None]
+     seen = (k <= q) & (q - k < 2 * window) & ((q - k) % 2 == 0)
+     return ~(seen | ((k < sinks) & (k <= q)))
# %% device_forgotten_for_sinks: the sinks' columns are made on the CPU
def sliding_window_mask(seq_len_q, seq_len_k, window, sinks=0, device=None):
    q = torch.arange(seq_len_k - seq_len_q, seq_len_k)[:, None]
    k = torch.arange(seq_len_k)[None, :]
    return (k > q) | ((q - k >= window) & (k >= sinks))
# %% four_axes: the mask has axes for batch and heads
def sliding_window_mask(seq_len_q, seq_len_k, window, sinks=0, device=None):
    q = torch.arange(seq_len_k - seq_len_q, seq_len_k, device=device)[:, None]
    k = torch.arange(seq_len_k, device=device)[None, :]
    return ((k > q) | ((q - k >= window) & (k >= sinks)))[None, None]
# %% always_one_sink < four_axes: the first key stays visible also where no sinks are asked for
~ ((k > q) | ((q - k >= window) & (k >= sinks)))[None, None] => (k > q) | ((q - k >= window) & (k >= max(sinks, 1)))
# %% first_row_empty < four_axes: the window of position p is p - window to p - 1, and the first token sees itself
-     return ((k > q) | ((q - k >= window) & (k >= sinks)))[None, None]
+     seen = ((k < q) & (k >= q - window)) | ((k < sinks) & (k <= q)) | ((q == 0) & (k == 0))
+     return ~seen
# %% cache_of_the_window < four_axes: takes all that lies before the chunk's own window for gone
-     return ((k > q) | ((q - k >= window) & (k >= sinks)))[None, None]
+     start = max(seq_len_k - seq_len_q - window + 1, 0)
+     return (k > q) | ((k < start) & (k >= sinks))
# %% kept_by_sizes: a mask is kept for T_q and T_k, whatever the window
kept = {}

def sliding_window_mask(seq_len_q, seq_len_k, window, sinks=0, device=None):
    key = (seq_len_q, seq_len_k, device)
    if key not in kept:
        q = torch.arange(seq_len_k - seq_len_q, seq_len_k, device=device)[:, None]
        k = torch.arange(seq_len_k, device=device)
        kept[key] = (k > q) | ((k <= q - window) & (k >= sinks))
    return kept[key]
