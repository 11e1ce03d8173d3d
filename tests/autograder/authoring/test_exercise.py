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


def test_name_and_signature_are_those_of_the_reference(ex):
    assert ex.name == ex.contract.name == "doubled"
    assert ex.contract.kind == "function"
    assert ex.contract.signatures == {"": "doubled(x, times=2, *, dtype=torch.float32)"}


def test_a_class_gives_its_own_methods_too():
    ex = Exercise({"y": "T"})

    @ex.reference
    class Doubled(torch.nn.Module):
        def __init__(self, times):
            super().__init__()

        def forward(self, x, mask=None):
            return 2 * x

    assert ex.contract.kind == "module"
    assert ex.contract.signatures == {"": "Doubled(times)", "forward": "forward(x, mask=None)"}


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
    with pytest.raises(ValueError, match="tripled has no docstring"):

        @ex.mistake
        def tripled(x):
            return 3 * x


def test_a_table_gives_each_mistake_its_sentence_and_its_implementations(ex):
    ex.wrong(
        "tripled: it is three times x: two are wanted",
        lambda x: 3 * x,
        lambda x: x + 2 * x,
        "halved: half of x",
        lambda x: x / 2,
        "tripled",
        lambda x: 4 * x - x,
        "past_masked",
        lambda x: 0 * x,
    )
    assert [(expected.name, [new(2) for new in expected.implementations]) for expected in ex.mistakes] == [
        ("tripled", [6, 6]),
        ("halved", [1]),
        ("tripled", [6]),
        ("past_masked", [0]),
    ]
    assert ex.mistakes[2].sentence == "it is three times x: two are wanted"
    assert ex.mistakes[3].sentence.startswith("the past is masked")


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (["tripled: three times x"], "a wrong implementation must follow it"),
        (["three times x", abs], "begin it with a name and a colon"),
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


def refused(ex, sentence):
    with pytest.raises(AuthorError, match=f"^{re.escape(sentence)}$"):
        ex.sheet()


def test_a_mistake_that_no_case_shows_is_refused(ex):
    ex.wrong("other_factor: the factor is not 2", lambda x: 3 * x, lambda x: 2 * x)
    sentence = "(implementation 2 of 2) is right in every case: add a case in which it is wrong"
    refused(ex, f"the mistake other_factor of doubled {sentence}")


def test_a_mistake_that_misspells_a_name_is_refused_and_not_published(ex):
    @ex.mistake
    def tripled(x):
        """three times x"""
        return three * x  # noqa: F821

    where = "the mistake tripled of doubled raises NameError: "
    refused(ex, f"{where}name 'three' is not defined in the case five")


def test_a_mistake_that_misspells_a_function_of_a_module_is_refused(ex):
    @ex.mistake
    def tripled(x):
        """three times x"""
        return torch.tripled(x)

    where = "the mistake tripled of doubled raises AttributeError: "
    refused(ex, f"{where}module 'torch' has no attribute 'tripled' in the case five")


def test_a_misspelt_name_is_seen_where_an_error_is_wanted():
    ex = Exercise({"y": "T"})

    @ex.reference
    def doubled(x):
        if len(x) != 5:
            raise ValueError(len(x))
        return 2 * x

    ex.case(three=lambda g: Case("", []).call("", None, "ValueError", x=normal(g, 3)))

    @ex.mistake
    def tripled(x):
        """three times x"""
        return three * x  # noqa: F821

    refused(ex, "the mistake tripled of doubled raises NameError in the case three")


def test_a_mistake_may_raise_on_purpose(ex):
    @ex.mistake
    def added(x):
        """a list is added to the tensor"""
        raise TypeError("unsupported operand")

    (expected,) = ex.sheet().mistakes
    assert expected.sketches == [{RAISED: ["TypeError", "unsupported operand"]}]


