"""The cards of an interview: the task, the verdict on an answer, the final sheet, the model solutions."""

import html

from ...show.tables import tag
from ..card import PRE, QUIET, Card
from ..clock import add_clock, minutes
from .texts import QUESTIONS, notes, solution, text

MINE, OURS = "yours", "a model solution"
COLUMN = "flex:1 1 24em;min-width:0;margin-right:1em"


def task_card(session, lines=()):
    """The current part of an interview, with its clock."""
    topic, part = session.topic, session.part
    card = Card(f"{topic.title}, part {session.stage + 1} of {len(topic.parts)}: {part.name}")
    add_clock(card, session)
    if part.question:
        question = QUESTIONS[part.question]
        sample = '"a"' if question.kind == "choice" else "7"
        card.markdown(question.as_markdown()).quiet(text("how_to_answer", sample))
    else:
        card.say(part.text)
        card.say(text("offer" if len(part.stubs) == 1 else "offers"))
        for stub in part.stubs:
            card.code(stub)
        card.quiet(text("how_to_hand_in"))
        card.quiet(
            text("blocked", ", ".join(f"`{name}`" for name in part.ready_made)) if part.ready_made else ""
        )
    return card.quiet(text("more"), *lines)


def forms_card(part, sentence, line):
    """What to do with a program that has none of a part's forms: the forms, and the line that adapts it."""
    card = Card(text("which_form")).say(sentence, text("adapt")).code(line)
    card.quiet(text("adapt_layers") if "layers=" in line else None).say(text("or_forms"))
    for stub in part.stubs:
        card.code(stub)
    return card


def sheet_card(session, lines=()):
    """The sheet of an interview: the time, the result of each part, what to revise."""
    rows, revise = session.rows()
    day = f"{session.start.astimezone():%d %B %Y, %H:%M}"
    card = Card(f"{session.topic.title}: {minutes(session.spent)} of {minutes(session.minutes)}", day)
    card.table(rows, ("part", "", "tries", "mistakes"))
    again = f"Revise: {'; '.join(revise)}." if revise else text("nothing_to_revise")
    return add_clock(card.say(again).quiet(*lines), session)


def solutions_card(topic, programs, only=None):
    """Model solutions of all parts (or one) next to the learner's, and what an interviewer listens for;
    an empty Card without a solution. programs: {index of a part: source}. only: a part's index."""
    parts = [
        (n, part)
        for n, part in enumerate(topic.parts)
        if only in (None, n) and solution(topic.name, part.name)
    ]
    if not parts:
        return Card()
    card = Card(f"{topic.title}: model solution{'s' * (len(parts) > 1)}")
    for number, part in parts:
        columns = {MINE: programs.get(number, ""), OURS: solution(topic.name, part.name)}
        pairs = [(head, program) for head, program in columns.items() if program]
        pre = {head: tag("pre", PRE, html.escape(program.rstrip())) for head, program in pairs}
        page = "".join(tag("div", COLUMN, tag("div", QUIET, head) + code) for head, code in pre.items())
        page = tag("div", "display:flex;flex-wrap:wrap", page)
        head = tag("summary", "cursor:pointer;margin-top:.4em", f"<b>{html.escape(part.name)}</b>")
        folded = f"<details{' open' * (len(parts) == 1)}>{head}{page}</details>"
        lines = [line for head, program in pairs for line in (f"{head}:", *program.splitlines())]
        card.add(folded, f"{part.name}", *lines)
    return card.points(text("listen"), notes()[topic.name]["listen"])
