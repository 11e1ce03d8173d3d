"""predict(): what a learner sees with typed and clicked answers; and progress() after it."""

import re
import subprocess
import sys

import ipywidgets
import pytest

from course_utils import predict, progress
from course_utils.practice import ask, questions
from course_utils.practice.ask import LessonQuestion
from course_utils.practice.log import recall
from course_utils.practice.widget import QuestionWidget
from tests.course_utils.questions_for_tests import ALL, CHOICE, DRAWN, NUMBER, SHAPE, STEPS, TEXT

AGAIN = "Answer again as often as you like. The question comes back after a day."
SHAPE_WRONG = "Not yet: shape_of_both  (you said (2, 3, 5, 5))\nA mask is the same for all heads.\n"
NAMES = ", ".join(question.name for question in [*ALL, DRAWN])
pytestmark = pytest.mark.usefixtures("lessons")


def test_questions_are_read_back_from_their_file_unchanged():
    assert list(questions.published().values()) == [*ALL, DRAWN]


# ---- typed answers


@pytest.mark.parametrize(
    ("name", "typed", "text"),
    [
        ("axis_of_sums", "b", "Right: axis_of_sums  (you said b)\nBecause of axis_of_sums.\n"),
        (" steps ", "3", "Right: steps  (you said 3)\nBecause of steps.\n"),
        ("axis_of_sums", "c", f"Not yet: axis_of_sums  (you said c)\nThen one number is left.\n{AGAIN}\n"),
        ("shape_of_both", "(2, 3, 5, 5)", f"{SHAPE_WRONG}Not right: axis 1 (1 for all heads).\n{AGAIN}\n"),
    ],
)
def test_a_typed_answer_is_judged_and_recorded(output_of, name, typed, text):
    # `sure` is an argument in older notebooks
    assert output_of(predict, name, typed, sure=True).startswith(text)
    assert [fact.name for fact in recall()] == [name.strip()]


def test_without_widgets_a_question_explains_how_to_type_the_answer(output_of):
    assert output_of(predict, "axis_of_sums") == (
        "What about axis_of_sums?\n\n"
        "- **a.** over the queries\n- **b.** over the `keys`\n- **c.** over both\n\n"
        'To answer, type `predict("axis_of_sums", "a")`.\n'
    )
    assert output_of(predict, "shape_of_both").endswith('type `predict("shape_of_both", (7, 8, 9))`.\n')
    assert recall() == []


@pytest.mark.parametrize(
    ("name", "typed", "sentence"),
    [
        ("axis_of_sum", "b", f'There is no question called "axis_of_sum". Choose from: {NAMES}.\n'),
        (
            "softmax",
            "b",
            'softmax is an exercise, not a question: run check("softmax", softmax) to try it.\n',
        ),
        (None, "b", "There is no question called nothing. Choose from: axis_of_sums"),
        ("open_cells", [1, 2], "The answer must be one number, but got a list: "),
    ],
)
def test_a_bad_name_or_answer_gets_one_sentence_and_is_not_recorded(output_of, name, typed, sentence):
    assert output_of(predict, name, typed).startswith(sentence)
    assert recall() == []


# ---- clicks


@pytest.fixture
def displayed_bundles(monkeypatch):
    """The bundles that a notebook would display."""
    bundles = []
    monkeypatch.setattr("course_utils.show.card.in_notebook", lambda: True)
    monkeypatch.setattr(ask, "in_notebook", lambda: True)
    monkeypatch.setattr("IPython.display.display", lambda bundle, raw: bundles.append(bundle))
    return bundles


def test_in_a_notebook_a_question_is_a_widget_with_a_still_that_it_hides(displayed_bundles):
    predict("axis_of_sums")
    still, view = displayed_bundles
    assert set(view) == {"application/vnd.jupyter.widget-view+json"}  # no second text beside the still's
    assert still["text/plain"].startswith("What about axis_of_sums?")
    assert still["text/plain"].endswith(ask.WAKE)
    name = re.match(
        r'<div class="(still-\w+)">.*What about axis_of_sums.*Run this cell', still["text/html"], re.S
    )[1]
    box = ipywidgets.Widget.widgets[view["application/vnd.jupyter.widget-view+json"]["model_id"]]
    assert f"<style>.{name} {{display: none}}</style>" in box.children[0].value


