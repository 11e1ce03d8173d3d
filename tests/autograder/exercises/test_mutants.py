"""Hidden cases refuse every small change to a lesson's answer, but for those that change nothing that is
graded."""

import ast
import tomllib
from pathlib import Path

import pytest

from autograder.exercises import load, names
from tools.mutants import mutants, survivors

HARMLESS = tomllib.loads(Path(__file__).with_name("harmless.toml").read_text(encoding="utf-8"))["harmless"]
pytestmark = pytest.mark.filterwarnings("ignore::SyntaxWarning")
CALLED = [name for name in names() if load(name).contract.kind != "answer"]


@pytest.mark.release
@pytest.mark.parametrize("name", CALLED)
def test_hidden_cases_refuse_every_change_but_the_harmless(name):
    harmless = {what for entry in HARMLESS if name in entry["exercises"] for what in entry["changes"]}
    assert set(survivors(name)) == harmless


WANTED = "n > 1 -> n >= 1, n > 1 -> n < 1, Q.sum -> Q.mean, Q.sum(dim=-1) -> Q.sum(), Q -> K, :n -> :"
NUMBERS = "-1 -> 1, 0.5 -> 1.5, 2 -> 3"


def test_changes_are_many_each_is_one_and_none_is_lost():
    begin = "def f(Q, n=2):\n    if n > 1:\n        raise ValueError('few')\n"
    source = f"{begin}    return Q.sum(dim=-1)[:n] / n ** 0.5\n"
    result = dict(mutants(source))
    assert ast.unparse(ast.parse(source)) not in result.values()
    assert result.keys() >= {*WANTED.split(", "), *NUMBERS.split(", ")}
    assert all("few" in text for what, text in result.items() if "pass" not in what)
    assert len(result) > 25
