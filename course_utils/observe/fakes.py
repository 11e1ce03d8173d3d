"""Made-up arguments for a student's function or class. Its outputs, or what the objects hold afterwards, show
how it used them."""

from weakref import WeakKeyDictionary

import torch
from torch import nn

# {PretendedModel: tokens of each call}: not in the model, which an answer has in hand
CALLS = WeakKeyDictionary()


class Unusable(RuntimeError):
    """One of our objects was called with something that it does not take."""


class PretendedAttention(nn.Module):
    """Looks like a cached attention. Its output is a made-up running sum, so that only the right calls, in
    the right order, with the right cache, give the right numbers. Sums are taken in float64 and the cache
    is x times powers of two: a narrow dtype rounds each output once, and nothing else."""

    def __init__(self, num_heads, d_head):
        super().__init__()
        self.d_model, self.num_heads, self.d_head = num_heads * d_head, num_heads, d_head
        # never used, but a caller may ask for its device
        self.q_proj = self.k_proj = self.v_proj = self.out_proj = nn.Linear(
            self.d_model, self.d_model, bias=False
        )

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        B, T, _ = x.shape
        # Not a real split, which is an exercise's answer. Only sums are used, and they agree.
        heads = x.reshape(B, self.num_heads, T, self.d_head)
        empty = heads[:, :, :0]
        old_k = empty if cache_k is None else cache_k
        old_v = empty if cache_v is None else cache_v
        sum_k, sum_v = (t.double().sum((1, 2)) for t in (old_k, old_v))  # (B, d_head)
        carried = (5 * sum_k + 7 * sum_v).repeat(1, self.num_heads)[:, None]  # (B, 1, d_model)
        total = x.double().cumsum(1) if is_causal else x.double().sum(1, keepdim=True).expand(B, T, -1)
        output = total + carried + old_k.shape[2]
        return output.to(x.dtype), torch.cat([old_k, 2 * heads], 2), torch.cat([old_v, -4 * heads], 2)

    def record(self):
        """Nothing: the outputs tell all calls."""
        return {}


class FourLayers(nn.Module):
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
    """torch's own attention with given weights; `record` wipes them, so that shared storage shows."""

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


class PretendedModel(nn.Module):
    """Looks like a decoder with a cache. Its logits are made up from all tokens that it was called with, from
    the cache, and from how many tokens each call brought: other calls give other logits. The cache is a list
    with one tensor, (B,): what was read so far, as a number for each row."""

    PRIME = 9973

    def __init__(self, vocab):
        super().__init__()
        self.vocab = vocab
        self.unused = nn.Parameter(torch.zeros(1))  # a caller may ask for its device

    def forward(self, tokens, cache=None):
        if tokens.dim() != 2:
            raise Unusable(f"the tokens have shape {tuple(tokens.shape)}; the model takes (B, T)")
        CALLS.setdefault(self, []).append(tokens.shape[1])
        read = torch.full_like(tokens[:, 0], 5) if cache is None else cache[0]  # (B,)
        read = (89 * read + tokens.shape[1]) % self.PRIME
        logits = []
        for column in tokens.unbind(1):
            read = (31 * read + 257 * column + 11) % self.PRIME
            logits.append(self.made_up(read))
        return torch.stack(logits, 1), [read]  # (B, T, vocab)

    def __copy__(self, memo=None):
        """Itself: the calls of a copy would not be known."""
        return self

    __deepcopy__ = __copy__

    def made_up(self, read):
        """(B,) -> (B, vocab): from -5 to 5."""
        token = torch.arange(self.vocab, device=read.device)
        mixed = (read[:, None] + 17) * (token**2 + 7 * token + 3) % self.PRIME
        return 10 * mixed.double() / self.PRIME - 5

    def record(self):
        """How many tokens the calls after the first one brought: the results tell the first call, and no
        result tells a last one."""
        return {"tokens_in_later_calls": torch.tensor(CALLS.get(self, [])[1:], dtype=torch.int64)}


class PretendedChoice(nn.Module):
    """Chooses the token whose logit is nearest to a made-up number: no other rule chooses the same, and
    probabilities in the place of logits lead to other tokens."""

    def __init__(self, near):
        super().__init__()
        self.near = near

    def forward(self, logits):
        if logits.dim() != 2:
            raise Unusable(f"the logits have shape {tuple(logits.shape)}; choose takes (B, vocab)")
        return (logits - self.near).abs().min(-1).indices  # (B,)

    def record(self):
        """Nothing: the tokens tell what was chosen."""
        return {}


KINDS = (PretendedAttention, FourLayers, TorchAttention, PretendedModel, PretendedChoice)
FAKES = {cls.__name__: cls for cls in KINDS}


def make_fake(fake, dtype):
    """The object that a Fake asks for, with its parameters in this dtype."""
    return FAKES[fake.kind](**fake.settings).to(dtype)
