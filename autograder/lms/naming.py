"""The path of a file -> Claim: what Canvas, Moodle, nbgrader or the student wrote into its name."""

import re
from dataclasses import dataclass, field

from autograder.gradebook.submitted import time_in
from autograder.releases import store

CANVAS = re.compile(r"(?P<name>.+?)(?P<late>_LATE)?_(?P<id>\d+)_(?P<file>\d{3,})_(?P<rest>.+)", re.S)
ANONYMOUS = re.compile(r"(?:LATE_)?anon_\w{3,8}_\d+_", re.I)
MOODLE = re.compile(r"(?P<name>.+?)_(?P<id>\d+)_assignsubmission_file(?:_.*)?", re.S)
EXCHANGE = re.compile(
    r"(?P<student>[^+]+)\+(?P<lesson>[^+]+)\+(?P<time>\d{4}-\d\d-\d\d [\d:.]+ ?[^+]*)(\+.*)?", re.S
)
BLACKBOARD = re.compile(r".*?_(?P<student>[^_]+)_attempt_(?P<time>\d{4}(?:-\d\d){5})(?:_.*|\..*)?", re.S)
RESUBMITTED = re.compile(r"-(\d{1,3})$")
COPY = re.compile(
    r"(?:\s*\(\d+\)|[-_ ]?\d{1,2}|[-_ ]+(?:copy|final|done|solved|submission|new|kopie))++$", re.I
)
MAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
HIDDEN = "participant"  # what Moodle writes for everybody while submissions are anonymous
STEPS = {"archive", "extracted", "submitted", "downloaded", "inbound", "submissions", "notebooks"}
SUFFIX = re.compile(r"\.(ipynb|zip)$", re.I)


@dataclass
class Claim:
    """What a file's path says.

    kind: Canvas, Moodle, nbgrader, Blackboard or name. student: an id that is sure. lms_id: the number that
    Canvas or Moodle gave the student. names: texts that may be the student's name, id or mail address, the
    nearest first. order: numbers that grow from version to version, () where the path holds none.
    resubmission: the number that Canvas puts behind a file's name, else 0. text: where a lesson may be named.
    """

    kind: str
    names: list = field(default_factory=list)
    student: str | None = None
    lms_id: str | None = None
    late: bool = False
    time: object = None
    order: tuple = ()
    resubmission: int = 0
    text: str = ""


def claim_of(parts):
    """The first convention that the path follows, looked for from the outermost folder inwards."""
    for number, part in enumerate(parts):
        below = "/".join([SUFFIX.sub("", part), *parts[number + 1 :], *parts[:number]])
        for convention in (moodle, exchange, canvas, blackboard):
            claim = convention(part, below)
            if claim:
                return claim
    return plain_names(parts)


def canvas(part, below):
    """lastfirst_LATE_12345_67890_01_masks-1.ipynb: Canvas' numbers of the student and of the file."""
    found = CANVAS.fullmatch(part)
    if ANONYMOUS.match(part):
        return Claim("Canvas", text=below)
    if not found or " " in found["name"] or "+" in found["name"]:
        return None
    again = RESUBMITTED.search(SUFFIX.sub("", found["rest"]))
    number = int(again[1]) if again else 0
    return Claim(
        "Canvas",
        [found["name"]],
        lms_id=found["id"],
        late=bool(found["late"]),
        order=(int(found["file"]),),
        resubmission=number,
        text="/".join([found["rest"], below.partition("/")[2]]),
    )


def moodle(part, below):
    """First Last_123456_assignsubmission_file_: Moodle's number of the participant in this assignment."""
    found = MOODLE.fullmatch(part)
    if not found:
        return None
    names = [] if found["name"].lower() == HIDDEN else [found["name"]]
    return Claim("Moodle", names, lms_id=found["id"], text=below)


def exchange(part, below):
    """student+lesson+time+hash, as nbgrader's exchange names its inbound folders."""
    found = EXCHANGE.fullmatch(part)
    if not found:
        return None
    time = time_in(found["time"].strip().encode())
    return Claim("nbgrader", [found["student"]], found["student"], time=time, text=found["lesson"])


def blackboard(part, below):
    """lesson_student_attempt_2026-03-01-12-00-00_file: the form that nbgrader's zip_collect expects."""
    found = BLACKBOARD.fullmatch(part)
    if not found:
        return None
    order = tuple(map(int, found["time"].split("-")))
    return Claim("Blackboard", [found["student"]], order=order, text=below)


def plain_names(parts):
    """A loose file: the student is named in the file's name or in a folder above it."""
    stem = SUFFIX.sub("", parts[-1])
    texts = [
        without_lesson(stem),
        *(without_lesson(SUFFIX.sub("", part)) for part in parts[-2::-1]),
    ]
    names = [text for text in texts if text and text.lower() not in STEPS]
    return Claim("name", list(dict.fromkeys(names)), text="/".join(parts))


def without_lesson(text):
    """The text without names of lessons, and without what marks a copy."""
    bare = text
    for lesson in store.lessons():
        bare = re.sub(pattern_of(lesson), " ", bare, flags=re.I)
    bare = COPY.sub("", bare) if bare != text else re.sub(r"\s*\(\d+\)$", "", bare)
    return bare.strip(" _-.+")


def pattern_of(lesson):
    """A lesson's name with whatever stands between its words: 01_masks, 01-masks, 01 Masks."""
    return r"(?<![^\W_])" + r"[\W_]{0,3}".join(map(re.escape, lesson.split("_"))) + r"(?![^\W_])"


def lessons_named(text):
    """[lesson] that a text names, each once."""
    return [lesson for lesson in store.lessons() if re.search(pattern_of(lesson), text, re.I)]
