"""Wrong answers for softmax, one mistake a cell."""
# %% global_max: subtracts the largest entry of the whole tensor, so a row far below the others underflows to 0/0
def softmax(x, dim=-1):
    z = x - torch.max(x)
    num = torch.exp(z)
    return num / num.sum(dim=dim, keepdim=True)
# %% sum_broadcast_on_last_axis: sums along dim but puts the lost axis back at the end, which is only right for the last dim
def softmax(x, dim=-1):
    biggest = torch.amax(x, dim=dim, keepdim=True)
    e = torch.exp(x - biggest)
    total = e.sum(dim)
    return e / total.unsqueeze(-1)
# %% clamped_scores: clips the scores before exp to avoid overflow, so large scores all look alike
def softmax(x, dim=-1):
    """Compute the softmax. exp overflows above ~88, so keep scores in a safe range."""
    x = x.clamp(min=-50, max=50)
    exps = x.exp()
    return exps / exps.sum(dim=dim, keepdim=True)
# %% numpy_round_trip: computes in NumPy and comes back, so no gradient reaches x
def softmax(x, dim=-1):
    arr = x.detach().to(torch.float64).numpy()
    arr = arr - arr.max(axis=dim, keepdims=True)
    e = np.exp(arr)
    p = e / e.sum(axis=dim, keepdims=True)
    return torch.from_numpy(p).to(x.dtype)
# %% shifts_input_in_place: subtracts the maximum with -=, which changes the caller's tensor
def softmax(x, dim=-1):
    m, _ = x.max(dim=dim, keepdim=True)
    x -= m
    x_exp = torch.exp(x)
    return x_exp / torch.sum(x_exp, dim=dim, keepdim=True)
# %% minus_inf_becomes_zero: replaces -inf by a score of 0, so forbidden entries get real weight
def softmax(x, dim=-1):
    # -inf gives nan later, get rid of it first
    x = torch.where(torch.isinf(x), torch.zeros_like(x), x)
    x = x - x.max(dim=dim, keepdim=True)[0]
    out = torch.exp(x)
    return out / out.sum(dim=dim, keepdim=True)
# %% subtracts_the_mean: centres on the mean instead of the maximum, so large scores still overflow
def softmax(x, dim=-1):
    x = x - x.mean(dim=dim, keepdim=True)
    exp_x = torch.exp(x)
    return exp_x / exp_x.sum(dim=dim, keepdim=True)
# %% sum_wrong_axis < max_tuple: max along dim, sum always along the last axis
~ e = torch.exp(x - torch.max(x, dim=dim, keepdim=True)) => e = torch.exp(x - x.max(dim=dim, keepdim=True)[0])
~ return e / e.sum(dim=dim, keepdim=True) => return e / e.sum(-1, keepdim=True)
# %% max_tuple: forgets .values after torch.max, crash
def softmax(x, dim=-1):
    e = torch.exp(x - torch.max(x, dim=dim, keepdim=True))
    return e / e.sum(dim=dim, keepdim=True)
# %% min_instead < max_tuple: subtracts the minimum
~ e = torch.exp(x - torch.max(x, dim=dim, keepdim=True)) => e = torch.exp(x - x.min(dim=dim, keepdim=True).values)
# %% median_subtracted: shifts by the median of each row, so a score far above the others overflows
def softmax(x, dim=-1):
    middle = x.median(dim, keepdim=True).values
    e = torch.exp(x - middle.nan_to_num(neginf=0.0))
    return e / e.sum(dim, keepdim=True)
