"""hint(name): show the next hint at each call. Hints climb from a question to a fact to a call; after the
last one, hint offers the worked line, and then shows it."""

from .diagnose.visible import find_sheet
from .model.result import Result
from .show.card import show_text

CLIMB = 3  # hints: a question, a fact, a call; a fourth text is the worked line
OFFER = (
    "Next comes the worked line of {0}, the heart of the answer. Try your own version once more first. "
    "Call hint again to see it."
)
_calls = {}


def hint(name):
    """Show the next hint of the exercise `name`. After the last hint comes the offer of the worked line, then
    the worked line, then the first hint again."""
    sheet = find_sheet(name)
    if isinstance(sheet, Result):
        show_text(sheet.message)
        return
    if not sheet.hints:
        show_text(f"{name} has no hints.")
        return
    hints, worked = sheet.hints[:CLIMB], sheet.hints[CLIMB:]
    number = _calls.get(name, 0) % (len(hints) + 2 * len(worked))
    _calls[name] = number + 1
    if number == len(hints):
        show_text(OFFER.format(name))
    elif number > len(hints):
        show_text(f"The worked line of {name}:", *(f"`{line}`" for line in worked[0].split("\n")))
    else:
        last = "That was the last one." if not worked else "Call hint again to be shown the worked line."
        more = "Call hint again for the next one." if number + 1 < len(hints) else last
        show_text(f"Hint {number + 1} of {len(hints)} for {name}: {hints[number]}", more)
