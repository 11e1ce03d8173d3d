# %% program_1
def induction_score(weights, tokens):
    T = tokens.shape[1]
    same = (tokens[:, :, None] == tokens[:, None, :]).tril(-1)
    follow = F.pad(same, (1, 0))[..., :T]
    rows = follow.any(-1)
    got = (weights * follow[:, None]).sum(-1) * rows[:, None]
    return got.sum((0, 2)) / rows.sum().clamp(min=1)
