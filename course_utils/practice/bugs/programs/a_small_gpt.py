"""A small GPT and its training loop

`ids` is (B, T): texts as token numbers. `GPT()(ids)` returns the logits of the next token at each position, (B, T, VOCAB),
and no position sees a later one. `train(ids, steps)` makes a new model and trains it to predict each text's next tokens:
after 20 steps on one or two short texts it should know them by heart. What is compared:
the new model's logits for `ids`, the trained model's loss on their next tokens, and how likely it finds a text's first token
after the last one, where nothing was to be learned.
"""
import math
import torch
from torch import nn
from torch.nn import functional as F

VOCAB, CONTEXT, WIDTH, HEADS, LAYERS = 16, 32, 24, 3, 2


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(WIDTH, 3 * WIDTH)
        self.proj = nn.Linear(WIDTH, WIDTH)

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = self.qkv(x).split(C, dim=-1)
        q, k, v = (t.reshape(B, HEADS, T, -1) for t in (q, k, v))  # right: q, k, v = (t.reshape(B, T, HEADS, -1).transpose(1, 2) for t in (q, k, v))
        scores = q @ k.transpose(-2, -1) / math.sqrt(C // HEADS)  # also 2
        future = torch.ones(T, T, dtype=torch.bool).triu(1)
        weights = scores.softmax(dim=-1).masked_fill(future, 0.0)  # right: weights = scores.masked_fill(future, float("-inf")).softmax(dim=-1)
        y = weights @ v  # also 2
        return self.proj(y.transpose(1, 2).reshape(B, T, C))


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm_1, self.norm_2 = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.attention = Attention()
        self.mlp = nn.Sequential(nn.Linear(WIDTH, 4 * WIDTH), nn.GELU(), nn.Linear(4 * WIDTH, WIDTH))

    def forward(self, x):
        x = x + self.attention(self.norm_1(x))
        return x + self.mlp(self.norm_2(x))


class GPT(nn.Module):
    def __init__(self):
        super().__init__()
        self.token = nn.Embedding(VOCAB, WIDTH)
        self.position = nn.Embedding(CONTEXT, WIDTH)
        self.blocks = nn.ModuleList(Block() for _ in range(LAYERS))
        self.norm = nn.LayerNorm(WIDTH)
        self.head = nn.Linear(WIDTH, VOCAB, bias=False)

    def forward(self, ids):
        x = self.token(ids) + self.position(torch.arange(ids.shape[1]))
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


def train(ids, steps):
    torch.manual_seed(0)
    model = GPT()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    for _ in range(steps):  # also 4
        logits = model(ids)  # also 4
        loss = F.cross_entropy(logits.flatten(0, 1), ids.flatten())  # right: loss = F.cross_entropy(logits[:, :-1].flatten(0, 1), ids[:, 1:].flatten())
        loss.backward()  # right: optimizer.zero_grad(); loss.backward()
        optimizer.step()  # also 4
    return model

# ---- inputs
INPUTS = {"ids": whole("B", "T", low=0, high=15), "steps": whole(low=0, high=60)}
HOLDS = {
    "The model's context is 32 tokens.": lambda T: T <= 32,
    "There is something to predict from 2 tokens on: give longer texts, or `steps=0`.": lambda T, steps: T > 1 or not steps,
}
SIZES = {"B": (1, 3), "T": (2, 8)}
DRAWS = 1
EDGES = [
    {"ids": [[3, 1, 4, 1, 5, 9, 2, 6], [5, 3, 5, 8, 9, 7, 9, 3]], "steps": 20},
    {"ids": [[2, 7, 1, 8, 2, 8], [14, 1, 4, 14, 2, 13]], "steps": 20},
    {"ids": [[11, 0, 15, 6, 10, 1, 12]], "steps": 0},
]
SAME = [
    {"with one token, both reshapes read in the same order.": lambda T: T == 1},
    {"with one token there is no future.": lambda T: T == 1},
    {"no step is taken, so nothing is learned.": lambda steps: steps == 0},
    {"the first step begins without gradients, so nothing is left over.": lambda steps: steps <= 1},
]
TOO_CLOSE = "with that line right, the loss on the next tokens would not be 0.1 lower after these steps. Two longer texts or another number of steps may show it."
WHY = [
    "The reshape reads the features token by token, so a head gets all features of a few tokens, some of them in the future. Split the features first, then move the heads.",
    "The mask comes after the softmax: the scores of the future are still in its sum. They change every weight, and the rows no longer sum to 1.",
    "The logits at position t are compared with token t, which is the input there, not with token t + 1. The loss falls, and what is learned is to copy.",
    "Gradients are added to those of all steps before, since nothing sets them to zero.",
]
THEN = "a_small_gpt_with_a_cache"


def tried(train, ids, steps):
    """train(ids, steps)"""
    with torch.enable_grad():
        new, low, trained = train(ids, 0), train(ids, 0).double(), train(ids, steps)
    if not steps:
        return new(ids)
    width = low.token.embedding_dim
    for block in low.blocks:  # all scores some 250 000 lower, below the constant of a careless mask
        block.attention.qkv.bias[:width] += 300
        block.attention.qkv.bias[width : 2 * width] -= 300
    log_probs = trained(ids).log_softmax(-1)
    return {
        "the logits before training": new(ids),
        "the logits with lower scores": low(ids),
        "the loss after training": Bound(-log_probs[:, :-1].gather(-1, ids[:, 1:, None]).mean()),
        "the probability of the first token after the last": Bound(log_probs[:, -1].exp().gather(-1, ids[:, :1]).mean()),
    }
