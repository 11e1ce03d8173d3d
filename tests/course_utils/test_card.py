"""The result card: two tables of the slice where yours and the target differ, with numbers and tints."""

import re

import pytest
import torch

from course_utils.model.case import Fact
from course_utils.model.result import Picture, Result
from course_utils.show import card
from course_utils.show.card import HOVER, STATUS, box, bright, code_spans
from course_utils.show.colours import EMPHASIS, LINES, readable
from course_utils.show.tables import STRONG, both_html, both_text

NAN, INF = float("nan"), float("inf")


def picture(yours, wanted, axes="", label="weights"):
    return Picture(Fact(label), torch.as_tensor(yours), torch.as_tensor(wanted), axes.split())


def zeros_but(shape, *places, value=0.25):
    table = torch.zeros(shape)
    for place in places:
        table[place] = value
    return table


YOURS = torch.tensor([[1.0, 0.75, 2.0], [3.0, 2.0, 5.0]])
WANTED = torch.tensor([[1.0, 0.5, 2.0], [3.0, 4.0, 5.0]])
NUMBERS = [[0.5, -0.0, 1e-9, -4.7e-9, NAN, -INF, -3.4e38, 12.0]]
OPEN = torch.zeros(2, 24).bool()
LATE = zeros_but((2, 24), (1, 20)).bool()
EARLY_AND_LATE = zeros_but((2, 24), (1, 20), (1, 3)).bool()
PICTURES = {
    "the first slice that differs": picture(
        zeros_but((2, 3, 2, 2), (1, 2, 0, 1)), torch.zeros(2, 3, 2, 2), "B H T_q T_k"
    ),
    "the further off, the stronger the tint": picture(YOURS, WANTED),
    "everything is off alike": picture(WANTED + 1, WANTED),
    "nothing is off": picture(WANTED, WANTED),
    "a difference in the fourth decimal": picture([[1.0003, 0.5]], [[1.0, 0.5]]),
    "a huge difference": picture([[3e6, 1.0]], [[1.0, 1.0]]),
    "NaN and infinity": picture([[1.0, INF, 2.5], [NAN, 4.0, 5.0]], WANTED),
    "a masked entry, hatched without a tint": picture([[-INF, 0.5, 2.0], [3.0, 4.0, 5.0]], WANTED),
    "a mask": picture([[True, False]], [[False, False]], label="mask"),
    "numbers of every kind": picture(NUMBERS, NUMBERS),
    "whole numbers": picture([[7, 1]], [[5, 1]]),
    "complex numbers": picture([[1 + 1j, 1]], [[2 + 2j, 1]]),
    "other dtypes": picture(torch.ones(1, 2).half(), torch.zeros(1, 2).double()),
    "bools where numbers are expected": picture(torch.ones(1, 2).bool(), torch.zeros(1, 2)),
    "another shape": picture(torch.ones(2, 3), torch.ones(3, 2), "T_q T_k"),
    "a vector": picture(torch.ones(2), torch.zeros(2)),
    "a number": picture(1.0, 2.0),
    "an empty table": picture(torch.ones(0, 3), torch.ones(2, 3)),
    "nothing at all": picture(torch.ones(0), torch.ones(0)),
    "a wide table, cut from its first difference on": picture(LATE, OPEN, "T_q T_k", "mask"),
    "a high table, cut from its first difference on": picture(LATE.T, OPEN.T, label="mask"),
    "a cut table whose first part differs": picture(EARLY_AND_LATE, OPEN, label="mask"),
    "differences out of sight count for no tint": picture(
        zeros_but((2, 15), (0, 0)) + zeros_but((2, 15), (1, 14), value=100), torch.zeros(2, 15)
    ),
    "a name like HTML": picture([[1.0]], [[2.0]], label="<b>"),
}


@pytest.mark.parametrize("name", PICTURES)
@pytest.mark.filterwarnings("ignore:Casting complex values")
def test_the_tables_of_a_card_show_where_and_how_far_off_entries_are(name, snapshot):
    page = both_html(PICTURES[name])
    assert [*both_text(PICTURES[name]), *page.replace("<t", "\n<t").splitlines()] == snapshot


@pytest.mark.parametrize(
    ("text", "page"),
    [
        ("the maximum *along dim*, not", "the maximum <em>along dim</em>, not"),
        ("it is *x* < 1", "it is <em>x</em> &lt; 1"),
        ("2 * B * H and a*b*c", "2 * B * H and a*b*c"),
        ("f(*args, **more)", "f(*args, **more)"),
        ("(*shape, *rest)", "(*shape, *rest)"),
    ],
)
def test_starred_words_become_emphasis_but_products_and_code_do_not(text, page):
    assert code_spans(text) == page
    assert ">x *y* z<" in code_spans("write `x *y* z`")


# ---- colours and accessibility


def rgb(colour):
    """The three channels, from 0 to 1."""
    return torch.tensor([int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)])


def mixture(share, colour, background):
    return share * rgb(colour) + (1 - share) * rgb(background)


def contrast(*colours):
    """The contrast ratio as WCAG defines it."""
    linear = [torch.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4) for c in colours]
    low, high = sorted(float(c @ torch.tensor([0.2126, 0.7152, 0.0722])) for c in linear)
    return (high + 0.05) / (low + 0.05)


THEMES = {
    "light": ("#212121", "#FFFFFF"),
    "dark": ("#FFFFFF", "#111111"),
    "dark in Colab": ("#E3E3E3", "#1E1E1E"),
}


