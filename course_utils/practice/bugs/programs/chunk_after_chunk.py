"""A text in two pieces

`x` is read in two pieces, the first one `cut` tokens long. Tokens of the second piece see those of the first,
and no token sees a later one. Keys and values are the tokens themselves. The result has a row for each token.
"""
import torch

def attend(piece, seen):
    seen = torch.cat([seen, piece])
    n, m = len(piece), len(seen)
    score = piece @ seen.t() / piece.shape[1] ** 0.5
    future = torch.ones(n, m).triu(1).bool()  # right: future = torch.ones(n, m).triu(m - n + 1).bool()
    score[future] = -torch.inf
    return torch.softmax(score, 1) @ seen, seen

def read_in_two(x, cut):
    first, seen = attend(x[:cut], x[:0])
    second, seen = attend(x[cut:], seen)
    return torch.cat([first, second])

# ---- inputs
INPUTS = {"x": floats("T", "D"), "cut": whole(low=0, high="T")}
SAME = {
    "the first piece is empty, so the text is read at once.": lambda cut: cut == 0,
    "the second piece is empty, so the text is read at once.": lambda cut, T: cut == T,
}
MISTAKE = "MultiHeadAttentionWithCache.mask_ignores_cache"
WHY = "The mask's diagonal starts at the top left, but row 0 of a later piece comes after all the cached tokens."
