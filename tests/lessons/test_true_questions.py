"""What the questions of parts 4 and 5 call right is what the layers give."""

from pathlib import Path

import pytest
import torch

from autograder.publish.questions import all_questions
from course_utils import standins

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def right():
    """{question: its answer}."""
    return {question.name: question.answer for result in all_questions(ROOT).values() for question in result}


def test_bytes_of_a_cache(right):
    assert right["cache_in_gib"] == standins.kv_cache_bytes(1, 80, 8, 8192, 128) / 2**30


@torch.no_grad()
def test_outputs_that_a_new_token_changes(right):
    layer, x = standins.MultiHeadAttentionWithCache(24, 6), torch.randn(1, 8, 24)
    changed = (layer(x)[0][:, :7] - layer(x[:, :7])[0]).abs().amax(-1) > 1e-5
    assert right["old_outputs_that_change"] == int(changed.sum())


@torch.no_grad()
def test_a_view_of_a_static_cache(right):
    cache = standins.StaticKVCache(1, 1, 3, 2)
    saved, _ = cache.update(torch.ones(1, 1, 2, 2), torch.ones(1, 1, 2, 2))
    saved[:] = 9.0
    rows = cache.update(torch.ones(1, 1, 1, 2), torch.ones(1, 1, 1, 2))[0][0, 0, :, 0].tolist()
    assert (right["a_view_written_into"], rows) == ("b", [9.0, 9.0, 1.0])


def test_entropy_of_even_rows_divided_by_log_t(right):
    even = torch.ones(16, 16).tril() / torch.arange(1, 17)[:, None]
    divided = -(even * even.clamp(min=1e-9).log()).sum(-1) / torch.tensor(16.0).log()
    assert right["even_rows_by_log_t"] == "a"
    assert divided[1] < 0.3 < 0.99 < divided[15]
