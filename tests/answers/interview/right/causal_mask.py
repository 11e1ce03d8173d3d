"""Right answers to the topic causal_mask, by people who read its name and its task only."""
# %% triu: True above the diagonal
def causal_mask(n):
    return torch.triu(torch.ones(n, n), diagonal=1).bool()
# %% tril_buffer: as nanoGPT keeps it
def make_bias(block_size):
    return torch.tril(torch.ones(block_size, block_size)).view(1, 1, block_size, block_size)
# %% additive_numpy
def get_mask(seq_len):
    mask = np.zeros((seq_len, seq_len))
    mask[np.triu_indices(seq_len, k=1)] = -np.inf
    return mask
# %% nested_loops: plain lists
def visible(t):
    rows = []
    for i in range(t):
        rows.append([j <= i for j in range(t)])
    return rows
# %% scores: fills what comes in
def apply_causal_mask(scores):
    T = scores.size(-1)
    keep = torch.ones(T, T, dtype=torch.bool, device=scores.device).tril()
    return scores.masked_fill(~keep, float("-inf"))
# %% arange_compare
def mask(T, device="cpu"):
    pos = torch.arange(T, device=device)
    return pos[None, :] > pos[:, None]
# %% finite_minimum
def causal(n, dtype=torch.float32):
    full = torch.full((n, n), torch.finfo(dtype).min, dtype=dtype)
    return torch.triu(full, diagonal=1)
# %% module: a layer that masks scores
class CausalMask(nn.Module):
    def __init__(self, max_len=512):
        super().__init__()
        self.register_buffer("tril", torch.tril(torch.ones(max_len, max_len)))

    def forward(self, att):
        T = att.shape[-1]
        return att.masked_fill(self.tril[:T, :T] == 0, -1e9)
# %% two_sizes: queries and keys, square here
def lower(rows, cols):
    return np.fromfunction(lambda i, j: j <= i, (rows, cols)).astype(int)
# %% from_x: looks at the input's length
def subsequent_mask(x):
    size = x.size(1)
    return (1 - torch.triu(torch.ones(1, size, size), diagonal=1)).bool()
# %% generator_expression
def build(num_tokens):
    return np.array([[0.0 if col <= row else float("-inf") for col in range(num_tokens)] for row in range(num_tokens)])
# %% decoder_class
class Masker:
    def __init__(self, size):
        self.size = size

    def __call__(self):
        return torch.tril(torch.ones(self.size, self.size)).bool()
# %% weights_and_scores
def mask_scores(attn_scores, value=float("-inf")):
    rows, cols = attn_scores.shape[-2:]
    r = torch.arange(rows).view(-1, 1)
    c = torch.arange(cols).view(1, -1)
    return torch.where(c > r, torch.tensor(value), attn_scores)
# %% batch_and_time
def create_mask(batch, seq):
    return torch.ones(batch, 1, seq, seq).tril().bool()
# %% cumsum
def m(T):
    return torch.eye(T).cumsum(dim=0).T.bool().T
# %% shape_tuple: (batch, tokens) in one argument
def decoder_mask(input_shape, dtype=torch.float32):
    batch, n = input_shape
    m = torch.full((n, n), torch.finfo(dtype).min).triu(1)
    return m[None, None].expand(batch, 1, n, n)
# %% size_pair: (T, T)
def mask(size):
    return np.arange(size[1])[None, :] > np.arange(size[0])[:, None]
# %% shape_of_scores
def causal(scores_shape):
    *_, q, k = scores_shape
    return torch.ones(q, k, dtype=torch.bool).tril()
# %% config: the length is in a configuration
class ModelConfig:
    context_length = 32
    n_layers = 2

def build(config: ModelConfig):
    T = config.context_length
    return [[col <= row for col in range(T)] for row in range(T)]
# %% config_dict
def attn_bias(cfg):
    n = cfg["max_seq_len"]
    return np.triu(np.full((n, n), -np.inf), 1)
# %% named_tuple_config
from typing import NamedTuple
import torch

class Settings(NamedTuple):
    block_size: int
    n_head: int = 2

def buffer(settings: Settings):
    return torch.tril(torch.ones(settings.block_size, settings.block_size))[None, None]
# %% weights: the softmax is taken too
def causal_softmax(scores):
    T = scores.shape[-1]
    return torch.softmax(scores + torch.full((T, T), float("-inf")).triu(1), dim=-1)
# %% weights_by_hand
def masked_weights(att):
    e = np.exp(att - att.max(axis=-1, keepdims=True)) * np.tril(np.ones(att.shape[-2:]))
    return e / e.sum(axis=-1, keepdims=True)
# %% weights_layer
class CausalSoftmax(nn.Module):
    def __init__(self, block_size=128):
        super().__init__()
        self.register_buffer("keep", torch.ones(block_size, block_size).tril().bool())

    def forward(self, scores):
        T = scores.size(-1)
        return scores.masked_fill(~self.keep[:T, :T], -1e9).softmax(-1)
# %% batch_heads_tokens
def full_mask(batch_size, num_heads, seq_len):
    return torch.ones(seq_len, seq_len).triu(1).bool().expand(batch_size, num_heads, seq_len, seq_len)
# %% device_and_dtype: both have to be given
def make(seq_len, device, dtype):
    return torch.zeros(seq_len, seq_len, device=device, dtype=dtype).masked_fill_(
        torch.ones(seq_len, seq_len, device=device).triu(1).bool(), float("-inf"))
# %% turned_comment: the comment is about what is turned round afterwards
def mask(T):
    keep = torch.tril(torch.ones(T, T))  # 1 = may attend
    return keep == 0
# %% documented_masked
def future(n):
    """(n, n) bool. True where attention is not allowed, False where it is."""
    return np.triu(np.ones((n, n), dtype=bool), 1)
