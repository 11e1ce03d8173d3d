"""predict, save_progress, load_progress: what a learner sees, typed and clicked, and that nothing is lost."""

import json
import subprocess
import sys
from types import SimpleNamespace

import ipywidgets
import pytest

from course_utils import due, load_progress, predict, progress, save_progress
from course_utils.practice import ask, log, questions, saved
from course_utils.practice.ask import Asked
from course_utils.practice.forms import Form
from course_utils.practice.log import recall
from course_utils.predict import find
from tests.course_utils.questions_for_tests import ALL, CHOICE, NUMBER, SHAPE, STEPS, TEXT

AGAIN = "Answer again as often as you like. The question comes back after a day."


pytestmark = pytest.mark.usefixtures("lessons")


def test_questions_come_back_from_their_file_as_they_went():
    assert list(questions.published().values()) == ALL


# ---- typed


@pytest.mark.parametrize(
    ("name", "typed", "text"),
    [
        ("axis_of_sums", "b", "Right: axis_of_sums  (you said b)\nBecause of axis_of_sums.\n"),
        ("steps", "3", "Right: steps  (you said 3)\nBecause of steps.\n"),
        (
            "axis_of_sums",
            "c",
            f"Not yet: axis_of_sums  (you said c)\nThen one number is left.\n{AGAIN}\n",
        ),
        (
            "shape_of_both",
            "(2, 3, 5, 5)",
            "Not yet: shape_of_both  (you said (2, 3, 5, 5))\nA mask is the same for all heads.\n"
            f"Axis 1 (1 for all heads) is not 3; the others are right.\n{AGAIN}\n",
        ),
    ],
)
def test_a_typed_answer_is_judged_at_once(printed_by, name, typed, text):
    assert printed_by(predict, name, typed).startswith(text)
    assert [fact.name for fact in recall()[0]] == [name]


def test_without_widgets_the_question_says_how_to_type(printed_by):
    assert printed_by(predict, "axis_of_sums") == (
        "What about axis_of_sums?\n\n"
        "- **a.** over the queries\n- **b.** over the `keys`\n- **c.** over both\n\n"
        'To answer, type `predict("axis_of_sums", "a")`.\n'
    )
    assert printed_by(predict, "shape_of_both").endswith('type `predict("shape_of_both", (7, 8, 9))`.\n')
    assert recall() == ([], [])


def test_a_question_and_its_card_are_pages_in_a_notebook(monkeypatch):
    shown = in_a_notebook(monkeypatch)
    predict("open_cells", "<b>")
    predict("open_cells", 3)
    monkeypatch.setitem(sys.modules, "ipywidgets", None)
    monkeypatch.delitem(sys.modules, "course_utils.practice.forms")
    monkeypatch.delattr("course_utils.practice.forms")
    predict("axis_of_sums")
    pages = [bundle["text/html"] for bundle in shown]
    assert "&lt;b&gt;" in pages[0]
    assert "Not yet" in pages[1]
    assert '<code style="background:#8882;color:inherit">predict(&quot;axis_of_sums&quot;, ' in pages[2]
    assert ">keys</code></li>" in pages[2]


def in_a_notebook(monkeypatch):
    """As a kernel would have it; the bundles that are displayed."""
    shown = []
    monkeypatch.setattr("course_utils.show.card.in_notebook", lambda: True)
    monkeypatch.setattr(ask, "in_notebook", lambda: True)
    monkeypatch.setattr("IPython.display.display", lambda bundle, raw: shown.append(bundle))
    return shown


# ---- clicked


def test_in_a_notebook_a_question_is_a_form_with_words_behind_it(monkeypatch):
    shown = in_a_notebook(monkeypatch)
    predict("axis_of_sums")
    (bundle,) = shown
    assert bundle["text/plain"].startswith("What about axis_of_sums?")
    assert set(bundle) == {"text/plain", "application/vnd.jupyter.widget-view+json"}
    assert bundle["application/vnd.jupyter.widget-view+json"]["model_id"]


def test_a_choice_is_clicked():
    form = Form(Asked(CHOICE))
    assert isinstance(form.field, ipywidgets.ToggleButtons)
    assert form.field.options == ("a", "b", "c")
    form.answer()
    assert "There is no answer yet" in form.card.value
    assert recall() == ([], [])
    form.field.value = "a"
    form.answer()
    assert "That is the queries&#x27; axis." in form.card.value.replace("queries'", "queries&#x27;")
    form.field.value = "b"
    form.answer()
    assert "Because of axis_of_sums." in form.card.value
    assert [fact.right for fact in recall()[0]] == [False, True]


