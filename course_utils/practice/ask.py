"""Show a question: with widgets in a notebook, as text with what to type elsewhere."""

from ..show.card import display_both, in_notebook
from .cards import sentence
from .drawn import for_asking
from .typed import example
from .wording import as_html, as_markdown

HOW = "To answer, {}; add `sure=True` or `sure=False` if you like."


def ask(question, again=False):
    """Show one question, with the numbers of this visit; the answer is given in its form, or typed."""
    question = for_asking(question)
    form = make_form(question, again) if in_notebook() else None
    if form is not None:
        show_form(form, as_text(question, again))
        return
    how, _ = sentence(HOW.format(example(question)))
    display_both(as_html(as_markdown(question, again)) + how, as_text(question, again))


def as_text(question, again=False):
    return f"{as_markdown(question, again)}\n\n{HOW.format(example(question))}"


def make_form(question, again):
    """The question's form; None where ipywidgets is missing or does not work."""
    try:
        from .form import Form

        return Form(question, again)
    except Exception:  # an ipywidgets that does not fit: the typed way works everywhere
        return None


def show_form(form, text):
    """Display the form, with words where a page cannot show widgets."""
    from IPython.display import display

    view = {"version_major": 2, "version_minor": 0, "model_id": form.widget.model_id}
    display({"text/plain": text, "application/vnd.jupyter.widget-view+json": view}, raw=True)
