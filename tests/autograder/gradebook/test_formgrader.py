"""formgrader in a real browser: Generate, Autograde, grade a written answer, change a score, feedback."""

import sys

import pytest
from playwright.sync_api import expect

from autograder.exchange import collect
from tests.autograder.exchange.made_up import zip_of
from tests.conftest import copy_of_tree
from tests.tools.attacks import ATTACKS
from tests.tools.jupyter import read, served
from tests.tools.points import full_marks
from tests.tools.school import WRITTEN, gradebook, solved, submit

pytestmark = [pytest.mark.system, pytest.mark.usefixtures("bwrap"), pytest.mark.xdist_group("browser")]
ANSWER = "Head 0 looks back **one letter**.\n\n" + "\n\n".join(ATTACKS.values())
SECONDS = 90_000  # milliseconds: a click may start the sandbox on a busy machine


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    tree = copy_of_tree(tmp_path_factory.mktemp("course"))
    submit(tree, "ada", WRITTEN, solved(WRITTEN, what_may_one_conclude=ANSWER))
    submit(tree, "bad", WRITTEN, b'{"cells": [')
    late = tree.parent / "late.zip"
    late.write_bytes(zip_of({"lateeve_LATE_109_7001_x.ipynb": solved(WRITTEN)}))
    assert collect.run(tree, [late], yes=True) == 0
    return tree


@pytest.fixture(scope="module")
def server(course, tmp_path_factory):
    """The address of a JupyterLab that is started as an instructor starts it."""
    command = [sys.executable, "-m", "autograder", "formgrader", "--course", course]
    with served(command, tmp_path_factory.mktemp("server")) as address:
        yield address


@pytest.fixture
def page(chromium, server):
    page = chromium.new_page(viewport={"width": 1300, "height": 1000})
    page.set_default_timeout(SECONDS)
    page.goto(f"{server}/formgrader")
    yield page
    page.close()


def press(page, row, column):
    """Press one of formgrader's buttons, and return the text of the window that it opens."""
    page.locator("tr", has=page.locator("td", has_text=row)).locator(f"td.{column} a").click()
    window = page.locator(".modal.in")
    expect(window).to_contain_text("uccess", timeout=SECONDS)
    message = window.inner_text()
    window.locator("button, .close").last.click()
    expect(window).to_have_count(0)
    return message


def grades(course, student):
    with gradebook(course) as book:
        result = book.find_submission(WRITTEN, student)
        return result.score, result.needs_manual_grade


def test_jupyterlab_shows_an_instructor_no_news_prompt(server):
    assert "@jupyterlab/apputils-extension:announcements" in read(f"{server}/lab")


def test_formgrader_is_the_first_page_and_lists_a_late_file_without_a_time(page, server, course):
    assert (course / "submitted" / "lateeve_109" / WRITTEN / "time_unknown.txt").exists()
    page.goto(server)
    page.wait_for_url("**/formgrader/manage_assignments")
    page.goto(f"{server}/formgrader/manage_submissions/{WRITTEN}")
    row = page.locator("tr", has=page.locator("td", has_text="lateeve_109"))
    expect(row.locator(".timestamp")).to_have_text("None", timeout=SECONDS)


def test_a_lesson_is_generated_graded_and_returned_in_formgrader(page, server, course):
    page.goto(f"{server}/formgrader/manage_assignments")
    press(page, WRITTEN, "assign")
    assert (course / "notebooks" / WRITTEN / f"{WRITTEN}.ipynb").exists()

    page.goto(f"{server}/formgrader/manage_submissions/{WRITTEN}")
    messages = press(page, "ada", "autograde")
    assert "1 written answer waits for a person" in messages
    assert "Traceback" not in messages
    assert "not complete JSON" in press(page, "bad", "autograde")
    assert grades(course, "ada") == (full_marks(WRITTEN), True)
    assert grades(course, "bad") == (0.0, True)

    page.goto(f"{server}/formgrader/gradebook/{WRITTEN}/{WRITTEN}")
    page.wait_for_selector("td a")
    page.goto(page.locator("td a", has_text="ada").first.evaluate("link => link.href"))
    answer_box = page.locator("#what_may_one_conclude")
    answer_box.scroll_into_view_if_needed()
    assert page.evaluate("window.pwned") is None
    save_in_formgrader(page, "grade", answer_box, "1.5")
    comment = page.locator("#what_may_one_conclude-comment")
    save_in_formgrader(page, "comment", comment, "Well measured. <script>window.pwned=1</script>")
    save_in_formgrader(page, "grade", page.locator("#test_head_entropy"), "0.5")
    assert grades(course, "ada") == (full_marks(WRITTEN) - 1.5 + 1.5, False)

    page.goto(f"{server}/formgrader/manage_submissions/{WRITTEN}")
    page.wait_for_selector("td.generate-feedback a")
    press(page, "ada", "generate-feedback")
    page.goto(f"file://{course}/feedback/ada/{WRITTEN}/{WRITTEN}.html")
    messages = page.locator("body").inner_text()
    assert "Score: 0.5 / 2.0" in messages
    assert "Well measured." in messages
    assert page.evaluate("window.pwned") is None


def save_in_formgrader(page, kind, box, value):
    """Enter a grade or a comment, and wait until formgrader has saved it in the gradebook."""
    with page.expect_response(
        lambda answer: answer.request.method == "PUT" and f"/api/{kind}/" in answer.url
    ):
        box.fill(value)
        box.press("Tab")
