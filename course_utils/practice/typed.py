"""What a learner typed comes in, the value that the question's kind works with goes out, or Unreadable."""

import math
import operator
import re

from .card import Refusal
from .formula import work_out

ALIKE = str.maketrans({"−": "-", "–": "-", "’": "'", "`": ""})
SHAPE = re.compile(r"(?:torch\.size)?[(\[\s]*(\d+(?:[\s,x×]+\d+)*)?[\s,]*[)\]\s]*", re.I)
CALL = re.compile(r'predict\("\w+", ')
SAMPLES = {
    "choice": '"a"',
    "number": "7",
    "shape": "(7, 8, 9)",
    "text": '"a word or two"',
}  # as they are typed


class Unreadable(Refusal):
    """An answer that is none of this kind: the message says in one sentence what to type."""

    def in_call(self, call):
        """The message for an answer that is typed in another call than that of predict."""
        return CALL.sub(call, str(self))


def read(question, typed):
    """A letter, a float, a tuple of sizes, or a plain text; Unreadable for the rest."""
    try:
        nothing = typed is None or typed is ... or isinstance(typed, str) and not typed.strip()
        value = None if nothing else READERS[question.kind](question, typed)
    except Exception:  # also of objects that cannot even be compared or shown
        nothing, value = False, None
    if nothing:
        raise Unreadable(f"There is no answer yet: {example(question)}.")
    if value is None:
        wanted = WANTED[question.kind].format(", ".join(question.letters))
        raise Unreadable(f"The answer is {wanted}, and {kind_of(typed)} came: {example(question)}.")
    return value


def example(question):
    """How an answer of this kind is typed; always the same one, so that it tells nothing."""
    return f'type `predict("{question.name}", {SAMPLES[question.kind]})`'


def shown(value):
    """A value as it is quoted back: short, and on one line."""
    text = value if isinstance(value, str) else repr(value)
    text = " ".join(text.split())
    return text if len(text) <= 60 else text[:57] + "..."


def quoted(value):
    """A value as it is quoted back where a text has to be told from a number: a text in quotes."""
    return f'"{shown(value)}"' if isinstance(value, str) else shown(value)


def plain(text):
    """A text without what makes no difference: case, white space, quotes, a full stop at the end."""
    return " ".join(text.translate(ALIKE).casefold().split()).strip("`'\"*.!? ")


def kind_of(typed):
    """What came, in words."""
    if isinstance(typed, (str, float)):
        return quoted(typed)
    article = "an" if type(typed).__name__[0] in "aeiou" else "a"
    return f"{article} {type(typed).__name__}"


# ---- each kind: the value, or None, or any error


def a_choice(question, typed):
    """A letter, or the text of a choice."""
    text = plain(str(typed)) if isinstance(typed, (str, int, float)) else ""
    letter, texts = text.strip("(): "), [plain(choice) for choice in question.choices]
    if len(letter) == 1 and letter in question.letters:
        return letter
    return question.letters[texts.index(text)]


def a_number(_, typed):
    """A number, a text that says one (also 1/3, or 2 * 80 * 128), or a tensor or an array of one entry."""
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
    """A list or a tuple of sizes (torch.Size is one), or a text that says one."""
    if isinstance(typed, str):
        match = SHAPE.fullmatch(typed.strip())
        is_shape = match and (match[1] or re.search("[([]", typed))
        return tuple(int(size) for size in re.findall(r"\d+", match[1] or "")) if is_shape else None
    is_shape = isinstance(typed, (list, tuple)) and bool not in map(type, typed)
    sizes = tuple(map(operator.index, typed)) if is_shape else (-1,)
    return sizes if min(sizes, default=0) >= 0 else None


def a_text(_, typed):
    """A text without what makes no difference; a number is a text too."""
    return plain(str(typed)) or None if isinstance(typed, (str, bool, int, float)) else None


READERS = {"choice": a_choice, "number": a_number, "shape": a_shape, "text": a_text}
WANTED = {
    "choice": "one of {}",
    "number": "one number",
    "shape": "a shape, whole numbers in brackets",
    "text": "a word or two",
}
