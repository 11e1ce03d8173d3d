"""What lesson 6 says of other libraries' masks, caches, biases and operators, beyond the comparisons that the
lesson itself asserts (test_gpt2.py runs it with every library)."""

import math
from functools import partial

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch.nn.attention.bias import causal_lower_right, causal_upper_left

from course_utils.wild.others import onnx_attention

from .weights import FUTURE, NAMES, D, H, layer_with_biases, randn, wrong_by

CLOSE, FLOAT32, FAR = 1e-12, 1e-5, 0.1
ADDED = torch.zeros(5, 5, dtype=torch.float64).masked_fill(FUTURE, -math.inf)[None, None]
KINDS = ("weight", "bias")
pytestmark = pytest.mark.xdist_group("other libraries")
sdpa = F.scaled_dot_product_attention


@pytest.fixture
def ours():
    return layer_with_biases()


@pytest.fixture
def x():
    return randn(2, 5, D)


def qkv(heads, kv_heads, T_q, T_k, dtype=torch.float64):
    return [randn(2, n, T, 4).to(dtype) for n, T in ((heads, T_q), (kv_heads, T_k), (kv_heads, T_k))]


# ---- torch


def test_a_bias_of_the_keys_changes_no_output(ours, x):
    """It adds the same number to all scores of a query, and softmax does not see that."""
    before, keys = ours(x)[:2]
    ours.k_proj.bias += 3 * randn(D)
    assert wrong_by(ours(x)[0], before) < CLOSE
    assert wrong_by(ours(x)[1], keys) > 1
    ours.q_proj.bias += 3 * randn(D)
    assert wrong_by(ours(x)[0], before) > FAR


# ---- transformers


@pytest.mark.system
@torch.no_grad()
def test_a_tokenizer_says_one_for_attend(library):
    """A left-padded prompt gives what the prompt alone gives, with 1 for what may be attended to."""
    transformers = library("transformers")
    sizes = {"vocab_size": 19, "n_positions": 16, "n_embd": D, "n_layer": 2, "n_head": H}
    model = transformers.GPT2LMHeadModel(transformers.GPT2Config(**sizes, initializer_range=0.5)).eval()
    wanted = model(torch.tensor([[3, 1, 4]])).logits
    padded, attend = torch.tensor([[0, 0, 3, 1, 4]]), torch.tensor([[0, 0, 1, 1, 1]])
    places, counted = torch.tensor([[0, 0, 0, 1, 2]]), torch.arange(5)[None]
    for mask, positions, right in (
        (attend, places, True),
        (1 - attend, places, False),
        (attend, counted, False),
    ):
        logits = model(padded, attention_mask=mask, position_ids=positions).logits[:, 2:]
        assert wrong_by(logits, wanted) < FLOAT32 if right else wrong_by(logits, wanted) > FAR


@pytest.mark.system
@torch.no_grad()
def test_a_chunk_after_a_cache_sees_what_it_should(library):
    transformers = library("transformers")
    sizes = {"hidden_size": D, "num_hidden_layers": 2, "num_attention_heads": H, "vocab_size": 19}
    config = transformers.GPTNeoXConfig(**sizes, intermediate_size=24, initializer_range=0.5)
    model = transformers.GPTNeoXForCausalLM(config).eval()
    tokens = torch.tensor([[3, 1, 4, 1, 5]])
    start = model(tokens[:, :2], use_cache=True)
    rest = model(tokens[:, 2:], past_key_values=start.past_key_values)
    assert wrong_by(torch.cat([start.logits, rest.logits], 1), model(tokens).logits) < 1e-4


# ---- Flax has the heads as an axis


