"""A lesson's questions are read from one file and put into its notebook; an author's slips are refused."""

import json
import re
import shutil

import nbformat
import pytest

from autograder.publish import build as building
from autograder.publish.answers_page import answers_page
from autograder.publish.build import build, stale
from autograder.publish.bundle import contents
from autograder.publish.lesson import LessonError
from autograder.publish.questions import all_questions, publish_questions
from autograder.releases.course_copy import unpack
from tests.autograder.publish.test_build import ROOT, edit, notebook_of, read, source_of
from tests.tools.cells import ANSWERS, plain_cells

CHOICE, SHAPE, DRAWN, TEMPLATE = (f"\n{text}" for _, _, text in plain_cells(ANSWERS / "questions.txt"))
MARKERS = """
# %% [markdown]
# Now think.

# %%
predict("axis_of_sums")

# %%
predict("shape_of_sums")

# %%
predict("bytes_of_a_token")
"""


@pytest.fixture
def tree(small_tree, monkeypatch):
    """Two lessons, the second of which asks three questions; the grading of their own answers is skipped."""
    monkeypatch.setattr(building, "refuse_unsound", lambda py, released: None)
    for pattern in ("solutions/*/questions.toml", "course_utils/answers/questions/*"):
        for path in small_tree.glob(pattern):
            path.unlink()
    for lesson, more in (("00_start_here", ""), ("01_masks", MARKERS)):
        py = source_of(small_tree, lesson)
        cells = re.split(r"^(?=# %%)", py.read_text(encoding="utf-8"), flags=re.M)
        py.write_text("".join(cell for cell in cells if "\npredict(" not in cell) + more)
    file_of(small_tree).write_text(CHOICE + SHAPE + DRAWN)
    return small_tree


def file_of(tree, lesson="01_masks"):
    return source_of(tree, lesson).with_name("questions.toml")


def published_file(tree, lesson="01_masks"):
    return tree / "course_utils" / "answers" / "questions" / f"{lesson}.json"


# ---- built files


def test_a_question_is_put_above_its_cell_and_its_answer_only_into_its_lesson(tree):
    build(tree)
    notebook = read(tree)
    choice, asks_choice, shape, asks_shape, drawn_text, asks_drawn_text = notebook.cells[-6:]
    cells = ["# %%\n" + cell.source for cell in (asks_choice, asks_shape, asks_drawn_text)]
    assert MARKERS.endswith("\n\n".join(cells) + "\n")
    assert choice.cell_type == "markdown"
    assert choice.source == "A row belongs to a query. Along which axis is a row summed?"
    assert shape.source == "Which shape have the sums of a table of 4 queries and 7 keys?"
    assert drawn_text.source == (
        "24 layers keep K and V of 512 numbers, 2 bytes each. How many bytes for one token?\n\n"
        "*Example numbers: the cell below draws its own.*"
    )
    visible = "\n".join(cell.source for cell in notebook.cells)
    for text in ("stand beside each other", "One sum a query", "adds up what different", "Seven is"):
        assert text not in visible
    nbformat.validate(notebook)
    new = json.loads(published_file(tree).read_text(encoding="utf-8"))["questions"]
    assert [question["name"] for question in new] == ["axis_of_sums", "shape_of_sums", "bytes_of_a_token"]
    assert new[2]["answer"] == "4 * layers * width"
    assert new[2]["draw"] == {"layers": [24, 32], "width": [512, 1024]}
    path = "course_utils/answers/questions/01_masks.json"
    assert unpack(notebook)[path] == published_file(tree).read_bytes()
    assert path not in unpack(read(tree, "00_start_here"))
    for lesson in ("01_masks", "00_start_here"):
        assert "course_utils/practice/widget.py" in unpack(read(tree, lesson))


def test_an_edited_answer_is_stale_and_only_an_edited_question_makes_a_new_release(tree):
    build(tree)
    assert stale(tree) == []
    first = read(tree).metadata.course.version
    edit(file_of(tree), "One sum a query.", "One sum for each query.")
    notebook = "notebooks/01_masks/01_masks.ipynb"
    assert stale(tree) == ["course_utils/answers/questions/01_masks.json", notebook]
    build(tree)
    assert read(tree).metadata.course.version == first
    edit(file_of(tree), "of 4 queries and 7 keys", "of 4 queries and 7 keys each")
    build(tree)
    assert read(tree).metadata.course.version != first
    file_of(tree).unlink()
    source_of(tree).write_text(source_of(tree).read_text().replace(MARKERS, ""))
    build(tree)
    assert not published_file(tree).exists()
    assert stale(tree) == []


def test_the_page_of_answers_is_complete_and_part_of_the_bundle(tree, snapshot):
    for name in ("LICENSE", "constraints.txt", "pyproject.toml", "environment.yml"):
        shutil.copy(ROOT / name, tree)
    page = answers_page(tree)
    assert page == snapshot
    assert contents(tree)["ANSWERS.md"].decode() == page
    file_of(tree).unlink()
    assert answers_page(tree) == ""
    assert "ANSWERS.md" not in contents(tree)


# ---- slips