def test_without_widgets_a_question_is_html(displayed_bundles, monkeypatch):
    predict("open_cells", "<b>")
    predict("open_cells", 3)
    monkeypatch.setitem(sys.modules, "ipywidgets", None)
    monkeypatch.delitem(sys.modules, "course_utils.practice.widget")
    monkeypatch.delattr("course_utils.practice.widget")
    predict("axis_of_sums")
    unreadable, card, question = (bundle["text/html"] for bundle in displayed_bundles)
    assert "&lt;b&gt;" in unreadable
    assert "Not yet" in card
    assert '<code style="background:#8882;color:inherit">predict(&quot;axis_of_sums&quot;, ' in question
    assert ">keys</code></li>" in question


def test_a_multiple_choice_question_is_answered_by_clicks():
    form = QuestionWidget(LessonQuestion(CHOICE))
    assert isinstance(form.field, ipywidgets.ToggleButtons)
    assert form.field.options == ("a", "b", "c")
    for typed, text in ((None, "but got nothing"), ("a", "axis."), ("b", "Because of axis_of_sums.")):
        form.field.value = typed
        form.answer()
        assert text in form.card.value
    assert [fact.right for fact in recall()] == [False, True]


@pytest.mark.parametrize(("question", "typed"), [(NUMBER, "0.155"), (TEXT, "nan")])
def test_an_answer_in_the_text_box_is_judged_on_enter(question, typed):
    form = QuestionWidget(LessonQuestion(question))
    form.field.value = typed
    form.field._msg_callbacks(form.field, {"event": "submit"}, [])
    assert f"Because of {question.name}." in form.card.value
    assert [fact.right for fact in recall()] == [True]


def test_a_question_is_collapsed_in_a_lesson_and_open_when_asked_again():
    first, repeat = (
        QuestionWidget(LessonQuestion(CHOICE, repeat)).box.children[0].value for repeat in (False, True)
    )
    assert "<details" in first
    assert "What about axis_of_sums?" in first
    assert "<details" not in repeat
    assert "Once more: which axis?" in repeat
    assert "Because of" not in first + repeat


# ---- questions that are due again


def test_predict_without_a_name_asks_three_due_questions_of_all_lessons(output_of, place, monkeypatch, clock):
    for question, typed in ((CHOICE, "a"), (NUMBER, 0.155), (SHAPE, ()), (TEXT, "x"), (STEPS, 1)):
        output_of(predict, question.name, typed)
    (place.parent / "01_second").mkdir()
    monkeypatch.chdir(place.parent / "01_second")
    none = 'No question is due. predict("name") asks a question by its name'
    assert output_of(predict) == f"{none}: {NAMES}.\n"
    counts = "Questions: 5 of 6 practised, 1 right the last time.\n"
    soon = f"{counts}Nothing is due now. Within a day: 5 items, about 5 minutes.\n"
    assert output_of(progress).endswith(soon)
    clock(days=1)
    assert f"{counts}Due now: 5 items, about 5 minutes. `due(10)`" in output_of(progress)
    out = output_of(predict)
    assert out.startswith("Once more: which axis?")
    assert out.count("To answer, type") == 3
    assert out.endswith("2 more: run predict() when you are done.\n")


def test_without_published_questions_progress_does_not_mention_them(output_of, monkeypatch, tmp_path):
    monkeypatch.setattr(questions, "FOLDER", tmp_path / "none")
    questions.published.cache_clear()
    assert "question" not in output_of(progress).lower()
    assert output_of(predict) == "There are no questions here.\n"
    assert output_of(predict, "zzz") == 'There is no question called "zzz". There are none here.\n'


def test_importing_the_course_loads_neither_widgets_nor_interview_modules():
    code = (
        "import re, sys, course_utils; "
        "unwanted = 'ipywidgets|mistune|.*interview|.*flashcards|.*bugs|.*practice.mock'; "
        "print([name for name in sys.modules if re.match(unwanted, name)])"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout == "[]\n"
