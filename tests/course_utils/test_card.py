"""The picture on a card: the place where yours and the target differ, in numbers that show that they do."""

import re

import pytest
import torch

from course_utils.model.case import Fact
from course_utils.model.result import Picture, Result
from course_utils.show.card import STATUS, box, bright, code_spans
from course_utils.show.colours import EMPHASIS, LINES, readable
from course_utils.show.tables import both_html, both_text, number


def picture(yours, wanted, axes=None, label="weights"):
    return Picture(Fact(label), torch.as_tensor(yours), torch.as_tensor(wanted), axes or [])


def test_the_first_slice_that_differs_is_shown_and_named():
    yours, wanted = torch.zeros(2, 3, 2, 2), torch.zeros(2, 3, 2, 2)
    yours[1, 2, 0, 1] = 0.25
    lines = both_text(picture(yours, wanted, ["B", "H", "T_q", "T_k"]))
    assert lines == [
        "yours: weights (2, 3, 2, 2) at [1, 2]",
        "      0 0.250",
        "      0     0",
        "expected: (2, 3, 2, 2) at [1, 2]",
        "  0 0",
        "  0 0",
        "rows T_q, columns T_k",
    ]
    assert both_html(picture(yours, wanted)).count("2px solid") == 2


@pytest.mark.parametrize(("off", "shown"), [(0.25, "1.250"), (3e-4, "1.0003"), (0.0, "1")])
def test_numbers_that_differ_look_different(off, shown):
    yours = torch.tensor([[1 + off, 0.5]], dtype=torch.float64) if off else torch.ones(1, 2)
    wanted = torch.tensor([[1.0, 0.5]], dtype=torch.float64) if off else torch.ones(1, 2)
    page = both_html(picture(yours, wanted))
    assert f">{shown}<" in page
    assert ("2px solid" in page) == bool(off)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.5, "0.500"),
        (-0.0, "0"),
        (1e-9, "0.000"),
        (-4.7e-9, "0.000"),
        (float("nan"), "nan"),
        (float("-inf"), "-inf"),
        (-3.4e38, "-3.4e+38"),
        (True, "T"),
        (7, "7"),
        (12.0, "12.000"),
    ],
)
def test_numbers_are_written_alike(value, shown):
    assert number(torch.tensor(value, dtype=torch.float64 if isinstance(value, float) else None), 3) == shown


@pytest.mark.parametrize(
    ("yours", "wanted"),
    [
        (torch.ones(2, 3), torch.ones(3, 2)),
        (torch.ones(0, 3), torch.ones(2, 3)),
        (torch.tensor(1.0), torch.tensor(2.0)),
        (torch.ones(4), torch.zeros(4)),
        (torch.ones(2, 3, 4, 5), torch.zeros(2, 3, 4, 5)),
        (torch.ones(20, 20), torch.zeros(20, 20)),
        (torch.ones(2, 2, dtype=torch.bool), torch.zeros(2, 2)),
        (torch.full((2, 2), float("nan")), torch.zeros(2, 2)),
        (torch.ones(2, 2, dtype=torch.float16), torch.zeros(2, 2, dtype=torch.float64)),
        (torch.ones(0), torch.ones(0)),
    ],
)
def test_every_shape_and_dtype_can_be_shown(yours, wanted):
    message = both_text(picture(yours, wanted, ["T_q", "T_k"]))
    page = both_html(picture(yours, wanted, ["T_q", "T_k"], label="<b>"))
    assert "<b>" not in page
    assert str(tuple(yours.shape)) in message[0]
    assert page.count("<table") == 2
    assert page.count("<tr") <= 2 * 14


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


def mixed(colour, text, ground):
    """The colour that `readable` comes to in a theme, (r, g, b) from 0 to 1."""
    share = int(re.search(r" (\d+)%", readable(colour))[1]) / 100
    own, text, ground = ([int(c[k : k + 2], 16) / 255 for k in (1, 3, 5)] for c in (colour, text, ground))
    return [share * a + (1 - share) * b for a, b in zip(own, text, strict=True)], ground


def contrast(pair):
    def light(rgb):
        return sum(
            k * (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4)
            for k, c in zip((0.2126, 0.7152, 0.0722), rgb, strict=True)
        )

    low, high = sorted(light(rgb) for rgb in pair)
    return (high + 0.05) / (low + 0.05)


THEMES = {
    "light": ("#212121", "#FFFFFF"),
    "dark": ("#FFFFFF", "#111111"),
    "dark in Colab": ("#E3E3E3", "#1E1E1E"),
}


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("colour", sorted({colour for _, colour in STATUS.values()} | {EMPHASIS, *LINES}))
def test_coloured_words_are_read_in_every_theme(theme, colour):
    assert contrast(mixed(colour, *THEMES[theme])) >= 4.5
    assert bright(colour, "Right") == f'<span style="{readable(colour)}">Right</span>'  # without a filter


def test_a_table_has_a_caption_and_numbers_its_rows_and_columns():
    page = both_html(picture(torch.ones(2, 3), torch.zeros(2, 3)))
    assert re.findall(r"<caption[^>]*>([^<]*)<", page) == [
        "yours: weights (2, 3)",
        "expected: (2, 3)",
    ]
    assert re.findall(r"<th[^>]*>(\d+)<", page) == ["0", "1", "2", "0", "1"] * 2


def test_a_wrong_entry_has_a_sign_beside_its_outline():
    yours = torch.tensor([[1.0, 2.0], [3.0, 4.5]])
    mine, wanted = both_html(picture(yours, torch.tensor([[1.0, 2.0], [3.0, 4.0]]))).split("<caption")[1:]
    assert mine.count("≠") == 1
    assert re.search(r"≠</span>4.500<", mine)
    assert "≠" not in wanted


def test_a_card_is_a_status_nothing_stands_below_it_and_a_wide_table_scrolls_in_it():
    assert box("#0b7a4b", "").startswith('<div role="status"')
    assert Result("softmax", True, "")._ipython_display_() is None
    page = both_html(picture(torch.rand(3, 10), torch.zeros(3, 10)))
    assert page.count("max-width:100%;overflow-x:auto") == 2


def test_a_cut_table_shows_the_first_difference():
    wanted = torch.zeros(8, 24, dtype=torch.bool)
    yours = wanted.clone()
    yours[1, 20] = True
    lines = both_text(picture(yours, wanted, ["T_q", "T_k"], "mask"))
    assert lines[0] == "yours: mask (8, 24), columns from 12"
    assert [line for line in lines[1:9] if "T" in line] == ["  ... F F F F F F F F T F F F"]
    page = both_html(picture(yours, wanted))
    assert page.count("2px solid") == 2
    yours[1, 3] = True  # one that is in the first part: then nothing is moved
    assert both_text(picture(yours, wanted, None, "mask"))[0] == "yours: mask (8, 24)"


def test_nothing_is_outlined_where_everything_differs():
    page = both_html(picture(torch.ones(2, 3), torch.zeros(2, 3)))
    assert "2px solid" not in page
    assert both_html(picture(torch.tensor([[1.0, 2.0]]), torch.tensor([[1.0, 3.0]]))).count("2px solid") == 2
