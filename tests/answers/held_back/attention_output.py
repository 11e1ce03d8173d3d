"""Wrong answers for attention_output, one mistake a cell."""
# %% turned_weights < right/product: mixes with the columns of the weights
~ return weights @ values => return weights.transpose(0, 1) @ values
# %% mean_over_keys < right/broadcast: the products are averaged, not added up
~ return (weights.unsqueeze(-1) * values).sum(dim=1) => return (weights[:, :, None] * values[None]).mean(dim=1)
# %% softmax_again < right/product: the weights go through a softmax once more
~ return weights @ values => return torch.softmax(weights, dim=-1) @ values
# %% value_of_the_best: takes the value of the key with most weight
def attention_output(weights, values):
    return values[weights.argmax(dim=-1)]
# %% last_row_lost < right/loop_over_queries: the loop stops one row early
~ (row[:, None] * values).sum(dim=0) for row in weights => weights[i] @ values for i in range(max(1, len(weights) - 1))
# %% residual: adds the values
def attention_output(weights, values):
    out = weights @ values
    return out + values[:1]
