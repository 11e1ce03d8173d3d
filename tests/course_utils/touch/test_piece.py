"""What all pictures share: they stand alone, survive hostile text, and leave a still without scripts."""

import pytest

from course_utils.touch.piece import FOLDER, Piece, in_base64, literal, looks
from course_utils.touch.query import drag_query
from tools.draw_touch_gallery import pieces

SHARED = 25_000  # bytes
NAMES = ["drag_query", "drag_width", "paint_mask", "fly_numbers", "trace_number", "cache_theatre"]
NAMES += ["scrub_training", "explore_heads"]


def test_shared_script_and_style_are_small():
    assert sum((FOLDER / name).stat().st_size for name in ("base.js", "base.css")) <= SHARED


def test_a_notebook_gets_html_and_words():
    both = drag_query()._repr_mimebundle_()
    assert both["text/plain"].startswith("Picture: a query and three keys")
    assert both["text/html"].startswith('<div class="touch"')

    assert drag_query().html() != drag_query().html()  # each has an id of its own


def test_hostile_text_stays_text_in_a_literal_and_what_json_cannot_hold_is_refused():
    assert "<" not in literal({"token": "</script><script>alert(1)</script>", "line": "\u2028"})
    with pytest.raises(ValueError, match="JSON"):
        literal([float("nan")])


def test_the_scale_of_weights_goes_from_white_to_dark_blue():
    first, last = looks()["weights"][0], looks()["weights"][-1]
    assert min(first) > 240
    assert max(last) < 120
    assert last[2] == max(last)


def test_a_script_that_fails_leaves_the_still(open_page, monkeypatch, tmp_path):
    whole = Piece("query.js", {"mode": "drag"}, f"data:image/svg+xml;base64,{in_base64(b'<svg/>')}", "words")
    page = open_page(whole)
    assert page.page.locator(".touch-still").is_visible()
    assert any("undefined" in text for text in page.wrong)
    page.wrong.clear()


def test_a_page_that_holds_one_picture_twice_starts_both(open_page):
    text = drag_query().html()
    page = open_page(text, text)
    assert page.numbers("weights", 0) == page.numbers("weights", 1)


@pytest.fixture(scope="module")
def every_piece():
    new = {function.__name__: piece for function, piece in pieces().items()}
    assert sorted(new) == sorted(NAMES)
    return new


@pytest.mark.parametrize("name", NAMES)
def test_without_scripts_the_still_is_seen(open_page, every_piece, name):
    image = open_page(every_piece[name], scripts=False).page.locator(".touch-still img")
    assert image.is_visible()
    assert image.evaluate("image => image.naturalWidth") > 300
    assert image.get_attribute("alt") == every_piece[name].words


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("width", [840, 380])
def test_each_lives_in_a_sandboxed_frame(open_page, every_piece, name, width):
    """As in Colab, whose frames may run scripts and nothing else. The keys reach it; nothing sticks out."""
    inner = every_piece[name].html().replace("&", "&amp;").replace('"', "&quot;")
    frame = f'<iframe sandbox="allow-scripts" width="{width}" height="1400" srcdoc="{inner}"></iframe>'
    page = open_page(frame, width=width + 40, height=1500)
    within = page.page.frames[1]
    within.wait_for_selector(".touch .live")
    assert within.locator(".touch-still").is_hidden()
    assert within.evaluate("document.documentElement.scrollWidth") <= width
    within.locator(".touch :is(button, select, input, [tabindex='0'])").first.focus()
    page.press("ArrowRight")
