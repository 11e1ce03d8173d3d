# %% causal_mask_01: boolean, True = allowed; supports offset of earlier cached tokens
def causal_mask(q_len: int, past_len: int = 0, device=None) -> torch.Tensor:
    """(q_len, past_len + q_len) bool mask, True where attention is allowed."""
    q = torch.arange(past_len, past_len + q_len, device=device)[:, None]
    k = torch.arange(past_len + q_len, device=device)[None, :]
    return k <= q
# %% causal_mask_02: plain loops, additive (0 / -inf), nested python lists, padding by lengths
def hacerMascara(n, largos=None):
    NEG = float("-inf")
    una = []
    for i in range(n):
        fila = []
        for j in range(n):
            if j > i:
                fila.append(NEG)
            else:
                fila.append(0.0)
        una.append(fila)
    if largos is None:
        return una
    lote = []
    for L in largos:
        m = []
        for i in range(n):
            m.append([una[i][j] if j < L else NEG for j in range(n)])
        lote.append(m)
    return lote
# %% causal_mask_03: numpy, True = masked out; pad ids in, (B,1,T,T) out
PAD = 0

def get_subsequent_mask(seq, pad_idx=PAD):
    seq = np.asarray(seq)
    sz_b, len_s = seq.shape
    future = np.triu(np.ones((len_s, len_s), dtype=bool), k=1)
    is_pad = seq == pad_idx
    blocked = future[None, None, :, :] | is_pad[:, None, None, :]
    return blocked
# %% causal_mask_04: module with a registered buffer, sliced at call time, keyword-only start position; additive with finfo.min
class CausalMask(nn.Module):
    def __init__(self, max_len=128):
        super().__init__()
        self.register_buffer("tri", torch.tril(torch.ones(max_len, max_len, dtype=torch.bool)), persistent=False)

    def forward(self, n_new, *, start=0, pad=None, dtype=torch.float32):
        # pad: (B, start + n_new), 1 = real token
        end = start + n_new
        allow = self.tri[start:end, :end][None, None]
        if pad is not None:
            allow = allow & pad.bool()[:, None, None, :]
        out = torch.zeros(allow.shape, dtype=dtype, device=allow.device)
        return out.masked_fill(~allow, torch.finfo(dtype).min)
# %% causal_mask_05: left padded batch; fully masked (padding) query rows are left seeing only themselves so softmax has no nan
def attention_bias(*, total, new=None, n_left_pad=0, big=-1e9):
    new = total if new is None else new
    pads = np.atleast_1d(np.asarray(n_left_pad))
    rows = np.arange(total - new, total)
    cols = np.arange(total)
    ok = np.less_equal.outer(cols, rows).T
    ok = ok[None] & (cols[None, None, :] >= pads[:, None, None])
    ok = ok | (rows[:, None] == cols[None, :])[None]
    return np.where(ok, 0.0, big).astype(np.float32)[:, None]
