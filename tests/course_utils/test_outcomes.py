"""A check has three outcomes: right; right, with one thing left; wrong."""

import sys
from types import SimpleNamespace

import pytest
import torch

from autograder.exercises import load
from autograder.grading.grade_object import grade
from course_utils import progress, yours
from course_utils.diagnose.visible import assess_visible
from course_utils.model.case import dtype_name
from course_utils.observe.watches import SizeWatch
from course_utils.show import card
from course_utils.show.card import NUMBER_BELOW, as_html, as_text, show
from tests.answers import one_left, told, views
from tests.tools.assessed import assess_answer, output_of

ALL_THREE = "the memory of W_q and W_k and W_v is shared with an argument"
POSITIONS, WHOLE = "left_padded_positions", "it should hold integers"
FLOATS = [torch.float32, torch.float64, torch.bfloat16]
ONE_LEFT = [
    ("softmax", one_left.changes_input, "changes_input", "would compute with the changed numbers"),
    ("softmax", one_left.in_float32, "casts_dtype", "bfloat16 or float16"),
    ("softmax", one_left.without_graph, "detached", "nothing before the cut is learned"),
    ("softmax", one_left.on_one_device, "fixed_device", "On a GPU"),
    ("create_causal_mask", one_left.mask_on_cpu, "fixed_device", "On a GPU"),
    ("from_fused", views.one_view, "not_copies", "the memory of W_k is shared with an argument"),
    *(("from_fused", wrong, "not_copies", ALL_THREE) for wrong in views.VIEWS),
    ("from_conv1d", views.transposed, "not_copies", ALL_THREE),
    *((POSITIONS, one_left.positions_in(dtype), "not_whole", WHOLE) for dtype in FLOATS),
]


@pytest.mark.parametrize(("name", "answer", "mistake", "why"), ONE_LEFT)
def test_right_values_with_one_thing_left_are_accepted_with_an_explanation(name, answer, mistake, why):
    result = assess_visible(name, answer)
    outcome = result.status, result.mistake, result.left, result.accepted, result.passed
    assert outcome == ("one_left", mistake, 1, True, False)
    text = as_text(result)
    assert text.startswith(f"Right, with one thing left: {name}\n")
    assert why in text
    assert why in as_html(result)
    assert "[no] dtype, device, gradients, inputs unchanged" in text
    assert 0.85 * result.max_points < result.points < result.max_points  # all but the probes
    graded = grade(name, answer, seed=11)
    assert (graded.passed, graded.status) == (False, "one_left")
    assert 0.85 * graded.max_points < graded.points < graded.max_points


INTEGERS = [torch.int64, torch.int32, torch.int16, torch.uint8]
ON_ITS_DEVICE = {
    "asks for a GPU": lambda m, x: m.cuda() if x.is_cuda else m,
    "asks which GPU": lambda m, x: m.to(x.get_device()) if x.get_device() >= 0 else m,
    "compares devices": lambda m, x: m if m.device == x.device else m.to(x.device),
    "takes the whole type": lambda m, x: m.type(x.type()),
    "takes it by its name": lambda m, x: m.type(dtype=x.type()),
}
NOTHING_LEFT = {
    "copies that share memory with each other": ("from_fused", views.of_a_copy),
    "views where no copies are asked for": ("from_interleaved", views.of_bands),
    "an empty tensor joined on the CPU": ("create_attention_mask", told.joined),
    **{str(dtype): (POSITIONS, one_left.positions_in(dtype)) for dtype in INTEGERS},
    **{way: ("softmax", one_left.plus_zeros(follow)) for way, follow in ON_ITS_DEVICE.items()},
}


@pytest.mark.parametrize("name", NOTHING_LEFT)
def test_a_careful_answer_has_nothing_left_to_do(name):
    result = assess_visible(*NOTHING_LEFT[name])
    assert result.passed, result.message


@pytest.mark.parametrize("answer", [one_left.doubled, one_left.random_when_asked_again])
def test_wrong_or_changing_values_are_not_accepted(answer):
    result = assess_visible("softmax", answer)
    assert (result.status, result.accepted, result.why) == ("wrong", False, "")
    assert as_text(result).startswith("Not yet: softmax\n")
    assert assess_visible(POSITIONS, one_left.positions_in(torch.bool)).points == 0  # bool is no number


def test_several_things_left_are_counted():
    text = as_text(assess_visible("softmax", one_left.two_left))
    assert text.startswith("Right, with 2 things left: softmax\n")


