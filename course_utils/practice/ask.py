"""Show a question or a flashcard: in a notebook as a form, elsewhere as text that names the call to type."""

from ..show.card import display_both, in_notebook
from ..show.tables import tag
from . import log
from .card import Card, as_html, verdict
from .drawn import for_asking
from .judge import judge
from .typed import example


class Asked:
    """A lesson's question, ready to be shown.

    question: judges an answer; None if no program can. page, text: the prompt, as HTML and as text. how: what
    to type without widgets. ways: the actions other than answering, {button label: (the call to type instead,
    function)}. They return [Card], or None after opening the next question, or raise a Refusal.
    """

    ways = {}

    def __init__(self, question, again=False):
        self.question, self.text = question, question.as_markdown(again)
        self.page, self.how = as_html(self.text), f"To answer, {example(question)}."
        if not again and not question.numbers:  # the prompt is in the lesson's text above
            summary = tag("summary", "opacity:.75;cursor:pointer", f"{question.name}: the question once more")
            folded = tag("details", "", summary + tag("div", "padding:.6em 0", as_html(question.prompt)))
            self.page = folded + as_html(question.choices_as_markdown())

    def answer(self, typed):
        return [answer_card(self.question, typed)]


def ask(question, again=False):
    """Show one question, with the numbers that are currently drawn for it."""
    show(Asked(for_asking(question), again))


def show(asked):
    """Show a form. Outside a notebook, or if ipywidgets is missing or too old, show a page that names the
    call to type."""
    how = Card().say(asked.how)
    page, text = asked.page + how.page, f"{asked.text}\n\n{how.text}"
    try:
        if in_notebook():
            from IPython.display import display

            from .widget import QuestionWidget

            view = {"version_major": 2, "version_minor": 0, "model_id": QuestionWidget(asked).widget.model_id}
            display({"text/plain": text, "application/vnd.jupyter.widget-view+json": view}, raw=True)
            return
    except (ImportError, AttributeError, TypeError):  # ipywidgets is missing, or too old
        pass
    display_both(page, text)


def answer_card(question, typed):
    """Judge the typed answer, record the result and return a Card. An unreadable answer is not recorded."""
    judged = judge(question, typed)
    note = log.remember(log.Fact(question.name, log.now(), judged.right))
    card = verdict(judged.right, question.name, f"you said {judged.answer}").markdown(judged.reason)
    again = "" if judged.right else "Answer again as often as you like. The question comes back after a day."
    return card.quiet(judged.axis, again, note)
