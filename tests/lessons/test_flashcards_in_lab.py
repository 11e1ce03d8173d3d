"""Flashcards in JupyterLab in a real browser: a card is answered with keys and clicks, and is kept."""

import json

import pytest

from tests.tools.executed import save

from .conftest import notebook_of

pytestmark = [pytest.mark.system, pytest.mark.xdist_group("browser")]
CELLS = 'from course_utils import flashcards\n\nflashcards("heads")', 'flashcards("fill_with_zero")'


def test_cards_are_answered_turned_and_rated(lab):
    work, opened_at = lab
    save(notebook_of(*CELLS), work / "flashcards" / "flashcards.ipynb")
    opened = opened_at("flashcards/flashcards.ipynb")
    try:
        opened.run_all()
        heads, zero = (opened.page.locator(".jp-CodeCell").nth(n) for n in range(2))
        heads.get_by_role("button", name="Show the answer").click()
        heads.get_by_text("It keeps the scores from overflowing.").wait_for()
        heads.get_by_role("button", name="partly").click()
        heads.get_by_role("button", name="Next card").click()
        heads.get_by_text("2 of 5 · heads").wait_for()
        zero.get_by_role("textbox").last.fill("1")
        zero.get_by_role("textbox").last.press("Enter")
        zero.get_by_text("Right", exact=True).wait_for()
        zero.locator("summary").click()
        zero.get_by_text("A large negative number also works").wait_for(state="visible")
    finally:
        opened.close()
    assert opened.said == []
    lines = (work / "flashcards" / ".progress" / "predictions.jsonl").read_text().splitlines()
    saved = [(line["name"], line["right"]) for line in map(json.loads, lines)]
    assert saved == [("card:variance_of_a_score", False), ("card:fill_with_zero", True)]
