"""An entry of a card's two tables: its tint says how far off it is, and a page with scripts reads it out."""

import re

import pytest
import torch

from course_utils.model.case import Fact
from course_utils.model.result import Picture, Result
from course_utils.show import card
from course_utils.show.colours import EMPHASIS
from course_utils.show.hover import OFF, PAIR, SCRIPT
from course_utils.show.tables import FAINT, STRONG, both_html

from .test_card import THEMES, contrast

WANTED = torch.tensor([[1.0, 0.5, 2.0], [3.0, 4.0, 5.0]])
YOURS = torch.tensor([[1.0, 0.75, 2.0], [3.0, 2.0, 5.0]])


def picture(yours=YOURS, wanted=WANTED):
    return Picture(Fact("weights"), torch.as_tensor(yours), torch.as_tensor(wanted), ["T_q", "T_k"])


def shades(page):
    """How strong each tint is, from 0 to 255, in the order of the page."""
    return [int(shade, 16) for shade in re.findall(rf"background:{EMPHASIS}(\w\w)", page)]


def told(page):
    return re.findall(rf'{OFF}="([^"]*)"', page)


# ---- the tint, which needs no script


FAINTER = FAINT + (STRONG - FAINT) * 0.25 / 2
STRANGE = torch.tensor([[1.0, torch.inf, 2.5], [torch.nan, 4.0, 5.0]])
MASKED_ENTRY = torch.tensor([[-torch.inf, 0.5, 2.0], [3.0, 4.0, 5.0]])
ONE_IN_SIGHT = torch.zeros(20, 20).index_put((torch.tensor([0, 19]),) * 2, torch.tensor([0.5, 100.0]))
TINTS = [  # (yours, wanted, tints, what is read out, in as many decimals as the entries)
    (YOURS, WANTED, [FAINTER, STRONG], ["0.250 too large", "2.000 too small"]),
    (STRANGE, WANTED, [STRONG] * 3, ["", "0.500 too large", ""]),  # nothing is further off
    (MASKED_ENTRY, WANTED, [], [""]),  # it keeps its hatch
    (ONE_IN_SIGHT, torch.zeros(20, 20), [STRONG], ["0.500 too large"]),  # only what is shown counts
    (torch.ones(2, 3), torch.ones(3, 2), [], []),
    ([[1.0, -2.0]], [[1.0, 1.5]], [STRONG], ["3.500 too small"]),
    ([[7, 1]], [[5, 1]], [STRONG], ["2 too large"]),
    ([[1.0003, 1.0]], [[1.0, 1.0]], [STRONG], ["0.0003 too large"]),
    ([[3e6, 1.0]], [[1.0, 1.0]], [STRONG], ["3.0e+06 too large"]),
    ([[True, False]], [[False, False]], [], [""]),
    ([[1 + 1j, 1]], [[2 + 2j, 1]], [], [""]),
]


@pytest.mark.parametrize(("yours", "wanted", "tints", "words"), TINTS)
@pytest.mark.filterwarnings("ignore:Casting complex values")
def test_the_tint_says_how_far_off_an_entry_is_and_the_page_tells_it(yours, wanted, tints, words):
    page = both_html(picture(yours, wanted))
    assert shades(page) == [round(255 * tint) for tint in tints]
    assert told(page) == words
    assert (PAIR in page) == (torch.as_tensor(yours).shape == torch.as_tensor(wanted).shape)


def test_the_target_has_no_tint_and_tints_are_explained_where_they_differ():
    mine, wanted = both_html(picture()).split("<caption")[1:]
    assert len(shades(mine)) == 2
    assert shades(wanted) == []
    assert OFF not in wanted
    assert "the stronger the tint, the further off" in wanted
    page = both_html(picture(WANTED + 1))
    assert set(shades(page)) == {round(255 * STRONG)}
    assert "tint" not in page


@pytest.mark.parametrize("theme", THEMES)
def test_numbers_are_read_on_the_strongest_tint(theme):
    text, ground, tint = (
        [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)] for colour in (*THEMES[theme], EMPHASIS)
    )
    mixed = [STRONG * a + (1 - STRONG) * b for a, b in zip(tint, ground, strict=True)]
    assert contrast((text, mixed)) >= 4.5


# ---- the script


def shown(result, monkeypatch):
    """The card's HTML as a notebook gets it."""
    pages = []
    monkeypatch.setattr(card, "display_both", lambda page, text: pages.append(page))
    card.show(result)
    return pages[0]


