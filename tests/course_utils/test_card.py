"""The card: two tables of the place where yours and the target differ, in numbers and tints that show how."""

import re

import pytest
import torch

from course_utils.model.case import Fact
from course_utils.model.result import Picture, Result
from course_utils.show.card import STATUS, box, bright, code_spans
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


WANTED = torch.tensor([[1.0, 0.5, 2.0], [3.0, 4.0, 5.0]])
NUMBERS = [[0.5, -0.0, 1e-9, -4.7e-9, NAN, -INF, -3.4e38, 12.0]]
LATE = zeros_but((2, 24), (1, 20)).bool()
EARLY_AND_LATE = zeros_but((2, 24), (1, 20), (1, 3)).bool()
PICTURES = {
    "the first slice that differs": picture(
        zeros_but((2, 3, 2, 2), (1, 2, 0, 1)), torch.zeros(2, 3, 2, 2), "B H T_q T_k"
    ),
    "the further off, the stronger the tint": picture([[1.0, 0.75, 2.0], [3.0, 2.0, 5.0]], WANTED),
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
    "a wide table, cut from its first difference on": picture(LATE, LATE & False, "T_q T_k", "mask"),
    "a high table, cut from its first difference on": picture(LATE.T, LATE.T & False, label="mask"),
    "a cut table whose first part differs": picture(EARLY_AND_LATE, LATE & False, label="mask"),
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
def test_starred_words_stand_out_and_products_and_code_stay(text, page):
    assert code_spans(text) == page
    assert ">x *y* z<" in code_spans("write `x *y* z`")


# ---- how it looks, and how it is read aloud


def rgb(colour):
    """From 0 to 1 each."""
    return torch.tensor([int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)])


def mixture(share, colour, other):
    return share * rgb(colour) + (1 - share) * rgb(other)


def contrast(*colours):
    """As WCAG defines it."""
    linear = [torch.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4) for c in colours]
    low, high = sorted(float(c @ torch.tensor([0.2126, 0.7152, 0.0722])) for c in linear)
    return (high + 0.05) / (low + 0.05)


THEMES = {
    "light": ("#212121", "#FFFFFF"),
    "dark": ("#FFFFFF", "#111111"),
    "dark in Colab": ("#E3E3E3", "#1E1E1E"),
}


@pytest.mark.parametrize("theme", THEMES)
def test_coloured_words_and_tinted_numbers_are_read_in_every_theme(theme):
    text, ground = THEMES[theme]
    for colour in {colour for _, colour in STATUS.values()} | {EMPHASIS, *LINES}:
        share = int(re.search(r" (\d+)%", readable(colour))[1]) / 100
        assert contrast(mixture(share, colour, text), rgb(ground)) >= 4.5
        assert bright(colour, "Right") == f'<span style="{readable(colour)}">Right</span>'  # without a filter
    assert contrast(rgb(text), mixture(STRONG, EMPHASIS, ground)) >= 4.5


def test_a_card_is_a_status_nothing_stands_below_it_and_a_wide_table_scrolls_in_it():
    assert box("#0b7a4b", "").startswith('<div role="status"')
    assert Result("softmax", True, "")._ipython_display_() is None
    page = both_html(picture(torch.rand(3, 10), torch.zeros(3, 10)))
    assert page.count("max-width:100%;overflow-x:auto") == 2
