"""The README and docs/: every command runs, every link works, and an exercise can be added as described."""

import re
import subprocess
from pathlib import Path

import nbformat
import pytest
from PIL import Image

from autograder.gradebook.class_files import read_extensions, read_groups, read_schedule
from tests.autograder.exchange import made_up

ROOT = Path(__file__).resolve().parents[2]
INSTRUCTORS = ROOT / "docs" / "instructors.md"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
READERS = {"extensions.csv": read_extensions, "groups.csv": read_groups, "schedule.csv": read_schedule}
# Not run here, since they install, open JupyterLab, or run the tests; only checked with -n or --help.
LONG = ("make lab", "make test", "../term/course formgrader")


def blocks(page, language):
    return re.findall(rf"^```{language}\n(.*?)^```$", page.read_text(encoding="utf-8"), re.M | re.S)


def commands(page):
    return [line for block in blocks(page, "sh") for line in block.splitlines() if line]


def run(command, folder):
    """Run a command as a person types it, but `make` without `ready`, which would relink the venv."""
    line = re.sub(r"^make ", "make -o ready ", command)
    if command.startswith(LONG):
        line = f"{line} -n" if line.startswith("make") else f"{line} --help"
    environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(folder.parent / "home")}
    environment |= {"OMP_NUM_THREADS": "1", "COLUMNS": "160"}
    script = f". .venv/bin/activate\n{line}" if command.startswith("nbgrader") else line
    return subprocess.run(
        ["bash", "-euc", script], cwd=folder, env=environment, capture_output=True, text=True
    )


def must_run(command, folder):
    result = run(command, folder)
    assert result.returncode == 0, f"{command}\n{result.stdout[-3000:]}\n{result.stderr[-3000:]}"
    return result


# The files that each page's commands leave, in the clone or in folders next to it
LEAVES = {
    "README": (),
    "students": (),
    "instructors": (
        "clone/demo/grades.csv", "clone/dist/attention-course.zip", "clone/graded/grades.csv",
        "clone/ben.json", "term/gradebook.db", "term/grades.csv", "term/report/01_masks.html",
        "term/export/canvas.csv", "term/solutions/01_masks",
    ),
    "lms": tuple(f"clone/export/{name}" for name in ("canvas.csv", "worksheet.csv", "feedback_01_masks.zip")),
}  # fmt: skip
FEEDBACK = {"instructors": {"demo/feedback": 9, "graded/feedback": 9}, "lms": {"feedback_pages": 4}}


def page_of(stem):
    return next(page for page in PAGES if page.stem == stem)


@pytest.mark.parametrize(
    "stem", [pytest.param(stem, marks=pytest.mark.release if LEAVES[stem] else ()) for stem in LEAVES]
)
def test_every_command_of_a_docs_page_runs_and_leaves_the_named_files(stem, clone, request):
    if LEAVES[stem]:
        request.getfixturevalue("bwrap")
        for name, data in made_up.files_of_the_page().items():
            (clone / name).write_bytes(data)
        (clone / "scores.json").write_text('{"written_answers": []}')
    for command in commands(page_of(stem)):
        must_run(command, clone)
    assert [path for path in LEAVES[stem] if not (clone.parent / path).exists()] == []
    for folder, number in FEEDBACK.get(stem, {}).items():
        assert len(list((clone / folder).rglob("*.html"))) == number, folder


def test_docs_keep_few_commands_and_at_most_4000_words():
    assert {page.stem for page in PAGES if commands(page)} == {*LEAVES, "contributing"}
    assert len(blocks(INSTRUCTORS, "sh")[0].splitlines()) == 15
    assert sum(len(page_of(stem).read_text().split()) for stem in ("instructors", "lms", "scale")) <= 4000


