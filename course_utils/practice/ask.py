"""Show a question or a flashcard: in a notebook as a widget, elsewhere as text that names the call to type.

Also the lessons' questions as a kind of practice: the names of their facts have no prefix.
"""

from ..show.card import display_both, in_notebook
from ..show.tables import tag
from . import log
from .card import Card, as_html
from .drawn import for_asking
from .questions import example, judge, published
from .schedule import Kind

WAKE = "Run this cell to answer. After a restart, first run the cell with the imports, near the top."
# JupyterLab shows "Loading widget..." for a widget without its kernel: hide that below the still
ASLEEP = ".jp-OutputArea-child:has(.{}) + .jp-OutputArea-child:not(:has(.widget-vbox)) {{display: none}}"
AGAIN = "Answer again as often as you like. The question comes back after a day."
MINUTES = 1


class Asked:
    """What is asked.

    question: judges an answer; None if no program can. page, text: the prompt, as HTML and as text. how: what
    to type without widgets. ways: the actions other than answering, {button label: (the call to type instead,
    function)}. They and answer(typed), of the subclasses, return [Card], or None after opening the next
    question, or raise a Refusal.
    """

    question, page, text, how, ways = None, "", "", "", {}


class LessonQuestion(Asked):
    """again: is it asked again later, away from the lesson, in other words?"""

    def __init__(self, question, again=False):
        self.question, self.text = question, question.as_markdown(again)
        self.page, self.how = as_html(self.text), f"To answer, {example(question)}."
        if not again and not question.numbers:  # the prompt is in the lesson's text above
            summary = tag("summary", "opacity:.75;cursor:pointer", f"{question.name}: the question once more")
            folded = tag("details", "", summary + tag("div", "padding:.6em 0", as_html(question.prompt)))
            self.page = folded + as_html(question.choices_as_markdown())

    def answer(self, typed):
        """Judge the typed answer and record the result. An unreadable answer is not recorded."""
        judged = judge(self.question, typed)
        log.remember(log.Fact(self.question.name, log.now(), judged.right))
        return [judged.card(self.question.name).quiet("" if judged.right else AGAIN)]


def ask(question, again=False):
    """Show one question, with the numbers that are currently drawn for it."""
    show(LessonQuestion(for_asking(question), again))


def show(asked):
    """Show a widget, and the question as HTML, which is saved with the notebook: the widget hides it while it
    is alive; a notebook without its kernel shows it. Outside a notebook, or if ipywidgets is missing or too
    old, show a page that names the call to type."""
    try:
        widget = widget_for(asked) if in_notebook() else None
    except (ImportError, AttributeError, TypeError):  # ipywidgets is missing, or too old
        widget = None
    if widget is None:
        how = Card().say(asked.how)
        display_both(asked.page + how.page, f"{asked.text}\n\n{how.text}")
        return
    from IPython.display import display

    still = f'<div class="{widget.still}">{asked.page}{tag("p", "opacity:.75", WAKE)}</div>'
    still += f"<style>{ASLEEP.format(widget.still)}</style>"
    display_both(still, f"{asked.text}\n\n{WAKE}")
    view = {"version_major": 2, "version_minor": 0, "model_id": widget.box.model_id}
    display({"application/vnd.jupyter.widget-view+json": view}, raw=True)


def widget_for(asked):
    from .widget import QuestionWidget

    return QuestionWidget(asked)


# ---- the kind of practice


def ask_again(names):
    for name in names:
        ask(published()[name], again=True)


def skipped_questions(facts):
    """The names of questions that were skipped: a later one of the same lesson was answered."""
    answered, names, above = {fact.name for fact in facts}, [], {}
    for name, question in published().items():
        above.setdefault(question.lesson, []).append(name)
        if name in answered:
            names += above.pop(question.lesson)
    return names


KIND = Kind(
    prefix="",
    head="Questions",
    minutes=lambda: dict.fromkeys(published(), MINUTES),
    title=lambda name: f"Question: {name.replace('_', ' ')} ({published()[name].lesson})",
    ask=ask_again,
    new=skipped_questions,
)
