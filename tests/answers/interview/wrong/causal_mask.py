"""Wrong answers to the topic causal_mask."""
# %% diagonal_masked
def f(n):
    return torch.triu(torch.ones(n, n)).bool()
# %% strict_tril < diagonal_masked
~ return torch.triu(torch.ones(n, n)).bool() => return np.tril(np.ones((n, n)), k=-1)
# %% one_ahead < diagonal_masked
~ return torch.triu(torch.ones(n, n)).bool() => return torch.tril(torch.ones(n, n), diagonal=1).bool()
# %% two_up
def f(T):
    m = np.zeros((T, T)); m[np.triu_indices(T, k=2)] = -np.inf
    return m
# %% additive_inverted < diagonal_masked
~ return torch.triu(torch.ones(n, n)).bool() => return torch.tril(torch.full((n, n), float("-inf")))
# %% additive_past_hidden < diagonal_masked
~ return torch.triu(torch.ones(n, n)).bool() => return torch.tril(torch.full((n, n), float("-inf")), -1)
# %% zeros_filled
def f(scores):
    return scores.masked_fill(torch.ones(scores.shape[-2:]).triu(1).bool(), 0.0)
# %% multiplied
def f(att):
    return att * torch.tril(torch.ones(att.shape[-1], att.shape[-1]))
# %% all_open < diagonal_masked
~ return torch.triu(torch.ones(n, n)).bool() => return np.ones((n, n), dtype=bool)
# %% only_diagonal < diagonal_masked
~ return torch.triu(torch.ones(n, n)).bool() => return torch.eye(n).bool()
# %% small_number < diagonal_masked
~ return torch.triu(torch.ones(n, n)).bool() => return torch.triu(torch.full((n, n), -1.0), 1)
# %% positive < zeros_filled
~ bool(), 0.0 => bool(), 1e9
# %% vector
def f(n):
    return torch.arange(n) > 0
# %% nothing < diagonal_masked
~ return torch.triu(torch.ones(n, n)).bool() => torch.triu(torch.ones(n, n), 1)
# %% wrong_size < diagonal_masked
~ return torch.triu(torch.ones(n, n)).bool() => return torch.triu(torch.ones(n + 1, n + 1), 1).bool()
# %% plus_minus_nan < diagonal_masked: 0 times -inf
~ return torch.triu(torch.ones(n, n)).bool() => return torch.triu(torch.ones(n, n), 1) * float("-inf")
# %% w16
def f(n):
    return (torch.arange(n)[:, None] > torch.arange(n)[None, :])
# %% w17
def f(n):
    m = np.zeros((n, n))
    m[np.tril_indices(n, -1)] = -1e9
    return m
# %% weights_late < zeros_filled
~ masked_fill(torch.ones(scores.shape[-2:]).triu(1).bool(), 0.0) => softmax(-1) * torch.ones(scores.shape[-2:]).tril()
# %% weights_of_zero
def f(scores):
    s = scores * np.tril(np.ones(scores.shape[-2:]))
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)
# %% weights_strict
def f(scores):
    T = scores.shape[-1]
    return scores.masked_fill(torch.ones(T, T).triu().bool(), -torch.inf).softmax(-1)
# %% weights_columns < weights_strict
~ (torch.ones(T, T).triu().bool(), -torch.inf).softmax(-1) => (torch.ones(T, T).triu(1).bool(), -torch.inf).softmax(-2)
# %% shape_strict
def f(input_shape, dtype=torch.float32):
    B, T = input_shape
    return torch.full((T, T), torch.finfo(dtype).min).triu(0).expand(B, 1, T, T)
# %% config_ahead
class Config:
    block_size = 8

def f(config: Config):
    return [[j <= i + 1 for j in range(config.block_size)] for i in range(config.block_size)]
