"""Wrong answers for attention_output, one mistake a cell."""

# %% turned_weights: mixes with the columns of the weights
import torch

def attention_output(weights, values):
    return weights.transpose(0, 1) @ values

# %% mean_over_keys: the products are averaged, not added up
import torch

def attention_output(weights, values):
    return (weights[:, :, None] * values[None]).mean(dim=1)

# %% softmax_again: the weights go through a softmax once more
import torch

def attention_output(weights, values):
    return torch.softmax(weights, dim=-1) @ values

# %% value_of_the_best: takes the value of the key with most weight
import torch

def attention_output(weights, values):
    return values[weights.argmax(dim=-1)]

# %% last_row_lost: the loop stops one row early
import torch

def attention_output(weights, values):
    return torch.stack([weights[i] @ values for i in range(max(1, len(weights) - 1))])

# %% residual: adds the values
import torch

def attention_output(weights, values):
    out = weights @ values
    return out + values[:1]
