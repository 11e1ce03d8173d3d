"""check, hint, yours, progress and check_shape: what a learner sees, whatever object they pass."""

import contextlib
import io
import subprocess
import sys
import warnings
from dataclasses import replace

import pytest
import torch

from autograder import grade
from autograder.exercises import load, names
from autograder.grading.judge import judge
from course_utils import check, check_shape, hint, progress, standins, yours
from course_utils.diagnose.visible import assess_visible
from course_utils.model.case import Fact
from course_utils.model.crash import Crash
from course_utils.model.observation import UNWRITTEN, Observation
from course_utils.model.sheet import load_sheet
from course_utils.show.card import as_html, as_text
from tests.answers import one_left, told
from tests.conftest import ROOT
from tests.tools.assessed import output_of

mask = load("create_causal_mask").implementation


def right(x, dim=-1):
    return (x - x.logsumexp(dim, keepdim=True)).exp()


def stub(*args, **more):
    raise NotImplementedError


# ---- the card


def test_a_right_answer_gets_a_card_and_a_wrong_one_its_mistake_and_the_target():
    out = output_of(lambda: check("create_causal_mask", mask))
    assert out.startswith("Right: create_causal_mask\n")
    assert "points" not in out
    result = assess_visible("create_causal_mask", lambda *sizes, **more: ~mask(*sizes, **more))
    assert (result.passed, result.points, result.mistake) == (False, 0.0, "inverted")
    for words in ("yours: mask (5, 5)", "expected: (5, 5)"):
        assert words in as_text(result)
        assert words in as_html(result)


@pytest.mark.parametrize("name", ["softmax", "attend_in_chunks"])  # the second has calls that must raise
def test_an_unwritten_answer_is_not_started_rather_than_an_error(name):
    result = assess_visible(name, stub)
    assert (result.status, result.points) == ("not_started", 0)
    assert "Not started" in as_text(result)
    config = (ROOT / "nbgrader_config.py").read_text(encoding="utf-8")
    assert f'raise NotImplementedError("{UNWRITTEN[1]}")' in config


BAD = {
    "None": (None, "wrong", "expected the function softmax, got None"),
    "a list": ([1, 2], "wrong", "expected the function softmax, got a list"),
    "a class": (dict, "wrong", "expected the function softmax, got the class dict"),
    "no arguments": (lambda: 1, "wrong", "It cannot be called as `softmax(x, dim=-1)`"),
    "returns nothing": (lambda x, dim=-1: None, "wrong", "It returns None: is the `return` missing?"),
    "returns a list": (lambda x, dim=-1: [1.0], "wrong", "returns 1 things (a list); expected one: weights"),
    "returns NumPy": (lambda x, dim=-1: x.numpy(), "wrong", "is a NumPy array; expected a torch tensor"),
    "raises": (lambda x, dim=-1: 1 / 0, "error", "it raises ZeroDivisionError: division by zero"),
    "exits": (lambda x, dim=-1: sys.exit("bye"), "error", "it raises SystemExit: bye"),
    "recurses": (told.recurses, "error", "a function calls itself and never ends"),
    "wrong dtype": (lambda x, dim=-1: right(x.float(), dim), "one_left", "keep the inputs' dtype"),
    "shape": (lambda x, dim=-1: right(x, dim)[..., None], "wrong", "in another layout"),
    "too large a shape": (lambda x, dim=-1: torch.zeros(512, 512), "wrong", "512"),
    "torch's own": (lambda x, dim=-1: torch.nn.Module()(x), "error", "NotImplementedError: "),
    "no operator": (lambda x, dim=-1: (x > 0) @ (x > 0).mT, "error", "NotImplementedError: "),
}


@pytest.mark.parametrize("case", BAD)
def test_a_bad_answer_gets_one_sentence_and_no_traceback(case):
    obj, status, sentence = BAD[case]
    result = assess_visible("softmax", obj)
    assert (result.passed, result.status) == (False, status)
    assert sentence.lower() in result.message.lower(), result.message
    assert "Traceback" not in as_text(result)
    assert bool(result.picture) == (case == "shape")


