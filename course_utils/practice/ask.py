"""Shows a question or a flashcard: as a form in a notebook, elsewhere as text with the call to type."""

from ..show.card import display_both, in_notebook
from ..show.tables import tag
from . import log
from .card import Card, as_html, verdict
from .drawn import for_asking
from .judge import judge
from .typed import example


class Asked:
    """A question of a lesson, as it is asked now.

    question: how an answer is judged; None: nothing can judge it. page, text: what is asked, as HTML and as
    text. how: what to type without widgets. ways: what can be done now besides answering, {a button's
    words: (what is typed instead, a call)}. The calls return [Card], or raise a Refusal.
    """

    ways = {}

    def __init__(self, question, again=False):
        self.question, self.text = question, question.as_markdown(again)
        self.page, self.how = as_html(self.text), f"To answer, {example(question)}."
        if not again and not question.numbers:  # the lesson's text has the prompt above
            summary = tag("summary", "opacity:.75;cursor:pointer", f"{question.name}: the question once more")
            folded = tag("details", "", summary + tag("div", "padding:.6em 0", as_html(question.prompt)))
            self.page = folded + as_html(question.choices_as_markdown())

    def answer(self, typed):
        return [answer_card(self.question, typed)]


def ask(question, again=False):
    """Show one question, with the numbers of this visit."""
    show(Asked(for_asking(question), again))


def show(asked):
    """Show a form. Outside a notebook, or if ipywidgets is missing or too old, show a page that names the
    call to type."""
    how = Card().say(asked.how)
    page, text = asked.page + how.page, f"{asked.text}\n\n{how.text}"
    try:
        if in_notebook():
            from IPython.display import display

            from .forms import Form

            view = {"version_major": 2, "version_minor": 0, "model_id": Form(asked).widget.model_id}
            display({"text/plain": text, "application/vnd.jupyter.widget-view+json": view}, raw=True)
            return
    except (ImportError, AttributeError, TypeError):  # ipywidgets is missing, or too old
        pass
    display_both(page, text)


def answer_card(question, typed):
    """Judge what was typed, record the result, and return its Card. What is no answer is not recorded."""
    judged = judge(question, typed)
    note = log.remember(log.Fact(question.name, log.now(), judged.right))
    card = verdict(judged.right, question.name, f"you said {judged.answer}").markdown(judged.reason)
    again = "" if judged.right else "Answer again as often as you like. The question comes back after a day."
    return card.quiet(judged.axis, again, note)
