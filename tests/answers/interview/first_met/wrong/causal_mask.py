# %% causal_mask_01
# entry: no_peek
# mistake: the diagonal is masked too, so a position cannot see itself (triu without diagonal=1)
import torch


def no_peek(size):
    """True where attention is NOT allowed."""
    return torch.triu(torch.ones(size, size)).bool()

# %% causal_mask_02
# entry: build_mask
# mistake: with cached tokens the triangle is not shifted by the past length
import torch


def build_mask(query_length: int, cache_length: int = 0) -> torch.Tensor:
    key_length = query_length + cache_length
    bias = torch.full((query_length, key_length), float("-inf"))
    bias = torch.triu(bias, diagonal=1)
    return bias[None, None]

# %% causal_mask_03
# entry: make_std_mask
# mistake: the padding mask and the causal mask (both True = open) are joined with "or" instead of "and"
import numpy as np


def subsequent(size):
    return np.triu(np.ones((1, size, size)), k=1) == 0


def make_std_mask(tgt, pad):
    tgt_mask = (tgt != pad)[:, None, :]
    tgt_mask = tgt_mask | subsequent(tgt.shape[-1])
    return tgt_mask

# %% causal_mask_04
# entry: MaskMaker
# mistake: the padding is put on the query axis, so real queries still see padded keys
import torch


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

# %% causal_mask_05
# entry: maskMatrix
# mistake: the comparison is turned round, the past is hidden and the future is open
import numpy as np


def maskMatrix(seqLen, pastLen=0):
    qPos = np.arange(seqLen).reshape(-1, 1) + pastLen
    kPos = np.arange(seqLen + pastLen).reshape(1, -1)
    return np.where(kPos >= qPos, 0.0, -np.inf)

# %% causal_mask_06
# entry: get_mask
# mistake: (1 - tril) * -inf makes 0 * -inf = nan at every open place
import numpy as np


def get_mask(n, *, dtype=np.float32):
    low = np.tri(n, dtype=dtype)
    return (1 - low) * -np.inf

# %% causal_mask_07
# entry: masque
# mistake: off by one in the lengths: the first padding key is left open (j <= length)
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
