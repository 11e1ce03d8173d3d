# %% product: one product of matrices
# taken
def attention_output(weights, values):
    return weights @ values
# %% matmul: the method
# taken
import torch
def attention_output(weights: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
    return weights.matmul(values)
# %% einsum: with letters
# taken
import torch
def attention_output(w, v):
    return torch.einsum('qk,kd->qd', w, v)
# %% loop_over_queries: a weighted sum for each row
# taken
import torch
def attention_output(weights, values):
    return torch.stack([(row[:, None] * values).sum(dim=0) for row in weights])
# %% two_loops: adds up, key by key
# taken
import torch
def attention_output(weights, values):
    rows = []
    for i in range(len(weights)):
        total = torch.zeros_like(values[0])
        for j in range(len(values)):
            total = total + weights[i, j] * values[j]
        rows.append(total)
    return torch.stack(rows)
# %% broadcast: every pair at once, then summed over the keys
# taken
def attention_output(weights, values):
    return (weights.unsqueeze(-1) * values).sum(dim=1)
# %% softmax_again: the weights go through a softmax once more
# refused: shown
import torch
def attention_output(weights, values):
    return torch.softmax(weights, dim=-1) @ values
# %% last_row_lost: the loop stops one row early
# refused: axis_cut
import torch
def attention_output(weights, values):
    return torch.stack([weights[i] @ values for i in range(max(1, len(weights) - 1))])
# %% residual: adds the values
# refused: shown
def attention_output(weights, values):
    out = weights @ values
    return out + values[:1]
