# %% method: along the last axis
# taken
import torch
def attention_weights(scores: torch.Tensor) -> torch.Tensor:
    return scores.softmax(-1)
# %% functional: torch.nn.functional
# taken
import torch.nn.functional as F
def attention_weights(s):
    return F.softmax(s, dim=-1)
# %% module: the layer
# taken
from torch import nn
def attention_weights(scores):
    return nn.Softmax(dim=1)(scores)
# %% by_hand: less the maximum of each row, as part 1 does
# taken
import torch
def attention_weights(scores):
    e = torch.exp(scores - scores.max(dim=1, keepdim=True).values)
    return e / e.sum(dim=1, keepdim=True)
# %% row_by_row: a loop over the queries
# taken
import torch
def attention_weights(scores):
    return torch.stack([torch.softmax(row, dim=0) for row in scores])
# %% turned_twice: softmax down the columns of the turned table
# taken
import torch
def attention_weights(scores):
    return torch.softmax(scores.T, dim=0).T
# %% exponentials: forgets to divide
# refused: another_normalisation
import torch
def attention_weights(scores):
    return torch.exp(scores - scores.max(dim=1, keepdim=True).values)
# %% negative_scores: the least score gets the most
# refused: shown
import torch
def attention_weights(scores):
    return torch.softmax(-scores, dim=1)
# %% sum_without_its_axis: the sums line up with the columns
# refused: shown
import torch
def attention_weights(scores):
    e = torch.exp(scores)
    return e / e.sum(dim=1)
# %% rounded: two decimals
# refused: shown
import torch
def attention_weights(scores):
    return torch.softmax(scores, dim=1).round(decimals=2)
