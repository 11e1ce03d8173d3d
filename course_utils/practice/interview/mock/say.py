"""Lines come in, a quiet card is shown."""

from ....show.card import display_both
from ...cards import sentence


def say(*lines):
    """Show those lines that are not empty; nothing where none is left."""
    some = [line for line in lines if line]
    if some:
        display_both(*sentence(*some))
