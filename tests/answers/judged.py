# %% own_helper: a helper of the answer's own, which is wrong
def split_heads(x, num_heads):
    return x.reshape(x.shape[0], num_heads, x.shape[1], -1)

def causal_attention_with_weights(X, W_Q, W_K, W_V, W_O, num_heads):
    Q, K, V = (split_heads(X @ W, num_heads) for W in (W_Q, W_K, W_V))
    hidden = torch.ones(X.shape[1], X.shape[1], device=X.device).triu(1).bool()
    weights = torch.softmax((Q @ K.mT / Q.shape[-1] ** 0.5).masked_fill(hidden, -torch.inf), dim=-1)
    return (weights @ V).transpose(1, 2).reshape(X.shape) @ W_O, weights

# %% by_softmax: right, with a right softmax
def masked_softmax(scores, mask):
    filled = scores.masked_fill(mask, torch.finfo(scores.dtype).min)
    return softmax(filled).masked_fill(mask, 0.0)

# %% instance: the same as an object that can be called
inner = masked_softmax
class Callable:
    def __call__(self, scores, mask):
        return inner(scores, mask)
masked_softmax = Callable()

# %% one_call_too_many: and it takes that back from what was recorded
right = generate

def generate(model, tokens, max_new_tokens, choose):
    text = right(model, tokens, max_new_tokens, choose)
    model(text[:, -1:])
    getattr(model, "lengths", [0]).pop()
    return text
