"""Topics: a name comes in; a Topic goes out. Its parts are programs to write, and questions between them.
They are in topics.toml; every other exercise of the lessons is a topic with one part."""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from course_utils.model.sheet import lessons, load_sheet, published_names

from .questions import QUESTIONS, text

TEXTS = Path(__file__).with_name("topics.toml")


@dataclass(frozen=True)
class Part:
    """One step of a topic.

    name, text: for the card. question: a name in QUESTIONS; "" for a program. exercise: whose check judges
    the program; "" if a family adapts it. revise: where it is taught. signature: for the card. family: the
    module that lays out arguments. tries: trials (retell.py), one of which has to pass. masked: the same with
    a mask, if the program takes one. ready_made: blocked library functions. cached, whole, later: for the
    families.
    """

    name: str = "a question"
    text: str = ""
    question: str = ""
    exercise: str = ""
    revise: str = ""
    signature: str = ""
    family: str = ""
    tries: tuple = ()
    masked: tuple = ()
    ready_made: tuple = ()
    cached: bool = False
    whole: bool = False
    later: bool = False

    @property
    def is_cached(self):
        return self.cached or "cache" in self.signature

    @property
    def stub(self):
        """The code to copy."""
        if not self.signature:
            return ""
        name = self.signature.partition("(")[0]
        kind = f"class {name}" if name[0].isupper() else f"def {self.signature}"
        return f"{kind}:\n    raise NotImplementedError\n"


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
    return {name: table for name, table in texts().items() if name not in ("revise", "cases", "roles")}


def names():
    """The names of all topics, in a card's order: those of topics.toml first."""
    return list(dict.fromkeys([*tables(), *published_names()]))


def topic(name):
    """The Topic of this name; KeyError for an unknown one."""
    if name not in tables():
        return exercise_topic(name)
    table = tables()[name]
    return Topic(name, table["title"], tuple(part_of(row) for row in table["parts"]))


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
    signature = contract.signatures.get("", f"{name}()")
    return Topic(name, name, (Part("the exercise", task, "", name, place, signature),))


CASES = texts()["cases"]  # {exercise: the names of the cases that are tried}
ROLES = texts()["roles"]  # {argument or weight of an exercise: what an interview calls it}
REVISE = texts()["revise"]  # {mistake: where to read again}
