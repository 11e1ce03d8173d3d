"""Right answers to `generate`, in the styles of many students. Cells are separated by lines that start with `# %%`."""
# %% unread: what the model has not read yet is kept apart
def generate(model, tokens, max_new_tokens, choose):
    cache, unread = None, tokens
    for _ in range(max_new_tokens):
        logits, cache = model(unread, cache)
        unread = choose(logits[:, -1]).unsqueeze(1)
        tokens = torch.cat((tokens, unread), dim=1)
    return tokens
# %% prefill_first: the prompt's call stands before the loop, also where no token is wanted
@torch.no_grad()
def generate(model, tokens, max_new_tokens, choose):
    logits, cache = model(tokens)
    for step in range(max_new_tokens):
        new = choose(logits[:, -1, :])
        tokens = torch.cat([tokens, new[:, None]], 1)
        if step < max_new_tokens - 1:
            logits, cache = model(new[:, None], cache=cache)
    return tokens
# %% by_cache_or_not: slices of what is there already, cache is None asked in one line
def generate(model, tokens, max_new_tokens, choose):
    out, cache = tokens.clone(), None
    while out.shape[1] < tokens.shape[1] + max_new_tokens:
        logits, cache = model(out if cache is None else out[:, -1:], cache)
        out = torch.hstack([out, choose(logits[:, -1])[:, None]])
    return out
# %% reserved: memory for all tokens from the start, written into
def generate(model, tokens, max_new_tokens, choose):
    B, T = tokens.shape
    out = tokens.new_zeros(B, T + max_new_tokens)
    out[:, :T] = tokens
    start, cache = 0, None
    with torch.inference_mode():
        for end in range(T, T + max_new_tokens):
            logits, cache = model(out[:, start:end], cache)
            out[:, end] = choose(logits[:, -1])
            start = end
    return out
# %% generator: a generator yields the new tokens, stacked at the end
import torch
from itertools import islice

def generate(model, tokens, max_new_tokens, choose):
    def new_tokens():
        inputs, cache = tokens, None
        while True:
            logits, cache = model(inputs, cache)
            token = choose(logits.select(1, logits.size(1) - 1))
            yield token
            inputs = token.view(-1, 1)
    new = list(islice(new_tokens(), max_new_tokens))
    return torch.cat([tokens, torch.stack(new, dim=1)], dim=1) if new else tokens
# %% recursion: one token, then the rest
def generate(model, tokens, max_new_tokens, choose):
    def go(read, cache, left):
        if left == 0:
            return []
        logits, cache = model(read, cache=cache)
        new = choose(logits[:, -1]).reshape(len(tokens), 1)
        return [new] + go(new, cache, left - 1)
    return torch.cat([tokens] + go(tokens, None, max_new_tokens), dim=-1)
# %% asks_whether_there_is_a_cache: the truth of the cache decides, and the model is put into eval mode
def generate(lm, prompt, n, pick):
    lm.eval()
    device = next(lm.parameters()).device
    prompt = prompt.to(device)
    ids, past = prompt, []
    for _ in range(n):
        scores, past = lm(ids[:, -1:] if past else ids, past or None)
        ids = torch.cat([ids, pick(scores[:, -1, :]).to(ids.dtype)[:, None]], dim=1)
    return ids
