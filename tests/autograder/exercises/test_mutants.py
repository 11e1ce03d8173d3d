"""Hidden cases refuse every small change of a lesson's answer, except known harmless ones."""

import tomllib
from pathlib import Path

import pytest

from autograder.exercises import load, names
from tools.mutants import survivors

HARMLESS = tomllib.loads(Path(__file__).with_name("harmless.toml").read_text(encoding="utf-8"))["harmless"]
pytestmark = pytest.mark.filterwarnings("ignore::SyntaxWarning")
WITH_CALLS = [name for name in names() if load(name).contract.kind != "answer"]


@pytest.mark.release
@pytest.mark.parametrize("name", WITH_CALLS)
def test_hidden_cases_refuse_every_mutant_except_harmless_ones(name):
    harmless = {change for entry in HARMLESS if name in entry["exercises"] for change in entry["changes"]}
    assert set(survivors(name)) == harmless
