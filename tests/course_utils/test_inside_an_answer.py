"""What an answer calls of the course (`yours`, `check`) changes nothing that its own check sees."""

import functools
import itertools

import pytest
import torch

from autograder.exercises import load, names
from course_utils import check, yours
from course_utils.diagnose.visible import assess_visible
from course_utils.model.sheet import lessons
from course_utils.observe.watches import DeviceProbe, SizeWatch

ORDER = [name for exercises in lessons().values() for name in exercises if name in names()]
ABOVE, INSIDE = "above", "inside"
FEW = [
    ("MultiHeadSelfAttention", ("split_heads", "multi_head_attention_core")),
    ("online_softmax_attention", ("softmax",)),  # whose check makes larger tensors than are allowed here
    ("StaticKVCache", ("split_heads",)),
    ("causal_mask", ("attention_scores",)),
]
ALL = list(
    zip(ORDER, map(tuple, itertools.accumulate(([name] for name in ORDER[:-1]), initial=[])), strict=True)
)


def calling_yours(answer, earlier, place):
    """The answer, with `yours` called for these exercises in its methods, or once before."""

    def call_yours():
        for name in earlier:
            yours(name)

    if place == ABOVE:
        call_yours()
        return answer
    if not isinstance(answer, type):
        return called_first(answer, call_yours)
    methods = {name: method for name, method in vars(answer).items() if callable(method) and name[:2] != "__"}
    return type(answer.__name__, (answer,), {n: called_first(m, call_yours) for n, m in methods.items()})


def called_first(function, action):
    @functools.wraps(function)
    def wrapped(*args, **kwargs):
        action()
        return function(*args, **kwargs)

    return wrapped


def outcome(result):
    return result.status, result.points, result.message, result.printed


def same_with_yours(name, earlier, place, in_main):
    for each in earlier:
        in_main(each, load(each).implementation)
    answer = load(name).implementation
    expected = outcome(assess_visible(name, answer))
    assert outcome(assess_visible(name, calling_yours(answer, earlier, place))) == expected


@pytest.mark.parametrize("place", [ABOVE, INSIDE])
@pytest.mark.parametrize(("name", "earlier"), FEW)
def test_yours_in_an_answer_changes_nothing(name, earlier, place, in_main):
    same_with_yours(name, earlier, place, in_main)


@pytest.mark.release
@pytest.mark.parametrize("place", [ABOVE, INSIDE])
@pytest.mark.parametrize(("name", "earlier"), ALL, ids=ORDER)
def test_yours_of_every_earlier_exercise_changes_nothing(name, earlier, place, in_main):
    same_with_yours(name, earlier, place, in_main)


def test_a_check_inside_an_answer_draws_no_card_and_changes_nothing(capsys):
    mask = load("causal_mask").implementation

    def softmax(x, dim=-1):
        assert check("causal_mask", mask).passed
        return (x - x.logsumexp(dim, keepdim=True)).exp()

    assert assess_visible("softmax", softmax).passed
    assert capsys.readouterr().out == ""


def test_an_answer_cannot_use_yours_of_itself():
    def softmax(x, dim=-1):
        return yours("softmax")(x, dim)

    result = assess_visible("softmax", softmax)
    assert (result.status, result.points) == ("error", 0)
    assert "softmax is under check just now" in result.message


def test_an_endless_answer_that_yours_tries_costs_the_outer_check_no_time(in_main, monkeypatch):
    monkeypatch.setattr("course_utils.observe.limit.SECONDS", 0.3)

    def causal_mask(T):
        while True:
            pass

    def softmax(x, dim=-1):
        yours("causal_mask")
        return (x - x.logsumexp(dim, keepdim=True)).exp()

    in_main("causal_mask", causal_mask)
    assert assess_visible("softmax", softmax).passed


def test_the_device_probe_blames_only_lines_of_the_learner():
    from course_utils.standins import causal_mask as of_the_course

    for mask_of, is_blamed in ((of_the_course, False), (lambda T: torch.ones(T, T).triu(1).bool(), True)):
        with DeviceProbe() as probe:
            torch.zeros(3, 3, device="cpu").masked_fill(mask_of(3), 1)
        assert (probe.clash is not None) == is_blamed


def test_the_size_watch_leaves_out_a_check_inside():
    with SizeWatch(42) as watch:
        assess_visible("causal_mask", lambda T: torch.ones(99, 99).bool()[:T, :T])
    assert watch.shape == []
