"""Files and people -> [Row]: whose each file is, which lesson, which version counts, what it replaces."""

import hashlib
import unicodedata
from collections import defaultdict
from dataclasses import dataclass, field

from autograder.gradebook.submitted import TIMESTAMP, read_student_folder, time_in
from autograder.releases import store
from autograder.submission.notebook_file import Rejected, read_notebook
from autograder.submission.which_release import which_lesson

from .claim import lessons_named
from .people import Match, Person
from .places import Unreadable
from .roster import may_be_id

NEW, REPLACES, SAME, OLDER, OPEN, BAD = "new", "replaces", "same", "older", "?", "left out"
YOU = "you"  # how a student is known where the instructor decided it
WHICH = "several notebooks of {} for {}: nothing says which is newer, or they are of several people"
UNKNOWN_LESSON = "it does not say which one lesson it is: give --lesson"
OTHER_LESSON = "it is a notebook of {}"
NAMED_OTHER = "is {}, though its name says {}"


@dataclass
class Row:
    """One notebook.

    sha: of its bytes. small: {name: bytes} of nbgrader's files beside it. how: by what the student is known.
    state: see above; OPEN waits for a person. why: what there is to say of it.
    """

    file: object
    claim: object
    sha: str = ""
    small: dict = field(default_factory=dict)
    person: Person | None = None
    lesson: str = ""
    how: str = ""
    state: str = ""
    why: str = ""
    candidates: list = field(default_factory=list)

    @property
    def student(self):
        return self.person.id if self.person else ""

    @property
    def time(self):
        return time_in(self.small.get(TIMESTAMP, b"")) or self.claim.time

    @property
    def is_late(self):
        """Does the LMS mark it as late, without giving the time?"""
        return self.claim.late and self.time is None

    @property
    def order(self):
        """Comparable with the order of another version of the same kind; () where nothing is known."""
        return order_of(self.time) or ((self.claim.kind, *self.claim.order) if self.claim.order else ())

    def leave_out(self, reason):
        self.state, self.why = BAD, str(reason)

    def wait(self, reason):
        self.state, self.why = OPEN, "; ".join(filter(None, [self.why, reason]))


def order_of(time):
    return ("time", time.isoformat()) if time else ()


def read_row(file, claim, expected_lesson):
    """A Row with what the file itself says."""
    row = Row(file, claim)
    try:
        data, small = file.read(), file.read_small()
    except (Unreadable, OSError) as reason:
        row.leave_out(reason)
        return row
    row.sha = hashlib.sha256(data).hexdigest()
    row.small = {name: text for name, text in small.items() if name != TIMESTAMP or time_in(text)}
    enter_lesson(row, lesson_in(data), expected_lesson)
    return row


def enter_lesson(row, inside, expected):
    """What the notebook itself says comes first, then what is expected, then its name."""
    named = lessons_named(row.file.label)
    row.lesson = inside or expected or (named[0] if len(named) == 1 else "")
    if not row.lesson:
        row.wait(UNKNOWN_LESSON)
    elif expected not in (None, row.lesson):
        row.wait(OTHER_LESSON.format(inside))
    elif named and row.lesson not in named:
        row.why = NAMED_OTHER.format(row.lesson, named[0])


def lesson_in(data):
    """What the notebook's metadata or its cells say; None where it cannot be read, or is no lesson."""
    try:
        cells, named, _ = read_notebook(data, [])
        return named if named in store.lessons() else which_lesson(cells, named).name
    except Rejected:
        return None


def find_student(row, people, may_add):
    """Enter whose the file is. may_add: nobody gave a roster, so that an unknown student is a new one."""
    match = people.find(row.claim)
    if not match.person:
        row.candidates = match.candidates or people.likely(row.claim.names)
        if may_add and (row.claim.student or not row.candidates):
            match = newcomer(row.claim) or match
    row.person, row.how = match.person, match.how
    if not match.person:
        row.wait(match.reason)


def newcomer(claim):
    """A Match with a Person made of what the name says; None where it says nothing that can be an id."""
    name = claim.student or "".join(claim.names[:1])
    student = unicodedata.normalize("NFC", f"{name}_{claim.lms_id}" if claim.lms_id and name else name)
    return Match(Person(student, lms_id=claim.lms_id or ""), "added") if may_be_id(student) else None


def choose_versions(rows):
    """Of several notebooks of one student and lesson one counts; the others become OLDER, or wait."""
    groups = defaultdict(list)
    for row in rows:
        groups[row.student, row.lesson].append(row)
    for group in groups.values():
        choose(group)


def choose(group):
    """The newest counts; where that is doubtful, the one on which the instructor decided."""
    kinds = {(row.order[:1], row.claim.number) for row in group}  # what is not of one kind cannot be compared
    newest = max(group, key=lambda row: row.order)
    is_sure = len({row.sha for row in group if len(kinds) > 1 or row.order == newest.order}) == 1
    choices = [newest] if is_sure else [row for row in group if row.how == YOU]
    for row in group:
        if len(choices) == 1 and (is_sure or row.claim.number == choices[0].claim.number):
            row.state = "" if row is choices[0] else OLDER
        else:
            row.wait(WHICH.format(row.lesson, row.student))


def state_of(row, submitted, orders):
    """What becomes of a certain row. orders: {sha: order} of what was collected before, the latest last."""
    folder = submitted / row.student / row.lesson
    if not folder.is_dir():
        return NEW
    there = read_student_folder(row.student, row.lesson, folder)
    sha = hashlib.sha256(there.data or b"").hexdigest()
    order = order_of(there.time) or tuple(orders.get(sha, ()))
    if sha == row.sha:
        return SAME
    is_comparable = order and order[:1] == row.order[:1]
    is_older = row.order < order if is_comparable else row.sha in [*orders][:-1]
    return OLDER if is_older else REPLACES
