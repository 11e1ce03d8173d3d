"""Right answers to `attention_scores`, in the styles of many students. Cells are separated by lines that start with `# %%`."""
# %% product: one product of matrices
def attention_scores(queries, keys):
    return queries @ keys.T
# %% matmul_mt: torch.matmul and .mT
def attention_scores(queries: torch.Tensor, keys: torch.Tensor) -> torch.Tensor:
    scores = torch.matmul(queries, keys.mT)
    return scores
# %% einsum: with letters
def attention_scores(q, k):
    return torch.einsum('id,jd->ij', q, k)
# %% two_loops: one dot product at a time
def attention_scores(queries, keys):
    rows = []
    for q in queries:
        rows.append(torch.stack([torch.dot(q, k) for k in keys]))
    return torch.stack(rows)
# %% broadcast_and_sum: every pair, entry by entry, then summed
def attention_scores(queries, keys):
    return (queries[:, None, :] * keys[None, :, :]).sum(dim=-1)
# %% keys_first: turned at the end
def attention_scores(queries, keys):
    return (keys @ queries.transpose(0, 1)).transpose(0, 1)
# %% linear: torch's own linear layer as a function
def attention_scores(queries, keys):
    return F.linear(queries, keys)
