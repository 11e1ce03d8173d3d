# %% cooled_before_and_after: the temperature divides twice
# refused: divided_twice
# says: The logits are divided by the temperature twice
import torch

def next_token_probabilities(logits, temperature=1.0, top_k=None):
    if not temperature:
        return torch.zeros_like(logits).scatter(-1, logits.argmax(-1, keepdim=True), 1)
    scores = logits / temperature
    if top_k is not None:
        least = scores.sort(-1).values[:, -min(top_k, scores.shape[1]), None]
        scores = scores.where(scores >= least, -torch.inf)
    return torch.softmax(scores / temperature, -1)
# %% threshold_of_another_row: the smallest logit that stays has lost its axis
# refused: threshold_without_axis
# says: keep its axis, [:, -1:]
import torch

def next_token_probabilities(logits, temperature=1.0, top_k=None):
    if not temperature:
        return torch.zeros_like(logits).scatter(-1, logits.argmax(-1, keepdim=True), 1)
    if top_k is not None:
        least = torch.topk(logits, min(top_k, logits.shape[-1]), -1)[0][:, -1]
        logits = logits.masked_fill(logits < least, -torch.inf)
    return torch.softmax(logits / temperature, -1)
# %% first_columns: the first k tokens of the vocabulary
# refused: first_columns_kept
# says: The first k tokens of the vocabulary are kept
import torch

def next_token_probabilities(logits, temperature=1.0, top_k=None):
    if not temperature:
        return torch.zeros_like(logits).scatter(-1, logits.argmax(-1, keepdim=True), 1)
    if top_k is not None:
        logits = logits.clone()
        logits[:, top_k:] = -torch.inf
    return torch.softmax(logits / temperature, -1)
# %% heated_and_one_more: two mistakes
# refused: multiplied
# says: in the some kept case, which it leaves right, something else is wrong as well
import torch

def next_token_probabilities(logits, temperature=1.0, top_k=None):
    if not temperature:
        return torch.zeros_like(logits).scatter(-1, logits.argmax(-1, keepdim=True), 1)
    if top_k is not None:
        order = logits.argsort(-1, descending=True).argsort(-1)
        logits = logits.masked_fill(order > top_k, -torch.inf)
    return torch.softmax(logits * temperature, -1)
