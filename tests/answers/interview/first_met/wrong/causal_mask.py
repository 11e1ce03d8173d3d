# %% causal_mask_01: the diagonal is masked too, so a position cannot see itself (triu without diagonal=1)
def no_peek(size):
    """True where attention is NOT allowed."""
    return torch.triu(torch.ones(size, size)).bool()
# %% causal_mask_02: with cached tokens the triangle is not shifted by the past length
def build_mask(query_length: int, cache_length: int = 0) -> torch.Tensor:
    key_length = query_length + cache_length
    bias = torch.full((query_length, key_length), float("-inf"))
    bias = torch.triu(bias, diagonal=1)
    return bias[None, None]
# %% causal_mask_03: the padding mask and the causal mask (both True = open) are joined with "or" instead of "and"
def subsequent(size):
    return np.triu(np.ones((1, size, size)), k=1) == 0

def make_std_mask(tgt, pad):
    tgt_mask = (tgt != pad)[:, None, :]
    tgt_mask = tgt_mask | subsequent(tgt.shape[-1])
    return tgt_mask
# %% causal_mask_04: the padding is put on the query axis, so real queries still see padded keys
class MaskMaker:
    def __init__(self, neg=-1e9):
        self.neg = neg

    def __call__(self, attention_mask):
        # attention_mask: (B, T), 1 for words and 0 for padding -> additive (B,1,T,T)
        B, T = attention_mask.shape
        causal = torch.tril(torch.ones(T, T, dtype=torch.bool))
        pad = attention_mask.bool().unsqueeze(1).unsqueeze(-1)
        visible = causal & pad
        return torch.zeros(B, 1, T, T).masked_fill(~visible, self.neg)
# %% causal_mask_05: the comparison is turned round, the past is hidden and the future is open
def maskMatrix(seqLen, pastLen=0):
    qPos = np.arange(seqLen).reshape(-1, 1) + pastLen
    kPos = np.arange(seqLen + pastLen).reshape(1, -1)
    return np.where(kPos >= qPos, 0.0, -np.inf)
# %% causal_mask_06: (1 - tril) * -inf makes 0 * -inf = nan at every open place
def get_mask(n, *, dtype=np.float32):
    low = np.tri(n, dtype=dtype)
    return (1 - low) * -np.inf
# %% causal_mask_07: off by one in the lengths: the first padding key is left open (j <= length)
def masque(n, longueurs):
    """1 = on regarde, 0 = cache; liste de matrices"""
    tout = []
    for L in longueurs:
        mat = [[0] * n for _ in range(n)]
        for i in range(n):
            for j in range(i + 1):
                if j <= L:
                    mat[i][j] = 1
        tout.append(mat)
    return tout