def test_a_result_names_the_exception_that_ended_the_answer():
    for answer in (lambda x, dim=-1: 1 / 0, lambda x, dim=-1: x.softmax(dim) if x.dim() == 2 else 1 / 0):
        assert assess_visible("softmax", answer).ended == "ZeroDivisionError: division by zero"
    lost = judge(load("softmax"), 3, "it did not finish within time")
    assert (lost.status, lost.ended) == ("error", "it did not finish within time")


def test_printed_output_is_cut_and_warnings_are_hidden():
    def loud(x, dim=-1):
        print("x" * 1_000_000)
        print("error", file=sys.stderr)
        warnings.warn("careful", stacklevel=1)
        return right(x, dim)

    err = io.StringIO()
    with contextlib.redirect_stderr(err):
        result = assess_visible("softmax", loud)
    assert result.passed
    assert len(result.printed) == 2000
    assert err.getvalue() == ""


@pytest.mark.parametrize("mode", [torch.no_grad, torch.inference_mode])
def test_a_check_passes_under_no_grad_and_inference_mode(mode):
    with mode():
        assert assess_visible("softmax", right).passed


def test_keyboard_interrupt_passes_through():
    def stopped(x, dim=-1):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        assess_visible("softmax", stopped)


def test_an_internal_error_is_reported_as_a_fault_of_the_course(monkeypatch):
    monkeypatch.setattr(sys.modules["course_utils.diagnose.visible"], "assess", lambda *args: 1 / 0)
    result = assess_visible("softmax", right)
    assert result.status == "broken"
    assert "a fault of the course, not of your answer" in result.message


def test_points_are_floats_full_if_right_and_fewer_if_a_probe_fails():
    for answer, points in ((mask, 2), (one_left.mask_on_cpu, 1.8), (lambda *a: mask(), 0), (None, 0)):
        result = grade("create_causal_mask", answer, seed=3)
        assert type(result.points) is float
        assert (result.points, result.max_points) == (pytest.approx(points, abs=0.11), 2)


def test_a_failing_prerequisite_is_mentioned_in_a_note(in_main):
    note = "It builds on {}, which does not pass yet: if your code uses it, start there."
    in_main("create_causal_mask", lambda *sizes, **more: 0)
    result = assess_visible("create_attention_mask", lambda seq_len_q, *args, **more: 0)
    assert result.note == note.format("create_causal_mask")
    # a function of torch counts as written, though not by hand
    for softmax, words in ((stub, note.format("softmax")), (torch.softmax, "")):
        in_main("softmax", softmax)
        result = assess_visible("masked_softmax", lambda scores, mask: stub(scores))
        assert (result.status, result.note) == ("not_started", words)


# ---- hint, yours, progress, check_shape


def test_hints_come_in_order_and_the_solution_line_only_on_a_second_request(monkeypatch):
    sheet = replace(load_sheet("softmax"), hints=["a question", "a fact", "a call", "return e / total"])
    monkeypatch.setattr(sys.modules["course_utils.hint"], "find_sheet", lambda name: sheet)
    texts = [output_of(lambda: hint("softmax twice")) for _ in range(6)]
    words = ["Hint 1 of 3", "Hint 2 of 3", "a call", "Call hint again to see it.", "return e / total"]
    for text, expected in zip(texts, [*words, "Hint 1 of 3"], strict=True):
        assert expected in text
    assert "return e" not in texts[2] + texts[3]


@pytest.mark.parametrize("name", names())
def test_the_third_hint_is_a_call(name):
    hints = load(name).hints
    assert len(hints) in (3, 4)
    assert "(" in hints[2] or "[" in hints[2]


