"""What an author declares becomes what students are checked against."""

import re

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
    """Twice x, without mistakes."""
    ex = Exercise({"y": "T"})

    @ex.reference
    def doubled(x, times=2, *, dtype=torch.float32):
        return times * x

    ex.case(five=lambda g: call(x=normal(g, 5)))
    return ex


@pytest.fixture
def of_class():
    """The same as a class, without cases."""
    ex = Exercise({"y": "T"})

    @ex.reference
    class Doubled(torch.nn.Module):
        def __init__(self, times):
            super().__init__()

        def forward(self, x, mask=None):
            return 2 * x

    return ex


def test_name_and_signature_are_those_of_the_reference_and_a_class_gives_its_own_methods_too(ex, of_class):
    assert (ex.name, ex.contract.name, ex.contract.kind) == ("doubled", "doubled", "function")
    assert ex.contract.signatures == {"": "doubled(x, times=2, *, dtype=torch.float32)"}
    assert of_class.contract.kind == "module"
    assert of_class.contract.signatures == {"": "Doubled(times)", "forward": "forward(x, mask=None)"}


def test_a_mistake_has_the_name_and_the_docstring_of_its_function(ex):
    @ex.mistake
    def tripled(x):
        """it is three times x:
        two are wanted"""
        return 3 * x

    @ex.mistake
    class NotAFunction:
        """a class is given"""

    assert [(expected.name, expected.sentence) for expected in ex.mistakes] == [
        ("tripled", "it is three times x: two are wanted"),
        ("not_a_function", "a class is given"),
    ]


def test_a_mistake_without_a_sentence_is_refused(ex):
    with pytest.raises(AuthorError, match="tripled has no docstring"):

        @ex.mistake
        def tripled(x):
            return 3 * x


def test_a_table_gives_each_mistake_its_sentence_and_its_implementations(ex):
    first = "it is three times x: two are wanted"
    ex.wrong(
        f"tripled: {first}",
        lambda x: 3 * x,
        lambda x: x + 2 * x,
        "halved: half of x",
        lambda x: x / 2,
        "tripled",
        lambda x: 4 * x - x,
        "past_masked",
        lambda x: 0 * x,
    )
    names, sentences, made = zip(*ex.mistakes, strict=True)
    assert names == ("tripled", "halved", "tripled", "past_masked")
    assert sentences[:3] == (first, "half of x", first)
    assert sentences[3].startswith("the past is masked")
    assert [[new(2) for new in implementations] for implementations in made] == [[6, 6], [1], [6], [0]]


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (["tripled: three times x"], "let a wrong implementation follow"),
        (["three times x", abs], "begin each mistake with a name and a colon"),
        (["tripled: three times x", {"factor": 3}], "which cannot be called"),
        (["no_such_name", abs], "has no mistake called 'no_such_name'"),
    ],
)
def test_a_line_of_a_table_that_shows_nothing_is_refused(ex, table, message):
    with pytest.raises(AuthorError, match=message):
        ex.wrong(*table)


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
@pytest.mark.parametrize("fill", [-torch.inf, -1e9])
def test_the_pipeline_without_a_wrong_switch_gives_what_is_wanted(name, make, fill):
    exercise = load(name)
    sheet = exercise.sheet(20260720, with_mistakes=False)
    assert [
        exercise.difference(make(fill=fill), case, wanted)
        for case, wanted in zip(sheet.cases, sheet.wanted, strict=True)
    ] == [{}] * len(sheet.cases)


# ---- an author's slips


NOT_TAKEN = "gives {}, which the reference does not take: it has"


def refused(ex, sentence):
    with pytest.raises(AuthorError, match=f"^{re.escape(sentence)}$"):
        ex.sheet()


def test_a_mistake_that_no_case_shows_is_refused(ex):
    ex.wrong("other_factor: the factor is not 2", lambda x: 3 * x, lambda x: 2 * x)
    sentence = "(implementation 2 of 2) is right in every case: add a case in which it is wrong"
    refused(ex, f"the mistake other_factor of doubled {sentence}")


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        (lambda x: three * x, "NameError: name 'three' is not defined"),  # noqa: F821
        (lambda x: torch.tripled(x), "AttributeError: module 'torch' has no attribute 'tripled'"),
    ],
)
def test_a_mistake_that_misspells_a_name_is_refused_and_not_published(ex, wrong, error):
    ex.wrong("tripled: three times x", wrong)
    refused(ex, f"the mistake tripled of doubled raises {error} in the case five")


def test_a_misspelt_name_is_seen_where_an_error_is_wanted():
    ex = Exercise({"y": "T"})

    @ex.reference
    def doubled(x):
        if len(x) != 5:
            raise ValueError(len(x))
        return 2 * x

    ex.case(three=lambda g: Case("", []).call("", None, "ValueError", x=normal(g, 3)))
    ex.wrong("tripled: three times x", lambda x: three * x)  # noqa: F821
    refused(ex, "the mistake tripled of doubled raises NameError in the case three")


def test_a_mistake_may_raise_on_purpose(ex):
    ex.wrong("added: a list is added to the tensor", lambda x: x + [])
    (expected,) = ex.sheet().mistakes
    (sketch,) = expected.sketches
    assert sketch[RAISED][0] == "TypeError"
    assert "unsupported operand" in sketch[RAISED][1]


@pytest.mark.parametrize(
    ("draw", "slip"),
    [
        (lambda g: None, "returns None: return call(...) or build(...)"),
        (lambda g: {"x": normal(g, 3)}, "returns a dict: return call(...) or build(...)"),
        (lambda g: call(y=normal(g, 3)), f"{NOT_TAKEN.format('y')} x, times, dtype"),
    ],
)
def test_a_slip_in_a_case_is_refused(ex, draw, slip):
    ex.case(odd=draw)
    refused(ex, f"the case odd of doubled {slip}")


