"""The site's parts: which pages there are, what a lesson's page holds, what is refused. Nothing of Sphinx."""

import sys
from pathlib import Path

import nbformat
import psutil
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from autograder.publish.leaks import refuse_all_answers, secret_regions
from autograder.publish.lesson import LessonError, current, lesson_sources
from autograder.publish.site import build, lesson_page, pages
from autograder.publish.site.build import build_site, run_sphinx, texts
from autograder.releases.course_copy import pack

ROOT = Path(__file__).resolve().parents[3]
WIDGET = {lesson_page.WIDGET: {"model_id": "1"}}


def test_every_lesson_and_every_page_of_docs_is_listed_once():
    listed = [page for group in pages.contents(ROOT).values() for page in group]
    lessons = [f"notebooks/{path.parent.name}/{path.stem}" for path in ROOT.glob("notebooks/*/*.ipynb")]
    docs = [f"docs/{path.relative_to(ROOT / 'docs').with_suffix('')}" for path in ROOT.glob("docs/**/*.md")]
    assert sorted(listed) == sorted(lessons + docs)
    assert len(lessons) >= 8


def test_a_page_that_no_group_names_is_listed_under_more(tmp_path):
    for name in ("students.md", "of_tomorrow.md"):
        (tmp_path / "docs").mkdir(exist_ok=True)
        (tmp_path / "docs" / name).write_text("# Title\n")
    assert pages.contents(tmp_path) == {"To learn": ["docs/students"], "More": ["docs/of_tomorrow"]}


def test_the_map_of_the_first_page_leads_to_each_lesson():
    text = pages.first_page(ROOT)
    for lesson in pages.lessons(ROOT):
        assert f"](notebooks/{lesson}/{lesson}.ipynb) |" in text


def test_the_moving_picture_has_one_file_for_each_theme():
    text = pages.first_page(ROOT)
    assert "<picture>" not in text
    for theme in ("light", "dark"):
        assert f'<img class="only-{theme}" src="docs/images/training_{theme}.gif"' in text


def test_links_to_the_readme_lead_to_the_first_page():
    assert pages.inner_links("[map](../../README.md#the-map)") == "[map](../../index.md#the-map)"


def kernels():
    """The kernels that this process has started, and that are still there."""
    running = [(process.pid, " ".join(process.cmdline())) for process in psutil.Process().children(True)]
    return {pid for pid, line in running if "ipykernel" in line}


@pytest.fixture
def kernels_of_other_tests():
    return kernels()


@pytest.fixture
def ran(tmp_path):
    """The page of a lesson whose second code cell ends with an error, and its pictures."""
    cells = [
        new_markdown_cell("# 9. Tried\n\n![dot](attachment:dot.png)"),
        new_code_cell(pack([{"course_utils/__init__.py": b""}])),
        new_code_cell("print('be' + 'fore')"),
        new_code_cell("1 / 0"),
        new_code_cell("print('aft' + 'er')"),
    ]
    cells[0]["attachments"] = {"dot.png": {"image/png": "aGVsbG8="}}
    path = tmp_path / "09_tried.ipynb"
    nbformat.write(new_notebook(cells=cells), path)
    return lesson_page.lesson_page(tmp_path, path)


def test_a_lesson_is_run_to_its_end_as_a_beginner_sees_it(ran):
    page, pictures = ran
    outputs = [output for cell in page.cells for output in cell.get("outputs", [])]
    assert [output.get("text") or output["ename"] for output in outputs] == [
        "before\n", "ZeroDivisionError", "after\n",
    ]  # fmt: skip
    assert lesson_page.errors(page) == 1
    assert not any("load_course" in cell.source for cell in page.cells)
    assert "09_tried.ipynb </given/09_tried.ipynb>" in page.cells[1].source
    assert "(dot.png)" in page.cells[0].source
    assert pictures == {"dot.png": b"hello"}


def test_no_kernel_outlives_its_lesson(kernels_of_other_tests, ran):
    assert kernels() <= kernels_of_other_tests


def test_a_question_stands_there_once_and_says_how_to_answer():
    output = new_output("display_data", {**WIDGET, "text/plain": "**A.** How many?\n\nTo answer, type it."})
    lesson_page.without_widget(output, "**A.** How many?")
    assert output.data == {"text/markdown": "To answer, type it."}
    drawn = new_output("display_data", {**WIDGET, "text/plain": "7 or 8?"})
    lesson_page.without_widget(drawn, "")
    assert drawn.data == {"text/markdown": "7 or 8?"}


@pytest.mark.parametrize("where", ["a cell", "an output", "docs"])
def test_a_part_of_an_answer_is_refused(small_tree, tmp_path, where):
    region = next(
        result
        for py in lesson_sources(small_tree)
        for result in secret_regions(current(py))
        if len(result) > 1
    )
    answer, source = "\n".join(region[:2]), tmp_path / "source"
    build.put(source / "docs" / "page.md", "An answer stands between ### BEGIN SOLUTION and its end.")
    refuse_all_answers(small_tree, texts(source), "The site is not made: ")
    output = new_output("stream", text=answer if where == "an output" else "")
    cell = new_code_cell(answer if where == "a cell" else "", outputs=[output])
    build.put(source / "notebooks" / "x" / "x.ipynb", nbformat.writes(new_notebook(cells=[cell])))
    if where == "docs":
        build.put(source / "docs" / "page.md", answer)
    with pytest.raises(LessonError, match="The site is not made: .* would give away"):
        refuse_all_answers(small_tree, texts(source), "The site is not made: ")


def test_a_folder_that_is_no_site_is_left_alone(tmp_path):
    (tmp_path / "kept.txt").write_text("mine")
    with pytest.raises(LessonError, match="is there and is no site: move it away, or name another folder"):
        build_site(ROOT, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["kept.txt"]


def test_without_sphinx_a_sentence_says_what_to_run(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "sphinx.cmd.build", None)
    with pytest.raises(LessonError, match="not installed here: run `make site`"):
        run_sphinx(tmp_path, tmp_path / "site")
