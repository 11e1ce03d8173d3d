"""One weight set in libraries without torch: Flax keeps the heads as an axis, ONNX has one operator. The same
numbers to 1e-5 in float32."""

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch.nn.attention.bias import causal_lower_right, causal_upper_left

from course_utils.wild.others import onnx_attention

from .weights import NAMES, D, H, layer_with_biases, randn, wrong_by

pytestmark = [pytest.mark.system, pytest.mark.xdist_group("other libraries")]
TOLERANCE = 1e-5


def as_kernels(layer):
    """Flax's names: kernels (D, H, d_head) and biases (H, d_head); the last kernel is (H, d_head, D)."""
    kernels = {}
    for name, its in zip(NAMES[:3], ("query", "key", "value"), strict=True):
        linear = getattr(layer, name)
        kernels[its] = {
            "kernel": linear.weight.T.reshape(D, H, -1).float().numpy(),
            "bias": linear.bias.reshape(H, -1).float().numpy(),
        }
    out = layer.out_proj
    return kernels | {
        "out": {"kernel": out.weight.T.reshape(H, -1, D).float().numpy(), "bias": out.bias.float().numpy()}
    }


def test_flax_linen(library):
    linen = library("flax.linen")
    ours, x = layer_with_biases(), randn(2, 5, D)
    theirs = linen.MultiHeadDotProductAttention(num_heads=H, qkv_features=D)
    arguments = x.float().numpy()
    fresh = theirs.init(library("jax").random.key(0), arguments, arguments, arguments)["params"]
    kernels = as_kernels(ours)
    attend = np.tril(np.ones((5, 5), bool))[None, None]  # True = attend
    result = theirs.apply({"params": kernels}, arguments, arguments, arguments, mask=attend)
    assert wrong_by(np.array(result), ours(x)[0].float()) < TOLERANCE
    result = theirs.apply({"params": kernels}, arguments, arguments, arguments, mask=~attend)
    assert wrong_by(np.array(result)[:, 1:], ours(x)[0].float()[:, 1:]) > 0.1
    shapes = {name: {kind: array.shape for kind, array in parts.items()} for name, parts in kernels.items()}
    assert shapes == {
        name: {kind: tuple(array.shape) for kind, array in fresh[name].items()} for name in fresh
    }


def test_flax_nnx(library):
    nnx = library("flax.nnx")
    ours, x = layer_with_biases(), randn(2, 5, D)
    theirs = nnx.MultiHeadAttention(H, D, D, decode=False, rngs=nnx.Rngs(0))
    for name, parts in as_kernels(ours).items():
        for kind, array in parts.items():
            getattr(getattr(theirs, name), kind)[...] = array
    attend = np.tril(np.ones((5, 5), bool))[None, None]
    result = theirs(x.float().numpy(), mask=attend)
    assert wrong_by(np.array(result), ours(x)[0].float()) < TOLERANCE


@pytest.fixture
def operator(library):
    """The Attention operator, where onnx is installed."""
    library("onnx.reference")
    return onnx_attention


def single(*shape):
    return randn(*shape).float()


@pytest.mark.parametrize("opset", [23, 24])
def test_onnx_mask_and_heads(operator, opset):
    Q, K, V = single(2, H, 5, 4), single(2, H, 5, 4), single(2, H, 5, 4)
    wanted = F.scaled_dot_product_attention(Q, K, V, is_causal=True)
    arguments = {"Q": Q, "K": K, "V": V}
    attend = torch.ones(5, 5, dtype=torch.bool).tril()
    assert wrong_by(operator(arguments, opset=opset, is_causal=1)[0], wanted) < TOLERANCE
    assert wrong_by(operator(arguments | {"attn_mask": attend}, opset=opset)[0], wanted) < TOLERANCE
    assert wrong_by(operator(arguments | {"attn_mask": attend.T}, opset=opset)[0], wanted) > 0.1
    added = torch.zeros(5, 5).masked_fill(~attend, -torch.inf)
    assert wrong_by(operator(arguments | {"attn_mask": added}, opset=opset)[0], wanted) < TOLERANCE
    flat = {name: tensor.transpose(1, 2).flatten(2) for name, tensor in arguments.items()}
    merged = operator(flat, opset=opset, is_causal=1, q_num_heads=H, kv_num_heads=H)[0]
    assert wrong_by(merged, wanted.transpose(1, 2).flatten(2)) < TOLERANCE


@pytest.mark.parametrize("opset", [23, 24])
def test_onnx_shares_neighbouring_heads(operator, opset):
    Q, K, V = single(2, 6, 5, 4), single(2, 2, 5, 4), single(2, 2, 5, 4)
    wanted = F.scaled_dot_product_attention(Q, K, V, is_causal=True, enable_gqa=True)
    assert wrong_by(operator({"Q": Q, "K": K, "V": V}, opset=opset, is_causal=1)[0], wanted) < TOLERANCE


@pytest.mark.parametrize("opset", [23, 24])
def test_onnx_counts_queries_from_the_past_only_where_it_is_given(operator, opset):
    """is_causal=1 begins at the bottom right with past_key, and at the top left without."""
    Q, K, V = single(2, H, 2, 4), single(2, H, 5, 4), single(2, H, 5, 4)
    lower, upper = (
        F.scaled_dot_product_attention(Q, K, V, attn_mask=bias(2, 5))
        for bias in (causal_lower_right, causal_upper_left)
    )
    new = {"Q": Q, "K": K[:, :, 3:], "V": V[:, :, 3:]}
    past = {"past_key": K[:, :, :3], "past_value": V[:, :, :3]}
    names = ("Y", "present_key", "present_value")
    output, keys, values = operator(new | past, names, opset=opset, is_causal=1)
    assert wrong_by(output, lower) < TOLERANCE
    assert wrong_by(output, upper) > 0.1
    assert torch.equal(keys, K)
    assert torch.equal(values, V)
    alone = operator({"Q": Q, "K": K, "V": V}, opset=opset, is_causal=1)[0]
    assert wrong_by(alone, upper) < TOLERANCE
