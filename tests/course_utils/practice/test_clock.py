"""The cards in a browser: the clock runs, is right after a reload, and asks nothing of a network."""

import re
from datetime import UTC, datetime, timedelta

import pytest

from course_utils.practice.interview.pages import sheet_card, task_card
from course_utils.practice.interview.record import Interview

TIME, VOICE = "[data-part=time]", "[data-part=voice]"


def started(minutes_ago, minutes=20):
    """An interview that began so many minutes ago."""
    when = datetime.now(UTC) - timedelta(minutes=minutes_ago)
    return Interview("interviews", "key", {"topic": "mha", "minutes": minutes, "when": when})


def seconds_shown(page):
    """What the clock says is left."""
    text = page.page.locator(TIME).inner_text()
    minutes, seconds = re.fullmatch(r"(\d+) min (\d\d) s left, until \d\d:\d\d", text).groups()
    return 60 * int(minutes) + int(seconds)


def test_the_clock_runs_and_a_reload_keeps_the_time(open_page):
    card = task_card(started(8)).page
    page = open_page(card)
    first = seconds_shown(page)
    assert 11.5 * 60 < first <= 12 * 60
    page.page.wait_for_timeout(2100)
    assert first - 4 <= seconds_shown(page) < first
    assert seconds_shown(open_page(card)) < first  # the same HTML, as a saved notebook shows it


def test_a_clock_that_ran_out_says_so_and_without_scripts_the_end_stands_there(open_page):
    page = open_page(task_card(started(30)).page)
    assert page.page.locator(TIME).inner_text() == "Time is up"
    assert page.page.locator(VOICE).inner_text() == "Time is up."
    interview = started(0)
    text = open_page(task_card(interview).page, scripts=False).page.locator("[role=timer]").inner_text()
    assert text.startswith(f"until {interview.end.astimezone():%H:%M:%S} ({interview.end:%H:%M} UTC)")


@pytest.mark.parametrize("dark", [False, True])
def test_cards_fit_a_phone(open_page, dark):
    interview = started(3)
    page = open_page(task_card(interview).page, sheet_card(interview).page, width=380, dark=dark)
    assert page.page.evaluate("document.documentElement.scrollWidth") == 380


def test_two_cards_on_a_page_have_a_clock_each(open_page):
    page = open_page(*(task_card(started(ago)).page for ago in (5, 10)))
    shown = [text.split()[0] for text in page.page.locator(TIME).all_inner_texts()]
    assert shown in (["14", "9"], ["15", "10"])
