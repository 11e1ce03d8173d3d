"""The build always gives the same bytes, refuses what is inconsistent, and reports stale files."""

import json
import re
import shutil
import sys
from pathlib import Path

import nbformat
import pytest
from nbgrader.apps import NbGraderAPI
from traitlets.config import Config, PyFileConfigLoader

from autograder.exercises import load, names
from autograder.publish import build as building
from autograder.publish.build import build, make_notebooks, sheet_text, stale
from autograder.publish.lesson import LessonError, find_lesson, lesson_sources, set_ids
from tests.conftest import ROOT

LESSON, BEGIN = "01_masks", "### BEGIN SOLUTION\n"


@pytest.fixture
def skip_proof(monkeypatch):
    """Skip the grading of the lessons' own answers, which other tests do."""
    monkeypatch.setattr(building, "refuse_unsound", lambda py, released: None)


def source_of(tree, lesson=LESSON):
    return tree / "solutions" / lesson / f"{lesson}.py"


def notebook_of(tree, lesson=LESSON):
    return tree / "notebooks" / lesson / f"{lesson}.ipynb"


def edit(path, old, new):
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def contents(folder):
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def read(tree, lesson=LESSON):
    return nbformat.read(notebook_of(tree, lesson), as_version=4)


def add_a_line(tree, lesson=LESSON):
    edit(source_of(tree, lesson), "# %% [markdown]\n", "# %% [markdown]\n# One more line.\n#\n")


# ---- the same bytes


@pytest.mark.usefixtures("skip_proof")
def test_a_rebuild_changes_no_byte_and_stale_files_are_listed(small_tree, tmp_path_factory, monkeypatch):
    (source_of(small_tree).parent / "my_answers.py").write_text("softmax = 1")  # no lesson
    build(small_tree)
    first = contents(small_tree / "notebooks")
    elsewhere = tmp_path_factory.mktemp("a folder with another name")
    unwanted = shutil.ignore_patterns("notebooks", "*.ipynb")
    shutil.copytree(small_tree, elsewhere, dirs_exist_ok=True, ignore=unwanted)
    assert list(first) == [f"{py.stem}/{py.stem}.ipynb" for py in lesson_sources(small_tree)]
    build(elsewhere)
    assert contents(elsewhere / "notebooks") == first
    missing = Path("course_utils", "answers", "attention_weights.json")
    monkeypatch.setattr(building, "publish_all", lambda root: shutil.copy(ROOT / missing, root / missing))
    edited, orphan = notebook_of(small_tree), notebook_of(small_tree, "99_gone")
    edited.write_bytes(edited.read_bytes() + b"\n")
    orphan.parent.mkdir()
    orphan.write_text("{}")
    (small_tree / missing).unlink()
    paths = (path.relative_to(small_tree).as_posix() for path in (edited, orphan, small_tree / missing))
    assert stale(small_tree) == sorted(paths)


@pytest.mark.slow
@pytest.mark.parametrize("name", names())
def test_committed_answers_are_up_to_date(name):
    committed = (ROOT / "course_utils" / "answers" / f"{name}.json").read_text(encoding="utf-8")
    assert sheet_text(name) == committed, "run `make notebooks` and commit what changed"


def test_committed_notebooks_are_up_to_date(monkeypatch):
    monkeypatch.setattr(building, "publish_all", lambda *_: None)
    assert stale(ROOT) == [], "run `make notebooks` and commit what changed"


def test_formgrader_generates_the_same_bytes(small_tree, monkeypatch):
    make_notebooks(small_tree, LESSON)
    wanted = contents(small_tree / "notebooks" / LESSON)
    shutil.rmtree(small_tree / "notebooks")
    store_folder = small_tree / "autograder" / "releases" / "kept" / LESSON
    assert not store_folder.exists()
    monkeypatch.chdir(small_tree)
    monkeypatch.setenv("PATH", f"{sys.prefix}/bin", prepend=":")
    config = Config(PyFileConfigLoader("nbgrader_config.py", path=str(small_tree)).load_config())
    outcome = NbGraderAPI(config=config).generate_assignment(LESSON)  # what formgrader's button calls
    assert outcome["success"], outcome
    assert contents(small_tree / "notebooks" / LESSON) == wanted
    release = read(small_tree).metadata.course.version
    assert [file.stem for file in store_folder.iterdir()] == [release], "it is in a gradebook now"


# ---- all or nothing


def other_points(tree):
    text = source_of(tree).read_text(encoding="utf-8")
    marks = r'("grade_id": "test_softmax", )(.*?)("points": [\d.]+, )?("schema_version")'
    source_of(tree).write_text(re.sub(marks, r'\1\2"points": 77, \4', text), encoding="utf-8")


def without_softmax(tree):
    """Take the exercise out of the lesson, while answers further down still call it."""
    text = source_of(tree).read_text(encoding="utf-8")
    cells = re.split(r"^(?=# %%)", text, flags=re.M)
    kept_cells = [cell for cell in cells if not re.search(r'"grade_id": "(test_)?softmax"', cell)]
    assert len(kept_cells) == len(cells) - 2
    text = "".join(kept_cells).replace("def masked_softmax(", "softmax_ = softmax\n\n\ndef masked_softmax(")
    source_of(tree).write_text(text, encoding="utf-8")


