"""Top-p sampling

The smallest set of the most probable tokens whose probabilities sum to at least `p` is kept. The result is the
probabilities to sample from: those of the kept tokens, rescaled to sum to 1, and 0 for all others.
"""
import torch

def nucleus(logits, p):
    probs = logits.softmax(-1)
    ranked, order = probs.sort(descending=True)
    total = ranked.cumsum(0)
    keep = total <= p  # right: keep = total - ranked < p
    keep[0] = True
    ranked = ranked * keep
    result = torch.zeros_like(probs)
    result[order] = ranked / ranked.sum()
    return result

# ---- inputs
INPUTS = {"logits": floats("V"), "p": number(0.05, 0.95)}
SAME = {"the most probable token alone reaches p.": lambda logits, p: logits.softmax(-1).max() >= p}
WHY = "The token that brings the sum to p belongs to the set: compare the sum before it, total - ranked, with p."
