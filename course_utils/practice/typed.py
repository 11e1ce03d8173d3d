"""What a learner typed comes in, the value that the question's kind works with goes out, or Unreadable."""

import math
import operator
import re
from fractions import Fraction

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
        if typed is None or typed is ... or (isinstance(typed, str) and not typed.strip()):
            raise Unreadable(f"There is no answer yet: {example(question)}.")
        return READERS[question.kind](question, typed)
    except Unreadable:
        raise
    except Exception:  # objects that cannot even be compared or shown
        raise Unreadable(f"This cannot be read as an answer: {example(question)}.") from None


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


def a_choice(question, typed):
    """A letter, or the text of a choice."""
    if isinstance(typed, (str, int, float)):
        text = plain(str(typed))
        letter = text.strip("(): ")
        texts = [plain(choice) for choice in question.choices]
        if len(letter) == 1 and letter in question.letters:
            return letter
        if text in texts:
            return question.letters[texts.index(text)]
    raise Unreadable(
        f"The answer is one of {', '.join(question.letters)}, and {shown(typed)} came: {example(question)}."
    )


def a_number(question, typed):
    """A number, a text that says one (also 1/3, or 2 * 80 * 128), or a tensor or an array of one entry."""
    try:
        if isinstance(typed, str):
            text = typed.translate(ALIKE).strip()
            text = text.replace(",", ".") if text.count(",") == 1 and "." not in text else text
            value = number_in(text)
        elif isinstance(typed, (bool, list, tuple, dict, set)):
            raise ValueError
        else:
            value = float(typed)
    except (TypeError, ValueError, ZeroDivisionError, OverflowError, RuntimeError):
        value = math.nan
    if math.isnan(value):
        what = "nan" if isinstance(typed, float) else kind_of(typed)
        raise Unreadable(f"The answer is one number, and {what} came: {example(question)}.")
    return value


def number_in(text):
    """The number that a text says: as a number, as a fraction, or as arithmetic; ValueError for the rest."""
    try:
        return float(Fraction(text.replace(" ", ""))) if "/" in text else float(text)
    except ValueError:
        return float(work_out(text, {}))


def a_shape(question, typed):
    """A list or a tuple of sizes (torch.Size is one), or a text that says one."""
    match = SHAPE.fullmatch(typed.strip()) if isinstance(typed, str) else None
    if match and (match[1] or re.search("[([]", typed)):
        return tuple(int(size) for size in re.findall(r"\d+", match[1] or ""))
    if isinstance(typed, (list, tuple)):
        try:
            sizes = tuple(operator.index(size) for size in typed if not isinstance(size, bool))
        except TypeError:
            sizes = ()
        if len(sizes) == len(typed) and min(sizes, default=0) >= 0:
            return sizes
    raise Unreadable(
        f"The answer is a shape, whole numbers in brackets, and {kind_of(typed)} came: {example(question)}."
    )


def a_text(question, typed):
    """A text without what makes no difference; a number is a text too."""
    if isinstance(typed, (str, bool, int, float)) and plain(str(typed)):
        return plain(str(typed))
    raise Unreadable(f"The answer is a word or two, and {kind_of(typed)} came: {example(question)}.")


def kind_of(typed):
    """What came, in words."""
    if isinstance(typed, str):
        return quoted(typed)
    article = "an" if type(typed).__name__[0] in "aeiou" else "a"
    return f"{article} {type(typed).__name__}"


READERS = {"choice": a_choice, "number": a_number, "shape": a_shape, "text": a_text}
