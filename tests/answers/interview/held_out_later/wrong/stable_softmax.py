# %% stable_softmax_01: subtracts the maximum of the whole array, not of each row, so rows far below underflow to 0/0
def softmax(x, axis=-1):
    e = np.exp(x - np.max(x))
    return e / e.sum(axis=axis, keepdims=True)
# %% stable_softmax_02: max without keepdim: broadcast along the wrong dim (error, or silently the wrong maxima when square)
def softmax(x, dim=-1):
    mx, _ = torch.max(x, dim=dim)
    ex = torch.exp(x - mx)
    return ex / torch.sum(ex, dim=dim, keepdim=True)
# %% stable_softmax_03: clips the logits instead of subtracting the maximum, so big logits become equal
def safe_softmax(logits):
    logits = np.clip(logits, -50.0, 50.0)  # keeps exp in range
    e = np.exp(logits)
    return e / e.sum(axis=-1, keepdims=True)
# %% stable_softmax_04: the sum ignores self.dim and is always over the last dim
class Softmax(nn.Module):
    def __init__(self, dim=-1):
        super().__init__()
        self.dim = dim

    def forward(self, x):
        x = x - x.amax(dim=self.dim, keepdim=True)
        x = x.exp()
        return x / x.sum(-1, keepdim=True)
# %% stable_softmax_05: the maximum search starts at 0, so very negative inputs all underflow and the sum is 0
def softmax(values):
    biggest = 0.0
    for v in values:
        if v > biggest:
            biggest = v
    exps = [math.exp(v - biggest) for v in values]
    total = sum(exps)
    return [e / total for e in exps]
