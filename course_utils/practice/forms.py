"""Questions and flashcards as ipywidgets, 7.7.1 (Colab) and 8: a Question or a Round comes in, a widget
goes out."""

from ipywidgets import HTML, Button, HBox, Text, ToggleButtons, VBox

from ..show.tables import tag
from .ask import answer_card, heading

HINTS = {"number": "one number", "shape": "a shape, such as (7, 8, 9)", "text": "a word or two"}
TEXT = "line-height:1.45;max-width:60em"
WRAP = {"flex_flow": "row wrap"}
RATINGS = {"knew": "yes", "partly": "partly", "not": "no"}


class Form:
    """widget: what is displayed. field: where the answer is typed. sure: its buttons. card: the card."""

    def __init__(self, question, again=False):
        self.question = question
        self.field, self.sure = field_for(question, self.answer), sure_buttons()
        self.card = HTML(layout={"margin": "0"})
        row = HBox([self.field, self.sure, button("Answer", self.answer, "primary")], layout=WRAP)
        self.widget = VBox([HTML(tag("div", TEXT, heading(question, again))), row, self.card])

    def answer(self):
        self.card.value = answer_card(self.question, self.field.value, self.sure.value).page


class CardForm:
    """Flashcards one after the other: the question, ways to answer, the back, a rating, the next one."""

    def __init__(self, round_):
        self.round, self.widget = round_, VBox()
        self.open()

    def open(self):
        """Put the open card on the page, with nothing answered yet."""
        self.visit = self.round.visit
        check = self.visit.card.check
        self.field = field_for(check, self.answer) if check else None
        self.sure, self.card, self.below = sure_buttons(), HTML(layout={"margin": "0"}), HBox(layout=WRAP)
        ways = [self.field, self.sure, button("Answer", self.answer, "primary")] if check else []
        ways.append(button("Show the answer", self.reveal))
        asked = HTML(tag("div", TEXT, self.round.front()[0]))
        self.widget.children = [asked, HBox(ways, layout=WRAP), self.card, self.below]

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

    def show(self, cards, add=False):
        """Put what is said below the question, and below that what can be done now."""
        self.card.value = (self.card.value if add else "") + "".join(card.page for card in cards)
        rate = [HTML("Did you know it?", layout={"margin": "0 .6em 0 0"})]
        rate += [button(label, lambda word=word: self.rate(word)) for word, label in RATINGS.items()]
        onward = [button("Next card", self.go_on, "primary")] if self.round.more else []
        waits = self.visit.seen and not self.visit.kept
        self.below.children = rate if waits else onward if self.visit.kept else []


def button(text, action, style=""):
    widget = Button(description=text, button_style=style, layout={"width": "auto"})
    widget.on_click(lambda _: action())
    return widget


def sure_buttons():
    options = [("sure", True), ("not sure", False)]
    style, layout = {"button_width": "auto"}, {"margin": "2px 1em"}
    return ToggleButtons(options=options, index=None, style=style, layout=layout)


def field_for(question, answer):
    """Letters for a choice, with their texts where these are short; a box for the rest, where Enter
    answers."""
    if question.kind == "choice":
        texts = [choice.replace("`", "").replace("**", "").strip() for choice in question.choices]
        labels = [
            f"{n} · {text}" if question.is_short else n
            for n, text in zip(question.letters, texts, strict=True)
        ]
        options = list(zip(labels, question.letters, strict=True))
        return ToggleButtons(options=options, index=None, style={"button_width": "auto"})
    box = Text(placeholder=HINTS[question.kind], layout={"width": "18em"})
    box.on_msg(lambda _, content, buffers=None: answer() if content.get("event") == "submit" else None)
    return box
