"""Wrong answers for attention_weights, one mistake a cell."""

# %% axis_zero: each column sums to 1
import torch.nn.functional as F

def attention_weights(scores):
    return F.softmax(scores, dim=0)

# %% whole_sum: divides by the sum of the whole table
import torch

def attention_weights(scores):
    e = torch.exp(scores)
    return e / e.sum()

# %% exponentials: forgets to divide
import torch

def attention_weights(scores):
    return torch.exp(scores - scores.max(dim=1, keepdim=True).values)

# %% negative_scores: the least score gets the most
import torch

def attention_weights(scores):
    return torch.softmax(-scores, dim=1)

# %% sum_without_its_axis: the sums line up with the columns
import torch

def attention_weights(scores):
    e = torch.exp(scores)
    return e / e.sum(dim=1)

# %% rounded: two decimals
import torch

def attention_weights(scores):
    return torch.softmax(scores, dim=1).round(decimals=2)
