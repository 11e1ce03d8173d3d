"""Hidden cases refuse every small change to a lesson's answer, but for those that change nothing that is
graded."""

import ast

import pytest

from autograder.exercises import load, names
from tools.mutants import mutants, survivors

REFUSED_BY_THE_CONSTRUCTOR = "what a constructor refuses is not graded"
SAME_AXIS = "the same axis, or axes of one size"
SAME_SHAPE = "K and V, or K and Q where only that size is read, have the same shape"
OVERWRITTEN = "memory that is read only where it was written"
OTHER_DEVICE = "lengths and mask on two devices: not asked for"
NOT_READ = "nobody asks for the value"
WHERE_IT_IS_ZERO = "it is multiplied by zero, or replaced, wherever it differs"
SAME_MEANING = "another way to say the same"
BETWEEN = "a limit between two numbers that no case has"
ANY_PLACE = "which place in the ring a token has is not seen"
WIDE_ANYWAY = "the wider dtype of another operand counts"
ANY_NUMBER = "subtracted from -inf"
INDEX_ON_CPU = "an index on the CPU may meet a tensor on any device"

HARMLESS = {
    "GroupedQueryAttentionWithCache": {
        REFUSED_BY_THE_CONSTRUCTOR: [
            "if d_model % num_heads or num_heads  -> pass",
            "if d_model % num_heads or num_heads  -> if False: raise ValueError(f'{d_mode",
            "d_model % num_heads or num_heads % n -> d_model % num_heads and num_heads % ",
            "d_model % num_heads or num_heads % n -> d_model % num_heads",
            "d_model % num_heads or num_heads % n -> num_heads % num_kv_heads",
            "raise ValueError(f'{d_model}, {num_h -> pass",
        ],
        NOT_READ: ["None -> 0"],
        SAME_SHAPE: ["K -> V"],
        SAME_AXIS: ["-2 -> 2"],
    },
    "MultiHeadAttentionWithCache": {
        REFUSED_BY_THE_CONSTRUCTOR: [
            "if d_model % num_heads: raise ValueE -> pass",
            "if d_model % num_heads: raise ValueE -> if False: raise ValueError(f'd_model",
            "raise ValueError(f'd_model = {d_mode -> pass",
        ],
        NOT_READ: ["None -> 0"],
        SAME_SHAPE: ["K -> V"],
        SAME_AXIS: ["-2 -> 2"],
    },
    "RingKVCache": {
        OVERWRITTEN: ["torch.zeros -> torch.ones"],
        SAME_SHAPE: ["k -> v"],
        SAME_MEANING: [
            "min(self.sinks, self.seen) -> min(self.seen, self.sinks)",
            "max(first, self.seen - self.window) -> max(self.seen - self.window, first)",
            "n < self.sinks -> n <= self.sinks",
        ],
        ANY_PLACE: [
            "n - self.sinks -> n + self.sinks",
            "n - self.sinks -> n",
            "n - self.sinks -> self.sinks - n",
        ],
    },
    "StaticKVCache": {OVERWRITTEN: ["torch.zeros -> torch.ones"], SAME_SHAPE: ["k -> v"]},
    "attend_in_chunks": {
        SAME_MEANING: ["not chunk_sizes or sum(chunk_sizes)  -> sum(chunk_sizes) != x.shape[1]"]
    },
    "create_attention_mask": {
        OTHER_DEVICE: [
            "device is None and key_padding_lengt -> key_padding_lengths is not None",
            "key_padding_lengths.to(device) -> key_padding_lengths",
            "key_padding_lengths.to(device) -> key_padding_lengths.to()",
        ]
    },
    "create_causal_mask_with_cache": {SAME_MEANING: ["key_position[None, :] -> key_position"]},
    "CausalMultiHeadSelfAttention": {
        REFUSED_BY_THE_CONSTRUCTOR: [
            "if embedding_dim % num_heads != 0: r -> pass",
            "if embedding_dim % num_heads != 0: r -> if False: raise ValueError(f'embeddi",
            "raise ValueError(f'embedding_dim={em -> pass",
        ],
        NOT_READ: ["self.d_model = embedding_dim -> pass"],
        SAME_AXIS: ["-2 -> 2"],
    },
    "MultiHeadSelfAttention": {
        REFUSED_BY_THE_CONSTRUCTOR: [
            "if d_model % num_heads != 0: raise V -> pass",
            "if d_model % num_heads != 0: raise V -> if False: raise ValueError(f'd_model",
            "raise ValueError(f'd_model={d_model} -> pass",
        ],
        SAME_AXIS: ["-2 -> 2"],
    },
    "causal_attention_with_weights": {SAME_AXIS: ["-2 -> 2"]},
    "load_torch_weights": {
        SAME_MEANING: ["torch_attention.in_proj_weight.chunk -> torch_attention.in_proj_weight.chunk"]
    },
    "multi_head_causal_attention": {SAME_AXIS: ["-1 -> 1"]},
    "next_token_probabilities": {
        SAME_AXIS: ["-1 -> 1"],
        SAME_MEANING: ["min(top_k, logits.shape[-1]) -> min(logits.shape[-1], top_k)"],
    },
    "multi_head_attention": {SAME_SHAPE: ["Q -> K", "Q -> V"]},
    "scaled_dot_product_attention": {SAME_SHAPE: ["Q -> K", "Q -> V"]},
    "sliding_window_mask": {SAME_MEANING: ["0 -> -1", "future | too_far_back -> future ^ too_far_back"]},
    "split_heads": {
        REFUSED_BY_THE_CONSTRUCTOR: [
            "if d_model % num_heads != 0: raise V -> pass",
            "if d_model % num_heads != 0: raise V -> if False: raise ValueError(f'd_model",
            "raise ValueError(f'd_model={d_model} -> pass",
        ]
    },
    "from_interleaved": {
        SAME_MEANING: [
            "weight.reshape(num_heads, 3, -1, d_m -> weight.reshape(num_heads, 3, -1)",
            "weight.reshape(num_heads, 3, -1, d_m -> weight.reshape(num_heads, 3, d_model",
        ]
    },
    "translate_mask": {
        SAME_MEANING: ["(source, target) -> (target, source)"],
        BETWEEN: ["10000.0 -> 9999.0"],
    },
    "get_attention_weights": {SAME_AXIS: ["-2 -> 2"]},
    "head_entropy": {
        WHERE_IT_IS_ZERO: [
            "seen > 1 -> seen >= 1",
            "1 -> 0",
            "most.clamp(min=0.5) -> most",
            "1.0 -> 2.0",
            "0.5 -> -0.5",
            "0.5 -> 0",
        ],
        SAME_AXIS: ["1 -> 2"],
    },
    "head_scores": {
        SAME_MEANING: [
            "torch.arange(2, weights.shape[-1], d -> torch.arange(2, weights.shape[-1])",
            "(0, 2) -> (2, 0)",
        ],
        SAME_AXIS: ["1 -> 2"],
    },
    "induction_score": {
        SAME_MEANING: ["earlier.roll(1, dims=-1) -> earlier.roll(1)", "(0, 2) -> (2, 0)"],
        WHERE_IT_IS_ZERO: ["mass * counts[:, None] -> mass"],
    },
    "online_softmax_attention": {
        WHERE_IT_IS_ZERO: ["torch.zeros_like -> torch.ones_like"],
        SAME_SHAPE: ["Q -> K", "Q -> V", "K -> V"],
        SAME_MEANING: [
            "torch.maximum(largest, scores.amax(d -> torch.maximum(scores.amax(dim=-1, ke",
            "torch.promote_types(Q.dtype, torch.f -> torch.promote_types(torch.float32, Q",
        ],
        WIDE_ANYWAY: [
            "(Q @ k.transpose(-2, -1)).to(wide) -> (Q @ k.transpose(-2, -1)).to()",
            "(Q @ k.transpose(-2, -1)).to(wide) -> Q @ k.transpose(-2, -1)",
            "torch.full_like(Q[..., :1], -math.in -> torch.full_like(Q[..., :1], -math.in",
            "torch.zeros_like(Q, dtype=wide) -> torch.zeros_like(Q)",
        ],
    },
    "gather_paged": {INDEX_ON_CPU: ["torch.arange(length, device=blocks.d -> torch.arange(length)"]},
    "LatentAttentionWithCache": {SAME_SHAPE: ["K -> V"], SAME_AXIS: ["-2 -> 2"]},
    "merge_partials": {
        ANY_NUMBER: ["0 -> 1", "0 -> -1"],
        SAME_MEANING: ["torch.maximum(lse_1, lse_2) -> torch.maximum(lse_2, lse_1)"],
    },
}
pytestmark = pytest.mark.filterwarnings("ignore::SyntaxWarning")
CALLED = [name for name in names() if load(name).contract.kind != "answer"]


@pytest.mark.release
@pytest.mark.parametrize("name", CALLED)
def test_hidden_cases_refuse_every_change_but_the_harmless(name):
    harmless = {what for changes in HARMLESS.get(name, {}).values() for what in changes}
    assert set(survivors(name)) == harmless


def test_changes_are_many_each_is_one_and_none_is_lost():
    source = (
        "def f(Q, n=2):\n"
        "    if n > 1:\n"
        "        raise ValueError('few')\n"
        "    return Q.sum(dim=-1)[:n] / n ** 0.5\n"
    )
    result = dict(mutants(source))
    assert ast.unparse(ast.parse(source)) not in result.values()
    for wanted in (
        "n > 1 -> n >= 1",
        "Q.sum -> Q.mean",
        "Q -> K",
        "-1 -> 1",
        "0.5 -> 1.5",
        "2 -> 3",
        "Q.sum(dim=-1) -> Q.sum()",
        ":n -> :",
        "n > 1 -> n < 1",
    ):
        assert wanted in result, wanted
    assert all("few" in text for what, text in result.items() if "pass" not in what)
    assert len(result) > 25
