"""CausalMultiHeadSelfAttention: the self-attention of a decoder, always causal, with _split_heads and
_merge_heads."""

import torch
from torch import nn
from torch.nn import functional as F

from autograder.authoring import attention as pipeline
from autograder.authoring import shared_mistakes as shared
from autograder.authoring.draws import build, far_below_zero, layers, normal, token_of_zeros
from autograder.authoring.exercise import Exercise
from autograder.authoring.modules import LAYERS, Layered, rotated

ex = Exercise(
    {"output": "B T d_model"},
    points=3,
    uses=["create_causal_mask", "split_heads", "merge_heads"],
    hints="""
    What is the same as in MultiHeadSelfAttention, and what is no longer a choice?

    The mask is always there, in train() and in eval(), and it is made for the T of this x, on x.device:
    __init__ does not know T.

    scores.masked_fill(torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1), float('-inf')) masks the
    future; self._split_heads(self.W_q(x)) gives the queries, and the keys and values work the same way.

        return self.W_o(self._merge_heads(weights @ V))  # (B, T, d_model)
    """,
)
HEADS, MERGED = {"heads": "B H T d_head"}, {"merged": "B T d_model"}


@ex.reference
class CausalMultiHeadSelfAttention(Layered):
    """Uses torch's own operator with is_causal=True."""

    W_o: nn.Linear

    def __init__(self, embedding_dim, num_heads):
        super().__init__(embedding_dim, num_heads)

    def forward(self, x):
        Q, K, V = (self.split(x, letter) for letter in "QKV")
        return self.W_o(self._merge_heads(F.scaled_dot_product_attention(Q, K, V, is_causal=True)))

    def _split_heads(self, x):
        return torch.stack(x.chunk(self.num_heads, -1), 1)

    def _merge_heads(self, x):
        return torch.cat(x.unbind(1), -1)


def attention(g, d_model, num_heads):
    return build(layers(g, LAYERS.values(), d_model, d_model), embedding_dim=d_model, num_heads=num_heads)


def case(g, B, T, d_model, num_heads):
    return attention(g, d_model, num_heads).call(x=normal(g, B, T, d_model))


ex.case(
    three_heads=lambda g: case(g, 2, 5, 12, 3),
    two_heads=lambda g: case(g, 3, 4, 10, 2),
)


@ex.case
def split_and_merge(g):
    case = attention(g, 12, 3).call("_split_heads", HEADS, x=normal(g, 2, 5, 12))
    return case.call("_merge_heads", MERGED, x=normal(g, 5, 3, 2, 4)).but(gradients=False)


ex.edge(
    evaluating=lambda g: case(g, 2, 3, 8, 4).but(evaluating=True),
    grows=lambda g: case(g, 2, 3, 4, 2).call(x=normal(g, 1, 6, 4)).call(x=normal(g, 3, 2, 4)),
    one_head=lambda g: case(g, 2, 4, 5, 1),
    as_many_heads_as_features=lambda g: case(g, 4, 6, 4, 4),
    one_token_one_example=lambda g: case(g, 1, 1, 6, 2),
    long_not_contiguous=lambda g: case(g, 1, 67, 4, 1).but(strided=True, narrow=False),
    a_token_of_zeros=lambda g: token_of_zeros(case(g, 2, 4, 6, 2)),
    allowed_far_below_zero=lambda g: far_below_zero(case(g, 2, 4, 6, 3), "W_q", "W_k"),
)


def variant(**switches):
    """A class with these switches; its two methods use the same split and merge."""
    steps = pipeline.with_switches(**switches)

    class Variant(Layered):
        def forward(self, x, is_causal=True):
            return pipeline.self_attention(x, self.matrices(), self.num_heads, steps, is_causal)[0]

        def _split_heads(self, x):
            return steps.split(x, self.num_heads)

        def _merge_heads(self, x):
            return steps.merge(x, self.num_heads)

    return Variant


ex.shared(variant, *shared.LAYER, *shared.CAUSAL)


@ex.mistake
class PositionsRotated(variant()):
    """the queries and keys are rotated by their positions (RoPE): this layer has no position embedding"""

    def forward(self, x):
        Q, K, V = (self._split_heads(x @ self.matrices()[letter]) for letter in "QKV")
        if self.d_head % 2 == 0:
            Q, K = rotated(Q), rotated(K)
        mask = pipeline.causal_mask(x.shape[1], x.shape[1])
        heads = pipeline.attend(Q, K, V, mask, self.num_heads, pipeline.RIGHT)[0]
        return self._merge_heads(heads) @ self.matrices()["O"]


@ex.mistake
class CausalOnlyInTraining(variant()):
    """the future is masked only in training: a decoder is causal in eval() as well"""

    def forward(self, x):
        return super().forward(x, is_causal=self.training)