def test_every_csv_example_on_the_instructors_page_can_be_read(tmp_path):
    """Each table is the block below the paragraph that first names its file."""
    text = INSTRUCTORS.read_text(encoding="utf-8")
    tables = dict(re.findall(r"`(\w+\.csv)`[^`]*?:?\n\n```\n(.*?)^```$", text, re.M | re.S))
    assert tables.keys() == READERS.keys()
    for name, lines in tables.items():
        (tmp_path / name).write_text(lines, encoding="utf-8")
        assert READERS[name](tmp_path), name


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.stem)
def test_links_make_targets_and_paths_on_a_docs_page_exist(page):
    text = page.read_text(encoding="utf-8")
    links = [link for link in re.findall(r"\]\(([^)#]+)[^)]*\)", text) if not link.startswith("http")]
    assert all((page.parent / link).exists() for link in links), links
    targets = re.findall(r"^([a-z-]+):.*## ", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M)
    assert set(re.findall(r"`make ([a-z-]+)", text)) <= set(targets)
    for path in re.findall(
        r"`((?:solutions|autograder|course_utils|docs|tests|notebooks|\.ci)/[\w./-]*)`", text
    ):
        assert path in MADE_HERE or (ROOT / path).exists() or "NN_" in path or "NAME" in path, path


MADE_HERE = ("autograder/exercises/masks/open_keys.py", "tests/programs/open_keys.py")


def test_the_readme_shows_pictures_and_every_lesson():
    text = page_of("README").read_text(encoding="utf-8")
    both = text + INSTRUCTORS.read_text(encoding="utf-8")
    pictures = ROOT / "docs" / "images"
    assert {*re.findall(r"\bimages/(\w+\.\w+)", both)} == {path.name for path in pictures.iterdir()}
    alternatives = re.findall(r'!\[(.*?)\]\(|alt="(.*?)"', both)
    assert len(alternatives) == 4
    assert all(len(of_markdown + of_html) > 40 for of_markdown, of_html in alternatives)
    assert "prefers-color-scheme: dark" in text
    for path in pictures.glob("*.gif"):
        assert path.stat().st_size <= 400_000
        with Image.open(path) as picture:
            assert picture.n_frames > 30
            assert picture.width >= 800
    for lesson in ROOT.glob("notebooks/*/*.ipynb"):
        assert f"| {lesson.stem[:2]} " in text


OTHER_TESTS = (
    "tests/autograder/publish/test_minutes.py tests/autograder/submission tests/lessons/test_colab.py "
    "tests/project/test_docs.py::test_the_readme_shows_pictures_and_every_lesson tests/project/test_style.py "
    "-k '09_mine or 01_masks or submission or readme or style or minutes'"
)


@pytest.mark.release
def test_exercises_and_a_lesson_can_be_added_as_contributing_md_says(clone):
    page = ROOT / "docs" / "contributing.md"
    *test_commands, new_exercise, make, test, change, author, new_lesson = commands(page)
    assert test_commands == ["make test", "make test-all"]
    must_run(new_lesson, clone)
    assert "pooled --part 01_masks" in new_exercise
    for words in ("open_keys --part 01_masks", "pooled --part 01_masks", "added --part 09_mine"):
        must_run(new_exercise.replace("pooled --part 01_masks", words), clone)
    lesson = clone / "solutions" / "01_masks" / "01_masks.py"
    for block, path in zip(blocks(page, "python"), (MADE_HERE[0], lesson, MADE_HERE[1]), strict=True):
        assert block in (clone / path).read_text(encoding="utf-8"), "what an author would write by hand"
    must_run(make, clone)
    renewed = must_run(author.replace("open_keys", "open_keys pooled added"), clone).stdout
    assert renewed.endswith("Nothing is missing.\n"), renewed
    names = test.replace("open_keys", "open_keys or pooled or added or 09_mine")
    assert int(re.search(r"(\d+) passed", must_run(names, clone).stdout)[1]) > 10
    must_run(f".venv/bin/python -m pytest -q {OTHER_TESTS}", clone)
    new = nbformat.read(clone / "notebooks" / "01_masks" / "01_masks.ipynb", as_version=4)
    cells = {cell.metadata.get("nbgrader", {}).get("grade_id"): cell for cell in new.cells}
    assert cells["test_open_keys"].metadata.nbgrader.points == 1
    assert "logical_not" not in str(new)
    survived = must_run(change, clone).stdout.split("\n    ")[1:]
    assert [line.strip() for line in survived] == ["-1 -> 1"]
