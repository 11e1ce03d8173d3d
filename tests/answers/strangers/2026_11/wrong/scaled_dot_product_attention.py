# %% single_1 < held_back/zero_means_masked: the mask is read as True = may attend, as SDPA reads it
~ 1e9 => 1e30
# %% single_2 < strangers/2026_11/right/program_1: divided by the root of the number of keys instead of d_head
~ scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.size(-1)) => s = Q @ K.mT / math.sqrt(K.shape[-2])
~ scores = scores.masked_fill(mask, float("-inf")) => s.masked_fill_(mask, -math.inf)
~ weights = scores.softmax(-1) => w = F.softmax(s, -1)
~ return weights @ V, weights => return w @ V, w
# %% crash_3: line `if mask:`: the truth value of a tensor with several elements is ambiguous
def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = torch.matmul(Q, K.transpose(-1, -2)) * (1 / math.sqrt(Q.shape[-1]))
    if mask:
        scores = scores.masked_fill(mask, -torch.inf)
    weights = torch.softmax(scores, dim=-1)
    return torch.matmul(weights, V), weights
