import numpy as np

from course_utils.touch.query import KEYS, VALUES, attend, drag_query, drag_width


def softmax(scores):
    powers = np.exp(scores - scores.max())
    return powers / powers.sum()


def drag(page, name, point):
    """Drag the handle of this name to a point, given in the plane's units."""
    plane = page.page.locator(".touch svg").first.bounding_box()
    grip = page.page.get_by_role("slider", name=name, exact=True).locator("circle").first.bounding_box()
    scale = plane["width"] / 320
    page.page.mouse.move(grip["x"] + grip["width"] / 2, grip["y"] + grip["height"] / 2)
    page.page.mouse.down()
    x, y = plane["x"] + scale * (130 + 84 * point[0]), plane["y"] + scale * (190 - 84 * point[1])
    page.page.mouse.move(x - 9, y + 4)
    page.page.mouse.move(x, y)
    page.page.mouse.up()


def test_weights_and_output_follow_a_dragged_query_and_key(open_page):
    page = open_page(drag_query())
    np.testing.assert_allclose(page.numbers("weights"), [0.2119, 0.2119, 0.5761], atol=1e-4)
    np.testing.assert_allclose(page.numbers("mixed"), [5, 5], atol=1e-3)
    drag(page, "query", (1.5, -0.5))
    drag(page, "key cat", (-1.0, 0.5))
    keys = np.array([KEYS[0], [-1.0, 0.5], KEYS[2]])
    weights = softmax(keys @ np.array([1.5, -0.5]))
    np.testing.assert_allclose(page.numbers("weights"), weights, atol=2e-4)
    np.testing.assert_allclose(page.numbers("mixed"), weights @ np.array(VALUES), atol=2e-3)


def test_the_query_and_the_masks_are_reached_by_keyboard(open_page):
    page = open_page(drag_query())
    query = page.page.get_by_role("slider", name="query", exact=True)
    query.focus()
    page.press("ArrowLeft", "ArrowUp")
    np.testing.assert_allclose(page.numbers("weights"), softmax(np.array(KEYS) @ [0.9, 1.1]), atol=2e-4)
    assert query.get_attribute("aria-valuetext") == "0.90, 1.10"
    page.button("sat: score").focus()
    page.press("Space")
    np.testing.assert_allclose(page.numbers("weights"), [*softmax(np.array([0.9, 1.1])), 0], atol=2e-4)


def test_tapping_masks_a_key_and_handles_are_large_enough(open_page):
    page = open_page(drag_query(), width=400, touch=True)
    page.button("sat: score").tap()
    np.testing.assert_allclose(page.numbers("weights"), [0.5, 0.5, 0], atol=1e-4)
    box = page.page.get_by_role("slider", name="query", exact=True).locator("circle").first.bounding_box()
    assert box["width"] >= 30
    assert page.overall_width() <= 400


def test_a_fully_masked_row_is_nan(open_page):
    page = open_page(drag_query(masked=[0, 1]))
    assert page.numbers("weights") == [0, 0, 1]
    page.button("sat: score").click()
    assert page.data("weights") == "NaN NaN NaN"
    assert "0 divided by 0" in page.sentence()


def test_large_scores_overflow_only_without_the_maximum(open_page):
    page = open_page(drag_query(big=True))
    page.button("scores × 10 000").click()
    assert page.numbers("weights") == [0, 0, 1]
    page.button("subtract the maximum").click()
    assert page.data("weights") == "NaN NaN NaN"
    assert "too large for float32" in page.sentence()
    page.button("reset").click()
    np.testing.assert_allclose(page.numbers("weights"), attend(0, [])[1], atol=1e-4)


def test_scaling_by_the_root_keeps_wide_heads_from_saturating(open_page):
    page = open_page(drag_width())
    slider = page.page.get_by_role("slider", name="d_head")
    slider.fill("1")
    plain, scaled = page.numbers("largest")
    assert plain == scaled
    largest = []
    for _ in range(12):
        slider.fill("512")
        largest.append(page.numbers("largest"))
        page.button("draw another").click()
    plain, scaled = np.mean(largest, axis=0)
    assert plain > 0.85 > 0.6 > scaled
