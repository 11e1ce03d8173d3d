"""Questions: a published file or a TOML file comes in; {name: Question} goes out. A typed answer is read as a
value and judged: a Verdict with a specific reason goes out."""

import json
import math
import operator
import re
import tomllib
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path

from .card import Refusal, as_text, kind_of, verdict
from .formula import work_out

FOLDER = Path(__file__).parents[1] / "answers" / "questions"
TEXTS = Path(__file__).with_name("answers.toml")
LETTERS = "abcdefgh"
ALIKE = str.maketrans({"−": "-", "–": "-", "’": "'", "`": ""})
SHAPE = re.compile(r"(?:torch\.size)?[(\[\s]*(\d+(?:[\s,x×]+\d+)*)?[\s,]*[)\]\s]*", re.I)


@dataclass
class Wrong:
    """An expected wrong answer. reason: why it is wrong. accept: other forms of it, for a text."""

    answer: object
    reason: str
    accept: list = field(default_factory=list)


@dataclass
class Question:
    """One question: its text, and how an answer is judged.

    kind: choice, number, shape or text. choices: the options of a choice, lettered a, b, c. answer: a letter,
    a number, a list of sizes, or a text. right: the explanation after a right answer. tolerance: for a
    number, the allowed error, absolute or relative as in "2 %". axes: the names of a shape's axes. accept:
    other forms of a text. again: the wording when the question is repeated. nudge: the reply to an unexpected
    wrong answer. draw: {name: [numbers to draw from]}; then answers are formulas, and texts contain formulas
    in braces (drawn.py). numbers: the drawn ones.
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


@dataclass
class Verdict:
    """right: is the answer right? answer: how it was understood. reason: why it is right or wrong, or a
    nudge. axis: for a shape, a sentence on the wrong axes."""

    right: bool
    answer: str
    reason: str
    axis: str = ""

    def card(self, title=""):
        """Return the Card that shows the verdict."""
        return verdict(self.right, title, f"you said {self.answer}").markdown(self.reason).quiet(self.axis)


# ---- files


@cache
def published():
    """{name: Question} of all lessons, in the order of the lessons."""
    questions = {}
    for path in sorted(FOLDER.glob("*.json")):
        for table in json.loads(path.read_text(encoding="utf-8"))["questions"]:
            wrong = [Wrong(**entry) for entry in table["wrong"]]
            questions[table["name"]] = Question(**{**table, "wrong": wrong})
    return questions


def to_json(questions):
    """The content of a lesson's published file."""
    plain = {"version": 1, "questions": [asdict(question) for question in questions]}
    return json.dumps(plain, indent=1, ensure_ascii=False) + "\n"


def question_from(name, table, **more):
    """Build a Question from a TOML table, where wrong answers are pairs [answer, reason]."""
    fields = {"name": name, "lesson": "", **more, **table}
    wrong = [Wrong(answer, one_line(reason)) for answer, reason in table.get("wrong", [])]
    return Question(**{**fields, "prompt": one_line(fields["prompt"]), "wrong": wrong})


def one_line(text):
    return " ".join(text.split())


# ---- reading and judging an answer


def judge(question, typed, call=""):
    """The Verdict on a typed answer; a Refusal if it cannot be read as an answer of this kind. call: what a
    learner types before the answer, if not predict."""
    value = read(question, typed, call)
    answer = say(question, value)
    if is_one_of(question, value, question):
        return Verdict(True, answer, question.right)
    axis = wrong_axis(question, value) if question.kind == "shape" else ""
    reasons = [wrong.reason for wrong in question.wrong if is_one_of(question, value, wrong)]
    return Verdict(False, answer, [*reasons, question.nudge or words(question.kind)["nudge"]][0], axis)


def read(question, typed, call=""):
    """Parse an answer: a letter, a float, a tuple of sizes or a normalized text; a Refusal if it is none."""
    value = None
    try:
        value = READERS[question.kind](question, typed)
    except Exception:  # some objects even raise when compared or printed
        pass
    if value is None:
        wanted = words(question.kind)["wanted"].format(", ".join(question.letters))
        raise Refusal(f"The answer must be {wanted}, but got {kind_of(typed)}: {example(question, call)}.")
    return value


def is_one_of(question, value, answer):
    """Does the value equal this answer (the right one or an expected wrong one), in any accepted form?"""
    if question.kind == "number":
        room, size = question.tolerance, abs(answer.answer)
        if isinstance(room, str):  # relative to the answer, as in "2 %"
            room = float(room.rstrip("% ")) / 100 * size
        return value == answer.answer or abs(value - answer.answer) <= room + 1e-9 * max(1.0, size)
    if question.kind == "text":
        return value in [a_text(question, form) for form in (answer.answer, *answer.accept)]
    return value == read(question, answer.answer)


def wrong_axis(question, sizes):
    """A sentence on which axes of a shape are wrong, or on their number."""
    wanted = question.answer
    if len(sizes) != len(wanted):
        return f"The number of axes is {len(wanted)}, not {len(sizes)}."
    names = [f" ({name})" for name in question.axes] or [""] * len(wanted)
    wrong = [f"axis {n}{names[n]}" for n in range(len(wanted)) if sizes[n] != wanted[n]]
    return f"Not right: {', '.join(wrong)}."


@cache
def words(kind):
    """The words for answers of a kind; read late, as the sandbox, which asks no questions, has no texts."""
    return tomllib.loads(TEXTS.read_text(encoding="utf-8"))[kind]


def example(question, call=""):
    """Instructions for typing an answer of this kind."""
    call = call or f'predict("{question.name}", '
    return f"type `{call}{words(question.kind)['sample']})`"


def say(question, value):
    """Format an answer for a card."""
    return f"{value:.10g}" if question.kind == "number" else as_text(value)


def right_answer(question):
    """Format the right answer for a card; for a choice, with its text."""
    if question.tolerance:
        return f"{question.answer:.4g}"
    answer = say(question, read(question, question.answer))
    texts = dict(zip(question.letters, question.choices, strict=True))
    return f"{answer} · {texts[answer]}" if texts else answer


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
        if match is None or not (match[1] or re.search("[([]", typed)):
            return None
        return tuple(map(int, re.findall(r"\d+", match[1] or "")))
    is_shape = isinstance(typed, (list, tuple)) and bool not in map(type, typed)
    sizes = tuple(map(operator.index, typed)) if is_shape else (-1,)
    return sizes if min(sizes, default=0) >= 0 else None


def a_text(_, typed):
    """The normalized text; a number counts as a text too."""
    return normalize(str(typed)) or None if isinstance(typed, (str, int, float)) else None


def normalize(text):
    """Normalize a text: case, white space, and quotes and punctuation around it do not count."""
    return one_line(text.translate(ALIKE).casefold()).strip("`'\"*.!? ")


READERS = {"choice": a_choice, "number": a_number, "shape": a_shape, "text": a_text}
