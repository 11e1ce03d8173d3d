"""A page with scripts reads out the entries of a card's two tables."""

import pytest
import torch

from course_utils.model.case import Fact
from course_utils.model.result import Picture, Result
from course_utils.show import card
from course_utils.show.hover import SCRIPT

WANTED = torch.tensor([[1.0, 0.5, 2.0], [3.0, 4.0, 5.0]])
YOURS = torch.tensor([[1.0, 0.75, 2.0], [3.0, 2.0, 5.0]])


@pytest.fixture
def shown(monkeypatch):
    """shown(yours, wanted): the card's HTML as a notebook gets it; without tables, that of a card without."""
    pages = []
    monkeypatch.setattr(card, "display_both", lambda page, text: pages.append(page))

    def show(*tables):
        picture = Picture(Fact("weights"), *tables, ["T_q", "T_k"]) if tables else None
        card.show(Result("softmax", False, "no", picture=picture))
        return pages[-1]

    return show


def test_a_card_has_the_script_only_where_there_are_two_tables_to_compare(shown):
    assert shown(YOURS, WANTED).count("<script>") == 1
    assert "<script" not in shown()
    assert "<script" not in shown(torch.ones(2, 3), torch.ones(3, 2))
    assert len(SCRIPT) < 2500


@pytest.fixture
def page(open_page, request, shown):
    two_cards = [shown(YOURS, WANTED)] * 2
    return open_page(*two_cards, **getattr(request, "param", {}))


def entry(page, table, row, column):
    return page.page.locator("table").nth(table).locator("tr").nth(row + 1).locator("td").nth(column)


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
    page.press(*["ArrowLeft"] * 3)  # it stays within the table
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
    assert page.page.locator("table").count() == 4


def test_dots_of_a_cut_table_are_no_entries(open_page, shown):
    wanted = torch.zeros(8, 24)
    yours = wanted.index_put((torch.tensor(1), torch.tensor(20)), torch.tensor(0.5))
    page = open_page(shown(yours, wanted))
    page.press("Tab")
    assert line(page) == "row 1, column 20: yours 0.500, expected 0: 0.500 too large"
    page.press(*["ArrowLeft"] * 12)
    assert line(page).startswith("row 1, column 12:")
    page.page.locator("td", has_text="…").first.hover()
    assert line(page).startswith("row 1, column 12:")
