# %% single_1: a dropout is left in, it changes the weights at random (ported from nanoGPT)
def causal_attention_with_weights(X, W_Q, W_K, W_V, W_O, num_heads):
    B, T, C = X.size()
    q, k, v = X @ W_Q, X @ W_K, X @ W_V
    k = k.view(B, T, num_heads, C // num_heads).transpose(1, 2)
    q = q.view(B, T, num_heads, C // num_heads).transpose(1, 2)
    v = v.view(B, T, num_heads, C // num_heads).transpose(1, 2)
    att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
    bias = torch.tril(torch.ones(T, T, device=X.device))
    att = att.masked_fill(bias == 0, float("-inf"))
    att = F.softmax(att, dim=-1)
    att = F.dropout(att, p=0.1)
    y = (att @ v).transpose(1, 2).contiguous().view(B, T, C)
    return y @ W_O, att
# %% crash_2: line `masked_fill(mask, ...)`: the mask is built as (d_model, d_model), since T is read from X.shape[-1]
def split_heads(x, num_heads):
    B, T, d_model = x.shape
    return x.reshape(B, T, num_heads, d_model // num_heads).transpose(1, 2)

def merge_heads(x):
    B, H, T, d_head = x.shape
    return x.transpose(1, 2).reshape(B, T, H * d_head)

def causal_attention_with_weights(X, W_Q, W_K, W_V, W_O, num_heads):
    T = X.shape[-1]
    q, k, v = (split_heads(X @ W, num_heads) for W in (W_Q, W_K, W_V))
    mask = torch.triu(torch.ones(T, T, dtype=torch.bool, device=X.device), 1)
    s = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(mask, -math.inf)
    w = s.softmax(-1)
    return merge_heads(w @ v) @ W_O, w
# %% two_3: the masked scores are returned instead of the weights | heads are cut by reshape without a transpose
def causal_attention_with_weights(X, W_Q, W_K, W_V, W_O, num_heads):
    B, T, D = X.shape
    q, k, v = ((X @ W).reshape(B, num_heads, T, D // num_heads) for W in (W_Q, W_K, W_V))
    att = q @ k.transpose(-2, -1) / math.sqrt(D // num_heads)
    att = att.masked_fill(torch.ones(T, T, device=X.device).triu(1).bool(), float("-inf"))
    y = att.softmax(-1) @ v
    return y.reshape(B, T, D) @ W_O, att
