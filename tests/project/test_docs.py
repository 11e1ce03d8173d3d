"""The README and docs/: every command runs, every link leads somewhere, an exercise is added as written."""

import re
import subprocess
from pathlib import Path

import nbformat
import pytest
from PIL import Image

from autograder.gradebook.class_files import read_extensions, read_groups
from autograder.term.schedule import read_schedule
from tests.autograder.exchange import made_up

ROOT = Path(__file__).resolve().parents[2]
INSTRUCTORS = ROOT / "docs" / "instructors.md"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
# Not run here: they install, open JupyterLab, or run the tests. That make knows them is tested.
LONG = ("make lab", "make test", ".venv/bin/python -m autograder formgrader")


def blocks(page, language):
    return re.findall(rf"^```{language}\n(.*?)^```$", page.read_text(encoding="utf-8"), re.M | re.S)


def commands(page):
    return [line for block in blocks(page, "sh") for line in block.splitlines() if line]


def run(command, folder):
    """As a person would type it; `make` without its first step, which would point the venv at the copy."""
    typed = re.sub(r"^make ", "make -o ready ", command)
    if command.startswith(LONG):
        typed = f"{typed} -n" if typed.startswith("make") else f"{typed} --help"
    clean = {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "HOME": str(folder.parent / "home"),
        "OMP_NUM_THREADS": "1",
        "COLUMNS": "160",
    }
    script = f". .venv/bin/activate\n{typed}" if command.startswith("nbgrader") else typed
    return subprocess.run(["bash", "-euc", script], cwd=folder, env=clean, capture_output=True, text=True)


@pytest.mark.parametrize("name", ["README.md", "docs/students.md"])
def test_every_command_of_a_page_runs(name, clone):
    assert commands(ROOT / name)
    for command in commands(ROOT / name):
        must_run(command, clone)


def test_no_other_page_has_commands():
    tried = {"README", "students", "contributing", "instructors", "lms"}
    assert {page.stem for page in PAGES if commands(page)} == tried


@pytest.mark.release
def test_the_instructors_page_runs_and_leaves_what_it_says(clone, bwrap):
    for name, data in made_up.files_of_the_page().items():
        (clone / name).write_bytes(data)
    (clone / "written_answers.json").write_text('{"written_answers": []}')
    for command in commands(INSTRUCTORS):
        must_run(command, clone)
    for left in ("demo/grades.csv", "dist/attention-course.zip", "graded/grades.csv", "ben.json"):
        assert (clone / left).is_file(), left
    for left in (
        "gradebook.db",
        "grades.csv",
        "report/01_masks.html",
        "export/canvas.csv",
        "solutions/01_masks",
    ):
        assert (clone.parent / "term" / left).exists(), left
    for folder in ("demo/feedback", "graded/feedback"):
        assert len(list((clone / folder).rglob("*.html"))) == 9, folder


def test_a_term_has_15_commands_and_four_thousand_words_are_enough():
    assert len(blocks(INSTRUCTORS, "sh")[0].splitlines()) == 15
    words = [
        len((ROOT / "docs" / f"{name}.md").read_text().split()) for name in ("instructors", "lms", "scale")
    ]
    assert sum(words) <= 4000


def test_every_table_of_the_instructors_page_is_read(tmp_path):
    readers = {
        "extensions.csv": read_extensions,
        "groups.csv": read_groups,
        "schedule.csv": read_schedule,
    }
    assert tables(INSTRUCTORS).keys() == readers.keys()
    for name, lines in tables(INSTRUCTORS).items():
        (tmp_path / name).write_text(lines, encoding="utf-8")
        assert readers[name](tmp_path), name


def tables(page):
    """{name of a CSV file: its text} of the page: the block after the paragraph that names it first."""
    result = re.findall(
        r"`(\w+\.csv)`[^`]*?:?\n\n```\n(.*?)^```$", page.read_text(encoding="utf-8"), re.M | re.S
    )
    return dict(result)


