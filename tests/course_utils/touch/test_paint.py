from itertools import product

import pytest
import torch

from autograder.exercises import load
from course_utils import standins
from course_utils.touch.paint import BOTH, CACHED, CAUSAL, PADDING, mask_of, paint_mask
from course_utils.touch.piece import read_asset

# All sizes for which the page's masks are compared with those of the exercise.
SIZES = {
    CAUSAL: [{"T_q": q, "T_k": k} for q, k in product(range(1, 7), repeat=2)],
    PADDING: [{"B": 2, "max_len": 5, "length_0": a, "length_1": b} for a, b in product(range(6), repeat=2)],
    CACHED: [{"T_q": q, "cache_len": c} for q, c in product(range(1, 5), range(5))],
    BOTH: [{"T": T, "length": n} for T in range(2, 6) for n in range(1, T + 1)],
}
RULES = (
    "(() => {{ const touch = {{ picture() {{}} }}; {script}; return (name, sizes) => {{"
    "const kind = KINDS[name], of = rule => maskBy(rule, kind, sizes);"
    "return {{ right: of(kind.right), known: Object.fromEntries(Object.entries(kind.known)"
    ".map(([key, [rule, words]]) => [key, [of(rule), words]])) }}; }}; }})()"
)


def cell(page, i, j, index=0):
    """Return the grid's cell in row i and column j."""
    return page.page.get_by_role("grid").nth(index).locator("tr:has(td)").nth(i).locator("td").nth(j)


def paint(page, mask):
    """Click every cell in which the mask differs from the drawing."""
    rows = page.data("painted").split()
    for i, row in enumerate(mask.tolist()):
        for j, masked in enumerate(row):
            if masked != (rows[i][j] == "1"):
                cell(page, i, j).click()


def press(page, name):
    page.button(name).click()
    page.frame()


def check(page):
    press(page, "check my drawing")
    return page.data("verdict"), page.sentence()


def wrong_mask(implementation, name, sizes):
    """The mask of a wrong implementation, with axes for batch and heads added where it lacks them."""

    def with_all_axes(*arguments, **keywords):
        mask = implementation(*arguments, **keywords)
        return mask[None, None] if name == BOTH and mask.dim() == 2 else mask

    return mask_of(with_all_axes, name, sizes).tolist()


@pytest.fixture
def rules(open_page):
    """rules(name, sizes) returns the page's right mask and, for known mistakes, {name: [mask, sentence]}."""
    page = open_page("")
    script = RULES.format(script=read_asset("paint.js"))
    return lambda name, sizes: page.page.evaluate(f"([name, sizes]) => {script}(name, sizes)", [name, sizes])


# ---- the page's rules equal those of the exercises


@pytest.mark.parametrize("name", SIZES)
def test_the_pages_masks_and_mistakes_equal_those_of_the_exercise(rules, name):
    mistakes = {mistake.name: mistake for mistake in reversed(load(name).mistakes)}
    for sizes in SIZES[name]:
        in_page = rules(name, sizes)
        assert in_page["right"] == mask_of(load(name).implementation, name, sizes).tolist()
        assert len(in_page["known"]) >= 7
        for key, (mask, words) in in_page["known"].items():
            assert words.split(":")[0] == mistakes[key].sentence.split(":")[0]
            assert mask == wrong_mask(mistakes[key].implementations[0], name, sizes), (key, sizes)


# ---- painting


def test_the_right_mask_is_recognised_only_once_it_is_painted(open_page):
    page = open_page(paint_mask(CAUSAL, 4, 6))
    assert page.data("painted") == " ".join(["000000"] * 4)
    assert page.page.locator("td.masked").count() == 0
    assert all(text == "" for text in page.page.locator("td").all_inner_texts())
    paint(page, torch.ones(4, 6, dtype=torch.bool).triu(1))
    verdict, words = check(page)
    assert verdict == "right"
    assert words.startswith("Right: query i may attend to key i")
    assert cell(page, 1, 1).evaluate("cell => cell.style.boxShadow") != ""
    cell(page, 0, 0).click()
    assert page.data("verdict") == ""


def test_a_wrong_drawing_gets_its_mistakes_name_or_its_first_wrong_row(open_page):
    page, both = open_page(paint_mask(CAUSAL, 5, 5)), open_page(paint_mask(BOTH, 4, [2]))
    assert check(page)[0] == "nothing_masked"
    queries = torch.ones(4, 4).triu(1).bool() | (torch.arange(4) > 1)[:, None]
    odd = torch.ones(5, 5).triu(1).bool()
    odd[1] = ~odd[1]
    for grid_page, mask, name, words in (
        (page, torch.ones(5, 5).triu(0).bool(), "diagonal_masked", "Not yet: the diagonal is masked too"),
        (both, queries, "padding_on_queries", "must mask keys, the columns"),
        (
            page,
            odd,
            "other",
            "right rows, 4 of 5. Look at query 1: a key of its future is open, and a key",
        ),
    ):
        paint(grid_page, mask)
        verdict, message = check(grid_page)
        assert verdict == name
        assert words in message


