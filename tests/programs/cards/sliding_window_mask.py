# %% as_far_ahead: a distance to both sides
# refused: window_both_ways
# says: The window reaches as far into the future as into the past
import torch

def sliding_window_mask(seq_len_q, seq_len_k, window, sinks=0, device=None):
    keys = torch.arange(seq_len_k, device=device)
    queries = keys[seq_len_k - seq_len_q :].unsqueeze(1)
    outside = (queries - keys).abs() >= window
    return outside & (keys >= sinks)
# %% as_far_ahead_and_one_more: and it counts one too many on each side
# refused: window_both_ways
# says: The window reaches as far into the future as into the past
import torch

def sliding_window_mask(seq_len_q, seq_len_k, window, sinks=0, device=None):
    keys = torch.arange(seq_len_k, device=device)
    queries = keys[seq_len_k - seq_len_q :].unsqueeze(1)
    outside = (queries - keys).abs() > window
    return outside & (keys >= sinks)
