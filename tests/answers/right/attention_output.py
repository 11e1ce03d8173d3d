"""Right answers to `attention_output`, in the styles of many students. Cells are separated by lines that start with `# %%`."""
# %% product: one product of matrices
def attention_output(weights, values):
    return weights @ values
# %% matmul: the method
def attention_output(weights: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
    return weights.matmul(values)
# %% einsum: with letters
def attention_output(w, v):
    return torch.einsum('qk,kd->qd', w, v)
# %% loop_over_queries: a weighted sum for each row
def attention_output(weights, values):
    return torch.stack([(row[:, None] * values).sum(dim=0) for row in weights])
# %% two_loops: adds up, key by key
def attention_output(weights, values):
    rows = []
    for i in range(len(weights)):
        total = torch.zeros_like(values[0])
        for j in range(len(values)):
            total = total + weights[i, j] * values[j]
        rows.append(total)
    return torch.stack(rows)
# %% broadcast: every pair at once, then summed over the keys
def attention_output(weights, values):
    return (weights.unsqueeze(-1) * values).sum(dim=1)
