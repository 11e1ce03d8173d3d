"""Wrong answers for attention_weights, one mistake a cell."""
# %% axis_zero < right/torch_softmax: each column sums to 1
~ return torch.softmax(scores, dim=1) => return F.softmax(scores, dim=0)
# %% whole_sum: divides by the sum of the whole table
def attention_weights(scores):
    e = torch.exp(scores)
    return e / e.sum()
# %% exponentials: forgets to divide
def attention_weights(scores):
    return torch.exp(scores - scores.max(dim=1, keepdim=True).values)
# %% negative_scores < right/torch_softmax: the least score gets the most
~ return torch.softmax(scores, dim=1) => return torch.softmax(-scores, dim=1)
# %% sum_without_its_axis < whole_sum: the sums line up with the columns
~ return e / e.sum() => return e / e.sum(dim=1)
# %% rounded < right/torch_softmax: two decimals
~ return torch.softmax(scores, dim=1) => return torch.softmax(scores, dim=1).round(decimals=2)
