"""The clock on interview cards in a browser runs, and is right after a reload and in a new kernel."""

import re
import shutil
from datetime import UTC, datetime, timedelta

import nbformat
import pytest

from course_utils.practice.interview import Interview
from course_utils.practice.interview.pages import sheet_card, task_card
from tests.conftest import ROOT
from tests.tools.lab_in_browser import NotebookView, learners_lab

TIME, VOICE = "[data-part=time]", "[data-part=voice]"


def interview_begun(minutes_ago, minutes=20):
    """An interview that began so many minutes ago, with a key of its own."""
    start = datetime.now(UTC) - timedelta(minutes=minutes_ago)
    return Interview(str(minutes_ago), {"topic": "mha", "minutes": minutes, "when": start})


def seconds_left(page):
    """The time that the first clock on the page shows."""
    text = page.locator(TIME, has_text="s left").first.inner_text(timeout=60_000)
    minutes, seconds = re.match(r"(\d+) min (\d\d) s left, until \d\d:\d\d$", text).groups()
    return 60 * int(minutes) + int(seconds)


def test_the_clock_counts_down(open_page):
    page = open_page(task_card(interview_begun(8)).page).page
    first = seconds_left(page)
    assert 11.5 * 60 < first <= 12 * 60
    page.wait_for_timeout(2100)
    assert first - 4 <= seconds_left(page) < first


def test_the_clock_announces_the_end_and_without_scripts_shows_the_end_time(open_page):
    page = open_page(task_card(interview_begun(30)).page)
    assert page.page.locator(TIME).inner_text() == "Time is up"
    assert page.page.locator(VOICE).inner_text() == "Time is up."
    interview = interview_begun(0)
    text = open_page(task_card(interview).page, scripts=False).page.locator("[role=timer]").inner_text()
    assert text.startswith(f"until {interview.end.astimezone():%H:%M:%S} ({interview.end:%H:%M} UTC)")


def test_a_newer_card_of_the_same_interview_stops_an_older_clock(open_page):
    interview = interview_begun(5)
    other = Interview("other", interview.about)
    old, new = task_card(interview), task_card(interview)
    page = open_page(old.page, task_card(other).page, new.page).page
    page.locator(TIME, has_text="A newer card replaces this one").wait_for()
    assert ["s left" in text for text in page.locator(TIME).all_inner_texts()] == [False, True, True]
    interview.events.append({"event": "end", "when": interview.start})
    page = open_page(old.page, sheet_card(interview).page).page
    page.locator(TIME, has_text="A newer card replaces this one").wait_for()


@pytest.mark.parametrize("dark", [False, True])
def test_cards_fit_a_phone_and_each_has_its_own_clock(open_page, dark):
    cards = task_card(interview_begun(5)), task_card(interview_begun(10)), sheet_card(interview_begun(3))
    page = open_page(*(card.page for card in cards), width=380, dark=dark).page
    assert page.evaluate("document.documentElement.scrollWidth") == 380
    clock_minutes = [text.split()[0] for text in page.locator(TIME).all_inner_texts()]
    assert clock_minutes in (["14", "9", "16"], ["15", "10", "17"])


@pytest.mark.xdist_group("browser")
def test_the_clock_continues_after_a_reload_and_in_a_new_kernel(chromium, tmp_path):
    shutil.copytree(ROOT / "notebooks" / "01_masks", tmp_path / "notebooks" / "01_masks")
    (tmp_path / "work" / "mine").mkdir(parents=True)
    for name, call in (("a", 'interview("mha", minutes=15)'), ("b", "interview()")):
        cells = [nbformat.v4.new_code_cell(f"from course_utils import interview\n{call}")]
        kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
        notebook = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})
        nbformat.write(notebook, tmp_path / "work" / "mine" / f"{name}.ipynb")
    with learners_lab(tmp_path) as address:
        first = NotebookView(chromium, address, "mine/a.ipynb")
        first.run_all()
        before = seconds_left(first.page)
        assert before > 14 * 60
        first.page.wait_for_timeout(2_000)
        first.page.reload(wait_until="domcontentloaded")
        after = seconds_left(first.page)
        assert before - 120 < after <= before - 2
        first.close()
        second = NotebookView(chromium, address, "mine/b.ipynb")  # another kernel, and no topic given
        second.run_all()
        assert seconds_left(second.page) <= after
        card = second.page.locator(".jp-OutputArea").first.inner_text()
        assert "Multi-head self-attention, part 1 of 7" in card
        second.close()
