"""The picture on a card: the place where yours and the target differ, in numbers that show that they do."""

import pytest
import torch

from course_utils.model.case import Fact
from course_utils.model.result import Picture
from course_utils.show.card import code_spans
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
        "wanted: (2, 3, 2, 2) at [1, 2]",
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
        (1e-9, "1.0e-09"),
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
    told = both_text(picture(yours, wanted, ["T_q", "T_k"]))
    page = both_html(picture(yours, wanted, ["T_q", "T_k"]))
    assert str(tuple(yours.shape)) in told[0]
    assert page.count("<table") == 2
    assert page.count("<tr") <= 2 * 13


def test_labels_are_escaped():
    assert "<b>" not in both_html(picture(torch.ones(1, 1), torch.zeros(1, 1), label="<b>"))


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
def test_starred_words_stand_out_and_products_stay(text, page):
    assert code_spans(text) == page


def test_stars_in_code_stay():
    assert ">x *y* z<" in code_spans("write `x *y* z`")
