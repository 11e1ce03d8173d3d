"""The cards of an interview, as (HTML, text): a task, what is said of a try, and the sheet at the end."""

import html

from ...show.card import STATUS, box, bright, code_spans
from ...show.crash import crash_html, crash_text
from ...show.tables import tag
from ..wording import as_html, as_markdown
from .clock import clock_html, until
from .questions import QUESTIONS
from .topics import REVISE, TOPICS

BLUE = "#3568a8"
HOW = (
    "Write it in a cell of its own, with any names, in NumPy or PyTorch, and run that cell. Then run "
    "`interview.check(NAME)`, where NAME is your function or class."
)
MORE = "`interview.skip()` goes on, `interview.stop()` ends it, `interview()` shows this card again."
HOW_TO_ANSWER = "Answer with `interview.answer({})`."
QUIET = "margin-top:.35em;opacity:.85"


def paragraphs(lines, style="margin-top:.35em"):
    return "".join(tag("div", style, code_spans(line)) for line in lines if line)


def task_card(interview, left, notes=()):
    """The stage that an interview is at, with its clock."""
    topic = TOPICS[interview.topic]
    number = interview.stage()
    stage = topic.stages[number]
    head = f"{topic.title}, part {number + 1} of {len(topic.stages)}: {stage.name}"
    page = tag("div", "", bright(BLUE, html.escape(head), "b")) + clock_html(interview)
    lines = [head, f"{minutes(left)} left, {until(interview)}"]
    if stage.question:
        question = QUESTIONS[stage.question]
        how = HOW_TO_ANSWER.format('"a"' if question.kind == "choice" else "7")
        page += as_html(as_markdown(question)) + paragraphs([how, MORE], QUIET)
        lines += [as_markdown(question), how, MORE]
    else:
        page += paragraphs([stage.text]) + paragraphs([HOW, MORE], QUIET)
        lines += [stage.text, HOW, MORE]
    page += paragraphs(notes, QUIET)
    return box(BLUE, page), "\n".join([*lines, *notes])


def minutes(number):
    """'12 minutes', '1 minute', 'less than a minute'."""
    whole = round(number)
    return "less than a minute" if number < 1 else "1 minute" if whole == 1 else f"{whole} minutes"


def verdict_card(judgement, name, notes=()):
    """What is said of a try."""
    word, colour = STATUS["passed" if judgement.right else "wrong"]
    if judgement.question:
        word, colour = "One question", BLUE
    sentences = [one.replace("NAME", name) for one in judgement.sentences]
    page = tag("div", "", f"{bright(colour, word, 'b')} <b>{html.escape(name)}</b>") + paragraphs(sentences)
    lines = [f"{word}: {name}", *sentences]
    if judgement.crash:
        page += crash_html(judgement.crash)
        lines += crash_text(judgement.crash)
    if judgement.printed:
        page += tag("div", QUIET + ";font-size:90%", "Your code printed:")
        page += tag(
            "pre", "margin:0;opacity:.85;white-space:pre-wrap", html.escape(judgement.printed.rstrip())
        )
        lines += ["Your code printed:", judgement.printed.rstrip()]
    page += paragraphs(notes, QUIET)
    return box(colour, page), "\n".join([*lines, *notes])


def answer_card(verdict, notes=()):
    """What is said of an answer to a question."""
    word, colour = STATUS["passed" if verdict.right else "wrong"]
    said = tag("span", "opacity:.75", f"you said {html.escape(verdict.said)}")
    again = [] if verdict.right else ["Answer again as often as you like: the clock runs."]
    page = tag("div", "", f"{bright(colour, word, 'b')} {said}") + as_html(verdict.reason)
    page += paragraphs([*again, *notes], QUIET)
    return box(colour, page), "\n".join(
        [f"{word}  (you said {verdict.said})", verdict.reason, *again, *notes]
    )


# ---- the sheet


def sheet_rows(interview):
    """[(stage, what became of it, tries, mistakes by name)] and what to revise."""
    topic = TOPICS[interview.topic]
    rows, revise = [], []
    for number, stage in enumerate(topic.stages):
        events = [event for event in interview.events if event.get("stage") == number]
        tries = [event for event in events if event["event"] in ("try", "answer")]
        mistakes = list(dict.fromkeys(event["mistake"] for event in tries if event.get("mistake")))
        done = any(event.get("right") for event in events)
        skipped = any(event["event"] == "skip" for event in events)
        state = "right" if done else "skipped" if skipped else "not yet right" if tries else "not reached"
        rows.append((stage.name, state, len(tries), [one.replace("_", " ") for one in mistakes]))
        if not done or any(not event.get("right") for event in tries):
            revise += [REVISE.get(one, stage.revise) for one in mistakes]
            revise += [] if done and mistakes else [stage.revise]
    return rows, [one for one in dict.fromkeys(revise) if one]


def sheet_card(interview, notes=()):
    """Time, tries, mistakes by name, what was not reached, what to revise."""
    topic = TOPICS.get(interview.topic)
    if topic is None:
        return box(BLUE, html.escape(interview.topic)), interview.topic
    rows, revise = sheet_rows(interview)
    day = f"{interview.start.astimezone():%d %B %Y, %H:%M}"
    head = f"{topic.title}: {minutes(interview.spent())} of {minutes(interview.minutes)}"
    page = tag("div", "", f"{bright(BLUE, html.escape(head), 'b')} {tag('span', 'opacity:.75', day)}")
    page += table(rows)
    again = f"Revise: {'; '.join(revise)}." if revise else "Nothing to revise: all of it was right at once."
    page += paragraphs([again]) + paragraphs(notes, QUIET)
    lines = [f"{head}  ({day})", *map(row_text, rows), again, *notes]
    return box(BLUE, page), "\n".join(lines)


def row_text(row):
    stage, state, tries, mistakes = row
    some = f", {tries} {'try' if tries == 1 else 'tries'}" if tries else ""
    return f"  {stage}: {state}{some}{' (' + ', '.join(mistakes) + ')' if mistakes else ''}"


def table(rows):
    cell = "border:0;background:none;text-align:left;vertical-align:top;padding:.1em 1em .1em 0"
    heads = "".join(tag("th", f"{cell};opacity:.75", text) for text in ("part", "", "tries", "mistakes"))
    body = "".join(
        tag("tr", "background:none", "".join(tag("td", cell, html.escape(str(text))) for text in texts))
        for texts in (
            (stage, state, tries or "", ", ".join(mistakes)) for stage, state, tries, mistakes in rows
        )
    )
    return tag(
        "div",
        "overflow-x:auto;margin-top:.35em",
        tag("table", "border-collapse:collapse", tag("tr", "background:none", heads) + body),
    )
