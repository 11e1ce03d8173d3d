"""Questions: the lessons' published files or a TOML file come in; {name: Question} goes out."""

import json
import tomllib
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "answers" / "questions"
LETTERS = "abcdefgh"


@dataclass
class Wrong:
    """An expected wrong answer. reason: why it is wrong. accept: other forms of it, for a text."""

    answer: object
    reason: str
    accept: list = field(default_factory=list)


@dataclass
class Question:
    """One question: its text, and how an answer is judged.

    kind: choice, number, shape or text (typed.py). choices: the options of a choice, lettered a, b, c.
    answer: a letter, a number, a list of sizes, or a text. right: the explanation after a right answer.
    tolerance: for a number, the allowed error, absolute or relative as in "2 %". axes: the names of a shape's
    axes. accept: other forms of a text. again: the wording when the question is repeated. nudge: the reply to
    an unexpected wrong answer. draw: {name: [numbers to draw from]}; then answers are formulas, and texts
    contain formulas in braces (drawn.py). numbers: the drawn ones.
    """

    name: str
    lesson: str
    kind: str
    prompt: str
    answer: object
    right: str
    wrong: list[Wrong]
    choices: list[str] = field(default_factory=list)
    tolerance: float | str = 0
    axes: list[str] = field(default_factory=list)
    accept: list[str] = field(default_factory=list)
    again: str = ""
    nudge: str = ""
    draw: dict = field(default_factory=dict)
    numbers: dict = field(default_factory=dict)

    @property
    def letters(self):
        return LETTERS[: len(self.choices)]

    def as_markdown(self, again=False):
        """The prompt (or its wording for a repeat), followed by the choices."""
        return f"{((again and self.again) or self.prompt).strip()}\n\n{self.choices_as_markdown()}".strip()

    def choices_as_markdown(self):
        pairs = zip(self.letters, self.choices, strict=True)
        return "\n".join(f"- **{letter}.** {text}" for letter, text in pairs)


def question_from(name, table, **more):
    """Build a Question from a TOML table, where wrong answers are pairs [answer, reason]."""
    fields = {"name": name, "lesson": "", **more, **table}
    wrong = [Wrong(answer, one_line(reason)) for answer, reason in table.get("wrong", [])]
    return Question(**{**fields, "prompt": one_line(fields["prompt"]), "wrong": wrong})


def questions_in(path):
    """Read {name: Question} from a TOML file with one table per question."""
    tables = tomllib.loads(path.read_text(encoding="utf-8"))
    return {name: question_from(name, table) for name, table in tables.items()}


def one_line(text):
    return " ".join(text.split())


def to_json(questions):
    """The content of a lesson's published file."""
    plain = {"version": 1, "questions": [asdict(question) for question in questions]}
    return json.dumps(plain, indent=1, ensure_ascii=False) + "\n"


@cache
def published():
    """{name: Question} of all lessons, in the order of the lessons."""
    questions = {}
    for path in sorted(FOLDER.glob("*.json")):
        for table in json.loads(path.read_text(encoding="utf-8"))["questions"]:
            wrong = [Wrong(**entry) for entry in table["wrong"]]
            questions[table["name"]] = Question(**{**table, "wrong": wrong})
    return questions
