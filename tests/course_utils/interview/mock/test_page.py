"""The page and the sheet in a browser: nothing is fetched, A4, one or two pages, light, dark and narrow."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from course_utils.practice.interview.mock.cards import end_card, part_card, reveal_card
from course_utils.practice.interview.mock.compose import compose
from course_utils.practice.interview.mock.levels import LEVELS
from course_utils.practice.interview.mock.page import page
from course_utils.practice.interview.mock.record import Mock
from course_utils.practice.interview.mock.results import with_title
from course_utils.practice.interview.mock.rubric import criteria
from course_utils.practice.interview.mock.sheet import sheet
from tests.tools.page import Page

pytestmark = [pytest.mark.usefixtures("clock", "kinds")]


def over(level, seed=3):
    """A mock interview that was rated 0 throughout: the longest page there is."""
    start = datetime.now(UTC) - timedelta(minutes=50)
    mock = Mock("key", level, seed, 1, compose(LEVELS[level], seed)[0], start)
    for n, part in enumerate(mock.parts):
        marks = {one.name: 0 for one in criteria(part)}
        mock.events.append({"event": "mark", "part": n, "when": start, "marks": marks})
        mock.events.append({"event": "done", "part": n, "when": start + timedelta(minutes=5 * n + 5)})
    return mock


@pytest.mark.parametrize("level", LEVELS)
def test_the_page_and_the_sheet_need_nothing_else(level):
    for text in (page(over(level)), sheet(LEVELS[level], 3, compose(LEVELS[level], 3)[0])):
        assert not re.search(r"(src|href)=|@import|url\(|https?:", text)
        assert text.count("<html") == text.count("</html>") == 1
        assert text.startswith("<!doctype html>")


@pytest.mark.parametrize(
    ("place", "title"),
    [
        ("01, section 1.9", "01, section 1.9 (Both at once, and the shapes)"),
        ("03, section 3.8", "03, section 3.8 (Is it causal? Perturb the future)"),
        ("01, section 1.99", "01, section 1.99"),
    ],
)
def test_a_section_to_revise_has_its_title_where_it_is_known(place, title):
    assert with_title(place) == title


def opened(chromium, tmp_path, text, **given):
    """The file in a browser that is offline; what it asks for besides is collected."""
    file = tmp_path / "page.html"
    file.write_text(text, encoding="utf-8")
    context = chromium.new_context(offline=True, **given)
    shown, asked = context.new_page(), []
    shown.on("request", lambda request: asked.append(request.url))
    shown.on("pageerror", lambda error: asked.append(str(error)))
    shown.goto(file.as_uri())
    asked.remove(file.as_uri())
    return shown, asked


def pages_of(pdf):
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


@pytest.mark.system
@pytest.mark.xdist_group("browser")
@pytest.mark.parametrize("level", LEVELS)
def test_the_page_prints_on_one_or_two_sheets_of_a4_offline(chromium, tmp_path, level):
    shown, asked = opened(chromium, tmp_path, page(over(level)))
    pdf = shown.pdf(prefer_css_page_size=True)
    assert pages_of(pdf) in (1, 2)
    box = [float(n) for n in re.search(rb"/MediaBox\s*\[([\d. ]+)\]", pdf)[1].split()]
    assert box[2:] == pytest.approx([595, 842], abs=1.5)
    assert "Next time" in shown.inner_text("body")
    assert asked == []
    shown.context.close()


@pytest.mark.system
@pytest.mark.xdist_group("browser")
def test_the_sheets_marks_make_the_line_that_is_typed(chromium, tmp_path):
    from course_utils.practice.interview.mock.marks import read_marks

    parts = compose(LEVELS["intern"], 3)[0]
    shown, asked = opened(chromium, tmp_path, sheet(LEVELS["intern"], 3, parts))
    first = shown.locator('[data-part="1"] [data-mark]')
    first.nth(0).locator("input").nth(2).check()
    first.nth(1).locator("input").nth(0).check()
    line = shown.inner_text("#line")
    assert line.startswith('mock_interview.rate("20 -- ')
    found, problem = read_marks(parts, (line.split('"')[1],), {}, None, None)
    assert problem is None
    assert found[0] == {"points": 2, "answer_first": 0}
    assert asked == []
    shown.context.close()


@pytest.mark.system
@pytest.mark.xdist_group("browser")
def test_a_page_fits_a_phone(chromium, tmp_path):
    for text in (page(over("senior")), sheet(LEVELS["senior"], 3, compose(LEVELS["senior"], 3)[0])):
        shown, _ = opened(chromium, tmp_path, text, viewport={"width": 380, "height": 800})
        assert shown.evaluate("document.documentElement.scrollWidth") == 380
        shown.context.close()


@pytest.mark.system
@pytest.mark.xdist_group("browser")
@pytest.mark.parametrize("dark", [False, True])
def test_cards_fit_a_phone_and_the_clock_runs(chromium, dark):
    mock = over("senior")
    running = Mock("key", "senior", 3, 1, mock.parts, datetime.now(UTC) - timedelta(minutes=5))
    cards = (
        part_card(running, 40.0)[0],
        reveal_card(mock.parts[-1], 5)[0],
        end_card(mock, "The time is over.")[0],
    )
    shown = Page(chromium, *cards, width=380, dark=dark)
    assert shown.page.evaluate("document.documentElement.scrollWidth") == 380
    assert re.match(r"(39 min 5\d|40 min 00) s left", shown.page.locator("[data-part=time]").inner_text())
    shown.close()


def test_a_page_is_written_beside_the_notebook_with_a_link(said):
    from course_utils.practice.interview.mock import mock_interview

    mock_interview("intern", seed=1)
    mock_interview.stop()
    out = said(mock_interview.page)
    (file,) = Path().glob("mock_interview_intern_*.html")
    assert str(file.resolve()) in out
