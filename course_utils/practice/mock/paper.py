"""What is printed, as files beside the notebook: the page at the end, with all that came of a mock interview,
and the interviewer's sheet, with what to ask, to listen for and to hint at."""

import html
from pathlib import Path

from .. import bugs, flashcards, log
from ..bugs.pages import add_code
from ..bugs.program import load
from ..card import Card, Refusal
from ..flashcards.deck import decks
from ..interview import interview, topics
from ..interview.questions import QUESTIONS
from ..saved import colab_files
from .pages import HEAD, add_notes, add_rubric, example, seed_of
from .plan import levels, table, text

HEADS = "part", "asked", "outcome", "time", "hints"
PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>{style}</style>
</head>
<body>
<h1>{title}</h1>
{body}
</body>
</html>
"""


def write(name, title, cards, *lines):
    """Write cards as a file for A4 beside the notebook, and show a card with a link to it and these lines."""
    style = Path(__file__).with_name("paper.css").read_text(encoding="utf-8")
    page = PAGE.format(title=html.escape(title), style=style, body="\n".join(card.page for card in cards))
    try:
        Path(name).write_text(page, encoding="utf-8")
    except OSError as error:
        raise Refusal(f"Nothing was written: {name} cannot be written to ({type(error).__name__}).") from None
    if colab_files() is not None:
        colab_files().download(name)
    link = f'<a href="{html.escape(name)}" target="_blank" rel="noopener">{html.escape(name)}</a>'
    card = Card().add(f"<div>Written: {link}</div>", f"Written: {Path(name).resolve()}")
    card.say(*lines, text("to_print"), style="").show()


# ---- how it went


def end_card(mock, sentence, notes=()):
    """What came of each part, what is not rated yet, and how the page is made."""
    card = Card(f"{mock.title}: the mock interview is over").table(results(mock)[0], HEADS).say(sentence)
    reached = [number for number, took in enumerate(mock.times()) if took is not None]
    missing = [number + 1 for number in reached if not mock.marks(number)]
    if missing:
        names = f"part{'s' * (len(missing) > 1)} {', '.join(map(str, missing))}"
        card.say(text("unrated", names, missing[0], example(mock.parts[missing[0] - 1])))
    return card.say(text("page")).quiet(*notes)


def write_page(mock):
    name = f"mock_interview_{mock.subject}_{mock.start.astimezone():%Y-%m-%d_%H%M}.html"
    write(name, f"Mock interview: {mock.title}", cards_of_page(mock))


def cards_of_page(mock):
    """What was asked and what came of it, marks, mistakes, what to revise, and lines to write on."""
    rows, mistakes, places = results(mock)
    marks = [mark for number in range(len(mock.parts)) for mark in mock.marks(number).values()]
    rated = f", rated {sum(marks)} of {2 * len(marks)}" if marks else ""
    who, day = "alone" if mock.alone else "with an interviewer", f"{mock.start.astimezone():%d %B %Y, %H:%M}"
    spent = f"{sum(filter(None, mock.times())):.0f} of {mock.minutes:g} minutes{rated}"
    yield Card("Parts", f"{day}; {who}; {spent}{seed_of(mock, ', seed {}')}").table(rows, HEADS)
    yield Card("What was said aloud").table(mark_rows(mock) or [("Nothing was rated.",)])
    yield Card("Mistakes by name").say(*(mistakes or ["None was named."]))
    yield Card("To revise").say(*(places or ["Nothing by what was answered and rated."]))
    yield Card("Next time").add("<div style='border-bottom:1px solid #999;height:7mm'></div>" * 4)


def results(mock):
    """(a row for each part, names of mistakes, where to read again)."""
    during = [fact for fact in log.recall()[0] if mock.start <= fact.when <= mock.end]
    facts = {fact.name: fact.right for fact in reversed(during)}  # the first answer is the one that counts
    rows, mistakes, places = [], {}, {}
    for number, (part, took) in enumerate(zip(mock.parts, mock.times(), strict=True)):
        outcome, names, revise = "not reached", [], [part.notes.get("revise")]
        if took is not None:
            outcome, names, revise = result_of(mock, number, facts)
        spent, hints = "–" if took is None else f"{took:.0f}", len(mock.of("hint", part=number)) or ""
        head = f"{number + 1}. {part.notes['heading']}"
        rows.append((head, part.notes["title"], outcome, f"{spent} of {part.minutes:g} minutes", hints))
        mistakes |= dict.fromkeys(names)
        places |= dict.fromkeys(filter(None, revise))
    return rows, mistakes, places


def result_of(mock, number, facts):
    """(the outcome of a part, names of mistakes, where to read again)."""
    part, marks = mock.parts[number], mock.marks(number).values()
    revise = [part.notes.get("revise")]
    if part.kind == "program":
        key = mock.interview_key(number)
        session = next((session for session in interview.sessions()[0] if session.key == key), None)
        if session is None:
            return "not begun", [], revise
        steps, revise = session.rows()
        right = sum(step.state == "right" for step in steps)
        return f"{right} of {len(steps)} steps right", [name for s in steps for name in s.mistakes], revise
    if part.kind == "hunt":
        outcome, misses = answers(part.names, bugs.PREFIX, facts, "found")
        mistakes = [load(name).mistake.partition(".")[2].replace("_", " ") for name in misses]
        return outcome, list(filter(None, mistakes)), []
    if part.kind == "cards" and mock.alone:
        outcome, misses = answers(part.names, flashcards.PREFIX, facts, "right")
        cards = [decks()[name] for name in misses]
        return outcome, [f"flashcard: {card.title}" for card in cards], [card.place for card in cards]
    if part.kind == "cards":
        return "asked aloud", [], []
    outcome = f"{sum(marks)} of {2 * len(part.criteria)}" if marks else "not rated"
    return outcome, [], revise if any(mark < 2 for mark in marks) else []


def answers(names, prefix, facts, word):
    """('5 of 7 right, 1 not answered', the names that were missed)."""
    answered = {name: facts[prefix + name] for name in names if prefix + name in facts}
    left = f", {len(names) - len(answered)} not answered" if len(answered) < len(names) else ""
    outcome = f"{sum(answered.values())} of {len(names)} {word}{left}" if answered else "not answered"
    return outcome, [name for name, right in answered.items() if not right]


def mark_rows(mock):
    """For each criterion: its marks by part, and what 2 looks like where that was missed."""
    rows, every = [], {number: mock.marks(number) for number in range(len(mock.parts))}
    for name, criterion in table("rubric").items():
        if marks := {number: marks[name] for number, marks in every.items() if name in marks}:
            listed = ", ".join(f"{mark} (part {number + 1})" for number, mark in marks.items())
            best = f'2 is "{criterion["looks"][2]}"' if min(marks.values()) < 2 else ""
            rows.append((criterion["title"], listed, best))
    return rows


# ---- the interviewer's sheet


def write_sheet(level, seed, parts):
    title, start = f"Interviewer's sheet: {levels()[level]['title']}", text("start", level, seed)
    write(f"interviewer_sheet_{level}_{seed}.html", title, cards_of_sheet(seed, parts, start), start)


def cards_of_sheet(seed, parts, start):
    """For each part what is asked, what to listen for, follow-ups, hints and the rubric."""
    about = f"Seed {seed}, {sum(part.minutes for part in parts):g} minutes"
    yield Card(about).say(start, text("about_the_sheet"))
    begins = 0
    for number, part in enumerate(parts, 1):
        times = f"minute {begins:g} to {begins + part.minutes:g}"
        card = Card(f"{number}. {part.notes['heading']}: {part.notes['title']}", times)
        card.say(part.notes.get("prompt"), style=HEAD)
        if part.kind in SPECIAL:
            SPECIAL[part.kind](card, part)
        hints = [f"{when}: {hint}" for when, hint in part.notes["hints"]]
        yield add_rubric(add_notes(card, part).points("Hints, and when", hints), part)
        begins += part.minutes
    blank = " ".join("-" * len(part.criteria) for part in parts)
    yield Card("At the end").say(text("rating")).code(f'mock_interview.rate("{blank}")')


def add_steps(card, part):
    steps = [step(item) for item in topics.topic(part.names[0]).parts]
    card.points("Steps, which the candidate's notebook shows one by one and checks", steps)


def step(part):
    """Its name and task; with the answer, where it is a question."""
    if not part.question:
        return f"{part.name}: {part.text}"
    question = QUESTIONS[part.question]
    choices = "; ".join(
        f"{n}: {choice}" for n, choice in zip(question.letters, question.choices, strict=True)
    )
    choices = f" ({choices})" if choices else ""
    return f"{part.name}: {question.prompt}{choices} Answer: {question.answer}. {question.right}"


def add_bugs(card, part):
    for program in map(load, part.names):
        add_code(card.say(program.title, style=HEAD).say(program.story), program.lines)
        right = f"Line {program.bug}. {program.why} Right: `{program.fixed.strip()}`"
        card.say(right if program.bug else "There is no bug in it.")


def add_flashcards(card, part):
    rows = [(c.question, c.answer, f"{c.wrong} {c.why}") for c in map(decks().get, part.names)]
    card.table(rows, ("question", "answer", "often said instead, and why it is wrong"))


SPECIAL = {"program": add_steps, "hunt": add_bugs, "cards": add_flashcards}
