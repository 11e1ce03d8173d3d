"""Wrong answers for masked_scores, one mistake a cell."""

# %% result_thrown_away: masked_fill gives a new table, which is not kept
import torch

def masked_scores(scores, mask):
    scores.masked_fill(mask, -torch.inf)
    return scores

# %% in_place: changes the scores that came in
import torch

def masked_scores(scores, mask):
    return scores.masked_fill_(mask, -torch.inf)

# %% times_mask: multiplies by the mask
import torch

def masked_scores(scores, mask):
    return scores * (~mask)

# %% minus_ten: a fill that leaves a share
import torch

def masked_scores(scores, mask):
    return scores.masked_fill(mask, -10.0)

# %% allowed_filled: torch.where with its branches exchanged
import torch

def masked_scores(scores, mask):
    return torch.where(mask, scores, -torch.inf)

# %% softmax_inside: hides and takes the softmax
import torch

def masked_scores(scores, mask):
    return torch.softmax(scores.masked_fill(mask, -torch.inf), dim=-1)
