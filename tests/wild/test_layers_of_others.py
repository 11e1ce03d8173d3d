"""What lesson 6 says of a tokenizer's ones and of ONNX's operator, beyond the comparisons that the lesson
itself asserts (test_gpt2.py runs it with every library)."""

from importlib import import_module

import pytest
import torch
from torch.nn.attention.bias import causal_lower_right, causal_upper_left
from torch.nn.functional import scaled_dot_product_attention

from course_utils.wild.others import onnx_attention

pytestmark = [pytest.mark.system, pytest.mark.xdist_group("other libraries")]


@torch.no_grad()
def test_a_tokenizer_says_one_for_attend():
    """A left-padded prompt gives what the prompt alone gives, with 1 for what may be attended to."""
    transformers = import_module("transformers")
    sizes = {"vocab_size": 19, "n_positions": 16, "n_embd": 12, "n_layer": 2, "n_head": 3}
    model = transformers.GPT2LMHeadModel(transformers.GPT2Config(**sizes, initializer_range=0.5)).eval()
    wanted = model(torch.tensor([[3, 1, 4]])).logits
    padded, places = torch.tensor([[0, 0, 3, 1, 4]]), torch.tensor([[0, 0, 0, 1, 2]])
    ones = torch.tensor([[0, 0, 1, 1, 1]])
    right, wrong = (model(padded, attention_mask=mask, position_ids=places) for mask in (ones, 1 - ones))
    torch.testing.assert_close(right.logits[:, 2:], wanted, atol=1e-5, rtol=0)
    assert (wrong.logits[:, 2:] - wanted).abs().max() > 0.1


@pytest.mark.parametrize("opset", [23, 24])
def test_onnx_counts_queries_from_the_past_only_where_there_is_one(opset):
    """is_causal=1 begins at the bottom right with past_key, and at the top left without."""
    Q, K, V = (torch.randn(2, 3, T, 4) for T in (2, 5, 5))
    whole = {"Q": Q, "K": K, "V": V}
    with_past = {
        "Q": Q,
        "K": K[:, :, 3:],
        "V": V[:, :, 3:],
        "past_key": K[:, :, :3],
        "past_value": V[:, :, :3],
    }
    for inputs, mask in ((whole, causal_upper_left), (with_past, causal_lower_right)):
        (output,) = onnx_attention(inputs, opset=opset, is_causal=1)
        wanted = scaled_dot_product_attention(Q, K, V, attn_mask=mask(2, 5))
        torch.testing.assert_close(output, wanted, atol=1e-5, rtol=0)
