"""Topics: a name comes in; a Topic goes out. Its parts are programs to write, and questions between them.
They are in topics.toml; every other exercise of the lessons is a topic with one part."""

import tomllib
import zlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from course_utils.model.sheet import lessons, load_sheet, published_names

from .form import form
from .texts import QUESTIONS, text

TEXTS = Path(__file__).with_name("topics.toml")


@dataclass(frozen=True)
class Part:
    """One step of a topic.

    name, text: for the card. question: a name in QUESTIONS; "" for a program. forms: the names of the Forms
    that the program may have. exercise: the exercise whose own check judges it, if there are no forms.
    revise: where it is taught. ready_made: blocked functions of torch; a topic states them for its parts.
    """

    name: str = "a question"
    text: str = ""
    question: str = ""
    forms: tuple = ()
    exercise: str = ""
    revise: str = ""
    ready_made: tuple = ()

    @property
    def all_forms(self):
        return [form(name) for name in self.forms]

    @property
    def stubs(self):
        """The code to copy, for each form."""
        if not self.exercise:
            return [own.stub for own in self.all_forms]
        signature = load_sheet(self.exercise).contract.signatures.get("", f"{self.exercise}()")
        kind = f"class {self.exercise}" if self.exercise[0].isupper() else f"def {signature}"
        return [f"{kind}:\n    raise NotImplementedError\n"]


@dataclass(frozen=True)
class Topic:
    """name: what a learner types. title: what a card shows. parts: in order."""

    name: str
    title: str
    parts: tuple


@cache
def texts():
    return tomllib.loads(TEXTS.read_text(encoding="utf-8"))


def tables():
    """{name: table} of the topics in topics.toml."""
    return {name: table for name, table in texts().items() if name != "revise"}


def names():
    """The names of all topics, in a card's order: those of topics.toml first."""
    return list(dict.fromkeys([*tables(), *published_names()]))


def topic(name):
    """The Topic of this name; KeyError for an unknown one."""
    if name not in tables():
        return exercise_topic(name)
    table = tables()[name]
    return Topic(
        name,
        table["title"],
        tuple(part_of({"ready_made": table.get("ready_made", []), **row}) for row in table["parts"]),
    )


def part_of(table):
    question = table.get("question")
    task = QUESTIONS[question].prompt if question else table["text"]
    lists = {key: tuple(value) for key, value in table.items() if isinstance(value, list)}
    return Part(**table | lists | {"text": task})


def exercise_topic(name):
    """The Topic whose only part is this exercise of a lesson."""
    contract = load_sheet(name).contract
    lesson = next((lesson for lesson, listed in lessons().items() if name in listed), "")
    place = f"lesson {lesson[:2]}" if lesson else "the course"
    results = [f"`{result}` ({axes})" if axes else f"`{result}`" for result, axes in contract.returns.items()]
    task = text("exercise", name, place, f"It returns {', '.join(results)}." if results else "")
    return Topic(name, name, (Part("the exercise", task, exercise=name, revise=place),))


def mark(name):
    """A topic's forms in a few characters: a running interview knows its tasks by it. "" for an exercise."""
    forms = [part.get("forms", []) for part in tables()[name]["parts"]] if name in tables() else []
    return f"{zlib.crc32(repr(forms).encode()):08x}" if forms else ""


REVISE = texts()["revise"]  # {mistake: where to read again}