@pytest.mark.parametrize(("question", "typed"), [(NUMBER, "0.155"), (TEXT, "nan")])
def test_what_is_typed_into_the_box_is_judged_with_enter(question, typed):
    form = Form(Asked(question))
    assert isinstance(form.field, ipywidgets.Text)
    form.field.value = typed
    form.field._msg_callbacks(form.field, {"event": "submit"}, [])
    assert f"Because of {question.name}." in form.card.value
    assert [fact.right for fact in recall()[0]] == [True]


def test_a_question_is_folded_below_its_text_and_open_when_it_is_asked_again():
    first, again = (Form(Asked(CHOICE, again)).widget.children[0].value for again in (False, True))
    assert "<details" in first
    assert "What about axis_of_sums?" in first
    assert "<details" not in again
    assert "Once more: which axis?" in again
    assert "Because of" not in first + again


# ---- asked again


def test_progress_counts_questions_and_says_what_is_due(printed_by, monkeypatch, clock):
    printed_by(predict, "axis_of_sums", "a")
    printed_by(predict, "open_cells", 0.155)
    out = printed_by(progress)
    assert out.endswith(
        "Questions: 2 of 5 practised, 1 right the last time.\n"
        "Nothing is due now. Within a day: 2 items, about 2 minutes.\n"
    )
    clock(days=1)
    assert printed_by(progress).endswith(
        "Questions: 2 of 5 practised, 1 right the last time.\n"
        "Due now: 2 items, about 2 minutes. `due(10)` makes a session of ten minutes, after "
        "`from course_utils import due`.\n"
    )
    monkeypatch.setattr(sys.modules["__main__"], "due", due, raising=False)
    assert printed_by(progress).endswith("a session of ten minutes.\n")


def test_without_a_name_predict_asks_what_is_due_in_any_lesson(printed_by, place, monkeypatch, clock):
    printed_by(predict, "axis_of_sums", "a")
    (place.parent / "01_second").mkdir()
    monkeypatch.chdir(place.parent / "01_second")
    assert printed_by(predict) == (
        'No question waits for you. predict("name") asks the one of that name: '
        "axis_of_sums, open_cells, shape_of_both, empty_row, steps.\n"
    )
    clock(days=1)
    assert printed_by(predict).startswith("Once more: which axis?")


def test_no_more_than_three_are_asked_at_once(printed_by, clock):
    for question, typed in ((CHOICE, "a"), (NUMBER, 3), (SHAPE, ()), (TEXT, "x"), (STEPS, 1)):
        printed_by(predict, question.name, typed)
    clock(days=2)
    out = printed_by(predict)
    assert out.count("To answer, type") == 3
    assert out.endswith("2 more: run predict() when you are done.\n")


# ---- bad input


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("axis_of_sum", 'There is no question called "axis_of_sum". Did you mean axis_of_sums? There are: '),
        ("softmax", 'softmax is an exercise, not a question: check("softmax", softmax) tries it.\n'),
        (
            "zzz",
            'There is no question called "zzz". '
            "There are: axis_of_sums, open_cells, shape_of_both, empty_row, steps.\n",
        ),
        (None, "There is no question called None. There are: axis_of_sums"),
        (3, "There is no question called 3. There are: axis_of_sums"),
    ],
)
def test_a_name_that_is_none_is_said_in_one_sentence(printed_by, name, sentence):
    assert printed_by(predict, name, "b").startswith(sentence)
    assert recall() == ([], [])


# ---- carried elsewhere


def test_reading_back_twice_or_over_newer_work_changes_nothing(printed_by, place):
    printed_by(predict, "open_cells", 0.155)
    (place / ".progress" / "attention_weights.py").write_text("old")
    printed_by(save_progress)
    (place / ".progress" / "attention_weights.py").write_text("new")
    printed_by(predict, "axis_of_sums", "a")
    before = log.FOLDER.joinpath("predictions.jsonl").read_bytes()
    assert "0 answers and 0 exercises restored" in printed_by(load_progress)
    assert log.FOLDER.joinpath("predictions.jsonl").read_bytes() == before
    assert (place / ".progress" / "attention_weights.py").read_text() == "new"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            b"",
            "What was given is not a file that save_progress() wrote: "
            "nothing was read, and nothing has changed.",
        ),
        (b"\xff\xfe\xfa", "What was given is not a file that save_progress() wrote: "),
        (
            b'{"version": 1, "predictions": "x", "answers": {}}',
            "What was given is not a file that save_progress",
        ),
        (
            b'{"version": 1, "predictions": [1], "answers": {}}',
            "What was given is not a file that save_progress",
        ),
        (
            b'{"version": 2, "predictions": [], "answers": {}}',
            "What was given was written by a newer version of the course: nothing was read, and nothing has",
        ),
        ("gone.json", "There is no file gone.json to be read. load_progress() reads course-progress.json in"),
        (None, "There is no file course-progress.json to be read. "),
        (7, "load_progress takes a file's name, and an int came: nothing has changed."),
    ],
)
def test_what_cannot_be_read_back_is_said_in_one_sentence(printed_by, place, arguments, sentence):
    assert printed_by(load_progress, arguments).startswith(sentence)
    assert list(place.iterdir()) == []


