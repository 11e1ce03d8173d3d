"""Right versions, and programs without a bug, give what plain loops in float64 give."""

import numpy as np
import pytest
import torch

from course_utils.practice.interview.hunt.files import load, names
from course_utils.practice.interview.hunt.hunter import versions
from course_utils.practice.interview.hunt.trial import run

from . import references
from .search import drawn

CLEAN = [name for name in names() if not load(name).bug]
NEAR = {torch.float16: 1e-2}
RIGHT_NUMBERS = {
    "the_best_few",
    "format_of_the_result",
}  # what is wrong is the argument afterwards, the dtype


def as_numpy(value):
    value = value.numpy() if isinstance(value, torch.Tensor) else value
    is_float = isinstance(value, np.ndarray) and value.dtype.kind == "f"
    return value.astype(float) if is_float else value


def agrees(name, main, given):
    """Does the program give what its reference gives?"""
    wanted = getattr(references, name)(**{key: as_numpy(value) for key, value in given.items()})
    outcome = run(load(name), main, given)
    return outcome.error == "" and (wanted is None or same(outcome.value, wanted))


def same(came, wanted):
    if isinstance(came, list) and len({len(row) for row in came if isinstance(row, list)}) > 1:
        return all(map(same, came, wanted))  # rows of several lengths
    came, wanted = (torch.as_tensor(np.array(one)) for one in (came, wanted))
    near = NEAR.get(came.dtype, 1e-4)
    equal_shapes = came.shape == wanted.shape
    return equal_shapes and torch.allclose(came.double(), wanted.double(), rtol=near, atol=near)


@pytest.mark.parametrize("name", names())
def test_the_right_version_gives_what_its_reference_gives(name):
    main = versions(name)[1]
    for given in drawn(load(name), 15, seed=5):
        assert agrees(name, main, given), given


@pytest.mark.parametrize("name", [name for name in names() if load(name).bug])
def test_the_version_with_the_bug_does_not(name):
    main = versions(name)[0]
    given = drawn(load(name), 150, seed=5)
    assert all(agrees(name, main, one) for one in given) == (name in RIGHT_NUMBERS)


@pytest.mark.release
@pytest.mark.parametrize("name", CLEAN)
def test_a_clean_program_survives_ten_thousand_inputs(name):
    main = versions(name)[0]
    assert all(agrees(name, main, given) for given in drawn(load(name), 10_000, seed=6))


@pytest.mark.release
@pytest.mark.parametrize("name", [name for name in names() if load(name).bug])
def test_the_right_version_survives_a_thousand_inputs(name):
    main = versions(name)[1]
    assert all(agrees(name, main, given) for given in drawn(load(name), 1000, seed=7))


CHANGES = {
    "who_sees_whom": (6, "causal = torch.gt(query.unsqueeze(-1), key)"),
    "remainder_of_a_stream": (9, "kept *= np.exp(x - unit)"),
    "one_step_more": (7, "s = s.mul(d ** -1)"),
    "whole_story_in_numpy": (7, "logit += np.tril(np.full((t, t), -np.inf), -2)"),
}


@pytest.mark.parametrize("name", CLEAN)
def test_a_small_change_of_a_clean_program_is_noticed(name):
    program = load(name)
    wrong = program.object_of(program.with_line(*CHANGES[name]))
    assert not all(agrees(name, wrong, given) for given in drawn(program, 100, seed=7))
