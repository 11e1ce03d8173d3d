"""Model solutions: the generation loop."""

import torch


@torch.no_grad()
def generate(model, prompt, n_new):
    tokens = prompt  # (B, T)
    for _ in range(n_new):
        logits = model(tokens)[:, -1]  # (B, V): those of the last position predict the next token
        tokens = torch.cat([tokens, logits.argmax(-1, keepdim=True)], dim=1)  # (B, T + 1)
    return tokens


@torch.no_grad()
def generate_cached(model, prompt, n_new):
    tokens, new, cache = prompt, prompt, None
    for _ in range(n_new):
        logits, cache = model(new, cache)  # the prompt once, then only the newest token
        new = logits[:, -1].argmax(-1, keepdim=True)  # (B, 1)
        tokens = torch.cat([tokens, new], dim=1)  # (B, T + 1)
    return tokens


@torch.no_grad()
def generate_until(model, prompt, n_new, end):
    tokens, new, cache = prompt, prompt, None
    ended = torch.zeros_like(prompt[:, :1], dtype=torch.bool)  # (B, 1)
    for _ in range(n_new):
        logits, cache = model(new, cache)
        new = logits[:, -1].argmax(-1, keepdim=True).masked_fill(ended, end)  # (B, 1)
        tokens, ended = torch.cat([tokens, new], dim=1), ended | (new == end)
        if ended.all():  # not any(): the others go on
            break
    return tokens
