"""Cards as ipywidgets, one after the other: the question, ways to answer, the back, a rating, the next one.

In: a Round. Out: a widget. It runs with ipywidgets 7.7.1 (Colab) and 8.
"""

from ipywidgets import HTML, Button, HBox, Text, ToggleButtons, VBox

from ...show.tables import tag
from ..form import TEXT, field_for
from .pages import front
from .visit import RATINGS

LABELS = {"knew": "yes", "partly": "partly", "not": "no"}
WRAP = {"flex_flow": "row wrap"}


def button(text, action, style=""):
    made = Button(description=text, button_style=style, layout={"width": "auto"})
    made.on_click(lambda _: action())
    return made


class Form:
    """widget: what is displayed. visit: the card that it asks."""

    def __init__(self, round_):
        self.round = round_
        self.widget = VBox()
        self.open()

    def open(self):
        """Put the open card on the page, with nothing answered yet."""
        self.visit, place = self.round.visit, self.round.place
        self.field = field_for(self.visit.card.check) if self.visit.card.check else None
        self.sure = ToggleButtons(
            options=[("sure", True), ("not sure", False)],
            index=None,
            style={"button_width": "auto"},
            layout={"margin": "2px 1em"},
        )
        if isinstance(self.field, Text):
            self.field.on_msg(self.entered)
        self.card = HTML(layout={"margin": "0"})
        self.below = HBox(layout=WRAP)
        asked = HTML(tag("div", TEXT, front(self.visit.card, place)[0]))
        self.widget.children = [asked, HBox(self.ways(), layout=WRAP), self.card, self.below]

    def ways(self):
        """The widgets to answer with."""
        reveal = button("Show the answer", self.reveal)
        if self.field is None:
            return [reveal]
        return [self.field, self.sure, button("Answer", self.answer, "primary"), reveal]

    def entered(self, _, content, buffers=None):
        """Enter was pressed in the box."""
        if content.get("event") == "submit":
            self.answer()

    def answer(self):
        self.show(self.visit.answer(self.field.value, self.sure.value))

    def reveal(self):
        after_a_miss = self.visit.kept and not self.visit.seen  # then its reason stays above
        self.show(self.visit.reveal(), add=after_a_miss)

    def rate(self, word):
        self.show(self.visit.rate(word), add=True)

    def go_on(self):
        if self.round.go_on():
            self.open()

    def show(self, page, add=False):
        """Put what is said below the question, and below that what can be done now."""
        self.card.value = (self.card.value if add else "") + page[0]
        rate = [HTML("Did you know it?", layout={"margin": "0 .6em 0 0"})]
        rate += [button(LABELS[word], lambda word=word: self.rate(word)) for word in RATINGS]
        onward = [button("Next card", self.go_on, "primary")] if self.visit.more else []
        waits = self.visit.seen and not self.visit.kept
        self.below.children = rate if waits else onward if self.visit.kept else []
