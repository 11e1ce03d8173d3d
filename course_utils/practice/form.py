"""A question as ipywidgets: letters to choose from or a box to type in, "sure / not sure", and its card.

In: a Question. Out: a widget. It runs with ipywidgets 7.7.1 (Colab) and 8.
"""

from ipywidgets import HTML, Button, HBox, Text, ToggleButtons, VBox

from ..show.tables import tag
from .answer import answer_card
from .wording import as_html, as_markdown

PLACEHOLDERS = {"number": "one number", "shape": "a shape, such as (7, 8, 9)", "text": "a word or two"}
TEXT = "line-height:1.45;max-width:60em"
SHORT = 18  # letters of a choice that fits on its button


class Form:
    """widget: what is displayed. field: where the answer is given. sure: how sure. card: what is said."""

    def __init__(self, question, again=False):
        self.question = question
        self.field = field_for(question)
        self.sure = ToggleButtons(
            options=[("sure", True), ("not sure", False)],
            index=None,
            style={"button_width": "auto"},
            layout={"margin": "2px 1em"},
        )
        self.button = Button(description="Answer", button_style="primary", layout={"width": "auto"})
        self.card = HTML(layout={"margin": "0"})
        self.button.on_click(self.answer)
        if isinstance(self.field, Text):
            self.field.on_msg(self.entered)
        row = HBox([self.field, self.sure, self.button], layout={"flex_flow": "row wrap"})
        self.widget = VBox([HTML(heading(question, again)), row, self.card])

    def entered(self, _, content, buffers=None):
        """Enter was pressed in the box."""
        if content.get("event") == "submit":
            self.answer()

    def answer(self, _=None):
        self.card.value, _ = answer_card(self.question, self.field.value, self.sure.value)


def field_for(question):
    """Letters for a choice, with their texts where these are short; a box for the rest."""
    if question.kind == "choice":
        texts = [plain_text(choice) for choice in question.choices]
        short = max(map(len, texts)) <= SHORT
        labels = [f"{n} · {text}" if short else n for n, text in zip(question.letters, texts, strict=True)]
        options = list(zip(labels, question.letters, strict=True))
        return ToggleButtons(options=options, index=None, style={"button_width": "auto"})
    hint = PLACEHOLDERS.get(question.kind, f"such as {' '.join(question.letters)}")
    return Text(placeholder=hint, layout={"width": "18em"})


def heading(question, again):
    """In full when it is asked again, or has drawn numbers; else folded, as it stands above the cell."""
    page = as_html(as_markdown(question, again))
    if again or question.numbers:
        return tag("div", TEXT, page)
    summary = tag("summary", "opacity:.75;cursor:pointer", f"{question.name}: the question once more")
    return tag("details", TEXT, summary + tag("div", "padding:.6em 0", page))


def plain_text(choice):
    return choice.replace("`", "").replace("**", "").strip()