def a_test_that_asserts_nothing(tree):
    """Add docs/contributing.md's sample exercise with a test that asserts nothing."""
    page = (ROOT / "docs" / "contributing.md").read_text(encoding="utf-8")
    (cells,) = re.findall(r"^```py\n.*?(^# %% nbgrader.*?)^```$", page, re.M | re.S)
    with source_of(tree).open("a") as file:
        file.write("\n\n" + re.sub(r"assert double\((.*)\) == .*", r"double, \1", cells))


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (other_points, r"01_masks.py: the cell test_softmax says 77 points, but .* worth"),
        (without_softmax, r"01_masks: its own answer to masked_softmax does not earn full marks: .*defined"),
        (
            lambda tree: edit(source_of(tree), BEGIN, f"{BEGIN}    return None\n"),
            r"01_masks: its own answer to softmax does not earn full marks: .+",
        ),
        (a_test_that_asserts_nothing, r"01_masks: an untouched notebook already earns points for double\."),
    ],
)
def test_an_inconsistent_lesson_is_refused_in_one_sentence_and_nothing_changes(
    small_tree, monkeypatch, change, sentence
):
    make_notebooks(small_tree, LESSON)
    before = contents(small_tree / "notebooks"), contents(small_tree / "course_utils" / "answers")
    change(small_tree)

    def spoil(root, lesson):
        assert change is not other_points, "points are compared before the answers are made, for a minute"
        with (root / "course_utils" / "answers" / "softmax.json").open("a") as file:
            file.write("\n")

    monkeypatch.setattr(building, "publish_all", spoil)
    with pytest.raises(LessonError, match=f"^{sentence}") as refusal:
        build(small_tree, LESSON)
    assert "\n" not in str(refusal.value)
    after = contents(small_tree / "notebooks"), contents(small_tree / "course_utils" / "answers")
    assert after == before


@pytest.mark.usefixtures("skip_proof")
def test_one_lesson_can_be_built_alone(small_tree):
    build(small_tree)
    for lesson in ("00_start_here", LESSON):
        add_a_line(small_tree, lesson)
    before = contents(small_tree / "notebooks")
    assert find_lesson(small_tree, "01") == find_lesson(small_tree, LESSON) == LESSON
    assert build(small_tree, LESSON) == [notebook_of(small_tree)]
    after = contents(small_tree / "notebooks")
    assert {path for path in after if after[path] != before[path]} == {f"{LESSON}/{LESSON}.ipynb"}
    with pytest.raises(LessonError, match=r"^There is no lesson 77\. .* are 00_start_here, 01_masks\.$"):
        find_lesson(small_tree, "77")


# ---- the content of a notebook


def test_points_come_from_the_exercise_and_cell_ids_do_not_depend_on_answers(small_tree):
    text = source_of(small_tree).read_text(encoding="utf-8")
    make_notebooks(small_tree, LESSON)
    before = [cell.id for cell in read(small_tree).cells]
    text = text.replace(BEGIN, f"{BEGIN}    # another way to begin\n", 1)
    source_of(small_tree).write_text(re.sub(r'"points": [\d.]+, ', "", text), encoding="utf-8")
    make_notebooks(small_tree, LESSON)
    cells = read(small_tree).cells
    marks = [cell.metadata.nbgrader for cell in cells if "nbgrader" in cell.metadata]
    points = {m.grade_id.removeprefix("test_"): m.points for m in marks if m.grade and not m.solution}
    assert points == {name: load(name).points for name in points} != {}
    assert [cell.id for cell in cells] == before
    assert all(re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", i) for i in before)
    equal = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("1 + 1") for _ in range(3)])
    set_ids(equal)
    for unique in (before, [cell.id for cell in equal.cells]):
        assert len(set(unique)) == len(unique)


def test_committed_notebooks_are_valid_without_outputs_or_extra_metadata():
    for path in ROOT.glob("notebooks/*/*.ipynb"):
        text = path.read_text(encoding="utf-8")
        notebook = nbformat.reads(text, as_version=4)
        nbformat.validate(notebook)
        assert set(notebook.metadata) == {"course", "kernelspec", "language_info"}
        assert notebook.metadata.kernelspec.name == "python3"
        assert not any(cell.get("outputs") or cell.get("execution_count") for cell in notebook.cells)
        assert text == json.dumps(json.loads(text), indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def test_a_release_id_changes_with_text_and_contract_but_not_with_hints(small_tree):
    def release_id():
        make_notebooks(small_tree, LESSON)
        return read(small_tree).metadata.course.version

    first, answers = release_id(), small_tree / "course_utils" / "answers"
    before = notebook_of(small_tree).read_bytes()
    edit(answers / "softmax.json", '"hints":["', '"hints":["And then: ')
    assert release_id() == first
    edit(answers / "softmax.json", "And then: ", "")
    edit(answers / "lessons.json", "{", '{"09_new": ["something"], ')
    assert release_id() == first
    assert notebook_of(small_tree).read_bytes() == before, "a new exercise changes no other lesson"
    edit(answers / "softmax.json", "softmax(x, dim=-1)", "softmax(x, axis=-1)")
    second = release_id()
    add_a_line(small_tree)
    assert len({first, second, release_id()}) == 3
