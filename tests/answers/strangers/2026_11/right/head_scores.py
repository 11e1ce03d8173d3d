# %% program_1
def head_scores(weights):
    w = weights[:, :, 2:]
    previous = weights.diagonal(offset=-1, dim1=-2, dim2=-1)[..., 1:]
    own = weights.diagonal(dim1=-2, dim2=-1)[..., 2:]
    return {"previous": previous.mean((0, 2)), "first": w[..., 0].mean((0, 2)), "self": own.mean((0, 2))}
