# %% repeated_index: einsum takes only the diagonal of a weight
# refused: diagonal_of_weights
# says: Only the diagonal of each weight is used
import torch
from torch import nn

class CausalMultiHeadSelfAttention(nn.Module):
    def __init__(self, embedding_dim, num_heads):
        super().__init__()
        self.H, self.d = num_heads, embedding_dim // num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(embedding_dim, embedding_dim, bias=False) for _ in range(4))

    def _split_heads(self, x):
        return x.unflatten(-1, (self.H, self.d)).transpose(1, 2)

    def _merge_heads(self, x):
        return x.transpose(1, 2).flatten(-2)

    def forward(self, x):
        q, k, v = (self._split_heads(torch.einsum("bti,ii->bti", x, W.weight)) for W in (self.W_q, self.W_k, self.W_v))
        hidden = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool, device=x.device).triu(1)
        scores = q @ k.mT / self.d ** 0.5
        shares = scores.masked_fill(hidden, -torch.inf).softmax(-1)
        return torch.einsum("bti,ii->bti", self._merge_heads(shares @ v), self.W_o.weight)
# %% no_mask_at_all: nothing hides the future
# refused: mask_ignored
# says: Nothing is masked
import torch
from torch import nn

class CausalMultiHeadSelfAttention(nn.Module):
    def __init__(self, embedding_dim, num_heads):
        super().__init__()
        self.H, self.d = num_heads, embedding_dim // num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(embedding_dim, embedding_dim, bias=False) for _ in range(4))

    def _split_heads(self, x):
        return x.unflatten(-1, (self.H, self.d)).transpose(1, 2)

    def _merge_heads(self, x):
        return x.transpose(1, 2).flatten(-2)

    def forward(self, x):
        q, k, v = (self._split_heads(W(x)) for W in (self.W_q, self.W_k, self.W_v))
        hidden = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool, device=x.device).triu(1)
        scores = q @ k.mT / self.d ** 0.5
        shares = scores.softmax(-1)
        return self.W_o(self._merge_heads(shares @ v))
# %% keys_times_queries: the factors are exchanged
# refused: q_and_k_swapped
# says: Queries and keys are swapped
import torch
from torch import nn

class CausalMultiHeadSelfAttention(nn.Module):
    def __init__(self, embedding_dim, num_heads):
        super().__init__()
        self.H, self.d = num_heads, embedding_dim // num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(embedding_dim, embedding_dim, bias=False) for _ in range(4))

    def _split_heads(self, x):
        return x.unflatten(-1, (self.H, self.d)).transpose(1, 2)

    def _merge_heads(self, x):
        return x.transpose(1, 2).flatten(-2)

    def forward(self, x):
        q, k, v = (self._split_heads(W(x)) for W in (self.W_q, self.W_k, self.W_v))
        hidden = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool, device=x.device).triu(1)
        scores = k @ q.mT / self.d ** 0.5
        shares = scores.masked_fill(hidden, -torch.inf).softmax(-1)
        return self.W_o(self._merge_heads(shares @ v))
# %% values_projected_out: W_v is used for the result
# refused: v_for_o
# says: The value projection is used again as the output projection
import torch
from torch import nn

class CausalMultiHeadSelfAttention(nn.Module):
    def __init__(self, embedding_dim, num_heads):
        super().__init__()
        self.H, self.d = num_heads, embedding_dim // num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(embedding_dim, embedding_dim, bias=False) for _ in range(4))

    def _split_heads(self, x):
        return x.unflatten(-1, (self.H, self.d)).transpose(1, 2)

    def _merge_heads(self, x):
        return x.transpose(1, 2).flatten(-2)

    def forward(self, x):
        q, k, v = (self._split_heads(W(x)) for W in (self.W_q, self.W_k, self.W_v))
        hidden = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool, device=x.device).triu(1)
        scores = q @ k.mT / self.d ** 0.5
        shares = scores.masked_fill(hidden, -torch.inf).softmax(-1)
        return self.W_v(self._merge_heads(shares @ v))
# %% rope_left_inside: queries and keys are rotated
# refused: positions_rotated
# says: rotated by their positions (RoPE)
import torch
from torch import nn

class CausalMultiHeadSelfAttention(nn.Module):
    def __init__(self, embedding_dim, num_heads):
        super().__init__()
        self.H, self.d = num_heads, embedding_dim // num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(embedding_dim, embedding_dim, bias=False) for _ in range(4))

    def _split_heads(self, x):
        return x.unflatten(-1, (self.H, self.d)).transpose(1, 2)

    def _merge_heads(self, x):
        return x.transpose(1, 2).flatten(-2)

    def forward(self, x):
        q, k, v = (self._split_heads(W(x)) for W in (self.W_q, self.W_k, self.W_v))
        hidden = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool, device=x.device).triu(1)
        if self.d % 2 == 0:
            speeds = 10000.0 ** (-torch.arange(0, self.d, 2, dtype=torch.float64) / self.d)
            turns = torch.outer(torch.arange(x.shape[1], dtype=torch.float64), speeds)
            cos, sin = turns.cos().to(x), turns.sin().to(x)
            q, k = (torch.cat([a * cos - b * sin, a * sin + b * cos], -1) for a, b in (t.chunk(2, -1) for t in (q, k)))
        scores = q @ k.mT / self.d ** 0.5
        shares = scores.masked_fill(hidden, -torch.inf).softmax(-1)
        return self.W_o(self._merge_heads(shares @ v))
