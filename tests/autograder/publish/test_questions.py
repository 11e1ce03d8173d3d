"""A lesson's questions are read from one file and put into the notebook; an author's slips are refused."""

import json
import shutil

import nbformat
import pytest

from autograder.publish import build as building
from autograder.publish.answers_page import answers_page
from autograder.publish.build import build, make_notebooks, stale
from autograder.publish.bundle import contents
from autograder.publish.lesson import LessonError
from autograder.publish.questions import all_questions, publish_questions
from autograder.releases.course_copy import unpack
from tests.autograder.publish.test_build import ROOT, edit, notebook_of, source_of

CHOICE = """
[[question]]
name = "axis_of_sums"
kind = "choice"
prompt = "A row belongs to a query. Along which axis is a row summed?"
choices = ["along the queries, `dim=0`", "along the keys, `dim=1`"]
answer = "b"
right = "The keys of a query stand beside each other."

[[question.wrong]]
answer = "a"
reason = "That adds up what different queries give to one key."
"""
SHAPE = """
[[question]]
name = "shape_of_sums"
kind = "shape"
prompt = "Which shape have the sums of a table of 4 queries and 7 keys?"
answer = [4]
axes = ["T_q"]
right = "One sum a query."

[[question.wrong]]
answer = [7]
reason = "Seven is the number of keys: they are summed over."
"""
DRAWN = """
[[question]]
name = "bytes_of_a_token"
kind = "number"
prompt = "{layers} layers keep K and V of {width} numbers, 2 bytes each. How many bytes for one token?"
draw = { layers = [24, 32], width = [512, 1024] }
answer = "4 * layers * width"
tolerance = "2 %"
right = "2 · {layers} · {width} · 2 = {answer}."

[[question.wrong]]
answer = "2 * layers * width"
reason = "That is K or V alone."
"""
MARKERS = (
    '\n# %% [markdown]\n# Now think.\n\n# %%\npredict("axis_of_sums")\n\n# %%\npredict("shape_of_sums")\n'
)


@pytest.fixture
def tree(small_tree, monkeypatch):
    """Two lessons, of which the second asks two questions; the lessons' own answers are graded elsewhere."""
    monkeypatch.setattr(building, "refuse_unsound", lambda py, released: None)
    for pattern in ("solutions/*/questions.toml", "course_utils/answers/questions/*"):
        for path in small_tree.glob(pattern):
            path.unlink()
    for lesson in ("00_start_here", "01_masks"):
        py = source_of(small_tree, lesson)
        py.write_text("".join(cell for cell in cells_of(py) if "\npredict(" not in cell))
    file_of(small_tree).write_text(CHOICE + SHAPE)
    with source_of(small_tree).open("a") as file:
        file.write(MARKERS)
    return small_tree


def cells_of(py):
    text = py.read_text(encoding="utf-8")
    return [part if not n else "# %%" + part for n, part in enumerate(text.split("# %%"))]


def file_of(tree, lesson="01_masks"):
    return source_of(tree, lesson).with_name("questions.toml")


def published(tree, lesson="01_masks"):
    return tree / "course_utils" / "answers" / "questions" / f"{lesson}.json"


# ---- what is made


def test_the_question_stands_above_its_cell_and_its_answer_nowhere(tree):
    build(tree)
    notebook = nbformat.read(notebook_of(tree), as_version=4)
    *_, choice, asks_choice, shape, asks_shape = notebook.cells
    assert (choice.cell_type, asks_choice.source, asks_shape.source) == (
        "markdown", 'predict("axis_of_sums")', 'predict("shape_of_sums")',
    )  # fmt: skip
    assert choice.source == "A row belongs to a query. Along which axis is a row summed?"
    assert shape.source == "Which shape have the sums of a table of 4 queries and 7 keys?"
    visible = "\n".join(cell.source for cell in notebook.cells)
    for text in ("stand beside each other", "One sum a query", "adds up what different", "Seven is"):
        assert text not in visible
    nbformat.validate(notebook)


