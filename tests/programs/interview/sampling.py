"""Programs for the interview topic sampling. tests/course_utils/interview/test_programs.py explains the format."""

# %% as_in_the_lesson, part 1: the exercise's own defaults
# taken
import torch

def next_token_probabilities(logits, temperature=1.0, top_k=None):
    if temperature == 0:
        return torch.nn.functional.one_hot(logits.argmax(-1), logits.shape[-1]).to(logits.dtype)
    if top_k is not None and top_k < logits.shape[-1]:
        kth = torch.sort(logits, descending=True).values[:, top_k - 1, None]
        logits = torch.where(logits < kth, torch.tensor(float("-inf")), logits)
    return torch.softmax(logits / temperature, dim=-1)

# %% by_hand_in_numpy, part 1: the exponentials by hand, places by argsort
# taken
import numpy as np

def sample_probs(logits, temperature, top_k):
    B, V = logits.shape
    out = np.zeros_like(logits)
    for b in range(B):
        if temperature == 0:
            out[b, logits[b].argmax()] = 1
            continue
        keep = np.argsort(-logits[b], kind="stable")[: top_k or V]
        z = logits[b, keep] / temperature
        e = np.exp(z - z.max())
        out[b, keep] = e / e.sum()
    return out

# %% one_row, part 1: a row, with topk and an index
# taken
import torch

def probabilities(logits, k, temperature):
    result = torch.zeros_like(logits)
    if temperature == 0:
        result[logits.argmax()] = 1.0
        return result
    best, where = logits.topk(min(k, len(logits)))
    result[where] = (best / temperature).softmax(0)
    return result

# %% nothing_renormalised, part 1: the softmax first, and what is left out set to 0
# refused: not_shared_out_again
import torch

def next_token_probabilities(logits, temperature, top_k):
    if temperature == 0:
        return torch.zeros_like(logits).scatter(-1, logits.argmax(-1, keepdim=True), 1.0)
    probs = (logits / temperature).softmax(-1)
    if top_k is None:
        return probs
    kth = probs.topk(min(top_k, probs.shape[-1])).values[:, -1:]
    return probs.masked_fill(probs < kth, 0.0)

# %% multiplied, part 1: the logits are multiplied by the temperature
# refused: multiplied
import torch

def probabilities(logits, k, temperature):
    if temperature == 0:
        return torch.zeros_like(logits).scatter(0, logits.argmax(0, keepdim=True), 1.0)
    kth = logits.sort(descending=True).values[min(k, len(logits)) - 1]
    return (logits * temperature).masked_fill(logits < kth, -torch.inf).softmax(0)

# %% all_but_too_low, part 1: left out with -100, where logits may be lower
# refused: not_low_enough
import torch

def next_token_probabilities(logits, temperature, top_k):
    if temperature == 0:
        return torch.zeros_like(logits).scatter(-1, logits.argmax(-1, keepdim=True), 1.0)
    if top_k is not None:
        kth = logits.topk(min(top_k, logits.shape[-1])).values[:, -1:]
        logits = torch.where(logits >= kth, logits, torch.full_like(logits, -100.0))
    return (logits / temperature).softmax(-1)

# %% k_too_large, part 1: topk with a k above the vocabulary
# refused: large_k_not_treated
import torch

def probabilities(logits, k, temperature):
    if temperature == 0:
        return torch.zeros_like(logits).scatter(0, logits.argmax(0, keepdim=True), 1.0)
    best = logits.topk(k)
    return torch.zeros_like(logits).scatter(0, best.indices, (best.values / temperature).softmax(0))

# %% with_a_generator, part 1: a further argument, asked about
# asked
import torch

def probabilities(logits, k, temperature, generator):
    return logits.softmax(0)

# %% sums_before, part 3: what the likelier ones have together
# taken
import torch

def top_p_probabilities(logits, p):
    probs = logits.softmax(-1)
    ranked, order = torch.sort(probs, descending=True, dim=-1)
    out_ranked = (ranked.cumsum(-1) - ranked) >= p
    left_out = torch.zeros_like(out_ranked).scatter(-1, order, out_ranked)
    return logits.masked_fill(left_out, -torch.inf).softmax(-1)

# %% shifted_by_one, part 3: as in Hugging Face, the mask shifted to keep the crossing token
# taken
import torch

def top_p_probabilities(logits, p):
    sorted_logits, sorted_indices = torch.sort(logits, descending=True)
    remove = sorted_logits.softmax(-1).cumsum(-1) >= p
    remove[..., 1:] = remove[..., :-1].clone()
    remove[..., 0] = False
    remove = remove.scatter(1, sorted_indices, remove)
    return logits.masked_fill(remove, float("-inf")).softmax(-1)

# %% row_by_row, part 3: a loop that adds tokens until p is reached
# taken
import numpy as np

def nucleus(logits, p):
    result = np.zeros_like(logits)
    for row, out in zip(logits, result):
        probs = np.exp(row - row.max())
        probs /= probs.sum()
        total = 0.0
        for token in np.argsort(-probs):
            out[token] = probs[token]
            total += probs[token]
            if total >= p:
                break
        out /= out.sum()
    return result

# %% crossing_token_lost, part 3: the sum includes the token itself
# refused: crossing_token_left_out
import torch

def top_p_probabilities(logits, p):
    probs = logits.softmax(-1)
    ranked, order = probs.sort(-1, descending=True)
    keep = ranked.cumsum(-1) <= p
    keep[:, 0] = True
    kept = torch.zeros_like(probs).scatter(-1, order, ranked * keep)
    return kept / kept.sum(-1, keepdim=True)

# %% sorted_result, part 3: the result stays in sorted order
# refused: left_in_order
import torch

def top_p_probabilities(logits, p):
    ranked = logits.softmax(-1).sort(-1, descending=True).values
    kept = ranked * (ranked.cumsum(-1) - ranked < p)
    return kept / kept.sum(-1, keepdim=True)

# %% ascending, part 3: cumulated from the least likely token
# refused: shown
import torch

def top_p_probabilities(logits, p):
    ranked, order = logits.softmax(-1).sort(-1)
    keep = ranked.cumsum(-1) <= p
    kept = torch.zeros_like(ranked).scatter(-1, order, ranked * keep)
    return kept / kept.sum(-1, keepdim=True)