def as_kernels(layer):
    """Flax's names: kernels (D, H, d_head) and biases (H, d_head); the last kernel is (H, d_head, D)."""
    kernels = {}
    for name, role in zip(NAMES, ("query", "key", "value", "out"), strict=True):
        weight, bias = (getattr(getattr(layer, name), kind).float().numpy() for kind in KINDS)
        shapes = ((H, -1, D), (D,)) if role == "out" else ((D, H, -1), (H, -1))
        kernels[role] = {"kernel": weight.T.reshape(shapes[0]), "bias": bias.reshape(shapes[1])}
    return kernels


@pytest.mark.system
def test_flax(library, ours, x):
    linen, nnx, kernels = library("flax.linen"), library("flax.nnx"), as_kernels(ours)
    old = linen.MultiHeadDotProductAttention(num_heads=H, qkv_features=D)
    new = nnx.MultiHeadAttention(H, D, D, decode=False, rngs=nnx.Rngs(0))
    for role, parts in kernels.items():
        for kind, array in parts.items():
            assert getattr(getattr(new, role), kind)[...].shape == array.shape
            getattr(getattr(new, role), kind)[...] = array
    attend = np.tril(np.ones((5, 5), bool))[None, None]  # True = attend
    tokens, wanted = x.float().numpy(), ours(x)[0].float()
    assert wrong_by(np.array(old.apply({"params": kernels}, tokens, mask=attend)), wanted) < FLOAT32
    assert wrong_by(np.array(new(tokens, mask=attend)), wanted) < FLOAT32
    inverted = np.array(old.apply({"params": kernels}, tokens, mask=~attend))
    assert wrong_by(inverted[:, 1:], wanted[:, 1:]) > FAR


# ---- ONNX has one operator


@pytest.fixture(params=[23, 24])
def operator(library, request):
    """The Attention operator of an opset, where onnx is installed."""
    library("onnx.reference")
    return partial(onnx_attention, opset=request.param)


@pytest.mark.system
def test_onnx_masks_and_heads(operator):
    Q, K, V = qkv(H, H, 5, 5, torch.float32)
    inputs, wanted = {"Q": Q, "K": K, "V": V}, sdpa(Q, K, V, is_causal=True)
    assert wrong_by(operator(inputs, is_causal=1)[0], wanted) < FLOAT32
    for mask in (~FUTURE, ADDED[0, 0].float()):
        assert wrong_by(operator(inputs | {"attn_mask": mask})[0], wanted) < FLOAT32
    assert wrong_by(operator(inputs | {"attn_mask": ~FUTURE.T})[0], wanted) > FAR
    flat = {name: tensor.transpose(1, 2).flatten(2) for name, tensor in inputs.items()}
    merged = operator(flat, is_causal=1, q_num_heads=H, kv_num_heads=H)[0]
    assert wrong_by(merged, wanted.transpose(1, 2).flatten(2)) < FLOAT32
    Q, K, V = qkv(6, 2, 5, 5, torch.float32)
    neighbours = sdpa(Q, K, V, is_causal=True, enable_gqa=True)
    assert wrong_by(operator({"Q": Q, "K": K, "V": V}, is_causal=1)[0], neighbours) < FLOAT32


@pytest.mark.system
def test_onnx_counts_queries_from_the_past_only_where_there_is_one(operator):
    """is_causal=1 begins at the bottom right with past_key, and at the top left without."""
    Q, K, V = qkv(H, H, 2, 5, torch.float32)
    lower, upper = (sdpa(Q, K, V, attn_mask=bias(2, 5)) for bias in (causal_lower_right, causal_upper_left))
    new = {"Q": Q, "K": K[:, :, 3:], "V": V[:, :, 3:]}
    past = {"past_key": K[:, :, :3], "past_value": V[:, :, :3]}
    output, keys, values = operator(new | past, ("Y", "present_key", "present_value"), is_causal=1)
    assert wrong_by(output, lower) < FLOAT32
    assert wrong_by(output, upper) > FAR
    assert torch.equal(keys, K)
    assert torch.equal(values, V)
    assert wrong_by(operator({"Q": Q, "K": K, "V": V}, is_causal=1)[0], upper) < FLOAT32
