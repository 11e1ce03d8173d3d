# %% causal_mask_01
def causal_mask(seq_len, device=None):
    """True where attention is allowed."""
    return torch.tril(torch.ones(seq_len, seq_len, dtype=torch.bool, device=device))
# %% causal_mask_02
def generate_square_subsequent_mask(sz: int, dtype=torch.float32) -> torch.Tensor:
    """Additive mask: 0.0 on and below the diagonal, -inf above it."""
    full = torch.full((sz, sz), float("-inf"), dtype=dtype)
    return torch.triu(full, diagonal=1)
# %% causal_mask_03
def make_mask(n):
    # mask[i][j] == 1  -> query i may look at key j
    mask = []
    for i in range(n):
        row = []
        for j in range(n):
            if j <= i:
                row.append(1)
            else:
                row.append(0)
        mask.append(row)
    return mask
# %% causal_mask_04
def get_causal_mask(T: int, device="cpu") -> torch.Tensor:
    q_pos = torch.arange(T, device=device)[:, None]   # (T, 1)
    k_pos = torch.arange(T, device=device)[None, :]   # (1, T)
    blocked = k_pos > q_pos                           # (T, T)  True = must not attend
    return blocked[None, None, :, :]                  # (1, 1, T, T) broadcast over batch, heads
# %% causal_mask_05
class CausalMask(nn.Module):
    """Holds the mask as a buffer so it moves with .to(device); call it on raw scores."""

    def __init__(self, max_len: int = 1024):
        super().__init__()
        m = torch.tril(torch.ones(max_len, max_len))
        self.register_buffer("bias", m.view(1, 1, max_len, max_len), persistent=False)

    def forward(self, scores):
        # scores: (B, nh, T, T)
        T = scores.size(-1)
        return scores.masked_fill(self.bias[:, :, :T, :T] == 0, float("-inf"))
# %% causal_mask_06
def causal_bias(q_len, kv_len=None, dtype=torch.float32, device=None):
    """Bias to add to (q_len, kv_len) scores.

    The queries are taken to be the *last* q_len positions of the kv sequence, so the
    same function serves prefill (q_len == kv_len) and decoding (q_len == 1).
    """
    kv_len = q_len if kv_len is None else kv_len
    offset = kv_len - q_len
    allowed = torch.ones(q_len, kv_len, dtype=torch.bool, device=device).tril(diagonal=offset)
    bias = torch.zeros(q_len, kv_len, dtype=dtype, device=device)
    return bias.masked_fill_(~allowed, torch.finfo(dtype).min)
# %% causal_mask_07
def make_causal_mask(x, dtype=np.float32):
    """x: token ids (..., L).  Returns (..., 1, L, L), 1 = keep."""
    L = x.shape[-1]
    idx = np.broadcast_to(np.arange(L), x.shape)
    pairwise = np.greater_equal(idx[..., :, None], idx[..., None, :])
    return pairwise[..., None, :, :].astype(dtype)
# %% causal_mask_08
def build_decoder_mask(tokens: torch.Tensor, pad_id: int = 0) -> torch.Tensor:
    """
    tokens: [batch, seq]
    returns bool [batch, 1, seq, seq]; True means "attend".
    A key has to be (a) not in the future and (b) not padding.
    """
    B, S = tokens.shape
    not_pad = (tokens != pad_id)[:, None, None, :]                 # [B,1,1,S]
    causal = torch.ones(S, S, device=tokens.device).tril().bool()  # [S,S]
    return not_pad & causal
