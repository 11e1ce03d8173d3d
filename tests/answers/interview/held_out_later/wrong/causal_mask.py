# %% causal_mask_01 < interview/held_out/wrong/causal_mask_01: the diagonal is blocked too (triu without diagonal=1), so a token may not see itself and row 0 sees nothing
-     "0 where we can look, -inf for subsequent positions"
+     """Additive mask: 0 for allowed, -inf for blocked."""
# %% causal_mask_02: off by one (np.tri with k=1): every token also sees the next one
def causal_mask(T):
    # True = may attend
    return np.tri(T, T, k=1, dtype=bool)
# %% causal_mask_03: rows and columns swapped: queries (rows) see themselves and the future instead of the past
def get_mask(n_tokens, device="cpu"):
    """mask[query, key] is True when query may attend to key."""
    pos = torch.arange(n_tokens, device=device)
    q = pos.unsqueeze(0)
    k = pos.unsqueeze(1)
    return k <= q
# %% causal_mask_04: multiplies zeros by -inf, so all allowed places are NaN instead of 0
def make_mask(T):
    """(1, 1, T, T) to be added to the attention scores."""
    m = torch.triu(torch.ones(T, T), diagonal=1) * float("-inf")
    return m.view(1, 1, T, T)
# %% causal_mask_05: with more keys than queries the offset S - T is forgotten: queries are lined up with the first keys, not the last
def causal_mask(T, S=None):
    """(T, S) bool, True = may look; the T queries are the last T of the S positions."""
    S = T if S is None else S
    rows = torch.arange(T).view(-1, 1)
    cols = torch.arange(S).view(1, -1)
    return cols <= rows
