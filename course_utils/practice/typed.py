"""Parse answers: what a learner typed comes in; a value to judge goes out, or Unreadable is raised."""

import math
import operator
import re
import tomllib
from functools import cache
from pathlib import Path

from .card import Refusal
from .formula import work_out

TEXTS = Path(__file__).with_name("answers.toml")
ALIKE = str.maketrans({"−": "-", "–": "-", "’": "'", "`": ""})
SHAPE = re.compile(r"(?:torch\.size)?[(\[\s]*(\d+(?:[\s,x×]+\d+)*)?[\s,]*[)\]\s]*", re.I)


@cache
def words(kind):
    """The words for answers of a kind; read late, as the sandbox, which asks no questions, has no texts."""
    return tomllib.loads(TEXTS.read_text(encoding="utf-8"))[kind]


class Unreadable(Refusal):
    """An answer that cannot be read as the question's kind. The message says in one sentence what to type."""

    def in_call(self, call):
        """The message for an answer that was typed in another call than predict()."""
        return re.sub(r'predict\("\w+", ', call, str(self))


def read(question, typed):
    """Parse an answer: a letter, a float, a tuple of sizes or a normalized text; Unreadable if it is none."""
    value = None
    try:
        value = READERS[question.kind](question, typed)
    except Exception:  # some objects even raise when compared or printed
        pass
    if value is None:
        wanted = words(question.kind)["wanted"].format(", ".join(question.letters))
        raise Unreadable(f"The answer must be {wanted}, but got {kind_of(typed)}: {example(question)}.")
    return value


def example(question):
    """Instructions for typing an answer of this kind."""
    return f'type `predict("{question.name}", {words(question.kind)["sample"]})`'


def as_text(value):
    """Format a value for a message: short, and on one line."""
    text = " ".join((value if isinstance(value, str) else repr(value)).split())
    return text if len(text) <= 60 else text[:57] + "..."


def kind_of(typed):
    """Describe a value that was passed: a text in quotes, a number, 'a list', 'nothing'."""
    if typed is None or isinstance(typed, str) and not typed.strip():
        return "nothing"
    if isinstance(typed, (bool, float)) or type(typed) is int and abs(typed) < 1e9:
        return as_text(typed)
    name = type(typed).__name__
    return (
        f'"{as_text(typed)}"' if isinstance(typed, str) else f"{'an' if name[0] in 'aeiou' else 'a'} {name}"
    )


def normalize(text):
    """Normalize a text: case, white space, and quotes and punctuation around it do not count."""
    return " ".join(text.translate(ALIKE).casefold().split()).strip("`'\"*.!? ")


# ---- each kind of answer: the value that was typed; None or any exception if it cannot be read


def a_choice(question, typed):
    """The letter for a letter or for the text of a choice."""
    text = normalize(str(typed)) if isinstance(typed, (str, int, float)) else ""
    texts = dict(zip([normalize(choice) for choice in question.choices], question.letters, strict=True))
    letter = text.strip("(): ")
    return letter if letter in texts.values() else texts[text]


def a_number(_, typed):
    """The float of a number, of a text such as "1/3" or "2 * 80 * 128", or of a tensor with one entry."""
    if isinstance(typed, (bool, list, tuple, dict, set)):
        return None
    if isinstance(typed, str):
        typed = typed.translate(ALIKE).strip()
        typed = typed.replace(",", ".") if typed.count(",") == 1 and "." not in typed else typed
    try:
        value = float(typed)
    except ValueError:
        value = float(work_out(typed, {}))
    return None if math.isnan(value) else value


def a_shape(_, typed):
    """A tuple of sizes from a list or tuple (torch.Size is one), or from a text such as "2, 3, 4"."""
    if isinstance(typed, str):
        match = SHAPE.fullmatch(typed.strip())
        is_shape = match and (match[1] or re.search("[([]", typed))
        return tuple(map(int, re.findall(r"\d+", match[1] or ""))) if is_shape else None
    is_shape = isinstance(typed, (list, tuple)) and bool not in map(type, typed)
    sizes = tuple(map(operator.index, typed)) if is_shape else (-1,)
    return sizes if min(sizes, default=0) >= 0 else None


def a_text(_, typed):
    """The normalized text; a number counts as a text too."""
    return normalize(str(typed)) or None if isinstance(typed, (str, int, float)) else None


READERS = {"choice": a_choice, "number": a_number, "shape": a_shape, "text": a_text}
