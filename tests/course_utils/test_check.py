"""check, hint, yours, progress, check_shape: what a learner sees, whatever they hand in."""

import contextlib
import io
import subprocess
import sys
import warnings
from dataclasses import replace
from pathlib import Path

import pytest
import torch

import course_utils
from autograder import grade
from autograder.exercises import load, names
from course_utils import check, check_shape, hint, progress, standins, yours
from course_utils.diagnose.visible import assess_visible
from course_utils.model.observation import UNWRITTEN
from course_utils.model.sheet import load_sheet
from course_utils.show.card import as_html, as_text
from course_utils.show.colours import EMPHASIS
from tests.answers import one_left, told
from tests.tools.variants import variants

ROOT = Path(__file__).resolve().parents[2]


def mask(seq_len_q, seq_len_k=None, device=None):
    i = torch.arange(seq_len_q, device=device)[:, None]
    return torch.arange(seq_len_k or seq_len_q, device=device) > i


def written(action):
    """What the action printed."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        action()
    return out.getvalue()


def test_right_answer_passes_with_a_card():
    out = written(lambda: check("create_causal_mask", mask))
    assert out.startswith("Right: create_causal_mask\n")
    assert "points" not in out


def test_wrong_answer_is_named_and_shown_beside_the_target():
    result = assess_visible(
        "create_causal_mask",
        lambda seq_len_q, seq_len_k=None, device=None: ~mask(seq_len_q, seq_len_k, device),
    )
    assert (result.passed, result.points, result.mistake) == (False, 0.0, "inverted")
    text, page = as_text(result), as_html(result)
    assert "yours: mask (5, 5)" in text
    assert "expected: (5, 5)" in text
    assert page.count("<table") == 2
    assert f"2px solid {EMPHASIS}" not in page  # where every entry differs, outlines say nothing


def test_not_started_is_no_error():
    def stub(*args, **more):
        raise NotImplementedError

    result = assess_visible("softmax", stub)
    assert result.status == "not_started"
    assert result.points == 0
    assert "Not started" in as_text(result)
    assert (
        assess_visible("attend_in_chunks", stub).status == "not_started"
    )  # where some calls must raise, too


@pytest.mark.parametrize(
    "wrong", [lambda x, dim=-1: (x > 0) @ (x > 0).mT, lambda x, dim=-1: torch.nn.Module()(x)]
)
def test_torchs_own_not_implemented_is_an_error_like_others(wrong):
    result = assess_visible("softmax", wrong)
    assert result.status == "error"
    assert result.ended.startswith("NotImplementedError: ")
    assert "NotImplementedError: " in result.message


def test_what_a_stub_says_is_known():
    assert f'raise NotImplementedError("{UNWRITTEN[1]}")' in (ROOT / "nbgrader_config.py").read_text(
        encoding="utf-8"
    )


BAD = {
    "None": (None, "expected the function softmax, got None"),
    "a list": ([1, 2], "expected the function softmax, got a list"),
    "a class": (dict, "expected the function softmax, got the class dict"),
    "no arguments": (lambda: 1, "It cannot be called as `softmax(x, dim=-1)`"),
    "returns nothing": (lambda x, dim=-1: None, "It returns None: is the `return` missing?"),
    "returns a list": (lambda x, dim=-1: [1.0], "returns 1 things (a list); expected one: weights"),
    "returns NumPy": (lambda x, dim=-1: x.numpy(), "`weights` is a NumPy array; expected a torch tensor"),
    "raises": (lambda x, dim=-1: 1 / 0, "it raises ZeroDivisionError: division by zero"),
    "exits": (lambda x, dim=-1: sys.exit("bye"), "it raises SystemExit: bye"),
    "recurses": (told.recurses, "it raises RecursionError"),
    "wrong dtype": (lambda x, dim=-1: torch.softmax(x.float(), dim), "keep the inputs' dtype"),
    "shape": (lambda x, dim=-1: torch.softmax(x, dim)[..., None], "in another layout"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_gets_one_sentence(case):
    obj, sentence = BAD[case]
    result = assess_visible("softmax", obj)
    assert not result.passed
    assert sentence.lower() in result.message.lower(), result.message
    assert "Traceback" not in as_text(result)


def test_a_grader_suggests_the_nearest_name():
    assert "Did you mean 'softmax'?" in grade("softmaxx", mask).message


def test_a_flood_of_output_and_warnings_stays_small():
    def loud(x, dim=-1):
        print("x" * 1_000_000)
        print("error", file=sys.stderr)
        warnings.warn("careful", stacklevel=1)
        return torch.softmax(x, dim)

    err = io.StringIO()
    with contextlib.redirect_stderr(err):
        result = assess_visible("softmax", loud)
    assert result.passed
    assert len(result.printed) == 2000
    assert err.getvalue() == ""


def test_a_check_under_no_grad_is_the_same():
    for mode in (torch.no_grad, torch.inference_mode):
        with mode():
            assert assess_visible("softmax", lambda x, dim=-1: torch.softmax(x, dim)).passed


def test_keyboard_interrupt_passes_through():
    def stopped(x, dim=-1):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        assess_visible("softmax", stopped)


def test_a_fault_of_the_course_says_so(monkeypatch):
    monkeypatch.setattr(sys.modules["course_utils.diagnose.visible"], "assess", lambda *args: 1 / 0)
    result = assess_visible("softmax", torch.softmax)
    assert result.status == "broken"
    assert "a fault of the course, not of your answer" in result.message


def test_points_are_floats_between_zero_and_the_maximum():
    for obj in (mask, None, lambda *a: mask(*a), one_left.mask_on_cpu):
        result = grade("create_causal_mask", obj, seed=3)
        assert type(result.points) is float
        assert 0 <= result.points <= result.max_points == 2


def test_core_pays_seventy_percent_and_edges_share_the_rest():
    result = assess_visible("create_causal_mask", one_left.mask_on_cpu)
    assert result.mistake == "fixed_device"
    assert 1.4 < result.points < 2
    assert assess_visible("create_causal_mask", lambda *a, **k: torch.zeros(5, 5).bool()).points == 0


def test_nothing_meets_the_inputs_where_none_were_handed_in():
    assert grade("create_attention_mask", told.joined, seed=3).passed


CAREFUL = {
    "asks for a GPU": lambda m, x: m.cuda() if x.is_cuda else m,
    "asks which GPU": lambda m, x: m.to(x.get_device()) if x.get_device() >= 0 else m,
    "compares devices": lambda m, x: m if m.device == x.device else m.to(x.device),
    "takes the whole type": lambda m, x: m.type(x.type()),
    "takes it by its name": lambda m, x: m.type(dtype=x.type()),
}


@pytest.mark.parametrize("way", CAREFUL)
def test_a_tensor_that_follows_x_to_a_gpu_is_on_no_fixed_device(way):
    result = assess_visible(
        "softmax",
        lambda x, dim=-1: torch.softmax(x + CAREFUL[way](torch.zeros(x.shape[-1], dtype=x.dtype), x), dim),
    )
    assert result.passed, result.message


def test_uses_are_said_first(monkeypatch):
    def create_causal_mask(*sizes, **more):
        return 0

    def create_attention_mask(
        seq_len_q, seq_len_k=None, is_causal=True, key_padding_lengths=None, device=None
    ):
        return create_causal_mask(seq_len_q)

    monkeypatch.setitem(vars(sys.modules["__main__"]), "create_causal_mask", create_causal_mask)
    note = "It builds on create_causal_mask, which does not pass yet: if your code uses it, start there."
    assert assess_visible("create_attention_mask", create_attention_mask).note == note


def test_hints_climb_and_the_worked_line_is_shown_when_asked_for_twice(monkeypatch):
    sheet = replace(load_sheet("softmax"), hints=["a question", "a fact", "a call", "return e / total"])
    monkeypatch.setattr(sys.modules["course_utils.hint"], "find_sheet", lambda name: sheet)
    first, second, third, offer, line, again = (written(lambda: hint("softmax twice")) for _ in range(6))
    assert first.startswith("Hint 1 of 3")
    assert second.startswith("Hint 2 of 3")
    assert "a call" in third
    assert "return e" not in third + offer
    assert "Call hint again to see it." in offer
    assert "return e / total" in line
    assert again == first


@pytest.mark.parametrize("name", names())
def test_the_third_hint_is_a_call(name):
    hints = load(name).hints
    assert len(hints) in (3, 4)
    assert "(" in hints[2] or "[" in hints[2]


def test_hints_suggest_the_nearest_name():
    assert "Did you mean 'softmax'?" in written(lambda: hint("softmx"))


def test_yours_prefers_own_then_kept_then_stand_in(tmp_path, monkeypatch):
    lesson = tmp_path / "02_next"
    lesson.mkdir()
    monkeypatch.chdir(lesson)
    assert yours("softmax") is standins.softmax
    earlier = tmp_path / "01_masks" / ".progress"
    earlier.mkdir(parents=True)
    (earlier / "softmax.py").write_text(
        "import torch\ndef softmax(x, dim=-1):\n    return torch.softmax(x, dim)\n"
    )
    assert yours("softmax").__code__.co_filename == "softmax.py"
    monkeypatch.setitem(vars(sys.modules["__main__"]), "softmax", torch.nn.functional.log_softmax)
    assert yours("softmax").__code__.co_filename == "softmax.py"  # the notebook's own is wrong
    own = lambda x, dim=-1: torch.softmax(x, dim)  # noqa: E731
    monkeypatch.setitem(vars(sys.modules["__main__"]), "softmax", own)
    assert yours("softmax") is own
    with pytest.raises(
        ValueError, match="There is no exercise called 'sotfmax' here. Did you mean 'softmax'"
    ):
        yours("sotfmax")


def test_progress_says_what_is_next(tmp_path, monkeypatch):
    lesson = tmp_path / "00_start_here"
    (lesson / ".progress").mkdir(parents=True)
    monkeypatch.chdir(lesson)
    assert "Next: attention_scores in 00_start_here." in written(progress)
    (lesson / ".progress" / "attention_scores.py").write_text(
        "def attention_scores(q, k):\n    return q @ k.T\n"
    )
    out = written(progress)
    assert "[x] attention_scores" in out
    assert "Next: attention_weights in 00_start_here." in out


AXIS_1 = r"got shape \(2, 3, 5, 4\); expected \(B=2, H=4, T, d_head\): axis 1 \(H\) is 3, expected 4"


def test_check_shape_gives_back_what_fits():
    x = torch.zeros(2, 3, 5, 4)
    assert check_shape(x, "B H T d_head", B=2, H=3) is check_shape(x, "2 _ _ 4") is x


@pytest.mark.parametrize(
    ("x", "axes", "sizes", "sentence"),
    [
        (torch.zeros(2, 3, 5, 4), "B H T d_head", {"H": 4}, AXIS_1),
        (torch.zeros(2, 3, 5, 4), "B T D", {}, "with 4 axes; expected 3"),
        (torch.zeros(2, 3, 5, 4), "B H H d", {}, "axis 2"),
        ([1], "B", {}, "expected a tensor"),
    ],
)
def test_check_shape_names_the_axis(x, axes, sizes, sentence):
    with pytest.raises(ValueError, match=sentence):
        check_shape(x, axes, **sizes)


@pytest.fixture(scope="module")
def imported():
    """The packages that a new process has after importing the course, and after importing its figures."""
    modules = "print(*{name.split('.')[0] for name in sys.modules})"
    figures = "course_utils.plot_mask; import course_utils.figures.masks, course_utils.figures.heads"
    code = "\n".join(["import sys, course_utils", modules, figures, modules])
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    return [line.split() for line in done.stdout.splitlines()]


def test_course_utils_never_imports_the_autograder(imported):
    assert "course_utils" in imported[1]
    assert "autograder" not in imported[1]


def test_pictures_are_loaded_only_when_drawn(imported):
    assert "matplotlib" in imported[1]
    assert not {"matplotlib", "ipywidgets", "IPython"} & set(imported[0])
    assert course_utils.plot_mask(torch.zeros(2, 3, dtype=torch.bool)) is not None


def test_what_only_calls_something_not_written_is_sent_there(monkeypatch):
    def softmax(x, dim=-1):
        raise NotImplementedError("Not written yet: put your code here.")

    monkeypatch.setitem(vars(sys.modules["__main__"]), "softmax", softmax)
    result = assess_visible("masked_softmax", lambda scores, mask: softmax(scores))
    assert result.status == "not_started"
    assert result.note == "It builds on softmax, which does not pass yet: if your code uses it, start there."
    monkeypatch.setitem(vars(sys.modules["__main__"]), "softmax", torch.softmax)
    assert assess_visible("masked_softmax", lambda scores, mask: softmax(scores)).note == ""


def test_a_result_far_too_large_is_not_kept_for_a_picture():
    assert assess_visible("softmax", lambda x, dim=-1: torch.zeros(9, 9)).picture
    result = assess_visible("softmax", lambda x, dim=-1: torch.zeros(512, 512))
    assert result.picture is None
    assert "512" in result.message


def test_a_cache_written_where_gradients_are_recorded_is_told_so():
    answer = next(variant for variant in variants("held_back") if variant.name == "in_the_graph").make()
    result = assess_visible("StaticKVCache", answer)
    assert result.mistake == "keeps_graph"
    assert "the graph of k and v," in result.message
    assert result.points > 2.5
