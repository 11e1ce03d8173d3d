"""Whatever is given as an input, the call says something and does not raise."""

import numpy as np
import pytest
import torch

from course_utils.practice.interview.hunt.desk import Hunter
from course_utils.practice.interview.hunt.files import load, names

from .search import drawn

STRANGE = [
    *(None, "x", [], {}, object(), -1, 10**400, 1e300, float("nan"), True, (), (0,), (-1, 2), (10**9,) * 3),
    *(torch.ones(0), torch.ones(2, 2, 2, 2, 2), torch.ones(2, 2) * 1j, torch.full((2, 2), torch.nan)),
    *(torch.full((2, 2), -torch.inf), torch.ones(2, 2).half(), torch.ones(2, 2, device="meta")),
    *(np.array(["a"]), np.array([None]), np.full((2, 2), np.inf), np.float64(3), [[1, [2]]], range(3)),
]


@pytest.mark.parametrize("name", names())
def test_no_input_makes_a_call_raise(name, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    hunt = Hunter()
    program = load(name)
    valid = next(drawn(program, 1))
    for argument in program.inputs:
        for strange in STRANGE:
            hunt(name)
            capsys.readouterr()
            hunt.found(program.bug or 1, valid | {argument: strange})
            assert capsys.readouterr().out
