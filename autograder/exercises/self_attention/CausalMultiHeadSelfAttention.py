"""CausalMultiHeadSelfAttention: the decoder's version, always causal, with its two helpers as methods."""

import torch
from torch.nn import functional as F

from autograder.authoring import attention as pipeline
from autograder.authoring import shared_mistakes as known
from autograder.authoring.exercise import Exercise, build, far_below_zero, layers, normal, token_of_zeros
from autograder.authoring.modules import SELF, Layered, of_layers

ex = Exercise(
    "CausalMultiHeadSelfAttention(embedding_dim, num_heads)",
    {"output": "B T d_model"},
    kind="module",
    methods=["forward(x)", "_split_heads(x)", "_merge_heads(x)"],
    points=3,
    uses=["create_causal_mask", "split_heads", "merge_heads"],
    hints=[
        "What is the same as in MultiHeadSelfAttention, and what is no longer a choice?",
        "The mask is always there, in train() and in eval(), and it is made for the T of this x, on x.device: nothing about T is known in __init__.",
        "Move split and merge into the methods _split_heads and _merge_heads; forward then reads like the story.",
    ],
)
HEADS, MERGED = {"heads": "B H T d_head"}, {"merged": "B T d_model"}


class Causal(Layered):
    """The reference, with its methods."""

    def forward(self, x):
        Q, K, V = (self.split(x, letter) for letter in "QKV")
        return self.W_o(self._merge_heads(F.scaled_dot_product_attention(Q, K, V, is_causal=True)))

    def _split_heads(self, x):
        return torch.stack(x.chunk(self.num_heads, -1), 1)

    def _merge_heads(self, x):
        return torch.cat(x.unbind(1), -1)


ex.reference(Causal)


def attention(g, d_model, num_heads):
    return build(layers(g, SELF.values(), d_model, d_model), embedding_dim=d_model, num_heads=num_heads)


@ex.case
def three_heads(g):
    return attention(g, 12, 3).call(x=normal(g, 2, 5, 12))


@ex.case
def two_heads(g):
    return attention(g, 10, 2).call(x=normal(g, 3, 4, 10))


@ex.case
def split_and_merge(g):
    case = attention(g, 6, 3).call("_split_heads", HEADS, x=normal(g, 2, 5, 6))
    return case.call("_merge_heads", MERGED, x=normal(g, 3, 3, 4, 2)).but(gradients=False)


@ex.edge
def evaluating(g):
    return attention(g, 8, 4).call(x=normal(g, 2, 3, 8)).but(evaluating=True)


@ex.edge
def grows(g):
    return attention(g, 4, 2).call(x=normal(g, 2, 3, 4)).call(x=normal(g, 1, 6, 4)).call(x=normal(g, 3, 2, 4))


@ex.edge
def one_head(g):
    return attention(g, 5, 1).call(x=normal(g, 2, 4, 5))


@ex.edge
def as_many_heads_as_features(g):
    return attention(g, 4, 4).call(x=normal(g, 4, 6, 4))


@ex.edge
def one_token_one_example(g):
    return attention(g, 6, 2).call(x=normal(g, 1, 1, 6))


@ex.edge
def long_not_contiguous(g):
    return attention(g, 4, 1).call(x=normal(g, 1, 67, 4)).but(strided=True, narrow=False)


@ex.edge
def a_token_of_zeros(g):
    return token_of_zeros(attention(g, 6, 2).call(x=normal(g, 2, 4, 6)))


@ex.edge
def allowed_far_below_zero(g):
    return far_below_zero(attention(g, 6, 3).call(x=normal(g, 2, 4, 6)), "W_q", "W_k")


def variant(split="blocks", merge="blocks", training_only=False, **switches):
    """A class with these switches; its methods follow split and merge."""
    chosen = pipeline.changed(split=split, merge=merge, **switches)

    class Variant(Layered):
        def forward(self, x):
            causal = self.training or not training_only
            return pipeline.self_attention(x, self.matrices(), self.num_heads, chosen, is_causal=causal)[0]

        def _split_heads(self, x):
            return pipeline.SPLIT[split](x, self.num_heads)

        def _merge_heads(self, x):
            return pipeline.MERGE[merge](x, self.num_heads)

    return Variant


@ex.recoverable
def weights_of(number, case):
    return of_layers(number, case, SELF) if case.name == "two_heads" else None


class LongestEver(variant()):
    """A mask for at most four tokens."""

    def forward(self, x):
        return super().forward(x[:, :4])


ex.switches(
    variant,
    known.SCALE,
    known.SOFTMAX,
    known.UNSTABLE,
    known.BATCH_SOFTMAX,
    known.MASK,
    known.CAUSAL,
    known.SPLIT,
    known.MERGE,
    known.ROLES,
    known.UNPROJECTED,
    known.TRANSPOSED,
    known.OUTPUT,
)
ex.mistake(
    "causal_only_in_training",
    "the future is masked only in training: a decoder is causal in eval() as well",
    variant(training_only=True),
)
ex.mistake("cut_to_a_length", "longer inputs are cut: the mask is made for any T, in forward", LongestEver)
