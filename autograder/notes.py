"""Note: a sentence on a submission, with a kind that says who reads it. A student's words are in it only as a
quotation that `quoted` made: short, on one line, printable."""

import re
from dataclasses import dataclass

# INFO: for the student and the instructor. RELEASE: on a release that may not be the current one. REMARK: on
# code that a person should look at. LOOK: only for the instructor, who should look at it; points stand.
# WAIT: points wait for a person, as a written answer's do. DOUBT: all points wait for a person.
INFO, RELEASE, REMARK, LOOK, WAIT, DOUBT = "info", "release", "remark", "look", "wait", "doubt"
LONGEST, LONGEST_QUOTATION = 1000, 200  # characters
UNPRINTABLE = re.compile(
    r"[\x00-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164"
    r"\ud800-\udfff\ufeff\ufff0-\ufffc\ufffe\uffff\U000e0000-\U000e0fff]+"
)


@dataclass(frozen=True)
class Note:
    kind: str
    text: str

    def __post_init__(self):
        object.__setattr__(self, "text", clean(self.text, LONGEST))


def clean(text, most):
    """Return at most `most` characters on one line, without control and invisible characters, marks that
    change the direction of writing, and lone surrogates."""
    return UNPRINTABLE.sub(" ", text[: 2 * most])[:most]


def quoted(text, most=LONGEST_QUOTATION):
    """Return a student's words in quotation marks, cleaned and shortened; marks in them become single."""
    text = clean(text, most + 1).replace('"', "'").strip()
    return f'"{text[: most - 3]}..."' if len(text) > most else f'"{text}"'


def texts_of(notes, *kinds):
    """Return the sentences of these kinds, by default of all, each once."""
    return list(dict.fromkeys(note.text for note in notes if note.kind in kinds or not kinds))


def first_few(notes, most=5):
    """Return the first few of many notes of a kind, and one on how many more there are."""
    more = len(notes) - most
    return [*notes[:most], *([Note(notes[0].kind, f"And {more} more like this.")] if more > 0 else [])]
