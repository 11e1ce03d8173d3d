"""Colab: one uploaded notebook is enough, with Colab's versions and no network; it is graded as saved."""

import json
import subprocess

import nbformat
import pytest

from autograder.grading.notebook import grade_notebook
from autograder.releases.store import lessons
from autograder.setup.sample_class import as_bytes, saved_by_colab, solved, untouched
from autograder.submission.read import submission_from
from autograder.submission.which_release import UNNAMED
from tests.conftest import ROOT
from tests.tools.colab import colab_python
from tests.tools.executed import environment, errors, points, save

FULL = {lesson: release.exercises for lesson, release in lessons().items()}
INTERVIEW = ROOT / "notebooks" / "08_interview" / "08_interview.ipynb"
MASK = "def hidden(T):\n    return np.triu(np.ones((T, T)), {}) == 1\n\ninterview.check(hidden)"
EXAMPLES = [  # (a cell of 08_interview, what it shows)
    ("import IPython, ipywidgets\nprint(IPython.__version__, ipywidgets.__version__)", "7.34.0 7.7.1"),
    ("import course_utils\nprint(course_utils.__file__)", "/content/.course-"),
    ('interview("causal_mask", minutes=10)', "Build the causal mask"),
    (MASK.format(0), "Each token is hidden from itself"),
    (MASK.format(1), "part 2 of 4"),
    ("interview.answer(3)", "Take a smaller case"),
    ("interview.stop()", "diagonal masked"),
    ('bug_hunt("one_pass")', "bug_hunt.found("),
    ('flashcards("cache_bytes")', "Llama-3-8B"),
    ("flashcards.answer(512)", "counts all query heads"),
    ('mock_interview("intern")', "part 1 of 5"),
    ("mock_interview.next()", "part 2 of 5"),
    ("due(10)", "Session: 10 items"),
    ('save_progress("mine.zip")', "load_progress()"),
    ("progress()", "Within a day: 2 items"),
]


@pytest.fixture
def run(bwrap, tmp_path):
    """run(notebook, name) executes the notebook without a network in a stand-in for Colab's folder, and
    returns it with the paths there. Only that folder, a temporary home and /tmp can be written to."""
    folder, root = tmp_path / "content", str(ROOT)  # which may be a folder in /tmp
    places = "--unshare-net --die-with-parent --ro-bind / / --dev /dev --proc /proc --tmpfs /tmp"
    home = "--dir /tmp/home --setenv HOME /tmp/home"
    wall = [bwrap, *places.split(), "--ro-bind", root, root, *home.split(), "--bind", folder, folder]

    def run_notebook(notebook, name):
        path = save(notebook, folder / f"{name}.ipynb")
        command = [*wall, colab_python(), "-m", "nbconvert", "--execute", "--to=notebook", "--inplace", path]
        surroundings = {"cwd": folder, "env": environment(), "timeout": 300}
        result = subprocess.run(command, capture_output=True, text=True, **surroundings)
        assert result.returncode == 0, result.stderr[-4000:]
        return nbformat.read(path, as_version=4), [*folder.iterdir()]

    return run_notebook


@pytest.mark.release
@pytest.mark.xdist_group("colab")
@pytest.mark.parametrize("lesson", FULL)
def test_an_untouched_notebook_runs_in_colab(lesson, run):
    notebook, paths = run(untouched(lesson), lesson)
    assert errors(notebook) == []
    assert points(notebook) == dict.fromkeys(FULL[lesson], 0.0)
    extra_files = {path.name.split("-")[0] for path in paths if path.suffix != ".ipynb"}
    assert {".course"} <= extra_files <= {".course", ".progress"}


@pytest.mark.release
@pytest.mark.xdist_group("colab")
def test_solved_notebooks_run_in_colab_in_one_folder_and_are_graded(run):
    for number, (lesson, full) in enumerate(FULL.items(), 1):
        notebook, paths = run(solved(lesson), lesson)
        assert errors(notebook) == [], lesson
        assert points(notebook) == full
        assert sum(path.name.startswith(".course-") for path in paths) == number
        graded = grade_notebook(as_bytes(saved_by_colab(json.loads(json.dumps(notebook))))).as_dict()
        assert graded["score"] == sum(full.values()), graded["notes"]
        assert all(e["passed"] for e in graded["exercises"].values())


@pytest.mark.release
@pytest.mark.xdist_group("colab")
def test_interview_bug_hunt_flashcards_and_mock_interview_work_in_colab(run):
    notebook = nbformat.read(INTERVIEW, as_version=4)
    notebook.cells += [nbformat.v4.new_code_cell(source) for source, _ in EXAMPLES]
    notebook, paths = run(notebook, INTERVIEW.stem)
    assert errors(notebook) == []
    for (source, words), cell in zip(EXAMPLES, notebook.cells[-len(EXAMPLES) :], strict=True):
        assert words in text_of(cell), source
    assert "passes" not in text_of(notebook.cells[-1])  # this lesson has no exercises
    assert "mine.zip" in [path.name for path in paths]


def text_of(cell):
    """All that a cell shows, as text; an HTML output as its source."""
    outputs = [o.get("data", {"text/plain": o.get("text", "")}) for o in cell.outputs]
    return "".join(str(data.get("text/html") or data.get("text/plain", "")) for data in outputs)


@pytest.mark.parametrize("lesson", FULL)
def test_a_notebook_saved_by_colab_is_read_without_loss(lesson):
    colab_notebook = saved_by_colab(solved(lesson))
    assert colab_notebook["nbformat_minor"] == 0
    assert all("id" not in cell and cell["metadata"]["id"] for cell in colab_notebook["cells"])
    usual, colab = submission_from(as_bytes(solved(lesson))), submission_from(as_bytes(colab_notebook))
    assert colab.lesson is usual.lesson
    assert colab.first_look() == usual.first_look()
    assert set(colab.definitions) == set(FULL[lesson])
    assert [note.text for note in colab.notes] in (
        [],
        [UNNAMED],
    )  # where releases differ, a file without a release id gets this note
