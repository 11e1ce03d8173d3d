"""The interviewer's sheet: a level, a seed and its parts come in, a file to print or to keep open goes out.

For each part: what to ask, what to listen for, follow-ups, hints and when to give them, and the rubric. On
the screen the marks make the line that the candidate types at the end.
"""

import html
from pathlib import Path

from .. import bugs
from ..bugs.program import load
from ..flashcards.deck import decks
from ..interview.questions import QUESTIONS
from .paper import block, bullets, document, pairs, table, text, write
from .plan import levels, paragraphs, topic_of

SCRIPT = Path(__file__).with_name("sheet.js")
START = (
    'The candidate starts with `mock_interview("{}", seed={}, people=2)`, in a notebook on another screen or '
    "in a window without this sheet."
)
INTRO = (
    "The candidate's notebook shows the clock and each question, and nothing else of what is here. Say "
    "when a part is over: the candidate then runs `mock_interview.next()`. Give a hint only when its "
    "moment has come, and note it."
)
RATING = (
    "At the end read the marks out as one line, a group for each part, - for what you leave out. The "
    "candidate types it, and `mock_interview.page()` writes the page. (Ticked on the screen, the "
    "marks fill the line by themselves; in JupyterLab's own viewer only after *Trust HTML*.)"
)
CARD_HEADS = ("question", "answer", "often said instead, and why it is wrong")


def write_sheet(level, seed, parts):
    write(f"interviewer_sheet_{level}_{seed}.html", sheet(level, seed, parts), START.format(level, seed))


def sheet(level, seed, parts):
    """The whole file."""
    head = f"Interviewer's sheet: {levels()[level]['title']}"
    about = f"Seed {seed}, {sum(part.minutes for part in parts):g} minutes"
    body = [f"<h1>{text(head)}</h1><p class=quiet>{about}</p>"]
    body.append(f"<p>{text(START.format(level, seed))} {text(INTRO)}</p>")
    begins = 0
    for number, part in enumerate(parts, 1):
        times = f"<span class=quiet>(minute {begins:g} to {begins + part.minutes:g})</span>"
        title = f"<h2>{text(f'{number}. {part.heading}: {part.title}')} {times}</h2>"
        inner = "".join(block(*one) for one in [*blocks(part), ("Rate", rubric(part, number))])
        body.append(f'<section data-part="{number}">{title}{inner}</section>')
        begins += part.minutes
    blank = " ".join("-" * len(part.criteria) for part in parts)
    line = f'<pre id="line">mock_interview.rate("{blank}")</pre>'
    body.append(block("At the end", f"<p>{text(RATING)}</p>{line}", 2))
    script = f"<script>\n{SCRIPT.read_text(encoding='utf-8')}</script>\n"
    return document(head, "\n".join(body), script)


def blocks(part):
    """[(heading, HTML)] of a part."""
    notes, steps = part.notes, []
    if part.kind == "program" and topic_of(part.names[0]):
        parts = topic_of(part.names[0]).parts
        steps = [
            ("Steps, which the candidate's notebook shows one by one and checks", pairs(map(step, parts)))
        ]
    some = {"hunt": bug_blocks, "cards": card_blocks}.get(part.kind, lambda _: [])(part)
    prompt, answer = notes.get("prompt"), paragraphs(notes.get("answer", ""))
    return [
        ("Ask", f"<p><b>{text(prompt)}</b></p>" if prompt else ""),
        *steps,
        *some,
        ("Listen for", bullets(notes.get("listen", []))),
        ("A model answer", "".join(f"<p>{text(line)}</p>" for line in answer if line)),
        ("Then ask", pairs(notes.get("follow", []))),
        ("Hints, and when", pairs((f"{when}:", hint) for when, hint in notes.get("hints", []))),
    ]


def step(part):
    """(its name, its task); with the answer, where it is a question."""
    if not part.question:
        return f"{part.name}:", part.text
    question = QUESTIONS[part.question]
    choices = zip(question.letters, question.choices, strict=True)
    listed = "; ".join(f"{letter}: {choice}" for letter, choice in choices)
    answer = f"Answer: {question.answer}. {question.right}"
    return f"{part.name}:", " ".join(filter(None, [question.prompt, listed and f"({listed})", answer]))


def bug_blocks(part):
    for program in (load(name) for name in part.names if name in bugs.items()):
        lines = "\n".join(f"{n:2}  {line}" for n, line in enumerate(program.lines, 1))
        where = "There is no bug in it."
        if program.bug:
            where = f"Line {program.bug}. {program.why} Right: `{program.fixed.strip()}`"
        shown = f"<p>{text(program.story)}</p><pre>{html.escape(lines)}</pre>"
        yield f"{program.title}, as the candidate sees it", shown
        yield "Its bug", f"<p>{text(where)}</p>"


def card_blocks(part):
    """Questions and answers of the flashcards, which are read out."""
    cards = [decks()[0][name] for name in part.names if name in decks()[0]]
    rows = [(card.question, card.answer, f"{card.wrong} {card.why}") for card in cards]
    return [("Ask", table(CARD_HEADS, rows))]


def rubric(part, number):
    """The criteria with a circle for each mark."""
    rows = ""
    for name, criterion in part.criteria.items():
        cells = "".join(
            f'<td><label><input type="radio" name="{number}-{name}" value="{mark}"> {mark}: {text(look)}'
            "</label></td>"
            for mark, look in enumerate(criterion["looks"])
        )
        rows += f'<tr data-mark="{name}"><td><b>{text(criterion["title"])}</b></td>{cells}</tr>'
    return f'<div class="scroll"><table>{rows}</table></div>'