def test_a_misspelt_exercise_name_gets_a_suggestion():
    with pytest.raises(ValueError, match="no exercise called 'sotfmax' here. Did you mean 'softmax'"):
        yours("sotfmax")
    assert "Did you mean 'softmax'?" in output_of(lambda: hint("softmx"))
    assert "Did you mean 'softmax'?" in grade("softmaxx", mask).message


def test_yours_prefers_the_notebooks_answer_then_a_saved_one_then_a_stand_in(tmp_path, monkeypatch, in_main):
    (tmp_path / "02_next").mkdir()
    monkeypatch.chdir(tmp_path / "02_next")
    assert yours("softmax") is standins.softmax
    earlier = tmp_path / "01_masks" / ".progress" / "softmax.py"
    earlier.parent.mkdir(parents=True)
    earlier.write_text(
        "import torch\ndef softmax(x, dim=-1):\n    return (x - x.logsumexp(dim, keepdim=True)).exp()\n"
    )
    assert yours("softmax").__code__.co_filename == "softmax.py"
    in_main("softmax", torch.nn.functional.log_softmax)
    assert yours("softmax").__code__.co_filename == "softmax.py"  # the notebook's own softmax is wrong
    in_main("softmax", right)
    assert yours("softmax") is right


def test_progress_names_the_next_exercise(tmp_path, monkeypatch):
    lesson = tmp_path / "00_start_here"
    (lesson / ".progress").mkdir(parents=True)
    monkeypatch.chdir(lesson)
    assert "Next: attention_scores in 00_start_here." in output_of(progress)
    path = lesson / ".progress" / "attention_scores.py"
    path.write_text("def attention_scores(q, k):\n    return q @ k.T\n")
    out = output_of(progress)
    assert "[x] attention_scores" in out
    assert "Next: attention_weights in 00_start_here." in out


AXIS_1 = r"got shape \(2, 3, 5, 4\); expected \(B=2, H=4, T, d_head\): axis 1 \(H\) is 3, expected 4"


@pytest.mark.parametrize(
    ("x", "axes", "sizes", "sentence"),
    [
        (torch.zeros(2, 3, 5, 4), "B H T d_head", {"B": 2, "H": 4}, AXIS_1),
        (torch.zeros(2, 3, 5, 4), "B T D", {}, "with 4 axes; expected 3"),
        (torch.zeros(2, 3, 5, 4), "B H H d", {}, "axis 2"),
        ([1], "B", {}, "expected a tensor"),
    ],
)
def test_check_shape_returns_a_fitting_tensor_or_names_the_wrong_axis(x, axes, sizes, sentence):
    fits = torch.zeros(2, 3, 5, 4)
    assert check_shape(fits, "B H T d_head", B=2, H=3) is check_shape(fits, "2 _ _ 4") is fits
    with pytest.raises(ValueError, match=sentence):
        check_shape(x, axes, **sizes)


# ---- observations from a submission, and imports


FORGED = [
    {"values": {"weights": 1}},
    {"values": {Fact(1): "a"}},
    {"changed": [Fact("x", -1)]},
    {"changed": ["x"]},
    {"crash": Crash("<b>", 1)},
    *({"too_large": shape} for shape in ("(5, 7)", ["5"], [True], [-1], [[5, 7]], None)),
]


@pytest.mark.parametrize("forged", FORGED)
def test_a_malformed_observation_is_refused(forged):
    with pytest.raises(ValueError, match="not an observation"):
        Observation.from_plain(forged)


def test_course_utils_never_imports_the_autograder_and_loads_pictures_only_when_drawn():
    modules = "print(*{name.split('.')[0] for name in sys.modules})"
    figures = "course_utils.plot_mask; import course_utils.figures.masks, course_utils.figures.heads"
    code = "\n".join(["import sys, course_utils", modules, figures, modules])
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    first, second = (set(line.split()) for line in run.stdout.splitlines())
    assert {"course_utils", "matplotlib", "ipywidgets", "IPython"} & first == {"course_utils"}
    assert {"course_utils", "matplotlib", "autograder"} & second == {"course_utils", "matplotlib"}
