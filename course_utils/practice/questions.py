"""The published questions: answers/questions/LESSON.json comes in, a Question for each name goes out."""

import json
from dataclasses import dataclass, field, fields
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "answers" / "questions"
VERSION = 1
KINDS = ("choice", "number", "shape", "text", "order")
LETTERS = "abcdefgh"
BROKEN = (
    "The course's questions of {} cannot be read: get that lesson again, your own files stay as they are."
)


@dataclass
class Wrong:
    """A foreseen wrong answer and its reason. accept: other forms of it, for a text."""

    answer: object
    reason: str
    accept: list = field(default_factory=list)


@dataclass
class Question:
    """One question, as it is asked and judged.

    kind: one of KINDS. choices: what a choice is made between, or what an order sorts; they are called a, b,
    c. answer: a letter; a number; a list of sizes; a text; a list of letters. right: the explanation after a
    right answer. tolerance: for a number, how far off is right, or a share of the answer such as "2 %".
    axes: the names of a shape's axes. accept: other forms of a text. again: the wording when it is asked
    again. nudge: what an answer that nobody foresaw gets. draw: {name: [numbers to draw from]}; then answers
    are formulas, and texts hold formulas in braces (drawn.py). numbers: those that were drawn.
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

    @classmethod
    def from_plain(cls, plain, lesson):
        """The inverse of as_plain; TypeError or KeyError for what is none."""
        return cls(**{**plain, "lesson": lesson, "wrong": [Wrong(**wrong) for wrong in plain["wrong"]]})

    def as_plain(self):
        """What JSON can hold, without what is as it is by default."""
        return dict(spoken(self), wrong=[spoken(wrong) for wrong in self.wrong])

    @property
    def letters(self):
        return LETTERS[: len(self.choices)]


def spoken(record):
    """The fields of a Question or a Wrong that say something; an answer may be 0, and the shape []."""
    values = {f.name: getattr(record, f.name) for f in fields(record) if f.name not in ("lesson", "wrong")}
    return {name: value for name, value in values.items() if name == "answer" or value not in ("", [], {}, 0)}


def to_json(questions):
    """The text of a lesson's file."""
    plain = {"version": VERSION, "questions": [question.as_plain() for question in questions]}
    return json.dumps(plain, indent=1, ensure_ascii=False) + "\n"


def from_json(text, lesson):
    """[Question] of a lesson's file; ValueError, TypeError or KeyError for what is none."""
    plain = json.loads(text)
    if plain["version"] != VERSION:
        raise ValueError(plain["version"])
    return [Question.from_plain(question, lesson) for question in plain["questions"]]


@cache
def published():
    """({name: Question} of all lessons in order, [a sentence for each file that cannot be read])."""
    found, said = {}, []
    for path in sorted(FOLDER.glob("*.json")):
        try:
            questions = from_json(path.read_text(encoding="utf-8"), path.stem)
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            said.append(BROKEN.format(path.stem))
            continue
        found |= {question.name: question for question in questions}
    return found, said
