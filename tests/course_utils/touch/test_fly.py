"""The flying-numbers picture shows every stage as torch computes it."""

import pytest
import torch

from autograder.exercises import load
from course_utils import check
from course_utils.diagnose.visible import assess_visible
from course_utils.show import arrangement
from course_utils.show.arrangement import arrangement_of
from course_utils.touch.fly import fly_arrangement, fly_numbers


def order(page):
    return [int(number) for number in page.data("order").split()]


# ---- from x to the heads and back


@pytest.mark.parametrize("sizes", [(4, 3, 2), (5, 4, 3), (1, 3, 2), (5, 1, 4)])
def test_every_stage_and_the_wrong_view_equal_torchs(open_page, sizes):
    T, H, d_head = sizes
    x = torch.arange(T * H * d_head).view(T, H * d_head)
    page = open_page(fly_numbers(*sizes))
    bands, wrong = x.view(T, H, d_head), x.view(H, T, d_head)
    right = bands.transpose(0, 1)
    stages = [x, bands, right, bands, x]
    lines = page.page.locator("button:has(code)")
    assert lines.count() == len(stages)
    for line, stage in zip(lines.all(), stages, strict=True):
        line.click()
        assert order(page) == stage.flatten().tolist()
        assert line.get_attribute("aria-pressed") == "true"
        assert str(tuple(stage.shape)) in line.inner_text()
    lines.nth(2).click()
    for _ in range(2):  # a second press changes nothing
        page.button("wrong view").click()
        pressed = [button.inner_text() for button in page.page.locator(".row [aria-pressed=true]").all()]
        assert pressed == ["wrong view"]
        assert order(page) == wrong.flatten().tolist()
    in_place = int((wrong == right).sum())
    assert int(page.data("placed")) == in_place
    assert f"{in_place} of {x.numel()} numbers" in page.page.locator(".live").inner_text()
    lines.last.click()
    back = wrong.transpose(0, 1).reshape(T, H * d_head)
    assert order(page) == back.flatten().tolist()
    assert int(page.data("placed")) == int((back == x).sum())
    page.button("right view").click()
    assert int(page.data("placed")) == x.numel()


def test_numbers_are_drawn_in_the_order_of_the_stage(open_page):
    page = open_page(fly_numbers(4, 3, 2))
    page.frame()
    spots = {
        int(cell.get_attribute("aria-label").split(":")[0]): cell.locator("rect").bounding_box()
        for cell in page.page.locator("svg g[role=img]").all()
    }
    rows = sorted(spots, key=lambda number: (round(spots[number]["y"]), spots[number]["x"]))
    assert rows == torch.arange(24).view(4, 3, 2).transpose(0, 1).flatten().tolist()


def test_playing_ends_in_the_original_order(open_page):
    page = open_page(fly_numbers(2, 2, 1))
    page.page.locator("button:has(code)").first.click()
    page.button("play").click()
    page.page.wait_for_function("+document.querySelector('.live').dataset.at > 1")
    page.page.wait_for_function("document.querySelector('.live').dataset.at === '4'", timeout=20_000)
    assert order(page) == [0, 1, 2, 3]


def test_keys_move_the_stage_the_sizes_and_the_followed_number(open_page):
    page = open_page(fly_numbers(4, 3, 2))
    page.button("wrong view").click()
    stage = page.page.get_by_role("slider", name="stage")
    stage.focus()
    page.press("Home")
    assert page.data("at") == "0"
    assert stage.get_attribute("aria-valuetext") == "x (4, 6)"
    page.press("ArrowRight")
    assert stage.get_attribute("aria-valuetext") == "between x and .view(3, 4, 2)"
    page.press("End")
    page.page.get_by_role("slider", name="H", exact=True).focus()
    page.press("ArrowLeft")
    assert len(order(page)) == 4 * 2 * 2
    page.page.locator("button:has(code)").nth(1).click()
    page.page.get_by_label("0: token 0, band 0").focus()
    page.press("ArrowRight", "ArrowRight")
    page.frame()
    assert "2 is of token 0, band 1. It is at [0, 1, 0]; its place is [1, 0, 0]." in (
        page.page.locator(".live").inner_text()
    )


