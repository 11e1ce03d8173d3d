# %% prompt_read_for_its_cache_only: the first logits are dropped
# refused: prompt_end_read_twice
# says: The last token of the prompt is read twice
import torch

def generate(model, tokens, max_new_tokens, choose):
    cache, last = model(tokens, None)[1], tokens[:, -1:]
    for _ in range(max_new_tokens):
        logits, cache = model(last, cache)
        last = choose(logits[:, -1]).unsqueeze(1)
        tokens = torch.hstack((tokens, last))
    return tokens
# %% always_the_likeliest: argmax instead of choose
# refused: argmax_instead_of_choose
# says: The largest logit decides: call choose
import torch

def generate(model, tokens, max_new_tokens, choose):
    last, cache = tokens, None
    for _ in range(max_new_tokens):
        logits, cache = model(last, cache)
        last = logits[:, -1:].argmax(-1)
        tokens = torch.hstack((tokens, last))
    return tokens
# %% what_follows_the_first_token: logits[:, 0]
# refused: first_position_chosen
# says: The logits of the first position are used
import torch

def generate(model, tokens, max_new_tokens, choose):
    last, cache = tokens, None
    for _ in range(max_new_tokens):
        logits, cache = model(last, cache)
        last = choose(logits[:, 0]).unsqueeze(1)
        tokens = torch.hstack((tokens, last))
    return tokens
