"""Wrong answers for create_causal_mask, one mistake a cell."""
# %% diagonal_masked < right/triu_ones: compares with >= so that a token may not see itself and row 0 sees nothing
-     return torch.triu(torch.ones(seq_len_q, seq_len_k, dtype=torch.bool, device=device), diagonal=1)
+     i = torch.arange(seq_len_q, device=device).unsqueeze(1)
+     j = torch.arange(seq_len_k, device=device).unsqueeze(0)
+     return j >= i
# %% tril_of_ones < right/list_of_lists: returns the lower triangle, True where attention is allowed, so the polarity is inverted
-     return torch.tensor([[j > i for j in range(seq_len_k)] for i in range(seq_len_q)], device=device)
+     return torch.tril(torch.ones(seq_len_q, seq_len_k, device=device)).bool()
# %% aligned_bottom_right: lines up the last query with the last key, so positions no longer start at 0 when T_k differs
def create_causal_mask(seq_len_q, seq_len_k=None, device=None):
    T_q = seq_len_q
    T_k = T_q if seq_len_k is None else seq_len_k
    full = torch.ones((T_q, T_k), dtype=torch.bool, device=device)
    return torch.triu(full, diagonal=T_k - T_q + 1)
# %% loop_starts_one_late < right/two_loops: the inner loop starts at i + 2, so each token still sees its next token
-         for j in range(seq_len_k):
-             if j > i:
-                 mask[i, j] = True
+         for j in range(i + 2, seq_len_k):
+             mask[i, j] = True
# %% axes_exchanged: builds the mask with keys as rows and queries as columns
def create_causal_mask(seq_len_q, seq_len_k=None, device=None):
    seq_len_k = seq_len_q if seq_len_k is None else seq_len_k
    q_pos = torch.arange(seq_len_q, device=device)
    k_pos = torch.arange(seq_len_k, device=device)
    return k_pos[:, None] > q_pos[None, :]
# %% float_not_bool: returns zeros and ones as floats instead of a boolean mask
def create_causal_mask(seq_len_q, seq_len_k=None, device=None):
    if seq_len_k is None: seq_len_k = seq_len_q
    return torch.triu(torch.ones(seq_len_q, seq_len_k, device=device), diagonal=1)
# %% device_unused: builds the mask on the CPU whatever device was asked for
def create_causal_mask(seq_len_q, seq_len_k=None, device=None):
    n_keys = seq_len_q if seq_len_k is None else seq_len_k
    rows = [[col > row for col in range(n_keys)] for row in range(seq_len_q)]
    return torch.tensor(rows, dtype=torch.bool)
# %% device_forgotten_when_square < right/triu_ones: passes the device on only when the number of keys is given
-         seq_len_k = seq_len_q
+         return torch.triu(torch.ones(seq_len_q, seq_len_q, dtype=torch.bool), diagonal=1)
# %% extra_axes < float_not_bool: repeats the mask for two examples, an axis that nobody asked for
~ triu(torch.ones(seq_len_q, seq_len_k, device=device), diagonal=1) => ones(seq_len_q, seq_len_k, dtype=torch.bool, device=device).triu(1).repeat(2, 1, 1)
# %% tril_and_rect < float_not_bool: inverted and bottom-right aligned
~ triu(torch.ones(seq_len_q, seq_len_k, device=device), diagonal=1) => ones(seq_len_q, seq_len_k, dtype=torch.bool, device=device).tril(seq_len_k - seq_len_q)
# %% list_mask < float_not_bool: returns a nested list
-     return torch.triu(torch.ones(seq_len_q, seq_len_k, device=device), diagonal=1)
+     return [[j > i for j in range(seq_len_k)] for i in range(seq_len_q)]