def test_the_questions_are_published_and_come_along_in_their_lesson_alone(tree):
    build(tree)
    new = json.loads(published(tree).read_text(encoding="utf-8"))
    assert [question["name"] for question in new["questions"]] == ["axis_of_sums", "shape_of_sums"]
    for lesson, carried in (("01_masks", True), ("00_start_here", False)):
        files = unpack(nbformat.read(notebook_of(tree, lesson), as_version=4))
        path = "course_utils/answers/questions/01_masks.json"
        assert (path in files) == carried
        assert not carried or files[path] == published(tree).read_bytes()
        assert "course_utils/practice/forms.py" in files


def test_an_answer_may_change_without_a_new_release_and_a_question_may_not(tree):
    def release():
        make_notebooks(tree)
        return nbformat.read(notebook_of(tree), as_version=4).metadata.course.version

    first = release()
    edit(file_of(tree), "One sum a query.", "One sum for each query.")
    assert release() == first
    edit(file_of(tree), "of 4 queries and 7 keys", "of 4 queries and 7 keys each")
    assert release() != first


def test_questions_that_were_not_built_are_stale_and_gone_ones_are_removed(tree):
    build(tree)
    assert stale(tree) == []
    edit(file_of(tree), "One sum a query.", "One sum for each query.")
    notebook = "notebooks/01_masks/01_masks.ipynb"
    assert stale(tree) == ["course_utils/answers/questions/01_masks.json", notebook]
    file_of(tree).unlink()
    source_of(tree).write_text(source_of(tree).read_text().replace(MARKERS, ""))
    build(tree)
    assert not published(tree).exists()
    assert stale(tree) == []


def test_a_lesson_without_questions_has_the_cells_that_it_had(tree):
    make_notebooks(tree)
    new = nbformat.read(notebook_of(tree, "00_start_here"), as_version=4)
    cells = [cell for cell in cells_of(source_of(tree, "00_start_here"))[1:] if cell.strip() != "# %%"]
    assert len(new.cells) == len(cells) + 1  # the course's copy


def test_the_page_of_answers_says_all_and_goes_to_the_class(tree):
    for name in ("LICENSE", "constraints.txt", "pyproject.toml", "environment.yml"):
        shutil.copy(ROOT / name, tree)
    page = answers_page(tree)
    assert contents(tree)["ANSWERS.md"].decode() == page
    assert page.endswith(
        "## 01_masks\n\n### `axis_of_sums`\n\n"
        "A row belongs to a query. Along which axis is a row summed?\n\n"
        "- **a.** along the queries, `dim=0`\n- **b.** along the keys, `dim=1`\n\n"
        "**Answer: b.** The keys of a query stand beside each other.\n\n"
        "- *Not a:* That adds up what different queries give to one key.\n\n"
        "### `shape_of_sums`\n\nWhich shape have the sums of a table of 4 queries and 7 keys?\n\n"
        "**Answer: (4,).** One sum a query.\n\n"
        "- *Not (7,):* Seven is the number of keys: they are summed over.\n"
    )
    file_of(tree).unlink()
    assert answers_page(tree) == ""
    assert "ANSWERS.md" not in contents(tree)


def test_drawn_numbers_stand_above_their_cell_as_an_example_and_in_the_page_of_answers(tree):
    with file_of(tree).open("a") as file:
        file.write(DRAWN)
    with source_of(tree).open("a") as file:
        file.write('\n# %%\npredict("bytes_of_a_token")\n')
    build(tree)
    *_, text, asks = nbformat.read(notebook_of(tree), as_version=4).cells
    assert asks.source == 'predict("bytes_of_a_token")'
    assert text.source == (
        "24 layers keep K and V of 512 numbers, 2 bytes each. How many bytes for one token?\n\n"
        "*Example numbers: the cell below draws its own.*"
    )
    (new,) = (q for q in json.loads(published(tree).read_text())["questions"] if q["draw"])
    assert (new["answer"], new["draw"]) == (
        "4 * layers * width",
        {"layers": [24, 32], "width": [512, 1024]},
    )
    assert answers_page(tree).endswith(
        "**Answer: 49152.** 2 · 24 · 512 · 2 = 49\N{NO-BREAK SPACE}152. For other numbers: "
        "`4 * layers * width`.\n\n- *Not 24576:* That is K or V alone.\n"
    )


