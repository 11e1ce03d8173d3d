"""Write docs/touch.md with screenshots of the interactive pictures: python -m tools.draw_touch_gallery"""

import inspect
import math
import shutil
from pathlib import Path

import torch

from course_utils import standins, world
from course_utils.touch.cache import cache_theatre
from course_utils.touch.fly import fly_numbers
from course_utils.touch.heads import explore_heads
from course_utils.touch.heads_model import attend
from course_utils.touch.online import read_blocks
from course_utils.touch.paint import paint_mask
from course_utils.touch.query import drag_query, drag_width
from course_utils.touch.ring import fill_ring
from course_utils.touch.rope import turn_pairs
from course_utils.touch.trace import trace_number
from course_utils.touch.training import RUN_TEXT, recorded_run, scrub_training
from tests.tools.lab_in_browser import browser
from tests.tools.page import Page

DOCS = Path(__file__).resolve().parents[1] / "docs"
LONGEST = 100  # characters of an alternative text; a longer one is cut to its first sentence
HEAD = """# Interactive pictures

Each is one piece of HTML that needs no network and no kernel, and responds to mouse, touch and keyboard.
`.venv/bin/python -m tools.draw_touch_gallery` takes these screenshots.
"""


def pieces():
    """Return {function: its Piece}, in the order of the lessons."""
    torch.manual_seed(0)
    X, W = torch.randn(2, 5, 12), torch.randn(4, 12, 12) / math.sqrt(12)
    story = standins.trace_causal_attention(X, *W, num_heads=3)
    text, words = "jumboplanetsplanetsplane", RUN_TEXT.split()
    repeats = world.load("repeated word", standins.MultiHeadSelfAttention)
    return {
        drag_query: drag_query(token=1, masked=[2]),
        paint_mask: paint_mask("create_causal_mask", 4, 6),
        fly_numbers: fly_numbers(T=4, H=3, d_head=2),
        drag_width: drag_width(),
        trace_number: trace_number(story, W_O=W[3], head=1),
        cache_theatre: cache_theatre("the cat sat and purred", [[3, 1, 1], [1, 1, 1, 1, 1]]),
        scrub_training: scrub_training(recorded_run(), words, world.places(words)),
        explore_heads: explore_heads(attend(repeats, repeats.tokens([text]))[0], text, model=repeats),
        turn_pairs: turn_pairs(),
        read_blocks: read_blocks(),
        fill_ring: fill_ring(),
    }


def page(pieces_by_function):
    """Return the text of docs/touch.md."""
    parts = [HEAD]
    for function, piece in pieces_by_function.items():
        sentence = " ".join(inspect.cleandoc(function.__doc__).split("\n\n")[0].split())
        words = piece.words if len(piece.words) < LONGEST else f"{piece.words.partition('.')[0]}."
        picture = f"![{words}](touch/{function.__name__}.png)"
        parts.append(f"## {function.__name__}\n\n{sentence}\n\n{picture}\n")
    return "\n".join(parts)


def main():
    pieces_by_function = pieces()
    (DOCS / "touch").mkdir(exist_ok=True)
    with browser(shutil.which("chromium")) as chromium:
        for function, piece in pieces_by_function.items():
            page_of_piece = Page(chromium, piece, width=820, height=1400)
            page_of_piece.page.wait_for_timeout(300)
            page_of_piece.page.locator(".touch").screenshot(path=DOCS / "touch" / f"{function.__name__}.png")
            page_of_piece.close()
    (DOCS / "touch.md").write_text(page(pieces_by_function), encoding="utf-8")


if __name__ == "__main__":
    main()
