"""Now add a KV cache

Write a class `CachedGPT` with the layers of `GPT` and the same names, `forward(ids, cache=None)`, and `(logits, cache)` as its
result. The first call gets a prompt, each later call only the new tokens, one or several, and the cache that the last call
returned. The logits of all calls together are those of one pass over the whole text, and each layer's `qkv` gets every token once.
A call without a cache begins a new text.
"""
import math
import torch
from torch import nn

VOCAB, CONTEXT, WIDTH, HEADS, LAYERS = 16, 32, 24, 3, 2


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(WIDTH, 3 * WIDTH)
        self.proj = nn.Linear(WIDTH, WIDTH)

    def forward(self, x, past):
        B, T, C = x.shape
        parts = self.qkv(x).split(C, dim=-1)
        q, k, v = (t.reshape(B, T, HEADS, -1).transpose(1, 2) for t in parts)
        if past is not None:
            k, v = (torch.cat([old, new], dim=2) for old, new in zip(past, (k, v)))
        scores = q @ k.transpose(-2, -1) / math.sqrt(C // HEADS)
        future = torch.ones(T, k.shape[2], dtype=torch.bool).triu(k.shape[2] - T + 1)
        y = scores.masked_fill(future, -math.inf).softmax(dim=-1) @ v
        return self.proj(y.transpose(1, 2).reshape(B, T, C)), (k, v)


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm_1, self.norm_2 = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.attention = Attention()
        self.mlp = nn.Sequential(nn.Linear(WIDTH, 4 * WIDTH), nn.GELU(), nn.Linear(4 * WIDTH, WIDTH))

    def forward(self, x, past):
        y, past = self.attention(self.norm_1(x), past)
        x = x + y
        return x + self.mlp(self.norm_2(x)), past


class CachedGPT(nn.Module):
    def __init__(self):
        super().__init__()
        self.token = nn.Embedding(VOCAB, WIDTH)
        self.position = nn.Embedding(CONTEXT, WIDTH)
        self.blocks = nn.ModuleList(Block() for _ in range(LAYERS))
        self.norm = nn.LayerNorm(WIDTH)
        self.head = nn.Linear(WIDTH, VOCAB, bias=False)

    def forward(self, ids, cache=None):
        start = 0 if cache is None else cache[0][0].shape[2]
        x = self.token(ids) + self.position(torch.arange(start, start + ids.shape[1]))
        new = []
        for n, block in enumerate(self.blocks):
            x, past = block(x, cache and cache[n])
            new.append(past)
        return self.head(self.norm(x)), new

# ---- inputs
INPUTS = {"ids": whole("B", "T", low=0, high=15), "chunk": whole(low=1, high="T")}
HOLDS = {"The model's context is 32 tokens.": lambda T: T <= 32}
SIZES = {"B": (1, 3), "T": (2, 8)}
DRAWS = 6
EDGES = [{"ids": [[3, 1, 4, 1, 5, 9], [2, 6, 5, 3, 5, 8]], "chunk": chunk} for chunk in (6, 1, 2)]


def tried(CachedGPT, ids, chunk):
    """model = CachedGPT(); logits, cache = model(ids[:, :chunk]); logits, cache = model(ids[:, chunk : 2 * chunk], cache), and so on"""
    model, read = with_weights(CachedGPT()).eval(), []
    for name in ("token", "position", "blocks.1.norm_2", "blocks.1.attention.proj", "blocks.1.mlp.2", "norm", "head"):
        model.get_parameter(f"{name}.weight")  # weights are set by their names
    projections = [layer for name, layer in model.named_modules() if name.endswith("attention.qkv")]
    for layer in projections:
        layer.register_forward_hook(lambda _, inputs, __: read.append(inputs[0].shape[1]))

    def logits_of(text):
        cache, results = None, []
        for piece in text.split(chunk, dim=1):
            logits, cache = model(piece, cache)
            results.append(logits)
        return torch.cat(results, 1)

    first, count, second = logits_of(ids), sum(read), logits_of(ids.flip(1))
    return {"the logits": first, "tokens that `qkv` gets, in all layers": count, "the logits of another text, read next": second}
