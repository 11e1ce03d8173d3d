# %% crash_1: line `torch.cat([tokens, new], dim=1)`: new is (B,), its token axis is missing
def generate(model, tokens, max_new_tokens, choose):
    cache = None
    step = tokens
    for _ in range(max_new_tokens):
        logits, cache = model(step, cache)
        new = choose(logits[:, -1])
        tokens = torch.cat([tokens, new], dim=1)
        step = new[:, None]
    return tokens
# %% single_2: no cache at all: every step reads the whole text again
def generate(model, tokens, max_new_tokens, choose):
    for _ in range(max_new_tokens):
        logits, _ = model(tokens)
        tokens = torch.cat([tokens, choose(logits[:, -1])[:, None]], dim=1)
    return tokens
# %% two_3: the last new token is read as well (one call too many) | for 0 new tokens one is written all the same
def generate(model, tokens, max_new_tokens, choose):
    logits, cache = model(tokens, cache=None)
    new = choose(logits[:, -1])[:, None]
    out = [tokens, new]
    for _ in range(max_new_tokens - 1):
        logits, cache = model(new, cache=cache)
        new = choose(logits[:, -1])[:, None]
        out.append(new)
    model(new, cache=cache)
    return torch.cat(out, dim=1)
