# %% causal_mask_01: triu keeps the diagonal, so each position is also barred from itself.
def subsequent_mask(size):
    "0 where we can look, -inf for subsequent positions"
    return torch.triu(torch.full((size, size), float("-inf")))
# %% causal_mask_02: the tril keeps one diagonal too many, so each query sees the next token.
def causal_mask(n: int) -> np.ndarray:
    """Boolean (n, n); True = may attend."""
    return np.tril(np.ones((n, n), dtype=bool), k=1)
# %% causal_mask_03: the inner loop runs over range(i), which leaves out the position itself.
def lower_triangular(T):
    m = [[0] * T for _ in range(T)]
    for i in range(T):
        for j in range(i):
            m[i][j] = 1
    return m
# %% causal_mask_04: the buffer is True where attention is allowed, yet masked_fill blanks out exactly those places.
import torch
from torch import nn, Tensor

class CausalMasker(nn.Module):
    def __init__(self, block_size: int):
        super().__init__()
        self.register_buffer("tril", torch.tril(torch.ones(block_size, block_size, dtype=torch.bool)))

    def forward(self, att: Tensor) -> Tensor:
        _, T, S = att.shape          # (B*h, T, S)
        return att.masked_fill(self.tril[:T, :S], -1e9)
# %% causal_mask_05: with cached keys the queries start at position kv_len - q_len, but the comparison treats them as starting at 0.
def decoder_mask(q_len: int, kv_len: int, device=None):
    """(1, 1, q_len, kv_len) bool mask, True = attend.  kv_len >= q_len when there is a KV cache."""
    rows = torch.arange(q_len, device=device).unsqueeze(-1)
    cols = torch.arange(kv_len, device=device).unsqueeze(0)
    return (cols <= rows)[None, None]
# %% causal_mask_06: multiplying 0 by -inf gives nan at every allowed position.
def additive_causal_mask(L, dtype=torch.float32):
    future = torch.triu(torch.ones(L, L, dtype=dtype), diagonal=1)
    return future * float("-inf")
# %% causal_mask_07: the fill value is 1e-9 rather than -1e9, so future keys still get weight.
def mask_scores(scores):
    """scores: (heads, T, T) -> the same, with the future knocked out before softmax."""
    T = scores.shape[-1]
    keep = np.tril(np.ones((T, T))) > 0
    return np.where(keep, scores, 1e-9)
# %% causal_mask_08: the scores are multiplied by the 0/1 mask, so future scores become 0 and not -inf before softmax.
def causal_attention_weights(q, k):
    # q, k: [B, T, d]
    d = q.shape[-1]
    scores = torch.einsum("bid,bjd->bij", q, k) / d ** 0.5   # [B, T, T]
    mask = torch.tril(torch.ones_like(scores))               # [B, T, T]
    return F.softmax(scores * mask, dim=-1)
# %% causal_mask_09: padding and causal masks are both "allowed" masks, but they are joined with OR where AND is needed.
def combine_masks(lengths: torch.Tensor, max_len: int) -> torch.Tensor:
    """lengths: (B,) real lengths.  Returns (B, max_len, max_len), True = attend."""
    pos = torch.arange(max_len)
    key_ok = pos[None, :] < lengths[:, None]            # (B, S)
    causal = pos[:, None] >= pos[None, :]               # (S, S)
    return key_ok[:, None, :] | causal[None, :, :]
# %% causal_mask_10: the past length is subtracted from the query index where it has to be added.
def causal_mask_with_past(T, past=0, neg=-1e9):
    i = np.arange(T)[:, None]
    j = np.arange(past + T)[None, :]
    return np.where(i - past >= j, 0.0, neg)
# %% causal_mask_11: the mask zeroes probabilities after the softmax, and the rows are never renormalised.
def apply_causal(scores: torch.Tensor) -> torch.Tensor:
    """Turn raw scores (..., T, T) into causal attention probabilities."""
    T = scores.shape[-1]
    probs = torch.softmax(scores, dim=-1)
    return torch.tril(probs)
# %% causal_mask_12: (tril - 1) is already negative, so multiplying it by -1e9 gives the future a large positive bias.
def make_bias(seq_len: int, n_heads: int = 1):
    tri = torch.ones(seq_len, seq_len).tril()
    bias = (tri - 1.0) * -1e9
    return bias.expand(n_heads, seq_len, seq_len)
# %% causal_mask_13: rows are used as keys and columns as queries, so the mask comes out transposed.
def attention_mask(n, dtype=np.float32):
    # mask[q, k]
    mask = np.zeros((n, n), dtype=dtype)
    for q in range(n):
        mask[:q + 1, q] = 1
    return mask
# %% causal_mask_14: only the distance is bounded; abs() lets the query see window-1 future keys as well.
def sliding_causal_mask(seq_len, window=None):
    """Causal mask, optionally limited to the last `window` keys (self included). True = visible."""
    window = window or seq_len
    pos = torch.arange(seq_len)
    dist = pos.view(-1, 1) - pos.view(1, -1)
    return dist.abs() < window
# %% causal_mask_15: for a chunk that starts at `start`, the cached square is sliced from row 0 rather than from row `start`.
class MaskCache:
    """Build the big mask once, hand out slices."""

    def __init__(self, max_len):
        self.full = torch.zeros(max_len, max_len)
        above = torch.ones(max_len, max_len).triu(1).bool()
        self.full[above] = float("-inf")

    def get(self, start: int, length: int):
        """Additive mask for queries start .. start+length-1 against keys 0 .. start+length-1."""
        end = start + length
        return self.full[:length, :end]
