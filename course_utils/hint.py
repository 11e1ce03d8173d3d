"""hint(name): the next hint, one at each call. They climb: a question, a fact, a call."""

from .diagnose.assess import find_sheet
from .model.result import Result
from .show.card import show_text

_calls = {}


def hint(name):
    """Show the next hint of the exercise `name`; after the last one it starts again."""
    sheet = find_sheet(name)
    if isinstance(sheet, Result):
        show_text(sheet.message)
        return
    if not sheet.hints:
        show_text(f"{name} has no hints.")
        return
    number = _calls.get(name, 0) % len(sheet.hints)
    _calls[name] = number + 1
    more = "Call hint again for the next one." if number + 1 < len(sheet.hints) else "That was the last one."
    show_text(f"Hint {number + 1} of {len(sheet.hints)} for {name}: {sheet.hints[number]}", more)
