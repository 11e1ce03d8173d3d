"""Wrong answers for next_token_probabilities, one mistake a cell."""

# %% divides_in_place: logits /= temperature changes the caller's logits
import torch
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    if temperature == 0:
        return torch.nn.functional.one_hot(logits.argmax(-1), logits.shape[-1]).to(logits.dtype)
    logits /= temperature
    if top_k is not None:
        kth = logits.topk(min(top_k, logits.shape[-1])).values[:, -1:]
        logits = logits.masked_fill(logits < kth, -torch.inf)
    return logits.softmax(-1)

# %% writes_minus_infinity: -inf is written into the caller's logits where the temperature is 1
import torch
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    if temperature == 0:
        return torch.nn.functional.one_hot(logits.argmax(-1), logits.shape[-1]).to(logits.dtype)
    if temperature != 1:
        logits = logits / temperature
    if top_k is not None:
        kth = logits.topk(min(top_k, logits.shape[-1])).values[:, -1:]
        logits[logits < kth] = -torch.inf
    return logits.softmax(-1)

# %% whole_numbers_at_0: one_hot without a cast
import torch
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    if temperature == 0:
        return torch.nn.functional.one_hot(logits.argmax(-1), logits.shape[-1])
    if top_k is not None:
        kth = logits.topk(min(top_k, logits.shape[-1])).values[:, -1:]
        logits = logits.masked_fill(logits < kth, -torch.inf)
    return (logits / temperature).softmax(-1)

# %% top_p: keeps the smallest set of tokens that holds a share of 1 - 1/k
import torch
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    if temperature == 0:
        return torch.nn.functional.one_hot(logits.argmax(-1), logits.shape[-1]).to(logits.dtype)
    p = (logits / temperature).softmax(-1)
    if top_k is not None:
        values, places = p.sort(-1, descending=True)
        drop = values.cumsum(-1) - values > 1 - 1 / top_k
        p = torch.zeros_like(p).scatter(-1, places, values.masked_fill(drop, 0))
    return p / p.sum(-1, keepdim=True)

# %% smoothed: every token keeps a hundredth, for fear of zeros
import torch
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    if temperature == 0:
        p = torch.nn.functional.one_hot(logits.argmax(-1), logits.shape[-1]).to(logits.dtype)
    else:
        if top_k is not None:
            kth = logits.topk(min(top_k, logits.shape[-1])).values[:, -1:]
            logits = logits.masked_fill(logits < kth, -torch.inf)
        p = (logits / temperature).softmax(-1)
    return 0.99 * p + 0.01 / logits.shape[-1]

# %% drawn: the probabilities are estimated from a thousand draws
import torch
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    if temperature == 0:
        return torch.nn.functional.one_hot(logits.argmax(-1), logits.shape[-1]).to(logits.dtype)
    if top_k is not None:
        kth = logits.topk(min(top_k, logits.shape[-1])).values[:, -1:]
        logits = logits.masked_fill(logits < kth, -torch.inf)
    drawn = torch.multinomial((logits / temperature).softmax(-1), 1000, replacement=True)
    return torch.nn.functional.one_hot(drawn, logits.shape[-1]).to(logits.dtype).mean(1)

# %% always_float32: a cast to float32 that is never taken back
import torch
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    logits = logits.float()
    if temperature == 0:
        return torch.nn.functional.one_hot(logits.argmax(-1), logits.shape[-1]).float()
    if top_k is not None:
        kth = logits.topk(min(top_k, logits.shape[-1])).values[:, -1:]
        logits = logits.masked_fill(logits < kth, -torch.inf)
    return (logits / temperature).softmax(-1)
