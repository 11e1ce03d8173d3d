"""The interviewer's sheet: a level, a seed and its parts come in, a file to print or to keep open goes out.

For each part: what to ask, what to listen for, follow-ups, hints and when to give them, and the rubric. On
the screen the marks make the line that the candidate types at the end.
"""

import html

from ..questions import QUESTIONS
from ..topics import TOPICS
from . import others
from .kinds import hints, item_of, title
from .paper import bullets, document, table, text, write
from .programs import BUGS, PROGRAMS
from .rubric import criteria

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
SCRIPT = """<script>
const line = document.getElementById('line');
const write = () => {
  const groups = [...document.querySelectorAll('[data-part]')].map(part =>
    [...part.querySelectorAll('[data-mark]')].map(mark =>
      (mark.querySelector(':checked') || {value: '-'}).value).join(''));
  line.textContent = `mock_interview.rate("${groups.join(' ')}")`;
};
document.addEventListener('change', write);
write();
</script>
"""


def write_sheet(level, seed, parts, left_out):
    name = f"interviewer_sheet_{level.name}_{seed}.html"
    write(name, sheet(level, seed, parts), START.format(level.name, seed), *left_out)


def sheet(level, seed, parts):
    """The whole file."""
    head = f"Interviewer's sheet: {level.title}"
    blank = " ".join("-" * len(criteria(part)) for part in parts)
    body = [
        f"<h1>{text(head)}</h1><p class=quiet>Seed {seed}, {sum(part.minutes for part in parts):g} "
        "minutes</p>",
        f"<p>{text(START.format(level.name, seed))} {text(INTRO)}</p>",
    ]
    begins = 0
    for number, part in enumerate(parts):
        body.append(part_html(part, number, begins))
        begins += part.minutes
    body.append(f"<div class=keep><h2>At the end</h2><p>{text(RATING)}</p>")
    body.append(f'<pre id="line">mock_interview.rate("{blank}")</pre></div>')
    return document(head, "\n".join(body), SCRIPT)


def part_html(part, number, begins):
    head = f"{number + 1}. {part.title}: {title(part)}"
    times = f"minute {begins:g} to {begins + part.minutes:g}"
    inner = "".join(
        f"<div class=keep><h3>{text(heading)}</h3>{block}</div>" for heading, block in blocks(part) if block
    )
    return (
        f'<section data-part="{number + 1}"><h2>{text(head)} <span class=quiet>({times})</span></h2>'
        f"{inner}{rubric(part, number)}</section>"
    )


def blocks(part):
    """[(heading, HTML)] of a part."""
    item = item_of(part)
    if item:
        found = [
            ("Ask", f"<p><b>{text(item.prompt)}</b></p>"),
            ("Listen for", bullets(item.listen)),
            ("A model answer", "".join(f"<p>{text(line)}</p>" for line in item.answer.split("\n"))),
            ("Then ask", pairs(item.follow)),
        ]
    else:
        found = {"program": program_blocks, "hunt": hunt_blocks, "cards": card_blocks}[part.kind](part)
    return [*found, ("Hints, and when", pairs([(f"{when}:", said) for when, said in hints(part)]))]


def pairs(some):
    """[(what stands out, what follows)] as a list."""
    lines = "".join(f"<li><b>{text(first)}</b> {text(rest)}</li>" for first, rest in some)
    return f"<ul>{lines}</ul>" if lines else ""


def program_blocks(part):
    topic = TOPICS[part.names[0]]
    return [
        ("Steps, which the candidate's notebook shows one by one and checks", pairs(map(step, topic.stages))),
        ("Listen for", bullets(PROGRAMS[part.names[0]].listen)),
        ("When the steps are done, ask", pairs(PROGRAMS[part.names[0]].then)),
    ]


def step(stage):
    """(its name, its task); with the answer, where it is a question."""
    if not stage.question:
        return f"{stage.name}:", stage.text
    question = QUESTIONS[stage.question]
    choices = "; ".join(
        f"{letter}: {choice}" for letter, choice in zip(question.letters, question.choices, strict=True)
    )
    answer = f"Answer: {question.answer}. {question.right}"
    return f"{stage.name}:", " ".join(filter(None, [stage.text, choices and f"({choices})", answer]))


def hunt_blocks(part):
    listen = ("Listen for", bullets(BUGS))
    programs = [one for one in map(others.bug, part.names) if one]
    return [*(block for one in programs for block in program_with_bug(one)), listen]


def program_with_bug(found):
    lines = "\n".join(f"{n:2}  {line}" for n, line in enumerate(found.lines, 1))
    where = (
        f"Line {found.bug}. {found.why} Right: `{found.fixed.strip()}`"
        if found.bug
        else "There is no bug in it."
    )
    story = f"<p>{text(getattr(found, 'story', ''))}</p>"
    return [
        (f"{found.title}, as the candidate sees it", f"{story}<pre>{html.escape(lines)}</pre>"),
        ("Its bug", f"<p>{text(where)}</p>"),
    ]


def card_blocks(part):
    """Questions and answers of the flashcards, which are read out."""
    cards = [others.flashcard(name) for name in part.names]
    rows = [(card.question, card.answer, f"{card.wrong} {card.why}") for card in cards if card]
    if not rows:
        return [("Ask", bullets([others.title("cards", name) for name in part.names]))]
    return [("Ask", table(("question", "answer", "often said instead, and why it is wrong"), rows))]


def rubric(part, number):
    """The criteria with a circle for each mark."""
    rows = "".join(
        f'<tr data-mark="{one.name}"><td><b>{text(one.title)}</b></td>'
        + "".join(
            f'<td><label><input type="radio" name="{number}-{one.name}" value="{mark}"> {mark}: {text(look)}'
            "</label></td>"
            for mark, look in enumerate(one.looks)
        )
        + "</tr>"
        for one in criteria(part)
    )
    return f'<div class=keep><h3>Rate</h3><div class="scroll"><table>{rows}</table></div></div>'
