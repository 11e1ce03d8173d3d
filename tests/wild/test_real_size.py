"""GPT-2 small at its real size, with drawn weights: it loads, and gives the logits of transformers."""

import pytest
import torch

from course_utils.standins import MultiHeadAttentionWithCache
from course_utils.wild import load_gpt2

from .weights import wrong_by


@pytest.mark.release
@torch.no_grad()
def test_gpt2_small(library, tmp_path):
    transformers = library("transformers")
    theirs = transformers.GPT2LMHeadModel(transformers.GPT2Config()).eval()
    for name, parameter in theirs.named_parameters():
        if name.endswith("bias"):
            parameter.normal_(std=0.1)
    theirs.save_pretrained(tmp_path)
    ours, tokens = load_gpt2(tmp_path, MultiHeadAttentionWithCache), torch.randint(50257, (1, 64))
    assert sum(parameter.numel() for parameter in ours.parameters()) == 124_439_808
    wanted = theirs(tokens).logits
    assert wanted.std() > 0.1
    assert wrong_by(ours(tokens)[0], wanted) < 1e-4
