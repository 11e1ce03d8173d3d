# %% product: one product of matrices
# taken
def attention_scores(queries, keys):
    return queries @ keys.T
# %% einsum: with letters
# taken
import torch
def attention_scores(q, k):
    return torch.einsum('id,jd->ij', q, k)
# %% two_loops: one dot product at a time
# taken
import torch
def attention_scores(queries, keys):
    rows = []
    for q in queries:
        rows.append(torch.stack([torch.dot(q, k) for k in keys]))
    return torch.stack(rows)
# %% broadcast_and_sum: every pair, entry by entry, then summed
# taken
def attention_scores(queries, keys):
    return (queries[:, None, :] * keys[None, :, :]).sum(dim=-1)
# %% keys_first: turned at the end
# taken
def attention_scores(queries, keys):
    return (keys @ queries.transpose(0, 1)).transpose(0, 1)
# %% linear: torch's own linear layer as a function
# taken
import torch.nn.functional as F
def attention_scores(queries, keys):
    return F.linear(queries, keys)
# %% reshaped_keys: makes the shapes fit by a reshape, which mixes the keys
# refused: shown
def attention_scores(queries, keys):
    return queries @ keys.reshape(keys.shape[1], keys.shape[0])
# %% mean_of_products: takes the mean of the products, which divides by the number of features
# refused: shown
def attention_scores(queries, keys):
    return (queries[:, None] * keys[None]).mean(-1)
# %% cosine: normalises both, so the lengths of the vectors are lost
# refused: cosine
import torch.nn.functional as F
def attention_scores(queries, keys):
    return F.normalize(queries, dim=1) @ F.normalize(keys, dim=1).T
# %% detached: computes outside autograd
# taken, one left 0.925: detached
import torch
def attention_scores(queries, keys):
    with torch.no_grad():
        return queries @ keys.T
# %% first_query_only: the loop returns after its first turn
# refused: axis_cut
import torch
def attention_scores(queries, keys):
    scores = []
    for q in queries:
        scores.append(keys @ q)
        return torch.stack(scores)
