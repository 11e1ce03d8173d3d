"""Model solutions: the generation loop, and the choice of the next token."""

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


def next_token_probabilities(logits, temperature, top_k):
    if temperature == 0:  # greedy: the first of the largest
        return torch.zeros_like(logits).scatter(-1, logits.argmax(-1, keepdim=True), 1.0)
    if top_k is not None:
        largest = logits.topk(min(top_k, logits.shape[-1])).values  # (B, k), the last of them the smallest
        logits = logits.where(logits >= largest[:, -1:], -torch.inf)
    return (logits / temperature).softmax(-1)  # (B, V)


def top_p_probabilities(logits, p):
    ranked, order = logits.softmax(-1).sort(-1, descending=True)  # (B, V) each
    before = ranked.cumsum(-1) - ranked  # what the likelier ones have together
    kept = ranked * (before < p)  # the token that crosses p stays, and so does the first one
    kept = kept / kept.sum(-1, keepdim=True)
    return torch.zeros_like(kept).scatter(-1, order, kept)  # (B, V): each at its own token