def test_sizes_that_are_too_large_are_refused():
    with pytest.raises(ValueError, match="the largest are"):
        fly_numbers(9, 3, 2)


# ---- below a card

X = torch.arange(765.0, 885.0, dtype=torch.float64).view(2, 5, 12)  # the check's own input
WANTED = X.view(2, 5, 3, 4).transpose(1, 2)


def wrong_view(x, num_heads):
    B, T, D = x.shape
    return x.reshape(B, num_heads, T, D // num_heads)


def test_a_learners_result_is_shown_next_to_the_wanted_arrangement(open_page):
    yours = wrong_view(X, 3).requires_grad_()
    page = open_page(fly_arrangement("split_heads", X, yours, WANTED))
    assert order(page) == yours[0].flatten().tolist()
    assert int(page.data("placed")) == int((yours[0] == WANTED[0]).sum())
    page.page.get_by_role("button", name="wanted", exact=True).click()
    assert page.page.locator(".row [aria-pressed=true]").inner_text() == "wanted"
    assert order(page) == WANTED[0].flatten().tolist()
    page.page.locator("button:has(code)").first.click()
    assert order(page) == X[0].flatten().tolist()


def test_a_result_of_another_shape_is_shown_without_a_count(open_page):
    page = open_page(fly_arrangement("split_heads", X, WANTED.flatten(0, 1), WANTED), width=380)
    assert order(page) == WANTED.flatten().tolist()
    assert page.data("placed") == ""
    assert "The expected shape is (2, 3, 5, 4)" in page.page.locator(".live").inner_text()
    assert page.overall_width() <= 380


NO_ARRANGEMENT = {"transposed_before_view", "only_first_head", "heads_averaged", "heads_summed"}


@pytest.mark.parametrize("name", ["split_heads", "merge_heads"])
def test_every_declared_mistake_that_rearranges_numbers_has_a_picture(name):
    for mistake, _, (implementation, *_) in load(name).mistakes:
        result = assess_visible(name, implementation)
        piece = arrangement_of(result)
        assert (piece is None) == (mistake in NO_ARRANGEMENT), mistake
        if piece:
            numbers = [number + piece.data["first"] for number in piece.data["yours"]["order"]]
            assert numbers == result.picture.yours.flatten().tolist()[: len(numbers)]


@pytest.mark.parametrize(
    "wrong",
    [
        lambda x, num_heads: None,
        lambda x, num_heads: x[:, :2],
        lambda x, num_heads: x * 2,
        lambda x, num_heads: x * float("nan"),
        lambda x, num_heads: x.to(torch.bfloat16),
        lambda x, num_heads: x.to(torch.complex64),
        lambda x, num_heads: x.flatten(),  # one row of 120
        lambda x, num_heads: x.new_zeros(()),
        lambda x, num_heads: 1 / 0,
    ],
)
def test_a_result_that_is_no_rearrangement_has_no_picture(wrong):
    assert arrangement_of(assess_visible("split_heads", wrong)) is None


def test_a_notebook_shows_the_picture_below_the_card_if_there_is_one(monkeypatch, tmp_path):
    outputs = []
    monkeypatch.setattr("IPython.display.display", lambda *things, **_: outputs.extend(things))
    monkeypatch.setattr("course_utils.show.card.in_notebook", lambda: True)
    monkeypatch.setattr("course_utils.show.card.running_cell", lambda: "")
    monkeypatch.setattr(arrangement, "in_notebook", lambda: True)
    monkeypatch.chdir(tmp_path)  # where a right answer is saved
    check("split_heads", wrong_view)
    card, piece = outputs
    assert "touch" not in card["text/html"]
    assert piece.data["name"] == "split_heads"
    check("split_heads", load("split_heads").implementation)
    check("softmax", lambda x, dim=-1: x)
    monkeypatch.setattr(arrangement, "PICTURE", "course_utils.touch.not_there")  # a notebook without it
    check("split_heads", wrong_view)
    assert len(outputs) == 5