def test_a_card_has_the_script_only_where_there_are_two_tables_to_compare(monkeypatch):
    def of(drawn):
        return shown(Result("softmax", False, "no", picture=drawn), monkeypatch)

    assert of(picture()).count("<script>") == 1
    assert "<script" not in of(None)
    assert "<script" not in of(picture(torch.ones(2, 3), torch.ones(3, 2)))
    assert "<script" not in card.as_html(Result("softmax", False, "no", picture=picture()))
    assert len(SCRIPT) < 2500


@pytest.fixture
def page(open_page, request, monkeypatch):
    item = shown(Result("softmax", False, "no", picture=picture()), monkeypatch)
    return open_page(item, item, **getattr(request, "param", {}))


def tables(page):
    return page.page.locator("table")


def entry(page, table, row, column):
    return tables(page).nth(table).locator("tr").nth(row + 1).locator("td").nth(column)


def lit(page):
    """(table, text) of each entry that is lit, in the order of the page."""
    return page.page.eval_on_selector_all(
        "table",
        """tables => tables.flatMap((table, k) => [...table.querySelectorAll('td')]
            .filter(cell => cell.style.boxShadow).map(cell => [k, cell.textContent]))""",
    )


def line(page, which=0):
    return page.page.locator("[aria-live]").nth(which).inner_text()


def test_an_entry_lights_up_with_its_twin(page):
    entry(page, 0, 0, 1).hover()
    assert lit(page) == [[0, "≠0.750"], [1, "0.500"]]
    assert line(page) == "row 0, column 1: yours 0.750, expected 0.500: 0.250 too large"
    entry(page, 1, 1, 1).hover()  # in the target, too
    assert lit(page) == [[0, "≠2.000"], [1, "4.000"]]
    assert line(page) == "row 1, column 1: yours 2.000, expected 4.000: 2.000 too small"
    entry(page, 0, 1, 2).hover()
    assert line(page) == "row 1, column 2: yours 5.000, expected 5.000, correct"
    assert line(page, 1).startswith("Point at an entry")  # one card does not light another
    entry(page, 2, 0, 1).hover()
    assert lit(page)[-2:] == [[2, "≠0.750"], [3, "0.500"]]
    assert page.page.locator("[aria-live]").count() == 2


def test_the_keyboard_begins_at_the_first_wrong_entry(page):
    page.press("Tab")
    assert line(page).startswith("row 0, column 1: yours 0.750")
    page.press("ArrowDown")
    assert line(page).startswith("row 1, column 1: yours 2.000")
    for _ in range(3):  # it stays within the table
        page.press("ArrowLeft")
    assert line(page).startswith("row 1, column 0: yours 3.000")
    page.press("ArrowUp", "ArrowUp")
    assert line(page).startswith("row 0, column 0: yours 1.000")
    page.press("Tab")  # one stop for each card
    assert lit(page)[-1] == [3, "0.500"]


@pytest.mark.parametrize("page", [{"width": 380, "touch": True}], indirect=True)
def test_a_finger_reads_an_entry(page):
    entry(page, 0, 0, 1).tap()
    assert line(page) == "row 0, column 1: yours 0.750, expected 0.500: 0.250 too large"


@pytest.mark.parametrize("page", [{"scripts": False}], indirect=True)
def test_without_scripts_the_card_is_whole(page):
    assert page.page.locator("[aria-live]").count() == 0
    assert entry(page, 0, 0, 1).inner_text() == "≠0.750"
    colour = entry(page, 0, 0, 1).evaluate("cell => getComputedStyle(cell).backgroundColor")
    assert colour != "rgba(0, 0, 0, 0)"
    assert page.page.locator("table").count() == 4


def test_dots_of_a_cut_table_are_no_entries(open_page, monkeypatch):
    wanted = torch.zeros(8, 24)
    yours = wanted.clone()
    yours[1, 20] = 0.5
    cut = Result("softmax", False, "no", picture=picture(yours, wanted))
    page = open_page(shown(cut, monkeypatch))
    page.press("Tab")
    assert line(page) == "row 1, column 20: yours 0.500, expected 0: 0.500 too large"
    for _ in range(12):
        page.press("ArrowLeft")
    assert line(page).startswith("row 1, column 12:")
    tables(page).first.locator("td", has_text="…").first.hover()
    assert line(page).startswith("row 1, column 12:")
