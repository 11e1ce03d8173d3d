"""Results that should be whole numbers: right ones in a floating dtype leave one thing to do, of any integer
dtype they are right."""

import pytest
import torch

from autograder.exercises import load
from course_utils.compare.verdict import compare
from course_utils.diagnose.assess import assess
from course_utils.observe.probe import observe


def positions_in(dtype):
    def left_padded_positions(lengths, max_len):
        place = torch.arange(max_len, device=lengths.device) - (max_len - lengths)[:, None]
        return place.clamp(min=0).to(dtype)

    return left_padded_positions


def assessed(dtype):
    sheet = load("left_padded_positions").sheet(with_mistakes=False)
    observations = [observe(positions_in(dtype), case, sheet.contract) for case in sheet.cases]
    return assess(compare(sheet, observations))


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16])
def test_a_floating_dtype_is_the_one_thing_left(dtype):
    result = assessed(dtype)
    assert (result.mistake, result.status, result.spoils) == ("not_whole", "one_left", True)
    assert f"has dtype {str(dtype).removeprefix('torch.')}: whole numbers are wanted" in result.message
    assert 0.9 * result.max_points < result.points < result.max_points


@pytest.mark.parametrize("dtype", [torch.int64, torch.int32, torch.int16, torch.uint8])
def test_every_integer_dtype_is_right(dtype):
    assert assessed(dtype).passed


def test_booleans_are_no_numbers():
    assert assessed(torch.bool).points == 0


def test_an_embedding_refuses_what_is_not_whole():
    with pytest.raises(RuntimeError, match="Expected tensor for argument #1 'indices'"):
        torch.nn.Embedding(3, 2)(torch.zeros(1))
