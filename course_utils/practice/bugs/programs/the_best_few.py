"""The best few letters

`logits` is (V,). The result is probabilities that sum to 1; only the `k` highest logits, and any that tie with the
last of these, get any. The caller still needs its logits afterwards.
"""
import torch

def best_few(k, logits):
    if k < len(logits):
        limit = logits.sort(descending=True).values[k - 1]
        kept = logits  # right: kept = logits.clone()
        kept[kept < limit] = -torch.inf  # also
    else:
        kept = logits
    return kept.softmax(0)

# ---- inputs
INPUTS = {"k": size("k"), "logits": floats("V")}
SIZES = {"k": (1, 7), "V": (1, 7)}
SAME = {
    "every logit is among the k highest.": lambda k, V: k >= V,
    "all logits are as large as the last one that is kept.": lambda logits, k: (logits >= logits.sort(descending=True).values[k - 1]).all(),
}
MISTAKE = "next_token_probabilities.changes_input"
WHY = "`kept` is a second name, not a copy: some of the caller's own logits become minus infinity."
