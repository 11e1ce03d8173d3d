# %% program_1
def generate(model, tokens, max_new_tokens, choose):
    out, cache, new = tokens, None, tokens
    for _ in range(max_new_tokens):
        logits, cache = model(new, cache=cache)
        new = choose(logits[:, -1])[:, None]
        out = torch.cat([out, new], dim=1)
    return out
# %% program_2
def generate(model, tokens, max_new_tokens, choose):
    pieces = [tokens]
    if max_new_tokens > 0:
        logits, cache = model(tokens)
        pieces.append(choose(logits[:, -1, :]).unsqueeze(-1))
        while len(pieces) <= max_new_tokens:
            logits, cache = model(pieces[-1], cache=cache)
            pieces.append(choose(logits[:, -1, :]).unsqueeze(-1))
    return torch.cat(pieces, 1)
