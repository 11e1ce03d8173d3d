# %% unread: what the model has not read yet is kept apart
# taken
import torch
def generate(model, tokens, max_new_tokens, choose):
    cache, unread = None, tokens
    for _ in range(max_new_tokens):
        logits, cache = model(unread, cache)
        unread = choose(logits[:, -1]).unsqueeze(1)
        tokens = torch.cat((tokens, unread), dim=1)
    return tokens
# %% prefill_first: the prompt's call stands before the loop, also where no token is wanted
# taken
import torch
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
# taken
import torch
def generate(model, tokens, max_new_tokens, choose):
    out, cache = tokens.clone(), None
    while out.shape[1] < tokens.shape[1] + max_new_tokens:
        logits, cache = model(out if cache is None else out[:, -1:], cache)
        out = torch.hstack([out, choose(logits[:, -1])[:, None]])
    return out
# %% reserved: memory for all tokens from the start, written into
# taken
import torch
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
# taken
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
# taken
import torch
def generate(model, tokens, max_new_tokens, choose):
    def go(read, cache, left):
        if left == 0:
            return []
        logits, cache = model(read, cache=cache)
        new = choose(logits[:, -1]).reshape(len(tokens), 1)
        return [new] + go(new, cache, left - 1)
    return torch.cat([tokens] + go(tokens, None, max_new_tokens), dim=-1)
# %% stops_early: ends when a row chooses one of the first tokens, as if they ended the text
# refused: shown
import torch
def generate(model, tokens, max_new_tokens, choose):
    cache, read = None, tokens
    for _ in range(max_new_tokens):
        logits, cache = model(read, cache)
        new = choose(logits[:, -1])
        read = new[:, None]
        tokens = torch.cat([tokens, read], 1)
        if (new <= 3).any():
            break
    return tokens
# %% cropped_context: keeps only the last four tokens as the prompt
# refused: shown
import torch
def generate(model, tokens, max_new_tokens, choose):
    cache, read = None, tokens[:, -4:]
    for _ in range(max_new_tokens):
        logits, cache = model(read, cache)
        read = choose(logits[:, -1])[:, None]
        tokens = torch.cat([tokens, read], 1)
    return tokens
# %% writes_into_the_prompt: resizes the caller's tensor and writes the new tokens into it
# taken, one left 2.85: changes_input
import torch
def generate(model, tokens, max_new_tokens, choose):
    cache, read, new = None, tokens.clone(), []
    for _ in range(max_new_tokens):
        logits, cache = model(read, cache)
        read = choose(logits[:, -1])[:, None]
        new.append(read)
    out = torch.cat([tokens, *new], 1)
    tokens.copy_(out[:, -tokens.shape[1]:])
    return out
# %% one_row_at_a_time: each row by itself, so that the model is called B times as often
# refused: shown
import torch
def generate(model, tokens, max_new_tokens, choose):
    rows = []
    for row in tokens.split(1):
        cache, read = None, row
        for _ in range(max_new_tokens):
            logits, cache = model(read, cache)
            read = choose(logits[:, -1])[:, None]
            row = torch.cat([row, read], 1)
        rows.append(row)
    return torch.cat(rows)
# %% as_float: memory made without a dtype, so that the tokens come back as floats
# taken, one left 2.85: not_whole
import torch
def generate(model, tokens, max_new_tokens, choose):
    out = torch.zeros(tokens.shape[0], tokens.shape[1] + max_new_tokens)
    out[:, :tokens.shape[1]] = tokens
    cache, read = None, tokens
    for t in range(tokens.shape[1], out.shape[1]):
        logits, cache = model(read, cache)
        read = choose(logits[:, -1])[:, None]
        out[:, t] = read[:, 0]
    return out
# %% forgets_half_way: starts a new cache every third token
# refused: shown
import torch
def generate(model, tokens, max_new_tokens, choose):
    cache, read = None, tokens
    for i in range(max_new_tokens):
        if i % 3 == 2:
            cache, read = None, tokens
        logits, cache = model(read, cache)
        read = choose(logits[:, -1])[:, None]
        tokens = torch.cat([tokens, read], 1)
    return tokens
# %% temperature_of_its_own: the logits are divided before they are chosen from
# refused: shown
import torch
def generate(model, tokens, max_new_tokens, choose):
    cache, read = None, tokens
    for _ in range(max_new_tokens):
        logits, cache = model(read, cache)
        read = choose(logits[:, -1] / 0.7)[:, None]
        tokens = torch.cat([tokens, read], 1)
    return tokens
# %% strangers_2026_11/program_1
# taken
import torch
def generate(model, tokens, max_new_tokens, choose):
    out, cache, new = tokens, None, tokens
    for _ in range(max_new_tokens):
        logits, cache = model(new, cache=cache)
        new = choose(logits[:, -1])[:, None]
        out = torch.cat([out, new], dim=1)
    return out
# %% strangers_2026_11/program_2
# taken
import torch
def generate(model, tokens, max_new_tokens, choose):
    pieces = [tokens]
    if max_new_tokens > 0:
        logits, cache = model(tokens)
        pieces.append(choose(logits[:, -1, :]).unsqueeze(-1))
        while len(pieces) <= max_new_tokens:
            logits, cache = model(pieces[-1], cache=cache)
            pieces.append(choose(logits[:, -1, :]).unsqueeze(-1))
    return torch.cat(pieces, 1)
# %% strangers_2026_11/crash_1: line `torch.cat([tokens, new], dim=1)`: new is (B,), its token axis is missing
# refused: joined_without_an_axis
import torch
def generate(model, tokens, max_new_tokens, choose):
    cache = None
    step = tokens
    for _ in range(max_new_tokens):
        logits, cache = model(step, cache)
        new = choose(logits[:, -1])
        tokens = torch.cat([tokens, new], dim=1)
        step = new[:, None]
    return tokens
# %% strangers_2026_11/single_2: no cache at all: every step reads the whole text again
# refused: everything_read_again
import torch
def generate(model, tokens, max_new_tokens, choose):
    for _ in range(max_new_tokens):
        logits, _ = model(tokens)
        tokens = torch.cat([tokens, choose(logits[:, -1])[:, None]], dim=1)
    return tokens
# %% strangers_2026_11/two_3: the last new token is read as well (one call too many) | for 0 new tokens one is written all the same
# refused: one_call_too_many
import torch
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
