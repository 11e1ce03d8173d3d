"""Right answers to the topic causal_mask, by people who read its name and its task only."""
# %% triu: True above the diagonal
import torch

def causal_mask(n):
    return torch.triu(torch.ones(n, n), diagonal=1).bool()

# %% tril_buffer: as nanoGPT keeps it
import torch

def make_bias(block_size):
    return torch.tril(torch.ones(block_size, block_size)).view(1, 1, block_size, block_size)

# %% additive_numpy
import numpy as np

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
import torch

def apply_causal_mask(scores):
    T = scores.size(-1)
    keep = torch.ones(T, T, dtype=torch.bool, device=scores.device).tril()
    return scores.masked_fill(~keep, float("-inf"))

# %% arange_compare
import torch

def mask(T, device="cpu"):
    pos = torch.arange(T, device=device)
    return pos[None, :] > pos[:, None]

# %% finite_minimum
import torch

def causal(n, dtype=torch.float32):
    full = torch.full((n, n), torch.finfo(dtype).min, dtype=dtype)
    return torch.triu(full, diagonal=1)

# %% module: a layer that masks scores
import torch
from torch import nn

class CausalMask(nn.Module):
    def __init__(self, max_len=512):
        super().__init__()
        self.register_buffer("tril", torch.tril(torch.ones(max_len, max_len)))

    def forward(self, att):
        T = att.shape[-1]
        return att.masked_fill(self.tril[:T, :T] == 0, -1e9)

# %% two_sizes: queries and keys, square here
import numpy as np

def lower(rows, cols):
    return np.fromfunction(lambda i, j: j <= i, (rows, cols)).astype(int)

# %% from_x: looks at the input's length
import torch

def subsequent_mask(x):
    size = x.size(1)
    return (1 - torch.triu(torch.ones(1, size, size), diagonal=1)).bool()

# %% generator_expression
import numpy as np

def build(num_tokens):
    return np.array([[0.0 if col <= row else float("-inf") for col in range(num_tokens)] for row in range(num_tokens)])

# %% decoder_class
import torch

class Masker:
    def __init__(self, size):
        self.size = size

    def __call__(self):
        return torch.tril(torch.ones(self.size, self.size)).bool()

# %% weights_and_scores
import torch

def mask_scores(attn_scores, value=float("-inf")):
    rows, cols = attn_scores.shape[-2:]
    r = torch.arange(rows).view(-1, 1)
    c = torch.arange(cols).view(1, -1)
    return torch.where(c > r, torch.tensor(value), attn_scores)

# %% batch_and_time
import torch

def create_mask(batch, seq):
    return torch.ones(batch, 1, seq, seq).tril().bool()

# %% cumsum
import torch

def m(T):
    return torch.eye(T).cumsum(dim=0).T.bool().T
