"""The lessons' own answers equal torch's whole layer with the same weights."""

from functools import partial

import pytest
import torch
from torch import nn

from course_utils.standins import trace_causal_attention
from tools.mutants import everything

answers = everything()
assert_close = partial(torch.testing.assert_close, atol=1e-6, rtol=0)
FUTURE, LENGTHS = torch.ones(5, 5).triu(1).bool(), torch.tensor([5, 2])
PADDED = {"key_padding_mask": torch.arange(5) >= LENGTHS[:, None]}


def layer_of_torch(num_heads=3):
    return nn.MultiheadAttention(12, num_heads, bias=False, batch_first=True, dtype=torch.float64)


@pytest.mark.parametrize("num_heads", [1, 3, 12])
def test_attention_functions_equal_nn_multihead_attention(num_heads):
    X, oracle = torch.randn(2, 5, 12, dtype=torch.float64), layer_of_torch(num_heads)
    W = [W.detach().T for W in (*oracle.in_proj_weight.chunk(3), oracle.out_proj.weight)]
    output, weights = oracle(X, X, X, attn_mask=FUTURE, average_attn_weights=False)
    assert_close(answers["causal_attention_with_weights"](X, *W, num_heads), (output, weights))
    assert_close(trace_causal_attention(X, *W, num_heads)["output"], output)
    assert_close(answers["multi_head_causal_attention"](X[1], *W, num_heads), output[1])


@pytest.mark.parametrize("name", ["MultiHeadSelfAttention", "CausalMultiHeadSelfAttention"])
def test_attention_layers_with_loaded_weights_equal_nn_multihead_attention(name):
    x = torch.randn(2, 5, 12, dtype=torch.float64)
    oracle, layer = layer_of_torch(), answers[name](12, 3).double()
    answers["load_torch_weights"](layer, oracle)
    if name.startswith("Causal"):
        assert_close(layer(x), oracle(x, x, x, attn_mask=FUTURE)[0])
    else:
        padded = layer(x, is_causal=True, key_padding_lengths=LENGTHS)
        assert_close(padded, oracle(x, x, x, attn_mask=FUTURE, **PADDED)[0])
        assert_close(layer(x), oracle(x, x, x)[0])
