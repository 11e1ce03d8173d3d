# %% masked_fill: with torch.inf
# taken
import torch
def masked_scores(scores, mask):
    return scores.masked_fill(mask, -torch.inf)
# %% float_inf: with Python's infinity
# taken
def masked_scores(scores, mask):
    return scores.masked_fill(mask, float('-inf'))
# %% where: the score where the mask is False
# taken
import torch
def masked_scores(scores, mask):
    return torch.where(mask, torch.tensor(float('-inf'), dtype=scores.dtype), scores)
# %% large_number: a number that is low enough for any score here
# taken
def masked_scores(scores, mask):
    return scores.masked_fill(mask, -1e9)
# %% own_copy: changes a clone in place
# taken
import torch
def masked_scores(scores, mask):
    hidden = scores.clone()
    hidden[mask] = -torch.inf
    return hidden
# %% additive: zeros, filled, and added
# taken
import torch
def masked_scores(scores, mask):
    return scores + torch.zeros_like(scores).masked_fill(mask, -torch.inf)
# %% result_thrown_away: masked_fill gives a new table, which is not kept
# refused: mask_ignored
import torch
def masked_scores(scores, mask):
    scores.masked_fill(mask, -torch.inf)
    return scores
# %% in_place: changes the scores that came in
# taken, one left 0.94: changes_input
import torch
def masked_scores(scores, mask):
    return scores.masked_fill_(mask, -torch.inf)
# %% times_mask: multiplies by the mask
# refused: filled_with_zero
def masked_scores(scores, mask):
    return scores * (~mask)
# %% minus_ten: a fill that leaves a share
# refused: small_fill
def masked_scores(scores, mask):
    return scores.masked_fill(mask, -10.0)
# %% allowed_filled: torch.where with its branches exchanged
# refused: mask_inverted
import torch
def masked_scores(scores, mask):
    return torch.where(mask, scores, -torch.inf)
# %% softmax_inside: hides and takes the softmax
# refused: softmax_already
import torch
def masked_scores(scores, mask):
    return torch.softmax(scores.masked_fill(mask, -torch.inf), dim=-1)
