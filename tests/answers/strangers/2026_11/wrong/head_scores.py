# %% single_1: rows from 1 on count, in row 1 previous and first are the same token
def head_scores(weights):
    i = torch.arange(1, weights.shape[-1], device=weights.device)
    pick = lambda j: weights[:, :, i, j].mean(dim=(0, 2))
    return {"previous": pick(i - 1), "first": pick(torch.zeros_like(i)), "self": pick(i)}
# %% crash_2: line `torch.stack([prev, first, own])`: the previous-token diagonal is one shorter than the others
def head_scores(weights):
    prev = torch.diagonal(weights, -1, 2, 3)[..., 2:]
    own = torch.diagonal(weights, 0, 2, 3)[..., 2:]
    first = weights[..., 2:, 0]
    p, f, s = torch.stack([prev, first, own]).mean(dim=(1, 3))
    return {"previous": p, "first": f, "self": s}
# %% two_3: "previous" reads the diagonal above (offset +1) | the result is not averaged over the texts
def head_scores(weights):
    prev = weights.diagonal(offset=1, dim1=2, dim2=3)[..., 1:].mean(-1)
    me = weights.diagonal(dim1=2, dim2=3)[..., 2:].mean(-1)
    start = weights[:, :, 2:, 0].mean(-1)
    return {"previous": prev[0], "first": start[0], "self": me[0]}
