"""Results that should be copies: one that lies in an argument's memory is right in its values, with one thing
left."""

import pytest
import torch

from autograder.exercises import load
from course_utils.compare.verdict import compare
from course_utils.diagnose.assess import assess
from course_utils.model.observation import Observation
from course_utils.observe.probe import observe
from tests.answers import views


def assessed(name, implementation):
    sheet = load(name).sheet(with_mistakes=False)
    observations = [observe(implementation, case, sheet.contract) for case in sheet.cases]
    observations = [Observation.from_plain(item.as_plain()) for item in observations]
    return assess(compare(sheet, observations))


@pytest.mark.parametrize("wrong", views.VIEWS)
def test_a_view_of_the_argument_is_the_one_thing_left(wrong):
    result = assessed("from_fused", wrong)
    assert (result.mistake, result.status, result.left) == ("not_copies", "one_left", 1)
    assert "W_k" in result.message
    assert ("W_q" in result.message) == (wrong is not views.one_view)
    assert 0.9 * result.max_points < result.points < result.max_points


def test_a_transposed_view_is_seen_too():
    def views(weight, bias):
        W, b = weight.T.chunk(3), bias.clone().chunk(3)
        return {"W_q": W[0], "W_k": W[1], "W_v": W[2], "b_q": b[0], "b_k": b[1], "b_v": b[2]}

    result = assessed("from_conv1d", views)
    assert result.mistake == "not_copies"
    assert "the memory of W_q and W_k and W_v is that of an argument" in result.message


def test_copies_may_share_memory_with_each_other():
    assert assessed("from_fused", lambda weight, d_kv=None: views.pieces(weight.clone(), d_kv)).passed


def test_views_are_right_where_no_copies_are_asked_for():
    def view(weight, num_heads):
        D = weight.shape[1]
        return tuple(W.reshape(D, D) for W in weight.reshape(num_heads, 3, -1, D).unbind(1))

    assert view(torch.zeros(12, 4), 1)[0].untyped_storage().nbytes() == 12 * 4 * 4  # a view, with one head
    assert assessed("from_interleaved", view).passed
