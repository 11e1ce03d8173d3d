"""An author's declarations become the sheet that students are checked against."""

import numpy as np
import pytest
import torch

from autograder import exercises
from autograder.authoring.draws import build, call, normal
from autograder.authoring.exercise import Exercise
from autograder.authoring.modules import cached_attention, self_attention
from autograder.authoring.story import causal_attention
from autograder.exercises import load
from autograder.grading.judge import judge
from autograder.refused import AuthorError
from course_utils.compare.verdict import compare
from course_utils.model.case import RAISED, Case
from course_utils.model.sheet import Sheet
from course_utils.observe.probe import observe


@pytest.fixture
def ex():
    """An exercise without mistakes: twice x."""
    ex = Exercise({"y": "T"})

    @ex.reference
    def doubled(x, times=2, *, dtype=torch.float32):
        return times * x

    ex.case(five=lambda g: call(x=normal(g, 5)))
    return ex


def doubled_class(**draws):
    """The same exercise as a class, with these cases."""
    ex = Exercise({"y": "T"})

    @ex.reference
    class Doubled(torch.nn.Module):
        def __init__(self, times):
            super().__init__()

        def forward(self, x, mask=None):
            return 2 * x

    ex.case(**draws)
    return ex


def test_a_contract_has_the_names_and_signatures_of_the_reference(ex):
    assert (ex.name, ex.contract.name, ex.contract.kind) == ("doubled", "doubled", "function")
    assert ex.contract.signatures == {"": "doubled(x, times=2, *, dtype=torch.float32)"}
    contract = doubled_class(built=lambda g: build(times=2).call(x=normal(g, 3))).sheet().contract
    assert contract.kind == "module"
    assert contract.signatures == {"": "Doubled(times)", "forward": "forward(x, mask=None)"}


def test_each_mistake_has_a_name_a_sentence_and_its_implementations(ex):
    @ex.mistake
    class NotAFunction:
        """a class
        is given"""

    ex.wrong("tripled: three times x", lambda x: 3 * x, lambda x: x + 2 * x)
    ex.wrong("halved: half of x", lambda x: x / 2, "tripled", lambda x: 4 * x - x, "past_masked", abs)
    names, sentences, (_, *by_mistake) = zip(*ex.mistakes, strict=True)
    assert names == ("not_a_function", "tripled", "halved", "tripled", "past_masked")
    assert sentences[:4] == ("a class is given", "three times x", "half of x", "three times x")
    assert sentences[4].startswith("the past is masked")
    assert [[new(2) for new in implementations] for implementations in by_mistake] == [[6, 6], [1], [6], [2]]


def test_hints_are_the_paragraphs_of_a_text():
    text = """
    What is the first
    question?

        a = 1
        return a
    """
    assert Exercise({"y": ""}, hints=text).hints == ["What is the first question?", "a = 1\nreturn a"]


@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("MultiHeadSelfAttention", self_attention),
        ("MultiHeadAttentionWithCache", cached_attention),
        ("GroupedQueryAttentionWithCache", cached_attention),
        ("trace_causal_attention", causal_attention),
    ],
)
def test_the_shared_pipeline_without_a_wrong_switch_equals_the_reference(name, make):
    exercise = load(name)
    sheet = exercise.sheet(20260720, with_mistakes=False)
    for case, wanted in zip(sheet.cases, sheet.wanted, strict=True):
        for fill in (-torch.inf, -1e9):
            assert exercise.difference(make(fill=fill), case, wanted) == {}


# ---- an author's slips

TRIPLED = "tripled: three times x"
SLIPS = {
    "no docstring": lambda ex: ex.mistake(lambda x: 3 * x),
    "no implementation": lambda ex: ex.wrong(TRIPLED),
    "no colon": lambda ex: ex.wrong("three times x", abs),
    "not callable": lambda ex: ex.wrong(TRIPLED, {"factor": 3}),
    "unknown mistake": lambda ex: ex.wrong(TRIPLED, abs, "tripld", abs),
    "unknown shared mistake": lambda ex: ex.shared(None, "past_maskd"),
    "right in every case": lambda ex: ex.wrong(TRIPLED, lambda x: 3 * x, lambda x: 2 * x),
    "misspelt name": lambda ex: ex.wrong(TRIPLED, lambda x: three * x),  # noqa: F821
    "misspelt name in a module": lambda ex: ex.wrong(TRIPLED, lambda x: torch.tripled(x)),
    "no case": lambda ex: ex.case(odd=lambda g: None),
    "a dict": lambda ex: ex.case(odd=lambda g: {"x": normal(g, 3)}),
    "unknown argument": lambda ex: ex.case(odd=lambda g: call(y=normal(g, 3))),
    "unknown argument of a method": lambda ex: doubled_class(
        odd=lambda g: build(times=2).call(y=normal(g, 3))
    ),
    "unknown argument of a class": lambda ex: doubled_class(
        odd=lambda g: build(number=2).call(x=normal(g, 3))
    ),
    "no reference": lambda ex: Exercise({"y": "T"}),
    "no reference in a file": lambda ex: Exercise({"y": "T"}).complete("open_keys"),
    "core too large": lambda ex: weighted(core=1.2),
    "core is a text": lambda ex: weighted(core="x"),
    "weight of a core case": lambda ex: weighted(weights={"five": 2}),
    "negative weight": lambda ex: weighted(weights={"large": -1}),
}


