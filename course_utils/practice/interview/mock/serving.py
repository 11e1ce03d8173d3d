"""The arithmetic of serving a decoder: published sizes come in; bytes, operations and seconds go out.

All are estimates of the kind that is made on a whiteboard: a step takes at least the time in which its bytes
are read, or its operations are done, at the speeds of the data sheet.
"""

from dataclasses import dataclass

GB, GIB, KIB, MS = 1e9, 2**30, 2**10, 1e3
TWO_BYTES = 2


@dataclass(frozen=True)
class Decoder:
    """A decoder with grouped queries and a gated MLP, by its published configuration."""

    layers: int
    d_model: int
    hidden: int
    vocabulary: int
    heads: int
    kv_heads: int
    head_dim: int

    @property
    def multiplied(self):
        """Weights that a token is multiplied with: all but the embedding and the norms, which are few."""
        attention = 2 * self.d_model * self.head_dim * (self.heads + self.kv_heads)
        return self.layers * (attention + 3 * self.d_model * self.hidden) + self.vocabulary * self.d_model

    @property
    def parameters(self):
        norms = self.d_model * (2 * self.layers + 1)
        return self.multiplied + self.vocabulary * self.d_model + norms

    def cache_per_token(self, bytes_per_value=TWO_BYTES, kv_heads=None):
        return 2 * self.layers * (kv_heads or self.kv_heads) * self.head_dim * bytes_per_value

    def prefill_operations(self, tokens):
        """Two for each weight and token, and causal attention: scores and mix, half of all pairs."""
        pairs = tokens * tokens / 2
        return 2 * self.multiplied * tokens + 4 * pairs * self.heads * self.head_dim * self.layers


@dataclass(frozen=True)
class Machine:
    """By its data sheet: bytes of memory, bytes a second, operations a second in bfloat16."""

    memory: float
    bandwidth: float
    operations: float


A100 = Machine(memory=80e9, bandwidth=2.039e12, operations=312e12)
LLAMA_3_70B = Decoder(80, 8192, 28672, 128256, 64, 8, 128)
LLAMA_3_8B = Decoder(32, 4096, 14336, 128256, 32, 8, 128)
LLAMA_2_7B = Decoder(32, 4096, 11008, 32000, 32, 32, 128)


def step_seconds(model, texts, tokens, machine=A100, machines=1):
    """At least this long takes a step of decoding: weights once, and every text's own cache, are read."""
    read = TWO_BYTES * model.multiplied + texts * tokens * model.cache_per_token()
    return read / (machine.bandwidth * machines)


def texts_beside_weights(model, tokens, machine=A100, machines=1, used=0.9):
    """How many texts fit, if this share of the memory may be used."""
    free = used * machine.memory * machines - TWO_BYTES * model.parameters
    return max(0, int(free // (tokens * model.cache_per_token())))
