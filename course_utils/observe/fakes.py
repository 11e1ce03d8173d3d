"""Made-up arguments for a student's function or class. Their outputs, or their state after the calls, show
how the student's code used them."""

from weakref import WeakKeyDictionary

import torch
from torch import nn

# {PretendedModel: number of tokens in each call}: not in the model, where student code could change it
CALLS = WeakKeyDictionary()


class Unusable(RuntimeError):
    """One of our objects was called with an argument that it does not accept."""


class Pretended(nn.Module):
    """An object that we pass to a student's code."""

    def record(self):
        """{name: tensor} of what the results of the calls do not show."""
        return {}


class PretendedAttention(Pretended):
    """Looks like attention with a cache. Its output is a made-up running sum, so only the right calls, in the
    right order, with the right cache, give the right numbers. Sums are taken in float64 and the cache is x
    times powers of two: a narrow dtype rounds each output once, and nothing else."""

    def __init__(self, num_heads, d_head):
        super().__init__()
        self.d_model, self.num_heads, self.d_head = num_heads * d_head, num_heads, d_head
        # never used, but a caller may ask for its device
        self.q_proj = self.k_proj = self.v_proj = self.out_proj = nn.Linear(
            self.d_model, self.d_model, bias=False
        )

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        B, T, _ = x.shape
        # Not a real split into heads, which is an exercise. Only sums are used, and those are the same.
        heads = x.reshape(B, self.num_heads, T, self.d_head)
        empty = heads[:, :, :0]
        old_k = empty if cache_k is None else cache_k
        old_v = empty if cache_v is None else cache_v
        sum_k, sum_v = (t.double().sum((1, 2)) for t in (old_k, old_v))  # (B, d_head)
        carried = (5 * sum_k + 7 * sum_v).repeat(1, self.num_heads)[:, None]  # (B, 1, d_model)
        total = x.double().cumsum(1) if is_causal else x.double().sum(1, keepdim=True).expand(B, T, -1)
        output = total + carried + old_k.shape[2]
        return output.to(x.dtype), torch.cat([old_k, 2 * heads], 2), torch.cat([old_v, -4 * heads], 2)


class FourLayers(Pretended):
    """The four layers and sizes of a MultiHeadSelfAttention, without its forward."""

    def __init__(self, d_model, num_heads):
        super().__init__()
        self.d_model, self.num_heads, self.d_head = d_model, num_heads, d_model // num_heads
        for name in ("W_q", "W_k", "W_v", "W_o"):
            setattr(self, name, nn.Linear(d_model, d_model, bias=False))
            nn.init.constant_(getattr(self, name).weight, 0.5)

    def record(self):
        layers = {name: getattr(self, name) for name in ("W_q", "W_k", "W_v", "W_o")}
        weights = {f"{name}.weight": layer.weight for name, layer in layers.items()}
        trainable = all(isinstance(w, nn.Parameter) and w.requires_grad for w in weights.values())
        weights = {name: weight.detach().clone() for name, weight in weights.items()}
        biased = any(getattr(layer, "bias", None) is not None for layer in layers.values())
        return {**weights, "trainable": torch.tensor(trainable), "biased": torch.tensor(biased)}


class TorchAttention(nn.MultiheadAttention):
    """torch's own attention with given weights; `record` zeroes them, to reveal weights that share memory."""

    def __init__(self, d_model, num_heads, in_proj, out_proj):
        super().__init__(d_model, num_heads, bias=False, batch_first=True)
        with torch.no_grad():
            self.in_proj_weight.copy_(in_proj)
            self.out_proj.weight.copy_(out_proj)

    def record(self):
        weights = {"in_proj_weight": self.in_proj_weight, "out_proj.weight": self.out_proj.weight}
        values = {name: weight.detach().clone() for name, weight in weights.items()}
        with torch.no_grad():
            for weight in weights.values():
                weight.zero_()
        return values


class PretendedModel(Pretended):
    """Looks like a decoder with a cache. Its logits are made up from all tokens it was called with, the
    cache, and the number of tokens in each call: other calls give other logits. The cache is a list with one
    tensor (B,), a number for each row that depends on all tokens read so far. returns: what it returns,
    "cache" (logits and the cache), "logits" alone, or "loss" (logits and None). one_at_a_time: refuse more
    than one token in any call after the first."""

    PRIME = 9973

    def __init__(self, vocab, returns="cache", one_at_a_time=False):
        super().__init__()
        self.vocab, self.returns, self.one_at_a_time = vocab, returns, one_at_a_time
        self.unused = nn.Parameter(torch.zeros(1))  # a caller may ask for its device

    def forward(self, tokens, cache=None):
        if tokens.dim() != 2:
            raise Unusable(f"the tokens have shape {tuple(tokens.shape)}; the model takes (B, T)")
        CALLS.setdefault(self, []).append(tokens.shape[1])
        if self.one_at_a_time and tokens.shape[1] > 1 < len(CALLS[self]):
            how = "without its cache" if cache is None else "and its cache"
            raise Unusable(f"after the prompt, the model got {tokens.shape[1]} tokens in one call, {how}")
        read = torch.full_like(tokens[:, 0], 5) if cache is None else cache[0]  # (B,)
        read = (89 * read + tokens.shape[1]) % self.PRIME
        logits = []
        for column in tokens.unbind(1):
            read = (31 * read + 257 * column + 11) % self.PRIME
            logits.append(self.made_up(read))
        logits = torch.stack(logits, 1)  # (B, T, vocab)
        return {"cache": (logits, [read]), "logits": logits, "loss": (logits, None)}[self.returns]

    def __copy__(self, memo=None):
        """Return the model itself: the calls of a copy would not be recorded."""
        return self

    __deepcopy__ = __copy__

    def made_up(self, read):
        """Made-up logits from -5 to 5: (B,) -> (B, vocab)."""
        token = torch.arange(self.vocab, device=read.device)
        mixed = (read[:, None] + 17) * (token**2 + 7 * token + 3) % self.PRIME
        return 10 * mixed.double() / self.PRIME - 5

    def record(self):
        """The number of tokens in each call after the first: the results depend on the first call, but no
        result shows an unneeded last one."""
        return {"tokens_in_later_calls": torch.tensor(CALLS.get(self, [])[1:], dtype=torch.int64)}


class PretendedChoice(Pretended):
    """Chooses the token whose logit is nearest to a made-up number: no other rule chooses the same, and
    probabilities instead of logits lead to other tokens."""

    def __init__(self, near):
        super().__init__()
        self.near = near

    def forward(self, logits):
        if logits.dim() != 2:
            raise Unusable(f"the logits have shape {tuple(logits.shape)}; choose takes (B, vocab)")
        return (logits - self.near).abs().min(-1).indices  # (B,)


KINDS = (PretendedAttention, FourLayers, TorchAttention, PretendedModel, PretendedChoice)


def make_fake(fake, dtype):
    """Build the object that a Fake describes, with its parameters in this dtype."""
    (kind,) = (cls for cls in KINDS if cls.__name__ == fake.kind)
    return kind(**fake.settings).to(dtype)