def test_dragging_paints_all_cells_on_the_way_or_clears_them(open_page):
    page = open_page(paint_mask(CAUSAL, 4, 6))

    def drag(start, end):
        (x, y), (to_x, to_y) = ((b["x"] + 9, b["y"] + 9) for b in (start.bounding_box(), end.bounding_box()))
        page.page.mouse.move(x, y)
        page.page.mouse.down()
        page.page.mouse.move(to_x, to_y)
        page.page.mouse.up()

    drag(cell(page, 0, 1), cell(page, 0, 5))
    assert page.data("painted").split()[0] == "011111"
    drag(cell(page, 0, 2), cell(page, 0, 3))
    assert page.data("painted").split()[0] == "010011"
    drag(cell(page, 0, 0), cell(page, 3, 3))
    assert page.data("painted") == "110011 010000 001000 000100"
    press(page, "clear")
    assert "1" not in page.data("painted")


def test_cells_are_painted_and_announced_by_keyboard(open_page):
    page = open_page(paint_mask(CAUSAL, 2, 2))
    cell(page, 0, 0).focus()
    page.press("ArrowRight", "Space")
    assert page.data("painted") == "01 00"
    assert cell(page, 0, 1).get_attribute("aria-label") == "query 0, key 1: masked"
    assert page.sentence() == "query 0, key 1: grey. 1 grey in all."
    page.press("Enter")
    assert page.data("painted") == "00 00"
    cell(page, 1, 0).evaluate("cell => cell.click()")  # a screen reader clicks like this
    assert page.data("painted") == "00 10"


def test_tapping_paints_cells_on_a_narrow_page(open_page):
    pieces = [paint_mask(CAUSAL, 3, 3), paint_mask(CACHED, 5, 11, 6)]
    page = open_page(*pieces, width=380, touch=True)
    cell(page, 0, 2).tap()
    assert page.data("painted") == "001 000 000"
    assert cell(page, 0, 2).bounding_box()["width"] >= 30
    assert page.overall_width() <= 380


# ---- sliders, and a function's mask over the drawing


def test_length_sliders_update_the_mask_of_the_laid_over_function(open_page):
    page = open_page(paint_mask(PADDING, [4, 2], 6, mine=standins.create_padding_mask))
    press(page, "lay create_padding_mask over it")
    assert "".join(page.page.locator("td").all_inner_texts()) == "FFFFTTFFTTTT"
    page.page.get_by_role("slider", name="length of example 0").fill("0")
    page.page.get_by_role("slider", name="length of example 1").fill("6")
    assert "".join(page.page.locator("td").all_inner_texts()) == "TTTTTTFFFFFF"
    assert page.page.locator("td.lit").count() == 0
    paint(page, torch.tensor([[True] * 5 + [False], [False] * 6]))
    assert page.page.locator("td.lit").count() == 1
    assert "differ in 1 cell, outlined. The function is right." in page.sentence()
    cell(page, 0, 5).click()
    assert "agree in all 12 cells" in page.sentence()
    assert check(page)[0] == "right"


def test_a_wrong_function_is_distinguished_from_a_right_drawing(open_page):
    def not_shifted(T_q, T_k, cache_len):
        return standins.create_causal_mask(T_q, T_k)

    page = open_page(paint_mask(CACHED, 3, 7, 4, mine=not_shifted))
    paint(page, mask_of(standins.create_causal_mask_with_cache, CACHED, {"T_q": 3, "cache_len": 4}))
    assert check(page)[0] == "right"
    press(page, "lay create_causal_mask_with_cache over it")
    assert "differ in 12 cells, outlined. The drawing is right." in page.sentence()
    page.page.get_by_role("slider", name="cache_len").fill("0")
    page.page.get_by_role("slider", name="T_q").fill("1")
    assert page.data("painted") == "0"
    assert check(page) == ("right", "Right: here nothing is masked.")


# ---- bad input


def test_bad_sizes_names_and_functions_are_refused_in_one_sentence():
    for arguments in ((CAUSAL, 9, 4), (CACHED, 4, 13, 9), (PADDING, [1] * 4, 4), (BOTH, 4, [5])):
        with pytest.raises(ValueError, match="A grid has 1 to 8 rows, 1 to 12 columns and up to 3 lengths"):
            paint_mask(*arguments)
    with pytest.raises(ValueError, match=r"does not know 'causal_mask' with the arguments \(4,\)"):
        paint_mask("causal_mask", 4)
    for wrong, words in ((torch.ones(2, 3), r"torch.float32 of shape \(2, 3\)"), (None, "None")):
        with pytest.raises(ValueError, match=f"returned {words}; expected bools of shape"):
            paint_mask(CAUSAL, 2, 3, mine=lambda *sizes, wrong=wrong: wrong)
