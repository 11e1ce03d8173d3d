"""The cards in a browser: they fit a phone, and code that is copied has no line numbers."""

import pytest

from course_utils.practice.interview.hunt.cards import hint_card, program_card, skipped_card, verdict_card
from course_utils.practice.interview.hunt.files import load
from course_utils.practice.interview.hunt.hunter import Hunt, example
from tests.tools.page import Page

pytestmark = [pytest.mark.system, pytest.mark.xdist_group("browser")]


def cards_of(name):
    """All cards of one program."""
    hunt = Hunt(load(name))
    hunt.start_clock(5)
    given = example(hunt.program)
    made = [program_card(hunt), hint_card(hunt), skipped_card(hunt, given)]
    made += [verdict_card(hunt, hunt.guess(line, given), line) for line in (1, hunt.program.bug)]
    return [page for page, _ in made]


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("name", ["future_hidden", "decoder_in_steps", "blocks_of_memory", "low_enough"])
def test_cards_fit_a_phone(chromium, name, dark):
    page = Page(chromium, *cards_of(name), width=380, dark=dark)
    assert page.page.evaluate("document.documentElement.scrollWidth") == 380
    page.close()


def test_numbers_stand_beside_their_lines_and_are_not_copied(chromium):
    program = load("decoder_in_steps")
    page = Page(chromium, program_card(Hunt(program))[0], width=380)
    numbers, code = page.page.locator("pre").all()
    assert numbers.inner_text().split() == [str(n + 1) for n in range(len(program.lines))]
    assert code.inner_text() == "\n".join(program.lines)
    assert numbers.bounding_box()["height"] == pytest.approx(code.evaluate("one => one.scrollHeight"), abs=1)
    page.page.evaluate("getSelection().selectAllChildren(document.body)")
    assert "import math\nimport torch\n" in page.page.evaluate("getSelection().toString()")
    assert "\n34\n35\n" not in page.page.evaluate("getSelection().toString()")
    page.close()