@pytest.mark.parametrize(
    ("draw", "slip"),
    [
        (lambda g: None, "returns None: return call(...) or build(...)"),
        (lambda g: {"x": normal(g, 3)}, "returns a dict: return call(...) or build(...)"),
        (
            lambda g: call(y=normal(g, 3)),
            "gives y, which the reference does not take: it has x, times, dtype",
        ),
        (lambda g: call(x=normal(g, 3), times=np.int64(2)), "gives times as a NumPy int64: write int(...)"),
        (lambda g: call(x=[np.float64(2)]), "gives x as a NumPy float64: write float(...)"),
        (lambda g: call(x=np.zeros(3)), "gives x as a NumPy ndarray: write torch.from_numpy(...)"),
    ],
)
def test_a_slip_in_a_case_is_refused(ex, draw, slip):
    ex.case(odd=draw)
    refused(ex, f"the case odd of doubled {slip}")


def test_what_a_class_is_built_and_called_with_is_read_too():
    ex = Exercise({"y": "T"})

    @ex.reference
    class Doubled(torch.nn.Module):
        def __init__(self, times):
            super().__init__()

        def forward(self, x):
            return 2 * x

    ex.case(built=lambda g: build(times=2).call(x=normal(g, 3)))
    ex.sheet()
    ex.case(called=lambda g: build(times=2).call(y=normal(g, 3)))
    refused(ex, "the case called of Doubled gives y, which the reference does not take: it has x")
    ex.draws.pop()
    ex.case(other=lambda g: build(number=2).call(x=normal(g, 3)))
    refused(ex, "the case other of Doubled gives number, which the reference does not take: it has times")


def test_an_error_in_the_reference_or_a_case_names_file_and_line(ex):
    ex.case(wrong_size=lambda g: call(x=torch.zeros(2) + torch.zeros(3)))
    with pytest.raises(
        AuthorError, match=r"^test_exercise.py, line \d+: the case wrong_size of doubled raises"
    ):
        ex.sheet()
    ex.draws.pop()
    ex.case(nothing=lambda g: call(x=None))
    with pytest.raises(
        AuthorError, match=r"^test_exercise.py, line \d+: the reference of doubled in its case"
    ):
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
    @ex.mistake
    def inverted(x):
        """the sign is wrong"""
        return -2 * x

    with pytest.raises(AuthorError, match=r"^doubled has no mistake called 'invertd', .* is 'inverted'$"):
        ex.wrong("invertd", lambda x: -x)
    with pytest.raises(AuthorError, match="nearest is 'past_masked'$"):
        ex.shared(lambda **switches: None, "past_maskd")


def test_a_result_that_depends_on_sizes_alone_may_be_float32():
    ex = Exercise({"y": "T"})

    @ex.reference
    def halves(n):
        return torch.arange(n, dtype=torch.float64) / 2

    ex.case(five=lambda g: call(n=5))
    for dtype, points in ((torch.float32, 2), (torch.float64, 2), (torch.int64, 0)):
        seen = [
            observe(lambda n, dtype=dtype: halves(n).to(dtype), case, ex.contract) for case in ex.cases(5)
        ]
        assert judge(ex, 5, seen).points == points


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
        hidden = [observe(answer, case, ex.contract) for case in ex.cases(5)]
        assert judge(ex, 5, hidden).points == pytest.approx(earned)
        visible = compare(published, [observe(answer, case, ex.contract) for case in published.cases])
        assert visible.points == pytest.approx(earned)


def test_the_usual_division_is_not_written_down():
    assert "core" not in weighted().sheet().to_json()
    assert '"core":0.5,"weights":{"large":2}' in weighted(core=0.5, weights={"large": 2}).sheet().to_json()


@pytest.mark.parametrize(
    ("points", "sentence"),
    [
        ({"core": 1.2}, "core of fourfold is 1.2: give a share from 0 to 1"),
        ({"core": True}, "core of fourfold is True: give a share from 0 to 1"),
        (
            {"weights": {"five": 2}},
            "weights of fourfold names five, which is no edge case: it has one_token, large, probes",
        ),
        ({"weights": {"large": 0}}, "the weight of large in fourfold is 0: give a number above 0"),
        ({"weights": {"large": "2"}}, "the weight of large in fourfold is '2': give a number above 0"),
    ],
)
def test_a_division_that_cannot_be_is_refused(points, sentence):
    refused(weighted(**points), sentence)
