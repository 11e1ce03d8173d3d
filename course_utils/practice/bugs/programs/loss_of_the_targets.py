"""Cross-entropy, with its gradient

`logits` has a row of C scores for each of N positions, and `targets` has the correct class of each. The result is
the mean cross-entropy of the positions, and its gradient with respect to `logits`.
"""
import numpy as np

def loss_and_gradient(logits, targets):
    rows = np.arange(len(targets))
    shifted = logits - logits.max(1, keepdims=True)
    log_probs = shifted - np.log(np.exp(shifted).sum(1, keepdims=True))
    loss = -log_probs[rows, targets].mean()
    gradient = np.exp(log_probs)
    gradient[rows, targets] -= 1
    return loss, gradient  # right: return loss, gradient / len(targets)

# ---- inputs
INPUTS = {"logits": floats("N", "C", library="numpy"), "targets": whole("N", low=0, high="C - 1", library="numpy")}
SAME = {
    "there is one position, so the mean is the sum.": lambda N: N == 1,
    "with one class, the loss and its gradient are 0.": lambda C: C == 1,
}
WHY = "The loss is a mean of N terms, so each row of softmax minus one-hot must be divided by N."
