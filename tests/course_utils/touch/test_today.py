"""The pictures of lesson 07 compute what torch computes, and are used by keyboard."""

import pytest
import torch

from course_utils import standins
from course_utils.touch.online import SCORES, VALUES, carried, read_blocks
from course_utils.touch.ring import TOKENS, fill_ring
from course_utils.touch.rope import turn_pairs

NAMES = list(SCORES)


def score(query, key):
    """The score of two vectors with [1, 0] in each of four pairs, rotated by a model answer."""
    x = torch.tensor([1.0] * 4 + [0.0] * 4).expand(1, 1, 1, 8)
    q, k = (standins.apply_rope(x, torch.tensor([position])) for position in (query, key))
    return (q @ k.mT).item()


def test_the_score_of_two_positions_is_apply_ropes(open_page):
    page = open_page(turn_pairs())
    assert page.numbers("score")[0] == pytest.approx(score(5, 2), abs=1e-3)
    for query, key in ((0, 0), (9, 31), (32, 1)):
        page.page.get_by_role("slider", name="query at").fill(str(query))
        page.page.get_by_role("slider", name="key at").fill(str(key))
        assert page.numbers("score")[0] == pytest.approx(score(query, key), abs=1e-3)


def test_moving_both_keeps_the_score_and_stops_at_the_ends(open_page):
    page = open_page(turn_pairs(query=1, key=0))
    page.button("both back").click()
    assert page.data("positions") == "1 0"
    before = page.data("score")
    page.button("both on").focus()
    page.press("Enter", "Space")
    assert page.data("positions") == "3 2"
    assert page.data("score") == before
    page.page.get_by_role("slider", name="key at").focus()
    page.press("ArrowLeft")
    assert page.data("positions") == "3 1"
    assert page.data("score") != before


@pytest.mark.parametrize(("window", "sinks"), [(4, 2), (1, 0), (8, 4), (3, 0)])
def test_the_ring_holds_what_a_ring_cache_returns(open_page, window, sinks):
    page = open_page(fill_ring(window, sinks))
    ring, token = standins.RingKVCache(1, 1, window, 1, sinks=sinks), torch.zeros(1, 1, 1, 1)
    for at in range(TOKENS):
        positions = ring.update(token, token)[2]
        page.page.get_by_role("slider", name="token").fill(str(at))
        assert page.numbers("held") == positions.tolist()
        assert page.data("slot") == ("" if at < sinks else str((at - sinks) % window))


def test_window_and_sinks_change_by_keyboard(open_page):
    page = open_page(fill_ring(4, 2))
    page.page.get_by_role("slider", name="window").focus()
    page.press("ArrowLeft")
    assert page.numbers("held") == [0, 1, 4, 5, 6]
    page.page.get_by_role("slider", name="sinks").focus()
    page.press("ArrowLeft", "ArrowLeft")
    assert page.numbers("held") == [4, 5, 6]


@pytest.mark.parametrize("block", [1, 2, 3, 4])
def test_blocks_give_the_whole_softmax_whatever_the_order(open_page, block):
    page = open_page(read_blocks(block))
    values = torch.tensor(VALUES, dtype=torch.float64)
    for name in NAMES:
        page.page.get_by_role("combobox", name="scores").select_option(name)
        scores = torch.tensor(SCORES[name], dtype=torch.float64)
        states = carried(SCORES[name], block)
        for read, (m, l, o) in enumerate(states, 1):
            page.page.get_by_role("slider", name="blocks read").fill(str(read))
            assert page.numbers("m") == [m]
            assert page.numbers("l") == [pytest.approx(l, abs=1e-4)]
            assert page.numbers("o") == [pytest.approx(o, abs=1e-4)]
            some = scores[: read * block]
            assert o / l == pytest.approx((some.softmax(0) @ values[: len(some)]).item(), rel=1e-12)
        assert page.sentence().endswith(f"o / l = {o / l:.2f} is the output.")


def test_a_larger_maximum_rescales_what_was_carried(open_page):
    page = open_page(read_blocks())
    assert page.sentence().startswith("Nothing is read yet")
    page.page.get_by_role("slider", name="blocks read").focus()
    page.press("ArrowRight", "ArrowRight")
    page.frame()
    assert "m grows from 3 to 5, so l and o are multiplied by 0.135" in page.sentence()
