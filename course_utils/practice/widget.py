"""Turn an Asked (ask.py) into a widget, for ipywidgets 7.7.1 (Colab) and 8."""

from ipywidgets import HTML, Button, HBox, Text, ToggleButtons, VBox

from ..show.tables import tag
from . import log
from .card import Card, Refusal
from .questions import words

WRAP = {"flex_flow": "row wrap"}


class QuestionWidget:
    """box: the whole widget. field: input for an answer. card: the replies. below: buttons under them.
    still: the class of an element that is hidden while the widget is alive."""

    def __init__(self, asked):
        self.asked, self.box = asked, VBox()
        self.still = f"still-{self.box.model_id}"
        self.open()

    def open(self):
        """Show the prompt, with no reply yet."""
        self.card, self.below, fields = HTML(layout={"margin": "0"}), HBox(layout=WRAP), []
        if self.asked.question:
            self.field = field_for(self.asked.question, self.answer)
            fields = [HBox([self.field, button("Answer", self.answer, "primary")], layout=WRAP)]
        page = tag("div", "line-height:1.45;max-width:60em", self.asked.page)
        page += f"<style>.{self.still} {{display: none}}</style>"
        self.box.children = [HTML(page), *fields, self.card, self.below]
        self.offer_ways()

    def answer(self):
        self.card.value = ""
        self.act(lambda: self.asked.answer(self.field.value))

    def act(self, action):
        """Run an action and add its Cards, or its Refusal; None means that it opened the next question."""
        try:
            cards = action()
        except Refusal as refusal:
            cards = [Card().say(*refusal.args)]
        if cards is None:
            self.open()
            return
        notes = log.take_notes()
        cards += [Card().say(*notes)] if notes else []
        self.card.value += "".join(card.page for card in cards)
        self.offer_ways()

    def offer_ways(self):
        ways = self.asked.ways.items()
        self.below.children = [button(words, lambda way=way: self.act(way)) for words, (_, way) in ways]


def button(words, action, style=""):
    widget = Button(description=words, button_style=style, layout={"width": "auto"})
    widget.on_click(lambda _: action())
    return widget


def field_for(question, answer):
    """For a choice, letters to press, none pressed at first; else a box in which Enter submits."""
    if question.kind == "choice":
        style, layout = {"button_width": "auto"}, {"margin": "2px 1em 2px 0"}
        return ToggleButtons(options=list(question.letters), index=None, style=style, layout=layout)
    box = Text(placeholder=words(question.kind)["hint"], layout={"width": "18em"})
    box.on_msg(lambda _, content, buffers=None: answer() if content.get("event") == "submit" else None)
    return box