@pytest.mark.parametrize("theme", THEMES)
def test_coloured_words_and_tinted_numbers_have_contrast_in_every_theme(theme):
    text, ground = THEMES[theme]
    for colour in {colour for _, colour in STATUS.values()} | {EMPHASIS, *LINES}:
        share = int(re.search(r" (\d+)%", readable(colour))[1]) / 100
        assert contrast(mixture(share, colour, text), rgb(ground)) >= 4.5
        assert bright(colour, "Right") == f'<span style="{readable(colour)}">Right</span>'  # no CSS filter
    assert contrast(rgb(text), mixture(STRONG, EMPHASIS, ground)) >= 4.5


def test_a_card_has_the_status_role_no_output_below_and_scrolling_tables():
    assert box("#0b7a4b", "").startswith('<div role="status"')
    assert Result("softmax", True, "")._ipython_display_() is None
    page = both_html(picture(torch.rand(3, 10), torch.zeros(3, 10)))
    assert page.count("max-width:100%;overflow-x:auto") == 2


# ---- pointing at an entry reads it out


@pytest.fixture
def card_page(monkeypatch):
    """card_page(yours, wanted) returns a card's HTML as a notebook gets it; card_page(), without tables."""
    pages = []
    monkeypatch.setattr(card, "display_both", lambda page, text: pages.append(page))

    def show(*tables):
        card.show(Result("softmax", False, "no", picture=picture(*tables) if tables else None))
        return pages[-1]

    return show


def test_a_card_has_a_script_only_if_it_compares_two_tables(card_page):
    assert card_page(YOURS, WANTED).count("<script>") == 1
    assert "<script" not in card_page()
    assert "<script" not in card_page(torch.ones(2, 3), torch.ones(3, 2))
    assert HOVER.stat().st_size < 2500


@pytest.fixture
def page(open_page, request, card_page):
    two_cards = [card_page(YOURS, WANTED)] * 2
    return open_page(*two_cards, **getattr(request, "param", {}))


def entry(page, table, row, column):
    return page.page.locator("table").nth(table).locator("tr").nth(row + 1).locator("td").nth(column)


def highlighted_entries(page):
    """(table, text) of each highlighted entry, in the order of the page."""
    return page.page.eval_on_selector_all(
        "table",
        """tables => tables.flatMap((table, k) => [...table.querySelectorAll('td')]
            .filter(cell => cell.style.boxShadow).map(cell => [k, cell.textContent]))""",
    )


def line(page, index=0):
    return page.page.locator("[aria-live]").nth(index).inner_text()


def test_hovering_an_entry_highlights_it_in_both_tables(page):
    entry(page, 0, 0, 1).hover()
    assert highlighted_entries(page) == [[0, "≠0.750"], [1, "0.500"]]
    assert line(page) == "row 0, column 1: yours 0.750, expected 0.500: 0.250 too large"
    entry(page, 1, 1, 1).hover()  # pointing at the target works, too
    assert highlighted_entries(page) == [[0, "≠2.000"], [1, "4.000"]]
    assert line(page) == "row 1, column 1: yours 2.000, expected 4.000: 2.000 too small"
    entry(page, 0, 1, 2).hover()
    assert line(page) == "row 1, column 2: yours 5.000, expected 5.000, correct"
    assert line(page, 1).startswith("Point at an entry")  # one card does not highlight entries of another
    entry(page, 2, 0, 1).hover()
    assert highlighted_entries(page)[-2:] == [[2, "≠0.750"], [3, "0.500"]]
    assert page.page.locator("[aria-live]").count() == 2


def test_arrow_keys_move_from_the_first_wrong_entry_within_the_table(page):
    page.press("Tab")
    assert line(page).startswith("row 0, column 1: yours 0.750")
    page.press("ArrowDown")
    assert line(page).startswith("row 1, column 1: yours 2.000")
    page.press(*["ArrowLeft"] * 3)  # the focus stays in the table
    assert line(page).startswith("row 1, column 0: yours 3.000")
    page.press("ArrowUp", "ArrowUp")
    assert line(page).startswith("row 0, column 0: yours 1.000")
    page.press("Tab")  # each card is one tab stop
    assert highlighted_entries(page)[-1] == [3, "0.500"]


@pytest.mark.parametrize("page", [{"width": 380, "touch": True}], indirect=True)
def test_tapping_an_entry_reads_it_out(page):
    entry(page, 0, 0, 1).tap()
    assert line(page) == "row 0, column 1: yours 0.750, expected 0.500: 0.250 too large"


@pytest.mark.parametrize("page", [{"scripts": False}], indirect=True)
def test_without_scripts_a_card_still_shows_its_tables(page):
    assert page.page.locator("[aria-live]").count() == 0
    assert entry(page, 0, 0, 1).inner_text() == "≠0.750"
    assert page.page.locator("table").count() == 4


def test_the_ellipsis_of_a_cut_table_is_not_an_entry(open_page, card_page):
    wanted = torch.zeros(8, 24)
    yours = wanted.index_put((torch.tensor(1), torch.tensor(20)), torch.tensor(0.5))
    page = open_page(card_page(yours, wanted))
    page.press("Tab")
    assert line(page) == "row 1, column 20: yours 0.500, expected 0: 0.500 too large"
    page.press(*["ArrowLeft"] * 12)
    assert line(page).startswith("row 1, column 12:")
    page.page.locator("td", has_text="…").first.hover()
    assert line(page).startswith("row 1, column 12:")
