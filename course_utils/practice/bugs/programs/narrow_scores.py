"""Weights in a narrow dtype

`scores` is (Tq, Tk). With `half` the work is done in float16. `hide` says which keys a query may not see. The
result has the dtype in which the work is done, and hidden keys get weight 0.
"""
import torch

def weights_of(scores, hide, half):
    if half:
        scores = scores.half()
    scores = torch.where(hide, scores - 1e4, scores)  # right: scores = scores.masked_fill(hide, -torch.inf)
    scores = scores - scores.max(-1, keepdim=True).values
    e = torch.exp(scores)
    return e / e.sum(-1, keepdim=True)

# ---- inputs
INPUTS = {"scores": floats("Tq", "Tk", spread=40000), "hide": bools("Tq", "Tk"), "half": flag()}
HOLDS = {
    "Each row of `hide` has to leave at least one key open.": lambda hide: not hide.all(-1).any(),
    "`scores` has to fit into float16: below 65 000.": lambda scores: (scores.abs() < 65000).all(),
}
EDGES = [{"scores": [[64000.0, -64000.0]], "hide": [[True, False]], "half": half} for half in (True, False)]
EDGES += [{"scores": [[0.0, -64992.0]], "hide": [[True, False]], "half": half} for half in (True, False)]
SAME_DTYPE = True
SAME = {
    "no key is hidden.": lambda hide: not hide.any(),
    "the hidden scores are still far below the others.": lambda scores: scores.abs().max() < 4000,
}
MISTAKE = "masked_softmax.small_fill"
WHY = "A fixed number is subtracted: with scores in the tens of thousands, a hidden score can still be the largest."
