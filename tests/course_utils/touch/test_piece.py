"""All interactive pictures work on their own, survive hostile text, and leave a still without scripts."""

import re

import pytest
import torch

from course_utils import standins
from course_utils.touch.cache import cache_theatre
from course_utils.touch.fly import fly_arrangement
from course_utils.touch.heads import explore_heads
from course_utils.touch.paint import CAUSAL, PADDING, paint_mask
from course_utils.touch.piece import Piece, in_base64, js_literal
from course_utils.touch.query import drag_query
from course_utils.touch.training import scrub_training
from tools.draw_touch_gallery import DOCS, pieces

NAMES = ["drag_query", "drag_width", "paint_mask", "fly_numbers", "trace_number", "cache_theatre"]
NAMES += ["scrub_training", "explore_heads", "turn_pairs", "read_blocks", "fill_ring"]
EYE = torch.eye(4)[None]  # one head's weights, (1, T, T)


def test_a_notebook_gets_html_and_a_text_description():
    bundle = drag_query()._repr_mimebundle_()
    assert bundle["text/plain"].startswith("Picture: a query and three keys")
    assert bundle["text/html"].startswith('<div class="touch"')

    assert drag_query().html() != drag_query().html()  # each has its own id
    with pytest.raises(ValueError, match="JSON"):
        js_literal([float("nan")])


@pytest.fixture(scope="module")
def every_piece():
    new = {function.__name__: piece for function, piece in pieces().items()}
    assert sorted(new) == sorted(NAMES)
    return new


def split_in_another_shape():
    x = torch.arange(765, 885).view(2, 5, 12)
    return fly_arrangement("split_heads", x, x.view(2, 5, 3, 4), x.view(2, 5, 3, 4).transpose(1, 2))


VARIANTS = {
    "lengths and a function's own mask": lambda: paint_mask(
        PADDING, [4, 2], 4, mine=standins.create_padding_mask
    ),
    "a function's own mask": lambda: paint_mask(CAUSAL, 3, mine=standins.create_causal_mask),
    "shared kv heads": lambda: cache_theatre(layers=80, heads=64, head_dim=128, kv_heads=8),
    "a static cache": lambda: cache_theatre(max_len=4),
    "a learner's own arrangement": split_in_another_shape,
}
LARGEST = {"explore_heads": 120_000, "trace_number": 90_000}  # characters: with its model, and nine tables


@pytest.mark.parametrize("name", [*NAMES, *VARIANTS])
def test_a_picture_is_small_and_has_its_known_description(every_piece, name, snapshot):
    piece = VARIANTS[name]() if name in VARIANTS else every_piece[name]
    assert piece.words == snapshot
    assert len(piece.html()) < LARGEST.get(name, 60_000)


HOSTILE = (
    "</script><script>document.title='run'</script><img/src=x/onerror=document.title='run'>&amp;\"\u2028"
)
RUN = {0: EYE}, [1.0]  # weights by step, and losses


@pytest.mark.parametrize("scripts", [True, False])
def test_hostile_text_stays_text(open_page, scripts):
    page = open_page(
        explore_heads({HOSTILE: EYE[None]}, [HOSTILE, "a\nb", "  ", HOSTILE]),
        cache_theatre(f"{HOSTILE} $x_{{ extraordinarily", [[1, 1, 1]]),
        scrub_training({HOSTILE: RUN, "other": RUN}, [HOSTILE] * 4, {HOSTILE: [0] * 4}),
        scripts=scripts,
    )
    assert page.page.title() == ""
    assert page.page.locator("img[src=x]").count() == 0
    if scripts:
        page.page.locator("svg g:has(> rect)").first.hover()
        page.page.get_by_role("slider", name="moment").fill("1")
        page.frame()
        assert ["<img" in page.sentence(number) for number in range(2)] == [True, True]
        assert page.page.locator("option").first.inner_text() == HOSTILE


def test_a_failing_script_leaves_the_still_picture(open_page):
    heads = explore_heads(EYE[None], "abcd")
    heads.still = "data:image/png;base64,AAAA"
    drag = Piece("query.js", {"mode": "drag"}, f"data:image/svg+xml;base64,{in_base64(b'<svg/>')}", "words")
    cannot_inflate = "<script>delete window.DecompressionStream</script>"
    page = open_page(cannot_inflate, heads, drag, scrub_training({"run": RUN}, "abcd", {}))
    page.page.wait_for_timeout(200)
    assert [still.is_visible() for still in page.page.locator(".touch-still").all()] == [True] * 3
    assert page.page.locator(".live[data-read], .live[data-step]").count() == 0
    assert len(page.errors) == 2  # the training picture detects that the browser cannot inflate
    page.errors.clear()


def test_a_page_that_holds_one_picture_twice_starts_both(open_page):
    text = drag_query().html()
    page = open_page(text, text)
    assert page.numbers("weights", 0) == page.numbers("weights", 1)


@pytest.mark.parametrize("name", NAMES)
def test_without_scripts_the_still_picture_is_shown(open_page, every_piece, name):
    image = open_page(every_piece[name], scripts=False).page.locator(".touch-still img")
    assert image.is_visible()
    assert image.evaluate("image => image.naturalWidth") > 300
    assert image.get_attribute("alt") == every_piece[name].words


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("width", [840, 380])
def test_every_picture_works_in_a_sandboxed_frame(open_page, every_piece, name, width):
    """As in Colab, whose frames allow scripts only. Keys work inside, and nothing overflows."""
    inner = every_piece[name].html().replace("&", "&amp;").replace('"', "&quot;")
    frame = f'<iframe sandbox="allow-scripts" width="{width}" height="1400" srcdoc="{inner}"></iframe>'
    page = open_page(frame, width=width + 40, height=1500)
    frame_page = page.page.frames[1]
    frame_page.wait_for_selector(".touch .live")
    assert frame_page.locator(".touch-still").is_hidden()
    assert frame_page.evaluate("document.documentElement.scrollWidth") <= width
    frame_page.locator(".touch :is(button, select, input, [tabindex='0'])").first.focus()
    page.press("ArrowRight")


def test_touch_md_shows_every_picture_that_lessons_use(every_piece):
    lessons = "".join(path.read_text(encoding="utf-8") for path in DOCS.parent.glob("solutions/*/*.py"))
    imports = re.findall(r"^from course_utils\.touch\.\w+ import (.+)$", lessons, re.MULTILINE)
    lesson_pieces = {name for line in imports for name in line.split(", ")} - {"Snapshots", "recorded_run"}
    lesson_pieces |= {*re.findall(r"^from course_utils import .*\b(explore_heads)\b", lessons, re.MULTILINE)}
    assert lesson_pieces == {*every_piece}
    text = (DOCS / "touch.md").read_text(encoding="utf-8")
    assert re.findall(r"^## (\w+)$", text, re.MULTILINE) == [*every_piece]
    for picture in re.findall(r"\]\((touch/\w+\.png)\)", text):
        assert (DOCS / picture).read_bytes().startswith(b"\x89PNG")
