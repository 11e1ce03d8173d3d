"""Wrong answers to the topic generate_loop."""
# %% prompt_lost
import torch

def f(model, idx, n):
    new = []
    for _ in range(n):
        t = model(idx)[:, -1].argmax(-1, keepdim=True)
        idx = torch.cat([idx, t], 1)
        new.append(t)
    return torch.cat(new, 1)

# %% one_more
import torch

def f(model, idx, n):
    for _ in range(n + 1):
        idx = torch.cat([idx, model(idx)[:, -1].argmax(-1, keepdim=True)], 1)
    return idx

# %% one_less
import torch

def f(model, idx, n):
    for _ in range(1, n):
        idx = torch.cat([idx, model(idx)[:, -1].argmax(-1, keepdim=True)], 1)
    return idx

# %% forgets
import torch

def f(model, idx, n):
    for _ in range(n):
        idx = torch.cat([idx, model(idx[:, -1:])[:, -1].argmax(-1, keepdim=True)], 1)
    return idx

# %% always_prompt
import torch

def f(model, prompt, n):
    out = prompt
    for _ in range(n):
        out = torch.cat([out, model(prompt)[:, -1].argmax(-1, keepdim=True)], 1)
    return out

# %% first_place
import torch

def f(model, idx, n):
    for _ in range(n):
        idx = torch.cat([idx, model(idx)[:, 0].argmax(-1, keepdim=True)], 1)
    return idx

# %% in_front
import torch

def f(model, idx, n):
    for _ in range(n):
        idx = torch.cat([model(idx)[:, -1].argmax(-1, keepdim=True), idx], 1)
    return idx

# %% total_length
import torch

def f(model, idx, max_length):
    while idx.shape[1] < max_length:
        idx = torch.cat([idx, model(idx)[:, -1].argmax(-1, keepdim=True)], 1)
    return idx

# %% whole_with_cache
import torch

def f(model, idx, n):
    cache = None
    for _ in range(n):
        logits, cache = model(idx, cache)
        idx = torch.cat([idx, logits[:, -1].argmax(-1, keepdim=True)], 1)
    return idx

# %% not_grown
import torch

def f(model, idx, n):
    for _ in range(n):
        torch.cat([idx, model(idx)[:, -1].argmax(-1, keepdim=True)], 1)
    return idx

# %% argmin
import torch

def f(model, idx, n):
    for _ in range(n):
        idx = torch.cat([idx, model(idx)[:, -1].argmin(-1, keepdim=True)], 1)
    return idx

# %% wrong_axis
import torch

def f(model, idx, n):
    for _ in range(n):
        idx = torch.cat([idx, model(idx).argmax(1)[:, -1:]], 1)
    return idx

# %% second_last
import torch

def f(model, idx, n):
    for _ in range(n):
        idx = torch.cat([idx, model(idx)[:, -2:][:, 0].argmax(-1, keepdim=True)], 1)
    return idx

# %% returns_logits
import torch

def f(model, idx, n):
    for _ in range(n):
        logits = model(idx)
        idx = torch.cat([idx, logits[:, -1].argmax(-1, keepdim=True)], 1)
    return logits

# %% cache_without_prompt: the prompt's cache is thrown away
import torch

def f(model, idx, n):
    for i in range(n):
        logits, cache = model(idx if i == 0 else idx[:, -1:], None)
        idx = torch.cat([idx, logits[:, -1].argmax(-1, keepdim=True)], 1)
    return idx

# %% argmax_of_all
import torch

def f(model, idx, n):
    for _ in range(n):
        nxt = model(idx).argmax(-1)[:, :1]
        idx = torch.cat([idx, nxt], 1)
    return idx

# %% stops_early_for_batch
import torch

def f(model, idx, n):
    for _ in range(n):
        nxt = model(idx)[:1, -1].argmax(-1, keepdim=True).expand(len(idx), 1)
        idx = torch.cat([idx, nxt], 1)
    return idx

# %% cache_not_updated
import torch

def f(model, idx, n):
    cache = None
    cur = idx
    for _ in range(n):
        logits, new = model(cur, cache)
        cache = new if cache is None else cache
        cur = logits[:, -1:].argmax(-1)
        idx = torch.cat([idx, cur], 1)
    return idx

# %% w18
import torch

def f(model, tokens, steps):
    out = []
    for i in range(steps):
        nxt = int(model(torch.tensor([tokens]))[0, -1].argmax())
        tokens = tokens + [nxt]
        out.append(nxt)
    return out

# %% w19
import torch

def f(model, idx, n):
    for i in range(n - 1):
        idx = torch.cat([idx, model(idx[:, i:])[:, -1].argmax(-1, keepdim=True)], 1)
    return idx
