"""Queries, keys and values, head by head

`x` is (T, D) and `W` is (D, 3 D). The columns of `W` come head by head: for head 0 those of its queries, its
keys and its values, then the same for head 1, and so on. The result is the
heads' outputs, side by side.
"""
import torch

class HeadByHead:
    def __init__(self, W, heads):
        self.W, self.heads = W, heads

    def forward(self, x):
        T, D = x.shape
        made = (x @ self.W).reshape(T, 3, self.heads, -1)  # right: made = (x @ self.W).reshape(T, self.heads, 3, -1).transpose(1, 2)
        q, k, v = made.permute(1, 2, 0, 3)
        att = torch.softmax(q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5, -1)
        return torch.cat(list(att @ v), -1)

# ---- inputs
INPUTS = {"W": floats("D", "W3"), "heads": size("H"), "x": floats("T", "D")}
HOLDS = {
    "D has to be a multiple of `heads`.": lambda D, H: D % H == 0,
    "`W` has to be (D, 3 D).": lambda W3, D: W3 == 3 * D,
}
SIZES = {"D": (1, 6), "W3": (3, 18), "H": (1, 3)}
SAME = {"with one head both orders are the same.": lambda H: H == 1}
MISTAKE = "from_interleaved.cut_in_three_blocks"
WHY = "The columns are cut as if all queries came first, but they come head by head, so `heads` is the outer axis."


def tried(HeadByHead, W, heads, x):
    """HeadByHead(W, heads).forward(x)"""
    return HeadByHead(W, heads).forward(x)
