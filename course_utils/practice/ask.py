"""A question is shown, and an answer to it judged: with widgets in a notebook, typed elsewhere."""

from ..show.card import display_both, in_notebook
from ..show.tables import tag
from . import log
from .card import Card, as_html, verdict
from .drawn import for_asking
from .judge import judge
from .questions import lesson_here
from .typed import Unreadable, example

HOW = "To answer, {}; add `sure=True` or `sure=False` if you like."
SURE = "`sure` is True or False, or left out: your answer was not counted."
AGAIN = "Answer again as often as you like. The question comes back after a day."
SURE_AND_WRONG = "You were sure, so this one is worth remembering."
RIGHT_AND_UNSURE = "You were not sure, but it is right."


def ask(question, again=False):
    """Show one question, with the numbers of this visit; the answer is given in its form, or typed."""
    question = for_asking(question)
    how = HOW.format(example(question))
    text = f"{question.as_markdown(again)}\n\n{how}"
    form = make_form("Form", question, again)
    if form is not None:
        show_form(form, text)
    else:
        display_both(as_html(question.as_markdown(again)) + Card().say(how).page, text)


def make_form(name, *arguments):
    """A form of forms.py; None outside a notebook, and where ipywidgets is missing or does not fit."""
    if not in_notebook():
        return None
    try:
        from . import forms

        return getattr(forms, name)(*arguments)
    except Exception:  # an ipywidgets that does not fit: the typed way works everywhere
        return None


def show_form(form, text):
    """Display the form, with words where a page cannot show widgets."""
    from IPython.display import display

    view = {"version_major": 2, "version_minor": 0, "model_id": form.widget.model_id}
    display({"text/plain": text, "application/vnd.jupyter.widget-view+json": view}, raw=True)


def answer_card(question, typed, sure=None):
    """Judge what was typed, keep it as a fact, and return its Card; what is no answer is not kept."""
    if not (sure is None or isinstance(sure, bool)):
        return Card().say(SURE)
    try:
        judged = judge(question, typed)
    except Unreadable as unreadable:
        return Card().say(str(unreadable))
    problem = log.remember(log.Fact(question.name, log.now(), judged.right, sure, lesson_here()))
    card = verdict(judged.right, question.name, f"you said {judged.said}").markdown(judged.reason)
    return card.quiet(judged.axis, *footnotes(judged, sure), problem)


def footnotes(judged, sure):
    if judged.right:
        return [RIGHT_AND_UNSURE] if sure is False else []
    return [SURE_AND_WRONG, AGAIN] if sure else [AGAIN]


def heading(question, again):
    """In full when it is asked again, or has drawn numbers; else the choices, and the prompt folded."""
    if again or question.numbers:
        return as_html(question.as_markdown(again))
    summary = tag("summary", "opacity:.75;cursor:pointer", f"{question.name}: the question once more")
    folded = tag("details", "", summary + tag("div", "padding:.6em 0", as_html(question.prompt)))
    return folded + ("" if question.is_short else as_html(question.choices_as_markdown()))
