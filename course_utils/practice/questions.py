"""Questions and what is asked of them: the published ones of the lessons, and those of a TOML file."""

import json
import tomllib
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "answers" / "questions"
KINDS = ("choice", "number", "shape", "text")
LETTERS = "abcdefgh"


@dataclass
class Wrong:
    """A foreseen wrong answer and its reason. accept: other forms of it, for a text."""

    answer: object
    reason: str
    accept: list = field(default_factory=list)


@dataclass
class Question:
    """One question, as it is asked and judged.

    kind: one of KINDS. choices: what a choice is made between; they are called a, b, c. answer: a letter;
    a number; a list of sizes; a text. right: the explanation after a right answer. tolerance: for a
    number, how far off is right, or a share of the answer such as "2 %". axes: the names of a shape's
    axes. accept: other forms of a text. again: the wording when it is asked again. nudge: what an
    unforeseen answer gets. draw: {name: [numbers to draw from]}; then answers are formulas, and texts
    hold formulas in braces (drawn.py). numbers: those that were drawn.
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
        """The prompt (or its wording for the second time), and below it what is chosen from."""
        return f"{((again and self.again) or self.prompt).strip()}\n\n{self.choices_as_markdown()}".strip()

    def choices_as_markdown(self):
        pairs = zip(self.letters, self.choices, strict=True)
        return "\n".join(f"- **{letter}.** {text}" for letter, text in pairs)


def question_from(name, table, **more):
    """The Question of a TOML table, where wrong answers are pairs [answer, reason]."""
    fields = {"name": name, "lesson": "", **more, **table}
    wrong = [Wrong(answer, one_line(reason)) for answer, reason in table.get("wrong", [])]
    return Question(**{**fields, "prompt": one_line(fields["prompt"]), "wrong": wrong})


def questions_in(path):
    """{name: Question} of a TOML file with a table for each."""
    tables = tomllib.loads(path.read_text(encoding="utf-8"))
    return {name: question_from(name, table) for name, table in tables.items()}


def one_line(text):
    return " ".join(text.split())


def to_json(questions):
    """The text of a lesson's file."""
    plain = {"version": 1, "questions": [asdict(question) for question in questions]}
    return json.dumps(plain, indent=1, ensure_ascii=False) + "\n"


@cache
def published():
    """{name: Question} of all lessons, in their order."""
    questions = {}
    for path in sorted(FOLDER.glob("*.json")):
        for table in json.loads(path.read_text(encoding="utf-8"))["questions"]:
            wrong = [Wrong(**entry) for entry in table["wrong"]]
            questions[table["name"]] = Question(**{**table, "wrong": wrong})
    return questions
