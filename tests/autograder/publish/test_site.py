"""The parts of the site, without Sphinx: its pages, a lesson's page, and what is refused."""

import sys

import nbformat
import psutil
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from autograder.publish.leaks import refuse_all_answers
from autograder.publish.lesson import LessonError
from autograder.publish.site import build, lesson_page, pages
from autograder.publish.site.build import build_site, run_sphinx, texts
from autograder.publish.solutions import answers
from autograder.releases.course_copy import pack
from tests.conftest import ROOT


def test_every_lesson_and_docs_page_is_listed_once_and_ungrouped_ones_under_more(tmp_path):
    listed_pages = [page for group in pages.contents(ROOT).values() for page in group]
    lessons = [f"notebooks/{path.parent.name}/{path.stem}" for path in ROOT.glob("notebooks/*/*.ipynb")]
    docs = [f"docs/{path.relative_to(ROOT / 'docs').with_suffix('')}" for path in ROOT.glob("docs/**/*.md")]
    assert sorted(listed_pages) == sorted(lessons + docs)
    assert len(lessons) >= 8
    (tmp_path / "docs").mkdir()
    for name in ("students.md", "of_tomorrow.md"):
        (tmp_path / "docs" / name).write_text("# Title\n")
    assert pages.contents(tmp_path) == {"To learn": ["docs/students"], "More": ["docs/of_tomorrow"]}


def test_the_first_page_links_each_lesson_and_has_an_animation_per_theme():
    text = pages.first_page(ROOT)
    for lesson in pages.lessons(ROOT):
        assert f"](notebooks/{lesson}/{lesson}.ipynb) |" in text
    assert "<picture>" not in text
    for theme in ("light", "dark"):
        assert f'<img class="only-{theme}" src="docs/images/training_{theme}.gif"' in text
    assert pages.inner_links("[map](../../README.md#the-map)") == "[map](../../index.md#the-map)"


def kernels():
    """The process ids of the kernels that this process has started and that still run."""
    running = [(process.pid, " ".join(process.cmdline())) for process in psutil.Process().children(True)]
    return {pid for pid, line in running if "ipykernel" in line}


def test_a_lessons_page_is_run_despite_errors_and_holds_no_widget_and_leaves_no_kernel(tmp_path):
    widget = f"from IPython.display import display\ndisplay({{{lesson_page.WIDGET!r}: {{}}}}, raw=True)"
    sources = "print('be' + 'fore')", "1 / 0", "print('aft' + 'er')", widget
    cells = [
        new_markdown_cell("# 9. Tried\n\n![dot](attachment:dot.png)"),
        new_code_cell(pack([{"course_utils/__init__.py": b""}])),
        *map(new_code_cell, sources),
    ]
    cells[0]["attachments"] = {"dot.png": {"image/png": "aGVsbG8="}}
    path, kernels_before = tmp_path / "09_tried.ipynb", kernels()
    nbformat.write(new_notebook(cells=cells), path)
    page, pictures = lesson_page.lesson_page(tmp_path, path)
    outputs = [output for cell in page.cells for output in cell.get("outputs", [])]
    results = [output.get("text") or output["ename"] for output in outputs]
    assert results == ["before\n", "ZeroDivisionError", "after\n"]
    assert not any("load_course" in cell.source for cell in page.cells)
    assert "09_tried.ipynb </given/09_tried.ipynb>" in page.cells[1].source
    assert "(dot.png)" in page.cells[0].source
    assert pictures == {"dot.png": b"hello"}
    assert kernels() <= kernels_before


def test_a_site_that_would_hold_an_answer_is_refused(tmp_path):
    answer = "\n".join(answers("01_masks")["masked_softmax"].splitlines()[-2:])

    def refuse(page="", code="", output=""):
        build.put(tmp_path / "docs" / "page.md", page)
        cell = new_code_cell(code, outputs=[new_output("stream", text=output)])
        build.put(tmp_path / "notebooks" / "x" / "x.ipynb", nbformat.writes(new_notebook(cells=[cell])))
        refuse_all_answers(ROOT, texts(tmp_path), "The site was not built: ")

    refuse("An answer stands between ### BEGIN SOLUTION and its end.")
    for place in ("page", "code", "output"):
        with pytest.raises(LessonError, match="The site was not built: .* would give away"):
            refuse(**{place: answer})


def test_a_folder_that_is_no_site_is_refused_and_a_missing_sphinx_reported(tmp_path, monkeypatch):
    (tmp_path / "kept.txt").write_text("mine")
    with pytest.raises(LessonError, match="exists and is not a site: move it away, or name another folder"):
        build_site(ROOT, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["kept.txt"]
    monkeypatch.setitem(sys.modules, "sphinx.cmd.build", None)
    with pytest.raises(LessonError, match="not installed here: run `make site`"):
        run_sphinx(tmp_path, tmp_path / "site")