def test_what_a_class_is_built_and_called_with_is_read_too(of_class):
    of_class.case(built=lambda g: build(times=2).call(x=normal(g, 3)))
    of_class.sheet()
    for draw, slip in (
        (lambda g: build(times=2).call(y=normal(g, 3)), f"{NOT_TAKEN.format('y')} x, mask"),
        (lambda g: build(number=2).call(x=normal(g, 3)), f"{NOT_TAKEN.format('number')} times"),
    ):
        of_class.draws = [("odd", draw, False)]
        refused(of_class, f"the case odd of Doubled {slip}")


def test_numpys_numbers_and_arrays_are_taken_as_pythons_and_torchs(ex):
    ex.case(odd=lambda g: call(x=np.ones(3), times=np.int64(4)))
    published = Sheet.from_json(ex.sheet().to_json())
    (call_,) = published.cases[1].calls
    assert (type(call_.args["times"]), call_.args["times"]) == (int, 4)
    assert torch.equal(*published.wanted[1].values.values(), torch.full((3,), 4.0, dtype=torch.float64))


@pytest.mark.parametrize(
    ("draw", "says"),
    [
        (lambda g: call(x=torch.zeros(2) + torch.zeros(3)), "the case odd of doubled raises"),
        (lambda g: call(x=None), "the reference of doubled in its case"),
    ],
)
def test_an_error_in_the_reference_or_a_case_names_file_and_line(ex, draw, says):
    ex.case(odd=draw)
    with pytest.raises(AuthorError, match=rf"^test_exercise.py, line \d+: {says}"):
        ex.sheet()


def test_a_file_that_python_cannot_read_is_one_sentence(tmp_path, monkeypatch):
    (tmp_path / "broken.py").write_text("ex = 1\nprint(\n")
    monkeypatch.setattr(exercises, "places", lambda: {"broken": "broken"})
    monkeypatch.setattr(exercises, "FOLDER", tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(AuthorError, match=r"^broken.py, line 2: the exercise broken raises SyntaxError: "):
        exercises.load("broken")


def test_an_exercise_without_a_reference_is_refused():
    sentence = "has no reference: decorate the right function or class with @ex.reference"
    refused(Exercise({"y": "T"}), f"an exercise {sentence}")
    with pytest.raises(AuthorError, match="^open_keys has no reference"):
        Exercise({"y": "T"}).complete("open_keys")


def test_another_implementation_of_an_unknown_mistake_names_the_nearest(ex):
    ex.wrong("inverted: the sign is wrong", lambda x: -2 * x)
    with pytest.raises(AuthorError, match=r"^doubled has no mistake called 'invertd', .* is 'inverted'$"):
        ex.wrong("invertd", lambda x: -x)
    with pytest.raises(AuthorError, match="nearest is 'past_masked'$"):
        ex.shared(lambda **switches: None, "past_maskd")


@pytest.mark.parametrize(("dtype", "points"), [(torch.float32, 2), (torch.float64, 2), (torch.int64, 0)])
def test_a_result_that_depends_on_sizes_alone_may_be_float32(dtype, points):
    ex = Exercise({"y": "T"})

    @ex.reference
    def halves(n):
        return torch.arange(n, dtype=torch.float64) / 2

    ex.case(five=lambda g: call(n=5))
    assert judge(ex, 5, seen_of(lambda n: halves(n).to(dtype), ex, ex.cases(5))).points == points


def seen_of(answer, ex, cases):
    return [observe(answer, case, ex.contract) for case in cases]


# ---- how points are divided


def weighted(**points):
    """Four times x: a core case, two edges, and the probes."""
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
    ("points", "of_edge", "of_probes"),
    [
        ({}, 9.0, 9.0),
        ({"core": 0.4}, 8.0, 8.0),
        ({"core": 0.4, "weights": {"one_token": 4}}, 6.0, 9.0),
        ({"core": 0.4, "weights": {"probes": 4, "large": 1}}, 9.0, 6.0),
        ({"core": 1}, 10.0, 10.0),
        ({"core": 0}, 20 / 3, 20 / 3),
    ],
)
def test_points_are_divided_as_the_exercise_says_in_both_checks(points, of_edge, of_probes):
    ex = weighted(**points)
    published = Sheet.from_json(ex.sheet().to_json())
    for answer, earned in ((forgets_one_token, of_edge), (forgets_dtype, of_probes)):
        assert judge(ex, 5, seen_of(answer, ex, ex.cases(5))).points == pytest.approx(earned)
        visible = compare(published, seen_of(answer, ex, published.cases))
        assert visible.points == pytest.approx(earned)


def test_the_usual_division_is_not_written_down():
    assert "core" not in weighted().sheet().to_json()
    assert '"core":0.5,"weights":{"large":2}' in weighted(core=0.5, weights={"large": 2}).sheet().to_json()


NO_EDGE = "weights of fourfold names five, which is no edge case: it has one_token, large, probes"


@pytest.mark.parametrize(
    ("points", "sentence"),
    [
        ({"core": 1.2}, "core of fourfold is 1.2: give a share from 0 to 1"),
        ({"core": "x"}, "core of fourfold is 'x': give a share from 0 to 1"),
        ({"weights": {"five": 2}}, NO_EDGE),
        ({"weights": {"large": -1}}, "the weight of large in fourfold is -1: give a number above 0"),
    ],
)
def test_a_division_that_cannot_be_is_refused(points, sentence):
    refused(weighted(**points), sentence)