# ---- what is refused

OTHERS = """
[[question]]
name = "q"
kind = "KIND"
prompt = "P"
answer = ANSWER
right = "R"
MORE
[[question.wrong]]
answer = WRONG
reason = "no"
"""


def other(kind, answer, wrong, more=""):
    text = OTHERS.replace("KIND", kind).replace("ANSWER", answer).replace("WRONG", wrong)
    return lambda tree: file_of(tree).write_text(CHOICE + SHAPE + text.replace("MORE", more))


def change(old, new):
    return lambda tree: edit(file_of(tree), old, new)


def drawn(old, new):
    return lambda tree: file_of(tree).write_text(CHOICE + SHAPE + changed(DRAWN, old, new))


def changed(text, old, new):
    assert old in text
    return text.replace(old, new)


def lesson(old, new):
    return lambda tree: edit(source_of(tree), old, new)


def twice_in_two_lessons(tree):
    file_of(tree, "00_start_here").write_text(SHAPE)


def tell_drawn_answer(tree):
    with file_of(tree).open("a") as file:
        file.write(DRAWN)
    with source_of(tree).open("a") as file:
        file.write('\n# %% [markdown]\n# Such as 49152 bytes.\n\n# %%\npredict("bytes_of_a_token")\n')


IN_FILE = "solutions/01_masks/questions.toml: "
IN_DRAWN = IN_FILE + "the question bytes_of_a_token "
SLIPS = {
    "an unknown name": (
        lesson('predict("axis_of_sums")', 'predict("axis_of_sum")'),
        "01_masks.py: predict asks 'axis_of_sum', which is not in solutions/01_masks/questions.toml.",
    ),
    "a name twice": (
        change('"shape_of_sums"', '"axis_of_sums"'),
        IN_FILE + "there is a question axis_of_sums in solutions/01_masks/questions.toml already: "
        "give one of them another name.",
    ),
    "a name in two lessons": (
        twice_in_two_lessons,
        IN_FILE + "there is a question shape_of_sums in solutions/00_start_here/questions.toml already: "
        "give one of them another name.",
    ),
    "a choice without a reason": (
        change('`dim=1`"]', '`dim=1`", "along both"]'),
        IN_FILE + "the question axis_of_sums has no reason for the wrong choice c.",
    ),
    "no wrong answer foreseen": (
        lambda tree: file_of(tree).write_text(CHOICE + SHAPE.split("[[question.wrong]]")[0]),
        IN_FILE + "the question shape_of_sums foresees no wrong answer: add at least one [[question.wrong]].",
    ),
    "an answer that is no choice": (
        change('answer = "b"', 'answer = "c"'),
        IN_FILE + "the question axis_of_sums has the answer 'c', which is not among its choices: a, b.",
    ),
    "a reason for what is no choice": (
        change('answer = "a"', 'answer = "d"'),
        IN_FILE + "the question axis_of_sums has 'd', which is no answer of the kind choice.",
    ),
    "the right answer called wrong": (
        change("answer = [7]", "answer = [4]"),
        IN_FILE + "the question shape_of_sums says that [4] is wrong, and that is its answer.",
    ),
    "an empty reason": (
        change('reason = "Seven is the number of keys: they are summed over."', 'reason = " "'),
        IN_FILE + "the question shape_of_sums has no reason for the wrong answer [7].",
    ),
    "a missing line": (
        change('right = "One sum a query."', ""),
        IN_FILE + "the question shape_of_sums has no right.",
    ),
    "an unknown line": (
        change('axes = ["T_q"]', 'axis = ["T_q"]'),
        IN_FILE
        + "the question shape_of_sums has an unknown line axis: known are accept, again, answer, axes, "
        "choices, draw, kind, name, nudge, prompt, right, tolerance, wrong.",
    ),
    "an unknown kind": (
        change('"shape"', '"size"'),
        IN_FILE + "the question shape_of_sums is of kind 'size': there are choice, number, shape, text.",
    ),
    "a line of another kind": (
        change('axes = ["T_q"]', "tolerance = 1"),
        IN_FILE + "the question shape_of_sums has tolerance, which a shape has not.",
    ),
    "too many axes": (
        change('axes = ["T_q"]', 'axes = ["T_q", "T_k"]'),
        IN_FILE + "the question shape_of_sums has 2 names of axes, and its answer has 1 axes.",
    ),
    "no TOML": (change("[[question]]", "[[question"), IN_FILE + "this is no TOML: "),
    "no question": (
        lambda tree: file_of(tree).write_text('name = "x"\n'),
        IN_FILE + "each question begins with a line [[question]].",
    ),
    "a shape that is a text": (
        change("answer = [4]", 'answer = "(4,)"'),
        IN_FILE + "the question shape_of_sums has an answer that is not a list, as a shape is written.",
    ),
    "a number that is none": (
        other("number", "inf", "3"),
        IN_FILE + "the question q has inf, which is no number.",
    ),
    "a wrong number that is none": (
        other("number", "2", '"many"'),
        IN_FILE + "the question q has 'many', which is no answer of the kind number.",
    ),
    "a wrong number within the tolerance": (
        other("number", "2.0", "2.1", "tolerance = 0.1"),
        IN_FILE + "the question q says that 2.1 is wrong, and that is its answer.",
    ),
    "a wrong text that is accepted": (
        other("text", '"NaN"', '"not a number."', 'accept = ["not a number"]'),
        IN_FILE + "the question q says that 'not a number.' is wrong, and that is its answer.",
    ),
    "a wrong number within the tolerance of another": (
        other("number", "2.0", "3.1", 'tolerance = 0.1\n[[question.wrong]]\nanswer = 3.0\nreason = "low"'),
        IN_FILE + "the question q foresees the wrong answer 3.1 twice, or near enough to another one.",
    ),
    "a tolerance that is neither": (
        drawn('"2 %"', '"2 bytes"'),
        IN_DRAWN + 'has a tolerance that is neither a number nor a share, as in "2 %".',
    ),
    "a draw that is no table": (
        drawn("{ layers = [24, 32], width = [512, 1024] }", "[24, 32]"),
        IN_DRAWN + "has a draw that is no table of names, as in draw = { layers = [24, 32] }.",
    ),
    "one number to draw from": (
        drawn("[24, 32]", "[24, 24]"),
        IN_DRAWN + "draws layers from no list of two or more different numbers.",
    ),
    "a text to draw from": (
        drawn("[24, 32]", '[24, "many"]'),
        IN_DRAWN + "draws layers from no list of two or more different numbers.",
    ),
    "a draw called answer": (
        drawn("layers = [24, 32]", "answer = [24, 32]"),
        IN_DRAWN + "draws 'answer': a name is letters, digits and _, and not answer.",
    ),
    "more draws than can be tried": (
        drawn("[24, 32]", str(list(range(1, 252)))),
        IN_DRAWN + "has 502 draws: at most 500, as the build tries each.",
    ),
    "a drawn number that is not said": (
        drawn("{layers} layers", "Some layers"),
        IN_DRAWN + "draws layers, which its prompt or its wording for the second time does not say.",
    ),
    "a formula with a name that is not drawn": (
        drawn("4 * layers * width", "4 * layer * width"),
        IN_DRAWN + 'has the formula "layer", which is not drawn.',
    ),
    "a formula that is more than arithmetic": (
        drawn("4 * layers * width", "max(layers, width)"),
        IN_DRAWN + 'has the formula "max(layers, width)", which is more than arithmetic: a formula has',
    ),
    "a formula in braces that cannot be read": (
        drawn("{answer}", "{4 *}"),
        IN_DRAWN + 'has the formula "4 *", which cannot be read: a formula has numbers, drawn names, ',
    ),
    "a formula without a number": (
        drawn("4 * layers * width", "layers / (width - 512)"),
        IN_DRAWN + 'has the formula "layers / (width - 512)", which gives no number.',
    ),
    "a number in place of a formula": (
        drawn('"4 * layers * width"', "98304"),
        IN_DRAWN + 'has the formula "98304", which is no text of at most 300 letters.',
    ),
    "a wrong formula that is right for one draw": (
        drawn("2 * layers * width", "96 * width + layers - 24"),
        IN_DRAWN + "says that 49152 is wrong, and that is its answer, with layers = 24, width = 512.",
    ),
    "two wrong formulas that are equal for one draw": (
        drawn(
            'reason = "That is K or V alone."',
            'reason = "K"\n[[question.wrong]]\nanswer = "64 * width"\nreason = "V"',
        ),
        IN_DRAWN + "foresees the wrong answer 32768 twice, or near enough to another one, with layers = 32, ",
    ),
    "draws for another kind": (
        change('axes = ["T_q"]', "draw = { layers = [1, 2] }"),
        IN_FILE + "the question shape_of_sums has draw, which a shape has not.",
    ),
    "a drawn answer beside the question": (
        tell_drawn_answer,
        "01_masks.py: the text above predict(\"bytes_of_a_token\") tells its answer: '49152'.",
    ),
    "an explanation beside the question": (
        lesson("# Now think.", "# Now think. The keys of a query stand beside each other."),
        '01_masks.py: the text above predict("axis_of_sums") tells its answer: '
        "'The keys of a query stand beside each other.'.",
    ),
    "an answer beside the question": (
        lesson("# Now think.", "# Along the keys, `dim=1`, of course."),
        "01_masks.py: the text above predict(\"axis_of_sums\") tells its answer: 'along the keys, `dim=1`'.",
    ),
    "a short answer beside the question": (
        lesson("# Now think.", "# It is **b**."),
        "01_masks.py: the text above predict(\"axis_of_sums\") tells its answer: 'b'.",
    ),
    "a shape below the question": (
        lambda tree: source_of(tree).write_text(
            source_of(tree).read_text() + "\n# %% [markdown]\n# It was (4), you see.\n"
        ),
        "01_masks.py: the text below predict(\"shape_of_sums\") tells its answer: '(4)'.",
    ),
}


@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_is_refused_in_one_sentence_and_nothing_changes(tree, slip):
    spoil, sentence = SLIPS[slip]
    spoil(tree)
    with pytest.raises(LessonError) as refusal:
        build(tree)
    assert str(refusal.value).startswith(sentence)
    assert "\n" not in str(refusal.value)
    assert not published(tree).exists()
    assert not notebook_of(tree).exists()


def test_the_committed_questions_are_fresh(tmp_path):
    shutil.copytree(ROOT / "solutions", tmp_path / "solutions")
    publish_questions(tmp_path)
    new, saved = (root / "course_utils" / "answers" / "questions" for root in (tmp_path, ROOT))
    assert {p.name: p.read_text() for p in new.glob("*")} == {p.name: p.read_text() for p in saved.glob("*")}


def test_every_question_of_the_lessons_has_another_name_than_the_exercises():
    asked = {question.name for questions in all_questions(ROOT).values() for question in questions}
    assert not asked & {path.stem for path in (ROOT / "course_utils" / "answers").glob("*.json")}
