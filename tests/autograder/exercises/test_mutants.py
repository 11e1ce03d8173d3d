"""Hidden cases refuse every small change to a lesson's answer, but for those that change nothing that is graded."""

import ast

import pytest

from autograder.exercises import load, names
from tests.tools.mutants import mutants, survivors

REFUSED_BY_THE_CONSTRUCTOR = "what a constructor refuses is not graded"
SAME_AXIS = "the same axis, or axes of one size"
SAME_SHAPE = "K and V, or K and Q where only that size is read, have the same shape"
OVERWRITTEN = "memory that is read only where it was written"
OTHER_DEVICE = "lengths and mask on two devices: not asked for"
NOT_READ = "nobody asks for the value"
WHERE_IT_IS_ZERO = "it is multiplied by zero, or replaced, wherever it differs"
SAME_MEANING = "another way to say the same"

HARMLESS = {
    "GroupedQueryAttentionWithCache": {
        "if d_model % num_heads or num_heads % num_kv_heads: raise ValueError(f -> pass": REFUSED_BY_THE_CONSTRUCTOR,
        "if d_model % num_heads or num_heads % num_kv_heads: raise ValueError(f -> if False: raise ValueError(f'{d_model}, {num_heads}, {num_kv_heads}: t": REFUSED_BY_THE_CONSTRUCTOR,
        "d_model % num_heads or num_heads % num_kv_heads -> d_model % num_heads and num_heads % num_kv_heads": REFUSED_BY_THE_CONSTRUCTOR,
        "d_model % num_heads or num_heads % num_kv_heads -> d_model % num_heads": REFUSED_BY_THE_CONSTRUCTOR,
        "d_model % num_heads or num_heads % num_kv_heads -> num_heads % num_kv_heads": REFUSED_BY_THE_CONSTRUCTOR,
        "raise ValueError(f'{d_model}, {num_heads}, {num_kv_heads}: the shares  -> pass": REFUSED_BY_THE_CONSTRUCTOR,
        "None -> 0": NOT_READ,
        "K -> V": SAME_SHAPE,
        "-2 -> 2": SAME_AXIS,
    },
    "MultiHeadAttentionWithCache": {
        "if d_model % num_heads: raise ValueError(f'd_model = {d_model} cannot  -> pass": REFUSED_BY_THE_CONSTRUCTOR,
        "if d_model % num_heads: raise ValueError(f'd_model = {d_model} cannot  -> if False: raise ValueError(f'd_model = {d_model} cannot be shared by {": REFUSED_BY_THE_CONSTRUCTOR,
        "raise ValueError(f'd_model = {d_model} cannot be shared by {num_heads} -> pass": REFUSED_BY_THE_CONSTRUCTOR,
        "None -> 0": NOT_READ,
        "K -> V": SAME_SHAPE,
        "-2 -> 2": SAME_AXIS,
    },
    "StaticKVCache": {"torch.zeros -> torch.ones": OVERWRITTEN, "k -> v": SAME_SHAPE},
    "attend_in_chunks": {"not chunk_sizes or sum(chunk_sizes) != x.shape[1] -> sum(chunk_sizes) != x.shape[1]": SAME_MEANING},
    "create_attention_mask": {
        "device is None and key_padding_lengths is not None -> key_padding_lengths is not None": OTHER_DEVICE,
        "key_padding_lengths.to(device) -> key_padding_lengths": OTHER_DEVICE,
        "key_padding_lengths.to(device) -> key_padding_lengths.to()": OTHER_DEVICE,
    },
    "create_causal_mask_with_cache": {"key_position[None, :] -> key_position": SAME_MEANING},
    "CausalMultiHeadSelfAttention": {
        "if embedding_dim % num_heads != 0: raise ValueError(f'embedding_dim={e -> pass": REFUSED_BY_THE_CONSTRUCTOR,
        "if embedding_dim % num_heads != 0: raise ValueError(f'embedding_dim={e -> if False: raise ValueError(f'embedding_dim={embedding_dim} cannot be c": REFUSED_BY_THE_CONSTRUCTOR,
        "raise ValueError(f'embedding_dim={embedding_dim} cannot be cut into {n -> pass": REFUSED_BY_THE_CONSTRUCTOR,
        "self.d_model = embedding_dim -> pass": NOT_READ,
        "-2 -> 2": SAME_AXIS,
    },
    "MultiHeadSelfAttention": {
        "if d_model % num_heads != 0: raise ValueError(f'd_model={d_model} cann -> pass": REFUSED_BY_THE_CONSTRUCTOR,
        "if d_model % num_heads != 0: raise ValueError(f'd_model={d_model} cann -> if False: raise ValueError(f'd_model={d_model} cannot be cut into {num": REFUSED_BY_THE_CONSTRUCTOR,
        "raise ValueError(f'd_model={d_model} cannot be cut into {num_heads} eq -> pass": REFUSED_BY_THE_CONSTRUCTOR,
        "-2 -> 2": SAME_AXIS,
    },
    "causal_attention_with_weights": {"-2 -> 2": SAME_AXIS},
    "load_torch_weights": {"torch_attention.in_proj_weight.chunk(3, dim=0) -> torch_attention.in_proj_weight.chunk(3)": SAME_MEANING},
    "multi_head_causal_attention": {"-1 -> 1": SAME_AXIS},
    "trace_causal_attention": {"-2 -> 2": SAME_AXIS},
    "multi_head_attention": {"Q -> K": SAME_SHAPE, "Q -> V": SAME_SHAPE},
    "scaled_dot_product_attention": {"Q -> K": SAME_SHAPE, "Q -> V": SAME_SHAPE},
    "split_heads": {
        "if d_model % num_heads != 0: raise ValueError(f'd_model={d_model} cann -> pass": REFUSED_BY_THE_CONSTRUCTOR,
        "if d_model % num_heads != 0: raise ValueError(f'd_model={d_model} cann -> if False: raise ValueError(f'd_model={d_model} cannot be cut into {num": REFUSED_BY_THE_CONSTRUCTOR,
        "raise ValueError(f'd_model={d_model} cannot be cut into {num_heads} eq -> pass": REFUSED_BY_THE_CONSTRUCTOR,
    },
    "get_attention_weights": {"-2 -> 2": SAME_AXIS},
    "head_entropy": {
        "seen > 1 -> seen >= 1": WHERE_IT_IS_ZERO,
        "1 -> 0": WHERE_IT_IS_ZERO,
        "most.clamp(min=0.5) -> most": WHERE_IT_IS_ZERO,
        "1.0 -> 2.0": WHERE_IT_IS_ZERO,
        "0.5 -> -0.5": WHERE_IT_IS_ZERO,
        "0.5 -> 0": WHERE_IT_IS_ZERO,
        "1 -> 2": SAME_AXIS,
    },
    "head_scores": {
        "torch.arange(2, weights.shape[-1], device=weights.device) -> torch.arange(2, weights.shape[-1])": SAME_MEANING,
        "1 -> 2": SAME_AXIS,
        "(0, 2) -> (2, 0)": SAME_MEANING,
    },
    "induction_score": {
        "earlier.roll(1, dims=-1) -> earlier.roll(1)": SAME_MEANING,
        "mass * counts[:, None] -> mass": WHERE_IT_IS_ZERO,
        "(0, 2) -> (2, 0)": SAME_MEANING,
    },
}  # fmt: skip
pytestmark = pytest.mark.filterwarnings("ignore::SyntaxWarning")
CALLED = [name for name in names() if load(name).contract.kind != "answer"]


@pytest.mark.slow
@pytest.mark.parametrize("name", CALLED)
def test_hidden_cases_refuse_every_change_but_the_harmless(name):
    assert set(survivors(name)) == set(HARMLESS.get(name, ()))


def test_changes_are_many_each_is_one_and_none_is_lost():
    source = "def f(Q, n=2):\n    if n > 1:\n        raise ValueError('few')\n    return Q.sum(dim=-1)[:n] / n ** 0.5\n"
    found = dict(mutants(source))
    assert ast.unparse(ast.parse(source)) not in found.values()
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
        assert wanted in found, wanted
    assert all("few" in text for what, text in found.items() if "pass" not in what)
    assert len(found) > 25
