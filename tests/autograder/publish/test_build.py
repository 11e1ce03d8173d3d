"""The build gives the same bytes every time and through every door; stale files are found."""

import json
import re
import shutil
import sys
from functools import partial
from pathlib import Path

import nbformat
import pytest
from nbgrader.apps import NbGraderAPI
from traitlets.config import Config, PyFileConfigLoader

from autograder.exercises import load, names
from autograder.publish import build
from autograder.publish.build import make_notebooks, stale
from autograder.publish.lesson import LessonError, lesson_sources, set_ids

ROOT = Path(__file__).resolve().parents[3]
LESSON = "01_masks"


def right_piece(tree):
    return tree / "solutions" / LESSON / f"{LESSON}.py"


def edit(path, old, new):
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def contents(folder):
    return {
        p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()
    }


def test_rebuild_changes_no_byte(tree, tmp_path_factory):
    make_notebooks(tree)
    first = contents(tree / "notebooks")
    elsewhere = tmp_path_factory.mktemp("a folder with another name")
    shutil.copytree(
        tree, elsewhere, dirs_exist_ok=True, ignore=shutil.ignore_patterns("notebooks", "*.ipynb")
    )
    make_notebooks(tree)
    make_notebooks(elsewhere)
    assert list(first) == [f"{py.stem}/{py.stem}.ipynb" for py in lesson_sources(ROOT)]
    assert contents(tree / "notebooks") == first
    assert contents(elsewhere / "notebooks") == first


@pytest.fixture
def published(monkeypatch):
    """Publishing gives the committed answers and takes no time: the tests of answers are apart."""
    answers = ROOT / "course_utils" / "answers"
    publish = partial(shutil.copytree, answers, dirs_exist_ok=True)
    monkeypatch.setattr(build, "publish_all", lambda root: publish(root / "course_utils" / "answers"))


@pytest.mark.parametrize("name", names())
def test_committed_answers_are_fresh(name):
    committed = (ROOT / "course_utils" / "answers" / f"{name}.json").read_text(encoding="utf-8")
    assert load(name).sheet().to_json() == committed, "run `make notebooks` and commit what changed"


@pytest.mark.usefixtures("published")
def test_committed_notebooks_are_fresh():
    assert stale(ROOT) == [], "run `make notebooks` and commit what changed"


@pytest.mark.usefixtures("published")
def test_stale_files_are_found(tree):
    make_notebooks(tree)
    assert stale(tree) == []
    edited = tree / "notebooks" / LESSON / f"{LESSON}.ipynb"
    edited.write_bytes(edited.read_bytes() + b"\n")
    orphan = tree / "notebooks" / "99_gone" / "99_gone.ipynb"
    orphan.parent.mkdir()
    orphan.write_text("{}")
    missing = tree / "course_utils" / "answers" / f"{names()[0]}.json"
    missing.unlink()
    assert stale(tree) == sorted(p.relative_to(tree).as_posix() for p in (edited, orphan, missing))


def test_build_publishes_first(tree, monkeypatch):
    folder = tree / "course_utils" / "answers"
    shutil.move(folder, tree / "elsewhere")
    monkeypatch.setattr(build, "publish_all", lambda root: shutil.move(root / "elsewhere", folder))
    assert [path.stem for path in build.build(tree)] == [py.stem for py in lesson_sources(tree)]


def test_formgrader_generates_the_same_bytes(tree, monkeypatch):
    make_notebooks(tree)
    wanted = contents(tree / "notebooks" / LESSON)
    shutil.rmtree(tree / "notebooks")
    monkeypatch.chdir(tree)
    monkeypatch.setenv("PATH", f"{sys.prefix}/bin", prepend=":")
    config = Config(PyFileConfigLoader("nbgrader_config.py", path=str(tree)).load_config())
    outcome = NbGraderAPI(config=config).generate_assignment(LESSON)  # what the button calls
    assert outcome["success"], outcome
    assert contents(tree / "notebooks" / LESSON) == wanted


def test_points_come_from_the_exercise(tree):
    text = right_piece(tree).read_text(encoding="utf-8")
    right_piece(tree).write_text(re.sub(r'"points": [\d.]+, ', "", text), encoding="utf-8")
    make_notebooks(tree)
    notebook = nbformat.read(tree / "notebooks" / LESSON / f"{LESSON}.ipynb", as_version=4)
    marks = [cell.metadata.nbgrader for cell in notebook.cells if "nbgrader" in cell.metadata]
    points = {m.grade_id.removeprefix("test_"): m.points for m in marks if m.grade and not m.solution}
    assert points
    assert points == {name: load(name).points for name in points}


def test_other_points_are_refused_in_one_sentence(tree):
    make_notebooks(tree)
    before = contents(tree / "notebooks")
    text = right_piece(tree).read_text(encoding="utf-8")
    marked = re.sub(
        r'("grade_id": "test_softmax", )(.*?)("points": [\d.]+, )?("schema_version")',
        r'\1\2"points": 77, \4',
        text,
    )
    right_piece(tree).write_text(marked, encoding="utf-8")
    with pytest.raises(
        LessonError, match=r"^01_masks.py: the cell test_softmax says 77 points, but .* worth"
    ) as refusal:
        make_notebooks(tree)
    assert "\n" not in str(refusal.value)
    assert contents(tree / "notebooks") == before


def test_ids_are_fixed_unique_and_independent_of_answers(tree):
    def ids():
        return [cell["id"] for cell in json.loads(built.read_text(encoding="utf-8"))["cells"]]

    make_notebooks(tree)
    built = tree / "notebooks" / LESSON / f"{LESSON}.ipynb"
    before = ids()
    edit(right_piece(tree), "### BEGIN SOLUTION\n", "### BEGIN SOLUTION\n    # another way to begin\n")
    make_notebooks(tree)
    assert ids() == before
    assert len(set(before)) == len(before)
    assert all(re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", i) for i in before)


def test_equal_cells_get_different_ids():
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("1 + 1") for _ in range(3)])
    set_ids(notebook)
    assert len({cell.id for cell in notebook.cells}) == 3


def test_notebooks_are_valid_and_clean(tree):
    make_notebooks(tree)
    for path in (tree / "notebooks").rglob("*.ipynb"):
        text = path.read_text(encoding="utf-8")
        notebook = nbformat.reads(text, as_version=4)
        nbformat.validate(notebook)
        assert set(notebook.metadata) == {"course", "kernelspec", "language_info"}
        assert notebook.metadata.kernelspec.name == "python3"
        assert not any(cell.get("outputs") or cell.get("execution_count") for cell in notebook.cells)
        assert str(tree) not in text
        assert text == json.dumps(json.loads(text), indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def test_files_beside_a_source_do_not_reach_students(tree):
    (right_piece(tree).parent / "my_answers.py").write_text("softmax = 1")
    make_notebooks(tree)
    assert [p.suffix for p in (tree / "notebooks").rglob("*") if p.is_file()] == [".ipynb"] * len(
        lesson_sources(tree)
    )
