"""Questions and flashcards as ipywidgets, 7.7.1 (Colab) and 8: a Question or a Round comes in, a widget
goes out."""

from ipywidgets import HTML, Button, HBox, Text, ToggleButtons, VBox

from ..show.tables import tag
from .ask import answer_card, heading
from .card import Card, Refusal

HINTS = {"number": "one number", "shape": "a shape, such as (7, 8, 9)", "text": "a word or two"}
TEXT = "line-height:1.45;max-width:60em"
WRAP = {"flex_flow": "row wrap"}
RATINGS = {"knew": "yes", "partly": "partly", "not": "no"}


class Form:
    """widget: what is displayed. field: where the answer is typed. sure: its buttons. card: the card."""

    def __init__(self, question, again=False):
        self.question, self.widget = question, VBox()
        self.open(heading(question, again), question)

    def open(self, page, question, *ways):
        """Put a question on the page, with no answer yet; question: None where nothing can judge it."""
        self.card, self.below = HTML(layout={"margin": "0"}), HBox(layout=WRAP)
        if question:
            self.field, self.sure = field_for(question, self.answer), buttons("sure", "not sure")
            ways = self.field, self.sure, button("Answer", self.answer, "primary"), *ways
        self.widget.children = [HTML(tag("div", TEXT, page)), HBox(ways, layout=WRAP), self.card, self.below]

    def answer(self):
        self.show(lambda: [answer_card(self.question, self.field.value, self.sure.value)])

    def show(self, action, add=False):
        """Put the Cards that an action returns below the question, or what it says instead."""
        try:
            cards = action()
        except Refusal as refusal:
            cards = [Card().say(*refusal.args)]
        self.card.value = (self.card.value if add else "") + "".join(card.page for card in cards)


class CardForm(Form):
    """Flashcards one after the other: the question, ways to answer, the back, a rating, the next one."""

    def __init__(self, round_):
        self.round, self.widget = round_, VBox()
        self.open_card()

    def open_card(self):
        self.visit = self.round.visit
        self.open(self.round.front()[0], self.visit.card.check, button("Show the answer", self.reveal))

    def answer(self):
        self.show(lambda: self.visit.answer(self.field.value, self.sure.value))

    def reveal(self):
        after_a_miss = self.visit.kept and not self.visit.seen  # then its reason stays above
        self.show(self.visit.reveal, add=after_a_miss)

    def rate(self, word):
        self.show(lambda: self.visit.rate(word), add=True)

    def go_on(self):
        if self.round.more:
            self.round.at += 1
            self.open_card()

    def show(self, action, add=False):
        """And below what is said, what can be done now."""
        super().show(action, add)
        rate = [HTML("Did you know it?", layout={"margin": "0 .6em 0 0"})]
        rate += [button(label, lambda word=word: self.rate(word)) for word, label in RATINGS.items()]
        onward = [button("Next card", self.go_on, "primary")] if self.round.more else []
        waits = self.visit.seen and not self.visit.kept
        self.below.children = rate if waits else onward if self.visit.kept else []


def button(text, action, style=""):
    widget = Button(description=text, button_style=style, layout={"width": "auto"})
    widget.on_click(lambda _: action())
    return widget


def buttons(*labels, values=(True, False)):
    """One of them can be pressed, and none is at first."""
    options, style = list(zip(labels, values, strict=True)), {"button_width": "auto"}
    return ToggleButtons(options=options, index=None, style=style, layout={"margin": "2px 1em 2px 0"})


def field_for(question, answer):
    """Letters for a choice, with their texts where these are short; a box for the rest, where Enter
    answers."""
    if question.kind == "choice":
        texts = [choice.replace("`", "").replace("**", "").strip() for choice in question.choices]
        pairs = zip(question.letters, texts, strict=True)
        labels = [f"{n} · {text}" if question.is_short else n for n, text in pairs]
        return buttons(*labels, values=question.letters)
    box = Text(placeholder=HINTS[question.kind], layout={"width": "18em"})
    box.on_msg(lambda _, content, buffers=None: answer() if content.get("event") == "submit" else None)
    return box