@pytest.mark.parametrize("slip", SLIPS)
def test_an_authors_slip_is_refused_in_one_sentence(ex, slip, snapshot):
    with pytest.raises(AuthorError) as error:
        (SLIPS[slip](ex) or ex).sheet()
    assert str(error.value) == snapshot


@pytest.mark.parametrize(
    ("draw", "words"),
    [
        (lambda g: call(x=torch.zeros(2) + torch.zeros(3)), "the case odd of doubled raises"),
        (lambda g: call(x=None), "the reference of doubled in its case"),
    ],
)
def test_an_error_in_the_reference_or_a_case_names_file_and_line(ex, draw, words):
    ex.case(odd=draw)
    with pytest.raises(AuthorError, match=rf"^test_exercise.py, line \d+: {words}"):
        ex.sheet()


def test_an_exercise_file_with_a_syntax_error_is_refused_in_one_sentence(tmp_path, monkeypatch):
    (tmp_path / "broken.py").write_text("ex = 1\nprint(\n")
    monkeypatch.setattr(exercises, "places", lambda: {"broken": "broken"})
    monkeypatch.setattr(exercises, "FOLDER", tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(AuthorError, match=r"^broken.py, line 2: the exercise broken raises SyntaxError: "):
        exercises.load("broken")


def test_a_misspelt_name_is_noticed_although_an_error_is_expected():
    ex = Exercise({"y": "T"})

    @ex.reference
    def doubled(x):
        raise ValueError(len(x))

    ex.case(three=lambda g: Case("", []).call("", None, "ValueError", x=normal(g, 3)))
    ex.wrong(TRIPLED, lambda x: three * x)  # noqa: F821
    with pytest.raises(AuthorError, match="tripled of doubled raises NameError in the case three"):
        ex.sheet()


def test_a_mistake_may_raise_on_purpose(ex):
    ex.wrong("added: a list is added to the tensor", lambda x: x + [])
    (expected,) = ex.sheet().mistakes
    (sketch,) = expected.sketches
    assert sketch[RAISED][0] == "TypeError"
    assert "unsupported operand" in sketch[RAISED][1]


def test_numpy_arguments_become_python_numbers_and_tensors(ex):
    ex.case(odd=lambda g: call(x=np.ones(3), times=np.int64(4)))
    published = Sheet.from_json(ex.sheet().to_json())
    (call_,) = published.cases[1].calls
    assert (type(call_.args["times"]), call_.args["times"]) == (int, 4)
    assert torch.equal(*published.wanted[1].values.values(), torch.full((3,), 4.0, dtype=torch.float64))


# ---- the division of points


def observations_of(answer, ex, cases):
    return [observe(answer, case, ex.contract) for case in cases]


@pytest.mark.parametrize(("dtype", "points"), [(torch.float32, 2), (torch.float64, 2), (torch.int64, 0)])
def test_a_result_that_depends_only_on_sizes_may_be_float32(dtype, points):
    ex = Exercise({"y": "T"})

    @ex.reference
    def halves(n):
        return torch.arange(n, dtype=torch.float64) / 2

    ex.case(five=lambda g: call(n=5))
    assert judge(ex, 5, observations_of(lambda n: halves(n).to(dtype), ex, ex.cases(5))).points == points


def weighted(**points):
    """Four times x: a core case, two edge cases, and the probes."""
    ex = Exercise({"y": "T"}, points=10, **points)

    @ex.reference
    def fourfold(x):
        return 4 * x

    ex.case(five=lambda g: call(x=normal(g, 5)))
    ex.edge(one_token=lambda g: call(x=normal(g, 1)), large=lambda g: call(x=1e4 * normal(g, 3)))
    return ex


def forgets_one_token(x):
    return 4 * x if len(x) > 1 else x


def forgets_dtype(x):
    return (4 * x).double().float()


@pytest.mark.parametrize(
    ("points", "edge_points", "probe_points"),
    [
        ({}, 9.0, 9.0),
        ({"core": 0.4}, 8.0, 8.0),
        ({"core": 0.4, "weights": {"one_token": 4}}, 6.0, 9.0),
        ({"core": 0.4, "weights": {"probes": 4, "large": 1}}, 9.0, 6.0),
        ({"core": 1}, 10.0, 10.0),
        ({"core": 0}, 20 / 3, 20 / 3),
    ],
)
def test_visible_and_hidden_checks_divide_points_as_the_exercise_says(points, edge_points, probe_points):
    ex = weighted(**points)
    text = ex.sheet().to_json()
    assert ('"core"' in text) == ("core" in points), "the usual division is not written down"
    published = Sheet.from_json(text)
    for answer, expected_points in ((forgets_one_token, edge_points), (forgets_dtype, probe_points)):
        assert judge(ex, 5, observations_of(answer, ex, ex.cases(5))).points == pytest.approx(expected_points)
        visible = compare(published, observations_of(answer, ex, published.cases))
        assert visible.points == pytest.approx(expected_points)
