# %% program_1
def softmax(x, dim=-1):
    # log-space: log p = x - logsumexp(x)
    return torch.exp(x - torch.logsumexp(x, dim, keepdim=True))
