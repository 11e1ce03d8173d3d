"""Wrong answers for attention_scores, one mistake a cell."""
# %% reshaped_keys < right/product: makes the shapes fit by a reshape, which mixes the keys
~ keys.T => keys.reshape(keys.shape[1], keys.shape[0])
# %% mean_of_products < right/product: takes the mean of the products, which divides by the number of features
~ return queries @ keys.T => return (queries[:, None] * keys[None]).mean(-1)
# %% cosine: normalises both, so the lengths of the vectors are lost
def attention_scores(queries, keys):
    return F.normalize(queries, dim=1) @ F.normalize(keys, dim=1).T
# %% keys_by_queries < right/linear: every key against every query, so rows are keys
~ return F.linear(queries, keys) => return torch.einsum('qd,kd->kq', queries, keys)
# %% detached: computes outside autograd
def attention_scores(queries, keys):
    with torch.no_grad():
        return queries @ keys.T
# %% first_query_only: the loop returns after its first turn
def attention_scores(queries, keys):
    scores = []
    for q in queries:
        scores.append(keys @ q)
        return torch.stack(scores)
