"""A multi-head layer, as a module

`x` is (T, D). The module has two layers without biases, one for queries, keys and values, and one for the
output. Token i sees the tokens 0 to i, in training and in eval mode. Weights are drawn by the
names of the layers, so a fix has to keep these names.
"""
import torch
import torch.nn as nn
import torch.nn.functional as F

class TokenMixer(nn.Module):
    def __init__(self, dim, n_head):
        super().__init__()
        self.n_head = n_head
        self.to_qkv = nn.Linear(dim, 3 * dim, bias=False)
        self.proj = nn.Linear(dim, dim, bias=False)

    def forward(self, x):
        T, dim = x.shape
        qkv = self.to_qkv(x).view(T, 3, self.n_head, dim // self.n_head)
        q, k, v = qkv.permute(1, 2, 0, 3)
        att = q @ k.mT * (dim // self.n_head) ** -0.5
        if self.training:  # right: if T > 1:
            att = att + torch.full((T, T), float("-inf")).triu(1)
        y = F.softmax(att, dim=-1) @ v
        return self.proj(y.transpose(0, 1).flatten(1))

# ---- inputs
INPUTS = {"n_head": size("H"), "x": floats("T", "D", dtype="float32"), "training": flag()}
HOLDS = {"D has to be a multiple of `n_head`.": lambda D, H: D % H == 0}
SIZES = {"D": (1, 8), "H": (1, 4)}
SAME = {
    "in training the future is hidden.": lambda training: training,
    "with one token there is no future.": lambda T: T == 1,
}
MISTAKE = "CausalMultiHeadSelfAttention.causal_only_in_training"
WHY = "The future is hidden only in training: in eval mode, a query sees later tokens."


def tried(TokenMixer, n_head, x, training):
    """with_weights(TokenMixer(D, n_head)).train(training)(x)"""
    return with_weights(TokenMixer(x.shape[1], n_head)).train(training)(x)