@pytest.mark.release
def test_the_page_on_canvas_and_moodle_runs_and_leaves_what_it_says(clone, bwrap):
    for name, data in made_up.files_of_the_page().items():
        (clone / name).write_bytes(data)
    for command in commands(ROOT / "docs" / "lms.md"):
        must_run(command, clone)
    for left in ("canvas.csv", "worksheet.csv", "feedback_01_masks.zip"):
        assert (clone / "export" / left).is_file(), left
    assert len(list((clone / "feedback_pages").rglob("01_masks.html"))) == 4


def must_run(command, folder):
    done = run(command, folder)
    assert done.returncode == 0, f"{command}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    return done


def test_a_command_that_does_not_run_is_seen(clone):
    for command in (
        "make no-such-target",
        "make lab-or-so",
        ".venv/bin/python -m autograder no-such-command",
        "nbgrader export --no-such-option=1",
    ):
        assert run(command, clone).returncode != 0, command


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.stem)
def test_what_a_page_names_is_there(page):
    text = page.read_text(encoding="utf-8")
    links = [link for link in re.findall(r"\]\(([^)#]+)[^)]*\)", text) if not link.startswith("http")]
    assert all((page.parent / link).exists() for link in links), links
    targets = re.findall(r"^([a-z-]+):.*## ", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M)
    assert set(re.findall(r"`make ([a-z-]+)", text)) <= set(targets)
    for path in re.findall(
        r"`((?:solutions|autograder|course_utils|docs|tests|notebooks|\.ci)/[\w./-]*)`", text
    ):
        assert path in MADE_HERE or (ROOT / path).exists() or "NN_" in path or "NAME" in path, path


MADE_HERE = ("autograder/exercises/masks/open_keys.py", "tests/answers/right/open_keys.py")


def test_the_readme_shows_pictures_and_every_lesson():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = re.findall(r"!\[(.+?)\]\((docs/images/\w+\.png)\)", text)
    ((moving, alt),) = re.findall(r'<img src="(docs/images/\w+\.gif)" width="800" alt="(.+?)">', text)
    (dark,) = re.findall(r'<source media="\(prefers-color-scheme: dark\)" srcset="(.+?)">', text)
    assert len(shown) == 2
    assert all(len(words) > 40 for words in [alt, *(words for words, _ in shown)])
    elsewhere = re.findall(
        r"!\[.{40,}?\]\(images/(\w+\.png)\)", (ROOT / "docs" / "instructors.md").read_text()
    )
    assert elsewhere == ["report.png"]
    assert {*elsewhere, *(Path(path).name for path in [moving, dark, *(path for _, path in shown)])} == {
        path.name for path in (ROOT / "docs" / "images").iterdir()
    }
    for path in (moving, dark):
        assert (ROOT / path).stat().st_size <= 400_000
        with Image.open(ROOT / path) as picture:
            assert picture.n_frames > 30
            assert picture.width >= 800
    for lesson in ROOT.glob("notebooks/*/*.ipynb"):
        assert f"| {lesson.stem[:2]} " in text


@pytest.mark.release
def test_an_exercise_is_added_as_the_page_says(clone):
    page = ROOT / "docs" / "contributing.md"
    exercise, cells, right = blocks(page, "python")
    (clone / "autograder" / "exercises" / "masks" / "open_keys.py").write_text(exercise)
    with (clone / "solutions" / "01_masks" / "01_masks.py").open("a") as lesson:
        lesson.write(cells)
    (clone / "tests" / "answers" / "right" / "open_keys.py").write_text(right)
    *before, new_exercise, make, test, change, new_lesson = commands(page)
    assert before == ["make test", "make test-all"]
    assert make == "make notebooks"
    must_run(make, clone)
    done = must_run(test, clone)
    assert int(re.search(r"(\d+) passed", done.stdout)[1]) > 10
    new = nbformat.read(clone / "notebooks" / "01_masks" / "01_masks.ipynb", as_version=4)
    assert [cell.metadata.nbgrader.get("points") for cell in new.cells[-2:]] == [None, 1]
    assert "logical_not" not in str(new)
    survived = must_run(change, clone).stdout.split("\n    ")[1:]
    assert [line.strip() for line in survived] == ["-1 -> 1"]
    must_run(new_exercise, clone)
    must_run(new_lesson, clone)
