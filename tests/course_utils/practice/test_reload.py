"""JupyterLab is reloaded in the middle of an interview: the clock goes on, and the card comes back."""

import re
import shutil
from pathlib import Path

import nbformat
import pytest

from tests.tools.lab_in_browser import Opened, learners_lab

ROOT = Path(__file__).resolve().parents[3]
FIRST = 'from course_utils import interview\ninterview("mha", minutes=15)'
AGAIN = "from course_utils import interview\ninterview()"
TIME = "() => document.querySelector('.jp-OutputArea [data-part=time]')?.textContent || ''"
LIVE = f"() => /^\\d+ min \\d\\d s left/.test(({TIME})())"


def notebook(source):
    cells = [nbformat.v4.new_code_cell(source)]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return nbformat.writes(nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel}))


def seconds_left(page):
    """What the first clock of the page says."""
    page.wait_for_function(LIVE, timeout=60_000)
    minutes, seconds = re.match(r"(\d+) min (\d\d) s left", page.evaluate(TIME)).groups()
    return int(minutes) * 60 + int(seconds)


@pytest.mark.system
@pytest.mark.xdist_group("browser")
def test_the_clock_goes_on_over_a_reload_and_a_new_kernel(chromium, tmp_path):
    shutil.copytree(ROOT / "notebooks" / "01_masks", tmp_path / "notebooks" / "01_masks")
    folder = tmp_path / "work" / "mine"
    folder.mkdir(parents=True)
    (folder / "a.ipynb").write_text(notebook(FIRST))
    (folder / "b.ipynb").write_text(notebook(AGAIN))
    with learners_lab(tmp_path) as address:
        first = Opened(chromium, address, "mine/a.ipynb")
        first.run_all()
        before = seconds_left(first.page)
        assert before > 14 * 60
        first.page.wait_for_timeout(2_000)
        first.page.reload(wait_until="domcontentloaded")
        after = seconds_left(first.page)
        assert before - 120 < after <= before - 2
        first.close()
        second = Opened(chromium, address, "mine/b.ipynb")  # another kernel, and no name of the topic
        second.run_all()
        assert seconds_left(second.page) <= after
        card = second.page.locator(".jp-OutputArea").first.inner_text()
        assert "Multi-head self-attention, part 1 of 7" in card
        second.close()