# ---- intermediate tensors that are too large


Q, K = torch.ones(6, 2), torch.ones(7, 2)
ONE_QUERY, KEYS = torch.ones(1, 2), torch.ones(42, 2)


@pytest.mark.parametrize(
    ("action", "arguments", "shape"),
    [
        (lambda: Q @ K.T, [], [6, 7]),
        (lambda: torch.empty(42), [], [42]),
        (lambda: (Q[:, None] * K).sum(-1), [], [6, 7, 2]),
        (lambda: torch.cat([Q @ K[i : i + 1].T for i in range(7)], 1), [], [6, 7]),
        (lambda: torch.vmap(lambda query: K @ query)(Q), [], [7, 6]),
        (lambda: Q @ K[:6].T, [], []),
        (lambda: Q[:, :1].expand(6, 7), [], []),
        (lambda: [K @ query for query in Q], [], []),
        (lambda: KEYS.double(), [KEYS], []),  # a copy of a larger argument
        (lambda: KEYS.mT, [KEYS], []),
        (lambda: ONE_QUERY @ KEYS.mT, [KEYS], [1, 42]),
    ],
)
def test_size_watch_reports_the_largest_new_tensor_that_reaches_the_limit(action, arguments, shape):
    with SizeWatch(42, arguments) as watch:
        action()
    assert watch.shape == shape


def test_an_online_softmax_with_a_full_table_of_scores_earns_nothing():
    name, answer = "online_softmax_attention", one_left.all_scores
    sandbox_result = assess_answer(answer, load(name).sheet(with_mistakes=False))
    for result in (grade(name, answer), sandbox_result):
        assert (result.passed, result.points, result.mistake) == (False, 0, "too_large")
        assert "an intermediate tensor of shape (" in result.message


# ---- consequences of an outcome


@pytest.fixture
def in_lesson(tmp_path, monkeypatch, in_main):
    """in_lesson(answer) makes `answer` the softmax of a notebook in the folder of a lesson."""
    (tmp_path / "01_masks").mkdir()
    monkeypatch.chdir(tmp_path / "01_masks")
    return lambda answer: in_main("softmax", answer)


@pytest.mark.parametrize("answer", [answer for name, answer, *_ in ONE_LEFT if name == "softmax"])
def test_progress_counts_accepted_answers_and_yours_returns_only_usable_ones(answer, in_lesson):
    is_usable = answer is one_left.on_one_device
    in_lesson(answer)
    message = output_of(lambda: yours("softmax"))
    assert (yours("softmax") is answer) == is_usable
    assert ("has one thing left that the lesson depends on" in message) != is_usable
    assert "[x] softmax" in output_of(progress)


def test_yours_protects_inputs_from_answers_that_change_them(in_lesson):
    in_lesson(one_left.changes_input)
    scores = torch.tensor([[1.0, 2.0]])
    yours("softmax")(scores)
    assert scores.tolist() == [[1.0, 2.0]]


def test_a_card_explains_the_number_below_it_instead_of_showing_points(monkeypatch):
    result = assess_visible("create_causal_mask", load("create_causal_mask").implementation)
    for cell, message in (
        ("check('create_causal_mask', create_causal_mask).points  # as given\n", True),
        ("check('create_causal_mask', create_causal_mask)", False),
        ("", False),
    ):
        monkeypatch.setattr(card, "running_cell", lambda cell=cell: cell)
        text = output_of(lambda: show(result))
        assert (NUMBER_BELOW in text) == message
        assert "2 of 2" not in text
    assert "points" not in repr(result) + as_html(result)
    assert "2 of 2 points on the grader's own cases" in as_html(result, "the grader's own cases")


def test_the_running_cell_is_the_kernels_latest_input(monkeypatch):
    history = SimpleNamespace(input_hist_raw=["", "first", "check('softmax', softmax).points"])
    shell = SimpleNamespace(kernel=1, history_manager=history)
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    assert card.shows_points(card.running_cell())


@pytest.mark.parametrize(("factor", "dtypes"), [(1, {"float64", "float32", "bfloat16"}), (2, {"float64"})])
def test_wrong_values_are_not_tried_in_dtypes_that_no_card_would_speak_of(factor, dtypes):
    tried = set()

    def softmax(x, dim=-1):
        tried.add(dtype_name(x.dtype))
        return factor * (x - x.logsumexp(dim, keepdim=True)).exp()

    assert assess_visible("softmax", softmax).passed == (factor == 1)
    assert tried == dtypes
