"""A few cards that are asked one after the other: Cards come in, the Visit that is open goes out."""

from .visit import LAST, Visit


class Round:
    """visits: one for each card. at: which one is open. A form and typed calls share it."""

    def __init__(self, cards, last=LAST):
        self.visits = [Visit(card, n + 1 < len(cards), last) for n, card in enumerate(cards)]
        self.at = 0

    @property
    def visit(self):
        return self.visits[self.at]

    @property
    def place(self):
        return f"{self.at + 1} of {len(self.visits)}" if len(self.visits) > 1 else ""

    def go_on(self):
        """Open the next card; False after the last one."""
        more = self.visit.more
        self.at += more
        return more
