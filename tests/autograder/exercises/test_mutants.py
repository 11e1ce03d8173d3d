"""Hidden cases refuse every small change to a lesson's answer, but for those that change nothing that is
graded."""

import ast

import pytest

from autograder.exercises import load, names
from tools.mutants import mutants, survivors

HARMLESS = {  # {why: {exercises: what may be changed in their answers}}
    "what a constructor refuses is not graded": {
        "GroupedQueryAttentionWithCache": [
            "if d_model % num_heads or num_heads  -> pass",
            "if d_model % num_heads or num_heads  -> if False: raise ValueError(f'{d_mode",
            "d_model % num_heads or num_heads % n -> d_model % num_heads and num_heads % ",
            "d_model % num_heads or num_heads % n -> d_model % num_heads",
            "d_model % num_heads or num_heads % n -> num_heads % num_kv_heads",
            "raise ValueError(f'{d_model}, {num_h -> pass",
        ],
        "MultiHeadAttentionWithCache": [
            "if d_model % num_heads: raise ValueE -> pass",
            "if d_model % num_heads: raise ValueE -> if False: raise ValueError(f'd_model",
            "raise ValueError(f'd_model = {d_mode -> pass",
        ],
        "CausalMultiHeadSelfAttention": [
            "if embedding_dim % num_heads != 0: r -> pass",
            "if embedding_dim % num_heads != 0: r -> if False: raise ValueError(f'embeddi",
            "raise ValueError(f'embedding_dim={em -> pass",
        ],
        "MultiHeadSelfAttention split_heads": [
            "if d_model % num_heads != 0: raise V -> pass",
            "if d_model % num_heads != 0: raise V -> if False: raise ValueError(f'd_model",
            "raise ValueError(f'd_model={d_model} -> pass",
        ],
    },
    "nobody asks for the value": {
        "GroupedQueryAttentionWithCache MultiHeadAttentionWithCache": ["None -> 0"],
        "CausalMultiHeadSelfAttention": ["self.d_model = embedding_dim -> pass"],
    },
    "K and V, or K and Q where only that size is read, have the same shape": {
        (
            "GroupedQueryAttentionWithCache MultiHeadAttentionWithCache "
            "online_softmax_attention LatentAttentionWithCache"
        ): ["K -> V"],
        "RingKVCache StaticKVCache": ["k -> v"],
        "multi_head_attention scaled_dot_product_attention online_softmax_attention": ["Q -> K", "Q -> V"],
    },
    "the same axis, or axes of one size": {
        (
            "GroupedQueryAttentionWithCache MultiHeadAttentionWithCache LatentAttentionWithCache "
            "CausalMultiHeadSelfAttention MultiHeadSelfAttention get_attention_weights "
            "causal_attention_with_weights"
        ): ["-2 -> 2"],
        "multi_head_causal_attention next_token_probabilities": ["-1 -> 1"],
        "head_entropy head_scores": ["1 -> 2"],
    },
    "memory that is read only where it was written": {
        "RingKVCache StaticKVCache": ["torch.zeros -> torch.ones"],
    },
    "another way to say the same": {
        "RingKVCache": [
            "min(self.sinks, self.seen) -> min(self.seen, self.sinks)",
            "max(first, self.seen - self.window) -> max(self.seen - self.window, first)",
            "n < self.sinks -> n <= self.sinks",
        ],
        "attend_in_chunks": ["not chunk_sizes or sum(chunk_sizes)  -> sum(chunk_sizes) != x.shape[1]"],
        "create_causal_mask_with_cache": ["key_position[None, :] -> key_position"],
        "load_torch_weights": [
            "torch_attention.in_proj_weight.chunk -> torch_attention.in_proj_weight.chunk"
        ],
        "next_token_probabilities": ["min(top_k, logits.shape[-1]) -> min(logits.shape[-1], top_k)"],
        "sliding_window_mask": ["0 -> -1", "future | too_far_back -> future ^ too_far_back"],
        "from_interleaved": [
            "weight.reshape(num_heads, 3, -1, d_m -> weight.reshape(num_heads, 3, -1)",
            "weight.reshape(num_heads, 3, -1, d_m -> weight.reshape(num_heads, 3, d_model",
        ],
        "translate_mask": ["(source, target) -> (target, source)"],
        "head_scores": ["torch.arange(2, weights.shape[-1], d -> torch.arange(2, weights.shape[-1])"],
        "head_scores induction_score": ["(0, 2) -> (2, 0)"],
        "induction_score": ["earlier.roll(1, dims=-1) -> earlier.roll(1)"],
        "online_softmax_attention": [
            "torch.maximum(largest, scores.amax(d -> torch.maximum(scores.amax(dim=-1, ke",
            "torch.promote_types(Q.dtype, torch.f -> torch.promote_types(torch.float32, Q",
        ],
        "merge_partials": ["torch.maximum(lse_1, lse_2) -> torch.maximum(lse_2, lse_1)"],
    },
    "which place in the ring a token has is not seen": {
        "RingKVCache": [
            "n - self.sinks -> n + self.sinks",
            "n - self.sinks -> n",
            "n - self.sinks -> self.sinks - n",
        ],
    },
    "lengths and mask on two devices: not asked for": {
        "create_attention_mask": [
            "device is None and key_padding_lengt -> key_padding_lengths is not None",
            "key_padding_lengths.to(device) -> key_padding_lengths",
            "key_padding_lengths.to(device) -> key_padding_lengths.to()",
        ],
    },
    "a limit between two numbers that no case has": {
        "translate_mask": ["10000.0 -> 9999.0"],
    },
    "it is multiplied by zero, or replaced, wherever it differs": {
        "head_entropy": [
            "seen > 1 -> seen >= 1",
            "1 -> 0",
            "most.clamp(min=0.5) -> most",
            "1.0 -> 2.0",
            "0.5 -> -0.5",
            "0.5 -> 0",
        ],
        "induction_score": ["mass * counts[:, None] -> mass"],
        "online_softmax_attention": ["torch.zeros_like -> torch.ones_like"],
    },
    "the wider dtype of another operand counts": {
        "online_softmax_attention": [
            "(Q @ k.transpose(-2, -1)).to(wide) -> (Q @ k.transpose(-2, -1)).to()",
            "(Q @ k.transpose(-2, -1)).to(wide) -> Q @ k.transpose(-2, -1)",
            "torch.full_like(Q[..., :1], -math.in -> torch.full_like(Q[..., :1], -math.in",
            "torch.zeros_like(Q, dtype=wide) -> torch.zeros_like(Q)",
        ],
    },
    "an index on the CPU may meet a tensor on any device": {
        "gather_paged": ["torch.arange(length, device=blocks.d -> torch.arange(length)"],
    },
    "subtracted from -inf": {
        "merge_partials": ["0 -> 1", "0 -> -1"],
    },
}
pytestmark = pytest.mark.filterwarnings("ignore::SyntaxWarning")
CALLED = [name for name in names() if load(name).contract.kind != "answer"]


@pytest.mark.release
@pytest.mark.parametrize("name", CALLED)
def test_hidden_cases_refuse_every_change_but_the_harmless(name):
    groups = [group for groups in HARMLESS.values() for group in groups.items()]
    harmless = {what for of, changes in groups if name in of.split() for what in changes}
    assert set(survivors(name)) == harmless


WANTED = {
    "n > 1 -> n >= 1",
    "Q.sum -> Q.mean",
    "Q -> K",
    "-1 -> 1",
    "0.5 -> 1.5",
    "2 -> 3",
    "Q.sum(dim=-1) -> Q.sum()",
    ":n -> :",
    "n > 1 -> n < 1",
}


def test_changes_are_many_each_is_one_and_none_is_lost():
    begin = "def f(Q, n=2):\n    if n > 1:\n        raise ValueError('few')\n"
    source = f"{begin}    return Q.sum(dim=-1)[:n] / n ** 0.5\n"
    result = dict(mutants(source))
    assert ast.unparse(ast.parse(source)) not in result.values()
    assert result.keys() >= WANTED
    assert all("few" in text for what, text in result.items() if "pass" not in what)
    assert len(result) > 25
