"""Take the screenshots in docs/images/ from a real JupyterLab and report: python -m tools.take_screenshots

`tools.film_training` makes the animation.
"""

import shutil
import tempfile
from pathlib import Path

from autograder.publish.solutions import grade_id
from autograder.report.class_report.pages import write
from autograder.report.class_report.reports import report_on
from autograder.setup.sample_class import solved
from tests.tools.executed import save
from tests.tools.lab_in_browser import NotebookView, browser, learners_lab
from tests.tools.simulated_class import simulated

ROOT = Path(__file__).resolve().parents[1]
IMAGES = ROOT / "docs" / "images"
MISTAKE = """def split_heads(x, num_heads):
    B, T, d_model = x.shape
    return x.reshape(B, num_heads, T, d_model // num_heads)"""
MARGIN = 12


def main():
    """Take all screenshots, in a JupyterLab and a Chromium that are started for it."""
    IMAGES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        root = Path(place)
        shutil.copytree(ROOT / "notebooks", root / "notebooks")
        split = solved("02_split_concat")
        next(cell for cell in split["cells"] if grade_id(cell) == "split_heads")["source"] = MISTAKE
        save(split, root / "work" / "02_split_concat" / "02_split_concat.ipynb")
        with learners_lab(root) as address, browser(shutil.which("chromium")) as chromium:
            lesson = open_lesson(chromium, address, "02_split_concat")
            photograph_cells(lesson.page, "def split_heads", 'check("split_heads"', "card.png")
            photograph_window(lesson.page, "The lesson in one picture", "lesson.png")
            lesson.close()
            photograph_report(chromium, root / "report")
    for path in sorted(IMAGES.glob("*.png")):
        print(f"{path.relative_to(ROOT)}  {path.stat().st_size / 1000:.0f} kB")


def open_lesson(chromium, address, lesson):
    """Open the lesson and run it, in a window that is tall enough for any two cells."""
    notebook = NotebookView(chromium, address, f"{lesson}/{lesson}.ipynb")
    notebook.run_all()
    notebook.page.evaluate("window.jupyterapp.commands.execute('application:toggle-left-area')")
    notebook.page.set_viewport_size({"width": 1180, "height": 1600})
    return notebook


def cells_with(page, text):
    return page.locator(".jp-CodeCell").filter(has_text=text)


def photograph_cells(page, first, last, name):
    """Photograph from the cell with the text `first` to the end of the cell with the text `last`."""
    cells_with(page, first).first.scroll_into_view_if_needed()
    page.wait_for_timeout(500)
    above, below = cells_with(page, first).first.bounding_box(), cells_with(page, last).first.bounding_box()
    top = above["y"] - MARGIN
    clip = {"x": above["x"], "y": top, "width": above["width"], "height": below["y"] + below["height"] - top}
    page.screenshot(path=IMAGES / name, clip=clip)


def photograph_window(page, text, name):
    """Photograph the whole window, scrolled to the paragraph with this text."""
    page.set_viewport_size({"width": 1180, "height": 860})
    page.locator(".jp-MarkdownCell").filter(has_text=text).first.evaluate(
        "cell => cell.scrollIntoView({block: 'start'})"
    )
    page.mouse.move(0, 0)
    page.wait_for_timeout(500)
    page.screenshot(path=IMAGES / name)


def photograph_report(chromium, folder):
    """Photograph a lesson's report on a simulated class, from its commonest mistakes on."""
    course, _ = simulated(300)
    write(*report_on(course), folder, with_names=False)
    page = chromium.new_page(viewport={"width": 800, "height": 1060})
    page.goto((folder / "02_split_concat.html").as_uri())
    page.locator("article details").first.evaluate("details => details.open = true")
    page.locator("#mistakes").evaluate("heading => heading.scrollIntoView({block: 'start'})")
    page.screenshot(path=IMAGES / "report.png")
    page.close()


if __name__ == "__main__":
    main()
