# %% crash_1: line `x - x.max(dim, keepdim=True)`: max with a dim gives a (values, indices) pair, which cannot be subtracted (TypeError)
def softmax(x, dim=-1):
    shifted = x - x.max(dim=dim, keepdim=True)
    e = torch.exp(shifted)
    return e / e.sum(dim=dim, keepdim=True)
# %% single_2: the maximum is subtracted in place, so the caller's x changes
def softmax(x, dim=-1):
    with_max = x.max(dim, keepdim=True).values
    x -= with_max
    x = x.exp()
    x /= x.sum(dim, keepdim=True)
    return x
# %% two_3: no maximum is subtracted (overflow for large scores) | computes and returns float32 whatever the dtype of x
def softmax(x, dim=-1):
    e = x.float().exp()
    return e / e.sum(dim, keepdim=True)