IN_FILE = "solutions/01_masks/questions.toml: "
NO_NUMBER = "which gives no number: a formula has numbers, drawn names, + - * / // ** and brackets."
AXES = 'axes = ["T_q"]'
FORESEEN = SHAPE[SHAPE.index("[[question.wrong]]") :]
FORMULA, OTHER_WRONG = "4 * layers * width", '\n[[question.wrong]]\nanswer = {}\nreason = "V"'
TOLERANT = f"tolerance = 0.1{OTHER_WRONG.format(3.0)}"
AGAIN, RIGHT_TOO = "twice, or near enough to another one", "is wrong, but that is its answer"
SLIPS = [  # (old text in questions.toml, new text, message)
    ("[[question]]", "[[question", "this is not TOML: "),
    (CHOICE + SHAPE + DRAWN, 'name = "x"\n', "each question begins with a line [[question]]."),
    ('"shape_of_sums"', '"axis_of_sums"', f"there is a question axis_of_sums in {IN_FILE[:-2]} already: "),
]
SLIPS_OF = {  # the same for one question
    "axis_of_sums": [
        ('`dim=1`"]', '`dim=1`", "along both"]', "has no reason for the wrong choice c."),
        ('answer = "b"', 'answer = "c"', "has 'c', which is not an answer of the kind choice."),
    ],
    "shape_of_sums": [
        (FORESEEN, "", "has no wrong answer: add at least one [[question.wrong]]."),
        ("answer = [7]", "answer = [4]", f"says that [4] {RIGHT_TOO}."),
        (SHAPE.split('"')[-2], " ", "has no reason for the wrong answer [7]."),
        (AXES, 'axis = ["T_q"]', "cannot be used: Question.__init__() got an unexpected keyword"),
        ('"shape"', '"size"', "is of kind 'size': the kinds are choice, number, shape, text."),
        (AXES, 'axes = ["T_q", "T_k"]', "has 2 axis names, but its answer has 1 axes."),
        ("answer = [4]", 'answer = "(4,)"', "has '(4,)', which is not an answer of the kind shape."),
    ],
    "bytes_of_a_token": [
        ("{ layers = [24, 32], width = [512, 1024] }", "[24, 32]", "cannot be used: 'list' object"),
        ("[24, 32]", "[24, 24]", "has to draw layers from a list of two or more different numbers."),
        ("[24, 32]", str([*range(1, 252)]), "has 502 draws: at most 500, as the build tries each."),
        ("{layers} layers", "Some layers",
         "draws layers, which neither its prompt nor its second wording mentions."),
        (FORMULA, "4 * layer * width", f'has the formula "4 * layer * width", {NO_NUMBER}'),
        (FORMULA, "1 / (width - 512)", f'has the formula "1 / (width - 512)", {NO_NUMBER}'),
        ("{answer}", "{4 *}", f'has the formula "4 *", {NO_NUMBER}'),
        ("2 * layers * width", "96 * width + layers - 24",
         f"says that 49152 {RIGHT_TOO}, with layers = 24, width = 512."),
        ('alone."', 'alone."' + OTHER_WRONG.format('"64 * width"'),
         f"foresees the wrong answer 32768 {AGAIN}, with layers = 32, "),
    ],
}  # fmt: skip
OTHER_SLIPS = [  # the question OTHERS with another kind, answer, wrong answer and more lines
    ("number", "inf", "3", "", "has inf, which is not an answer of the kind number."),
    ("number", "2.0", "2.1", "tolerance = 0.1", f"says that 2.1 {RIGHT_TOO}."),
    ("number", "2.0", "3.1", TOLERANT, f"foresees the wrong answer 3.1 {AGAIN}."),
    ("text", '"NaN"', '"not one."', 'accept = ["not one"]', f"says that 'not one.' {RIGHT_TOO}."),
]


def fill(*texts):
    """The question OTHERS with these texts filled in."""
    question = TEMPLATE
    for name, text in zip(("KIND", "ANSWER", "WRONG", "MORE"), texts, strict=True):
        question = question.replace(name, text)
    return question


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        *SLIPS,
        *((*edit, f"the question {key} {end}") for key, slips in SLIPS_OF.items() for *edit, end in slips),
        *((CHOICE, fill(*slip), f"the question q {end}") for *slip, end in OTHER_SLIPS),
    ],
)
def test_a_slip_in_questions_toml_is_refused_in_one_sentence(tree, old, new, sentence):
    edit(file_of(tree), old, new)
    with pytest.raises(LessonError) as refusal:
        publish_questions(tree)
    assert str(refusal.value).startswith(IN_FILE + sentence)
    assert "\n" not in str(refusal.value)


def test_a_lesson_that_asks_a_missing_question_is_refused_and_not_built(tree):
    edit(source_of(tree), "axis_of_sums", "axis_of_sum")
    with pytest.raises(LessonError, match=f"predict asks 'axis_of_sum', which is not in {IN_FILE[:-2]}."):
        build(tree)
    assert not published_file(tree).exists()
    assert not notebook_of(tree).exists()


def test_no_question_has_the_name_of_an_exercise():
    question_names = {question.name for questions in all_questions(ROOT).values() for question in questions}
    assert not question_names & {path.stem for path in (ROOT / "course_utils" / "answers").glob("*.json")}
