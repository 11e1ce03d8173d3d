"""Wrong answers for generate, one mistake a cell."""
# %% stops_early < temperature_of_its_own: ends when a row chooses one of the first tokens, as if they ended the text
-         read = choose(logits[:, -1] / 0.7)[:, None]
+         new = choose(logits[:, -1])
+         read = new[:, None]
          tokens = torch.cat([tokens, read], 1)
+         if (new <= 3).any():
+             break
# %% cropped_context < temperature_of_its_own: keeps only the last four tokens as the prompt
~ cache, read = None, tokens => cache, read = None, tokens[:, -4:]
~ read = choose(logits[:, -1] / 0.7)[:, None] => read = choose(logits[:, -1])[:, None]
# %% writes_into_the_prompt: resizes the caller's tensor and writes the new tokens into it
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
def generate(model, tokens, max_new_tokens, choose):
    out = torch.zeros(tokens.shape[0], tokens.shape[1] + max_new_tokens)
    out[:, :tokens.shape[1]] = tokens
    cache, read = None, tokens
    for t in range(tokens.shape[1], out.shape[1]):
        logits, cache = model(read, cache)
        read = choose(logits[:, -1])[:, None]
        out[:, t] = read[:, 0]
    return out
# %% forgets_half_way < temperature_of_its_own: starts a new cache every third token
-     for _ in range(max_new_tokens):
+     for i in range(max_new_tokens):
+         if i % 3 == 2:
+             cache, read = None, tokens
~ read = choose(logits[:, -1] / 0.7)[:, None] => read = choose(logits[:, -1])[:, None]
# %% temperature_of_its_own: the logits are divided before they are chosen from
def generate(model, tokens, max_new_tokens, choose):
    cache, read = None, tokens
    for _ in range(max_new_tokens):
        logits, cache = model(read, cache)
        read = choose(logits[:, -1] / 0.7)[:, None]
        tokens = torch.cat([tokens, read], 1)
    return tokens
# %% last_position_with_its_axis < temperature_of_its_own: choose gets logits[:, -1:], (B, 1, vocab)
-     cache, read = None, tokens
+     read, cache = tokens, None
~ read = choose(logits[:, -1] / 0.7)[:, None] => read = choose(logits[:, -1:])
~ tokens = torch.cat([tokens, read], 1) => tokens = torch.cat([tokens, read], dim=1)
# %% copied_model: all tokens are read again at each step, each time by a fresh copy of the model
def generate(model, tokens, max_new_tokens, choose):
    from copy import deepcopy
    import torch
    for _ in range(max_new_tokens):
        logits, _ = deepcopy(model)(tokens, None)
        tokens = torch.cat([tokens, choose(logits[:, -1])[:, None]], 1)
    return tokens
