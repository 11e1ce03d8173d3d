"""Pictures that one can touch stay alive where the kernel is gone, and are seen where scripts do not run."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

pytestmark = [pytest.mark.system, pytest.mark.xdist_group("browser")]
LESSON = "00_start_here/00_start_here.ipynb"


@pytest.fixture(scope="module")
def saved(lab):
    """(the folder, the function that opens) once lesson 00 has run and was saved."""
    work, opened_at = lab
    opened = opened_at(LESSON)
    opened.run_all()
    opened.close()
    return work, opened_at


def weights_after_a_turn(page):
    query = page.get_by_role("slider", name="query", exact=True).first
    query.scroll_into_view_if_needed()
    query.focus()
    query.press("ArrowLeft")
    query.press("ArrowUp")
    page.wait_for_timeout(150)
    return [float(text) for text in page.locator(".touch .live").first.get_attribute("data-weights").split()]


def test_the_first_screen_has_a_picture_before_any_cell_has_run(lab):
    opened = lab[1](LESSON)
    image = opened.page.locator(".jp-MarkdownCell img").first
    assert image.evaluate("async image => { await image.decode(); return image.naturalWidth }") > 500
    assert image.bounding_box()["y"] < 900
    assert "weights" in image.get_attribute("alt")
    opened.close()


def test_it_is_alive_in_a_notebook_that_is_opened_again(saved):
    opened = saved[1](LESSON)
    opened.page.wait_for_selector(".touch .live")
    assert opened.asleep() == []
    np.testing.assert_allclose(weights_after_a_turn(opened.page), softmax([0.9, 1.1, 2.0]), atol=2e-4)
    assert opened.said == []
    opened.close()


def test_keys_stay_in_the_picture(saved):
    """JupyterLab's own keys (here: arrows choose another cell, x cuts one) do nothing while a handle has the
    focus."""
    opened = saved[1](LESSON)
    opened.page.wait_for_selector(".touch .live")
    cells = opened.page.locator(".jp-Cell").count()
    weights_after_a_turn(opened.page)
    opened.page.keyboard.press("x")
    opened.page.wait_for_timeout(200)
    assert opened.page.locator(".jp-Cell").count() == cells
    opened.close()


def test_a_notebook_from_somebody_else_shows_the_still(saved):
    """JupyterLab trusts only what was run here, and runs no scripts of others."""
    work, opened_at = saved
    foreign = json.loads((work / LESSON).read_text(encoding="utf-8"))
    foreign["metadata"]["author"] = "somebody else"
    (work / "foreign.ipynb").write_text(json.dumps(foreign), encoding="utf-8")
    opened = opened_at("foreign.ipynb")
    image = opened.page.locator(".jp-OutputArea .touch-still img, .jp-OutputArea img").first
    image.wait_for()
    assert image.evaluate("async image => { await image.decode(); return image.naturalWidth }") > 100
    assert opened.page.locator(".touch .live").count() == 0
    opened.close()


@pytest.fixture(scope="module")
def exported(saved, tmp_path_factory):
    """The lesson as nbconvert exports it."""
    folder = tmp_path_factory.mktemp("exported")
    shutil.copy(saved[0] / LESSON, folder / "lesson.ipynb")
    command = [sys.executable, "-m", "nbconvert", "--to", "html", "lesson.ipynb"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return Path(folder, "lesson.html")


@pytest.mark.parametrize("scripts", [True, False])
def test_exported_html_works_offline(chromium, exported, scripts):
    context = chromium.new_context(offline=True, java_script_enabled=scripts)
    page = context.new_page()
    page.goto(exported.as_uri(), wait_until="domcontentloaded")
    if scripts:
        np.testing.assert_allclose(weights_after_a_turn(page), softmax([0.9, 1.1, 2.0]), atol=2e-4)
    else:
        assert page.locator(".touch-still img").first.is_visible()
        assert page.locator(".touch .live").count() == 0
    context.close()


def softmax(scores):
    powers = np.exp(np.array(scores))
    return powers / powers.sum()
