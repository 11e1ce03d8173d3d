"""Tensors that are too large on the way to a right result are seen, and told from views of small ones."""

import pytest
import torch

from autograder import grade
from autograder.exercises import load
from autograder.sandbox.shared import wire
from course_utils.compare.verdict import compare
from course_utils.diagnose.assess import assess
from course_utils.model.observation import Observation
from course_utils.observe.probe import observe
from course_utils.observe.size_watch import SizeWatch

NAME = "online_softmax_attention"
Q, K = torch.ones(6, 2), torch.ones(7, 2)


def all_scores(Q, K, V, block_size):
    return torch.softmax(Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5, -1) @ V


def shape_seen(action, limit=42, arguments=()):
    with SizeWatch(limit, arguments) as watch:
        action()
    return watch.shape


@pytest.mark.parametrize(
    ("action", "shape"),
    [
        (lambda: Q @ K.T, [6, 7]),
        (lambda: torch.empty(42), [42]),
        (lambda: (Q[:, None] * K).sum(-1), [6, 7, 2]),
        (lambda: torch.cat([Q @ K[i : i + 1].T for i in range(7)], 1), [6, 7]),
        (lambda: torch.vmap(lambda query: K @ query)(Q), [7, 6]),
        (lambda: Q @ K[:6].T, []),
        (lambda: Q[:, :1].expand(6, 7), []),
        (lambda: [K @ query for query in Q], []),
    ],
)
def test_the_largest_tensor_in_memory_is_seen(action, shape):
    assert shape_seen(action) == shape


def test_a_copy_of_a_larger_argument_does_not_count():
    one_query, keys = torch.ones(1, 2), torch.ones(42, 2)
    assert shape_seen(lambda: keys.float(), arguments=[keys]) == []
    assert shape_seen(lambda: keys.mT, arguments=[keys]) == []
    assert shape_seen(lambda: one_query @ keys.mT, arguments=[keys]) == [1, 42]


def test_right_values_of_a_table_of_all_scores_earn_nothing():
    result = grade(NAME, all_scores)
    assert (result.passed, result.points, result.mistake) == (False, 0, "too_large")
    assert "a tensor of shape (" in result.message


def test_it_is_still_seen_in_what_a_sandbox_sends():
    sheet = load(NAME).sheet(with_mistakes=False)
    sent = wire.pack([observe(all_scores, case, sheet.contract).as_plain() for case in sheet.cases])
    end = 8 + int.from_bytes(sent[:4], "little")
    observations = [Observation.from_plain(plain) for plain in wire.unpack(sent[8:end], sent[end:])]
    result = assess(compare(sheet, observations))
    assert (result.points, result.mistake) == (0, "too_large")


@pytest.mark.parametrize("forged", ["(5, 7)", ["5"], [True], [-1], [[5, 7]], None])
def test_what_is_no_shape_is_refused(forged):
    with pytest.raises(ValueError, match="not an observation"):
        Observation.from_plain({"too_large": forged})