def test_no_file_outside_of_the_folder_is_ever_written(printed_by, place):
    plain = {
        "version": 1,
        "predictions": [],
        "answers": {"../evil": "x", "/tmp/evil": "x", "a.b": "x", "ok": "y"},
    }
    printed_by(load_progress, json.dumps(plain).encode())
    assert [path.name for path in place.parent.rglob("*") if path.suffix == ".py"] == ["ok.py"]


def test_colab_downloads_and_uploads(printed_by, monkeypatch, place):
    printed_by(predict, "open_cells", 0.155)
    downloaded = []
    colab = SimpleNamespace(download=downloaded.append, upload=lambda: {})
    monkeypatch.setattr(saved, "colab_files", lambda: colab)
    assert printed_by(save_progress).startswith(
        "course-progress.json is downloaded; keep it. It holds 1 answer and"
    )
    assert downloaded == ["course-progress.json"]
    assert printed_by(load_progress) == "Nothing was uploaded: nothing has changed.\n"
    data = (place / "course-progress.json").read_bytes()
    log.FOLDER.joinpath("predictions.jsonl").unlink()
    colab.upload = lambda: {"course-progress (1).json": data}
    assert printed_by(load_progress).startswith("course-progress (1).json: 1 answer")
    assert len(recall()[0]) == 1


def test_importing_the_course_loads_no_widgets_and_nothing_of_the_interview():
    code = (
        "import re, sys, course_utils; "
        "unwanted = 'ipywidgets|mistune|.*interview|.*flashcards|.*bugs|.*practice.mock'; "
        "print([name for name in sys.modules if re.match(unwanted, name)])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_what_is_no_answer_is_said_and_not_remembered(printed_by):
    assert printed_by(predict, "open_cells", [1, 2]).startswith("The answer is one number, and a list came: ")
    assert printed_by(predict, "shape_of_both", "wide").startswith("The answer is a shape, whole numbers in")
    assert printed_by(predict, "open_cells", None).startswith("There is no answer yet: ")
    assert recall() == ([], [])


def test_where_no_lesson_asks_anything_progress_is_as_it_was(printed_by, monkeypatch, tmp_path):
    monkeypatch.setattr(questions, "FOLDER", tmp_path / "none")
    questions.published.cache_clear()
    assert "question" not in printed_by(progress).lower()
    assert printed_by(predict) == "There are no questions here.\n"
    assert printed_by(predict, "zzz") == 'There is no question called "zzz". There are: .\n'


def test_a_folder_that_may_not_be_written_to_is_said_beside_the_card(printed_by, place):
    (place / ".progress").write_text("")
    out = printed_by(predict, "open_cells", 0.155)
    assert out.startswith("Right: open_cells")
    assert "cannot be written to: this counts until the kernel stops, but is not saved." in out


def test_progress_is_saved_to_one_file_and_read_back_elsewhere(printed_by, place, tmp_path, monkeypatch):
    printed_by(predict, "open_cells", 0.155, sure=True)  # as older notebooks have it
    saved = "def attention_weights(x):\n    return x.softmax(1)\n"
    (place / ".progress" / "attention_weights.py").write_text(saved)
    assert printed_by(save_progress) == (
        f"course-progress.json is written: {place / 'course-progress.json'}. It holds 1 answer "
        "and 1 exercise; load_progress() reads it back.\n"
    )
    facts, data = recall()[0], (place / "course-progress.json").read_bytes()
    for name, arguments in (("one", [place / "course-progress.json"]), ("two", [data])):
        (tmp_path / "away" / name).mkdir(parents=True)
        monkeypatch.chdir(tmp_path / "away" / name)
        where = "What was given" if arguments == [data] else "course-progress.json"
        assert printed_by(load_progress, *arguments) == (
            f"{where}: 1 answer and 1 exercise restored; what was already here is unchanged.\n"
        )
        assert recall()[0] == facts
        assert (tmp_path / "away" / name / ".progress" / "attention_weights.py").read_text() == saved


def test_a_place_that_cannot_be_written_to_is_said(printed_by):
    assert printed_by(save_progress, "no/such/folder.json") == (
        "Nothing was saved: no/such/folder.json cannot be written (FileNotFoundError).\n"
    )


def test_an_exercise_of_the_same_name_is_no_obstacle():
    assert find(" steps ").name == "steps"
