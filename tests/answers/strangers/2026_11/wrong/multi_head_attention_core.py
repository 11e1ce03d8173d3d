# %% single_1: the scale is taken from d_model, before the split
def split_heads(x, num_heads):
    B, T, d_model = x.shape
    return x.reshape(B, T, num_heads, d_model // num_heads).transpose(1, 2)

def merge_heads(x):
    B, H, T, d_head = x.shape
    return x.transpose(1, 2).reshape(B, T, H * d_head)

def multi_head_attention_core(Q, K, V, num_heads, mask=None):
    scale = Q.shape[-1] ** -0.5
    q, k, v = (split_heads(t, num_heads) for t in (Q, K, V))
    scores = q @ k.mT * scale
    if mask is not None:
        scores = scores.masked_fill(mask, -math.inf)
    weights = scores.softmax(-1)
    return merge_heads(weights @ v), weights
# %% single_2: the weights that are returned are the mean over the heads
def split_heads(x, num_heads):
    B, T, d_model = x.shape
    return x.reshape(B, T, num_heads, d_model // num_heads).transpose(1, 2)

def merge_heads(x):
    B, H, T, d_head = x.shape
    return x.transpose(1, 2).reshape(B, T, H * d_head)

def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ V, weights

def multi_head_attention_core(Q, K, V, num_heads, mask=None):
    heads, weights = scaled_dot_product_attention(
        split_heads(Q, num_heads), split_heads(K, num_heads), split_heads(V, num_heads), mask)
    return merge_heads(heads), weights.mean(dim=1, keepdim=True).expand_as(weights)
# %% crash_3: line `out.transpose(1, 2).view(B, T, D)`: view of a non-contiguous tensor
def split_heads(x, num_heads):
    B, T, d_model = x.shape
    return x.reshape(B, T, num_heads, d_model // num_heads).transpose(1, 2)

def multi_head_attention_core(Q, K, V, num_heads, mask=None):
    B, T, D = Q.shape
    q, k, v = [split_heads(z, num_heads) for z in (Q, K, V)]
    att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
    if mask is not None:
        att = att.masked_fill(mask, float("-inf"))
    att = F.softmax(att, dim=-1)
    out = att @ v
    return out.transpose(1, 2).view(B, T, D), att
