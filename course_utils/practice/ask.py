"""A question is shown, and an answer to it judged: with widgets in a notebook, typed elsewhere."""

from ..show.card import display_both, in_notebook
from ..show.tables import tag
from . import log
from .card import Card, Refusal, as_html, verdict
from .drawn import for_asking
from .judge import judge
from .typed import example


def ask(question, again=False):
    """Show one question, with the numbers of this visit; the answer is given in its form, or typed."""
    question = for_asking(question)
    how = f"To answer, {example(question)}; add `sure=True` or `sure=False` if you like."
    text = question.as_markdown(again)
    show_with_form(as_html(text), text, how, "Form", question, again)


def show_with_form(page, text, how, name, *arguments):
    """Show a form of forms.py, with words where a page cannot show widgets; outside a notebook, and where
    ipywidgets is missing or does not fit, the page, and how to type."""
    how = Card().say(how)
    page, text = page + how.page, f"{text}\n\n{how.text}"
    try:
        if in_notebook():
            from IPython.display import display

            from . import forms

            widget = getattr(forms, name)(*arguments).widget
            view = {"version_major": 2, "version_minor": 0, "model_id": widget.model_id}
            display({"text/plain": text, "application/vnd.jupyter.widget-view+json": view}, raw=True)
            return
    except Exception:  # an ipywidgets that does not fit: the typed way works everywhere
        pass
    display_both(page, text)


def check_sure(sure):
    if not (sure is None or isinstance(sure, bool)):
        raise Refusal("`sure` is True or False, or left out: your answer was not counted.")


def answer_card(question, typed, sure=None):
    """Judge what was typed, keep it as a fact, and return its Card; what is no answer is not kept."""
    check_sure(sure)
    judged = judge(question, typed)
    notes = ["You were not sure, but it is right."] if judged.right and sure is False else []
    if not judged.right:
        notes = ["You were sure, so this one is worth remembering."] if sure else []
        notes.append("Answer again as often as you like. The question comes back after a day.")
    notes.append(log.remember(log.Fact(question.name, log.now(), judged.right, sure)))
    card = verdict(judged.right, question.name, f"you said {judged.said}").markdown(judged.reason)
    return card.quiet(judged.axis, *notes)


def heading(question, again):
    """In full when it is asked again, or has drawn numbers; else the choices, and the prompt folded."""
    if again or question.numbers:
        return as_html(question.as_markdown(again))
    summary = tag("summary", "opacity:.75;cursor:pointer", f"{question.name}: the question once more")
    folded = tag("details", "", summary + tag("div", "padding:.6em 0", as_html(question.prompt)))
    return folded + ("" if question.is_short else as_html(question.choices_as_markdown()))
