"""What an author declares becomes what students are checked against."""

import pytest
import torch

from autograder.authoring.draws import call, normal
from autograder.authoring.exercise import Exercise
from autograder.authoring.modules import cached_attention, self_attention
from autograder.authoring.story import causal_attention
from autograder.exercises import load


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

    assert [(known.name, known.sentence) for known in ex.mistakes] == [
        ("tripled", "it is three times x: two are wanted"),
        ("not_a_function", "a class is given"),
    ]


def test_a_mistake_without_a_sentence_is_refused(ex):
    with pytest.raises(ValueError, match="tripled has no docstring"):

        @ex.mistake
        def tripled(x):
            return 3 * x


def test_there_is_one_implementation_for_each_value_through_the_same_function(ex):
    def negated(wrong):
        return lambda x: -wrong(x)

    @ex.mistake(through=negated, factor=[3, 4], more=[0, 1])
    def other_factor(x, factor, more):
        """the factor is not 2"""
        return factor * x + more

    (known,) = ex.mistakes
    assert [made(1) for made in known.implementations] == [-3, -4, -4, -5]


def test_another_implementation_is_found_by_name(ex):
    @ex.mistake
    def tripled(x):
        """three times x"""
        return 3 * x

    @ex.mistake
    def halved(x):
        """half of x"""
        return x / 2

    ex.another("halved", lambda x: x / 2 + 0)
    ex.another("tripled", lambda x: x + 2 * x)
    ex.another("past_masked", lambda x: 0 * x)
    assert [(known.name, len(known.implementations)) for known in ex.mistakes] == [
        ("tripled", 1),
        ("halved", 2),
        ("tripled", 1),
        ("past_masked", 1),
    ]
    assert ex.mistakes[2].sentence == "three times x"
    assert ex.mistakes[3].sentence.startswith("the past is masked")


def test_settings_follow_their_sentence(ex):
    def times(factor, fill=0):
        return lambda x: factor * x

    ex.switches(times, {"wrong_factor": ("too much", {"factor": 3}, "too little", {"factor": 1}, abs)})
    assert [(known.sentence, len(known.implementations)) for known in ex.mistakes] == [
        ("too much", 1),
        ("too little", 2),
    ]


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
