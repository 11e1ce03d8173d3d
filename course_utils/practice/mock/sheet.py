"""The interviewer's sheet: a level, a seed and its parts come in, a file to print or to keep open goes out.
For each part: what to ask, what to listen for, follow-ups, hints and when to give them, and the rubric."""

from ..bugs.pages import add_code
from ..bugs.program import load
from ..card import Card
from ..flashcards.deck import decks
from ..interview import topics
from ..interview.questions import QUESTIONS
from .pages import HEAD, add_notes, add_rubric
from .plan import levels
from .report import write

START = (
    'The candidate starts with `mock_interview("{}", seed={}, people=2)`, in a notebook on another screen or '
    "in a window without this sheet."
)
INTRO = (
    "The candidate's notebook shows the clock and each question, and nothing else of what is here. Say "
    "when a part is over: the candidate then runs `mock_interview.next()`. Give a hint only when it is "
    "time, and note it."
)
RATING = (
    "At the end read the marks out as one line, a group for each part, - for what you leave out. The "
    "candidate types it, and `mock_interview.page()` writes the page."
)


def write_sheet(level, seed, parts):
    start = START.format(level, seed)
    title = f"Interviewer's sheet: {levels()[level]['title']}"
    write(f"interviewer_sheet_{level}_{seed}.html", title, cards(seed, parts, start), start)


def cards(seed, parts, start):
    yield Card(f"Seed {seed}, {sum(part.minutes for part in parts):g} minutes").say(start, INTRO)
    begins = 0
    for number, part in enumerate(parts, 1):
        times = f"minute {begins:g} to {begins + part.minutes:g}"
        card = Card(f"{number}. {part.heading}: {part.notes['title']}", times)
        card.say(part.notes.get("prompt"), style=HEAD)
        if part.kind in SPECIAL:
            SPECIAL[part.kind](card, part)
        hints = [f"{when}: {hint}" for when, hint in part.notes.get("hints", [])]
        yield add_rubric(add_notes(card, part).points("Hints, and when", hints), part)
        begins += part.minutes
    blank = " ".join("-" * len(part.criteria) for part in parts)
    yield Card("At the end").say(RATING).code(f'mock_interview.rate("{blank}")')


def add_steps(card, part):
    steps = [step(item) for item in topics.topic(part.names[0]).parts]
    card.points("Steps, which the candidate's notebook shows one by one and checks", steps)


def step(part):
    """Its name and task; with the answer, where it is a question."""
    if not part.question:
        return f"{part.name}: {part.text}"
    question = QUESTIONS[part.question]
    listed = "; ".join(f"{n}: {text}" for n, text in zip(question.letters, question.choices, strict=True))
    choices = f"({listed})" if listed else ""
    return f"{part.name}: {question.prompt} {choices} Answer: {question.answer}. {question.right}"


def add_bugs(card, part):
    for program in map(load, part.names):
        add_code(card.say(program.title, style=HEAD).say(program.story), program.lines)
        right = f"Line {program.bug}. {program.why} Right: `{program.fixed.strip()}`"
        card.say(right if program.bug else "There is no bug in it.")


def add_flashcards(card, part):
    """Questions and answers of the flashcards, which are read out."""
    cards = [decks()[name] for name in part.names]
    rows = [(c.question, c.answer, f"{c.wrong} {c.why}") for c in cards]
    card.table(rows, ("question", "answer", "often said instead, and why it is wrong"))


SPECIAL = {"program": add_steps, "hunt": add_bugs, "cards": add_flashcards}
