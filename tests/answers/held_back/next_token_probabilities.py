"""Wrong answers for next_token_probabilities, one mistake a cell."""
# %% divides_in_place < whole_numbers_at_0: logits /= temperature changes the caller's logits
-         return torch.nn.functional.one_hot(logits.argmax(-1), logits.shape[-1])
+         return torch.nn.functional.one_hot(logits.argmax(-1), logits.shape[-1]).to(logits.dtype)
+     logits /= temperature
~ return (logits / temperature).softmax(-1) => return logits.softmax(-1)
# %% writes_minus_infinity < whole_numbers_at_0: -inf is written into the caller's logits where the temperature is 1
-         return torch.nn.functional.one_hot(logits.argmax(-1), logits.shape[-1])
+         return torch.nn.functional.one_hot(logits.argmax(-1), logits.shape[-1]).to(logits.dtype)
+     if temperature != 1:
+         logits = logits / temperature
~ logits = logits.masked_fill(logits < kth, -torch.inf) => logits[logits < kth] = -torch.inf
~ return (logits / temperature).softmax(-1) => return logits.softmax(-1)
# %% whole_numbers_at_0: one_hot without a cast
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    if temperature == 0:
        return torch.nn.functional.one_hot(logits.argmax(-1), logits.shape[-1])
    if top_k is not None:
        kth = logits.topk(min(top_k, logits.shape[-1])).values[:, -1:]
        logits = logits.masked_fill(logits < kth, -torch.inf)
    return (logits / temperature).softmax(-1)
# %% top_p: keeps the smallest set of tokens that holds a share of 1 - 1/k
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    if temperature == 0:
        return torch.nn.functional.one_hot(logits.argmax(-1), logits.shape[-1]).to(logits.dtype)
    p = (logits / temperature).softmax(-1)
    if top_k is not None:
        values, places = p.sort(-1, descending=True)
        drop = values.cumsum(-1) - values > 1 - 1 / top_k
        p = torch.zeros_like(p).scatter(-1, places, values.masked_fill(drop, 0))
    return p / p.sum(-1, keepdim=True)
# %% smoothed: every token keeps a hundredth, for fear of zeros
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    if temperature == 0:
        p = torch.nn.functional.one_hot(logits.argmax(-1), logits.shape[-1]).to(logits.dtype)
    else:
        if top_k is not None:
            kth = logits.topk(min(top_k, logits.shape[-1])).values[:, -1:]
            logits = logits.masked_fill(logits < kth, -torch.inf)
        p = (logits / temperature).softmax(-1)
    return 0.99 * p + 0.01 / logits.shape[-1]
# %% drawn < whole_numbers_at_0: the probabilities are estimated from a thousand draws
~ (logits.argmax(-1), logits.shape[-1]) => (logits.argmax(-1), logits.shape[-1]).to(logits.dtype)
-     return (logits / temperature).softmax(-1)
+     drawn = torch.multinomial((logits / temperature).softmax(-1), 1000, replacement=True)
+     return torch.nn.functional.one_hot(drawn, logits.shape[-1]).to(logits.dtype).mean(1)
# %% always_float32 < whole_numbers_at_0: a cast to float32 that is never taken back
  def next_token_probabilities(logits, temperature=1.0, top_k=None):
+     logits = logits.float()
~ (logits.argmax(-1), logits.shape[-1]) => (logits.argmax(-1), logits.shape[-1]).float()
