"""Wrong answers for head_scores, one mistake a cell unless it says two."""
# %% rows_from_one: averages from row 1 on, where the previous token is also the first
def head_scores(weights):
    previous = torch.diagonal(weights, offset=-1, dim1=-2, dim2=-1)   # rows 1 .. T - 1
    first = weights[:, :, 1:, 0]
    own = torch.diagonal(weights, dim1=-2, dim2=-1)[..., 1:]
    return {"previous": previous.mean(dim=(0, 2)), "first": first.mean(dim=(0, 2)), "self": own.mean(dim=(0, 2))}
# %% diagonal_sliced_like_the_others: drops two entries of the shorter diagonal as well, so row 2 is missing from previous
def head_scores(weights):
    prev = weights.diagonal(offset=-1, dim1=2, dim2=3)[:, :, 2:]
    own = weights.diagonal(dim1=2, dim2=3)[:, :, 2:]
    first = weights[:, :, 2:, 0]
    return {k: v.mean(dim=(0, 2)) for k, v in [("previous", prev), ("first", first), ("self", own)]}
# %% batch_kept: averages over the rows only, so the results are (B, H)
def head_scores(weights):
    T = weights.shape[-1]
    rows = torch.arange(2, T, device=weights.device)
    return {
        "previous": weights[:, :, rows, rows - 1].mean(-1),
        "first": weights[:, :, rows, 0].mean(-1),
        "self": weights[:, :, rows, rows].mean(-1),
    }
# %% next_instead_of_previous: takes the diagonal above the main one, which holds the next token
def head_scores(weights):
    out = {}
    out["previous"] = torch.diagonal(weights, offset=1, dim1=-2, dim2=-1)[..., 1:].mean(dim=(0, -1))
    out["first"] = weights[..., 2:, 0].mean(dim=(0, -1))
    out["self"] = torch.diagonal(weights, offset=0, dim1=-2, dim2=-1)[..., 2:].mean(dim=(0, -1))
    return out
# %% divided_by_all_rows: sums over the rows from 2 on but divides by T
def head_scores(weights):
    B, H, T, _ = weights.shape
    prev = torch.zeros(H, dtype=weights.dtype, device=weights.device)
    first, own = prev.clone(), prev.clone()
    for i in range(2, T):
        prev = prev + weights[:, :, i, i - 1].sum(0)
        first = first + weights[:, :, i, 0].sum(0)
        own = own + weights[:, :, i, i].sum(0)
    return {"previous": prev / (B * T), "first": first / (B * T), "self": own / (B * T)}
# %% first_row_not_column: takes row 0 instead of column 0 for the first token
def head_scores(weights):
    T = weights.shape[-1]
    i = torch.arange(2, T, device=weights.device)
    previous = weights[..., i, i - 1].mean(-1).mean(0)
    itself = weights[..., i, i].mean(-1).mean(0)
    first = weights[..., 0, 2:].mean(-1).mean(0)
    return {"previous": previous, "first": first, "self": itself}
# %% python_floats_over_heads: two mistakes, the heads are averaged too and plain numbers come back instead of tensors
def head_scores(weights):
    w = weights.mean(dim=(0, 1))
    T = w.shape[0]
    n = T - 2
    return {
        "previous": float(sum(w[i, i - 1] for i in range(2, T)) / n),
        "first": float(w[2:, 0].mean()),
        "self": float(sum(w[i, i] for i in range(2, T)) / n),
    }
# %% prev_slice: previous diagonal cut at 2 (rows 3 and later)
def head_scores(weights):
    return {"previous": weights.diagonal(-1, -2, -1)[..., 2:].mean((0, 2)), "first": weights[:, :, 2:, 0].mean((0, 2)), "self": weights.diagonal(0, -2, -1)[..., 2:].mean((0, 2))}
