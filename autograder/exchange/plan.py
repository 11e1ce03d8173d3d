"""Files and people -> [Row]: whose each file is, which lesson, which version counts, what it replaces."""

import hashlib
import unicodedata
from collections import defaultdict
from dataclasses import dataclass, field

from autograder.gradebook.submitted import TIMESTAMP, read_student_folder, time_in
from autograder.releases import store
from autograder.submission.notebook_file import Rejected, read_notebook
from autograder.submission.which_lesson import which_lesson

from .claim import lessons_named
from .people import Match, Person
from .places import Unreadable
from .roster import may_be_id

NEW, REPLACES, SAME, OLDER, OPEN, BAD = "new", "replaces", "same", "older", "?", "left out"
YOU = "you"  # how a student is known where the instructor decided it
WHICH = "several notebooks of {} for {}, and nothing says which is newer"
STRANGERS = "the LMS has several numbers for what looks like {}: are these several people?"
UNKNOWN_LESSON = "it does not say which one lesson it is: give --lesson"
OTHER_LESSON = "it is a notebook of {}"
NAMED_OTHER = "is {}, though its name says {}"


@dataclass
class Row:
    """One notebook.

    sha: of its bytes. small: {name: bytes} of nbgrader's files beside it. how: by what the student is known.
    state: see above; OPEN waits for a person, for the reason in `doubt`.
    """

    file: object
    claim: object
    sha: str = ""
    small: dict = field(default_factory=dict)
    person: Person | None = None
    lesson: str = ""
    how: str = ""
    state: str = ""
    doubt: str = ""
    note: str = ""
    candidates: list = field(default_factory=list)

    @property
    def student(self):
        return self.person.id if self.person else ""

    @property
    def time(self):
        return time_in(self.small.get(TIMESTAMP, b"")) or self.claim.time

    @property
    def is_late(self):
        """Late, as the LMS says, which does not say when it was handed in."""
        return self.claim.late and self.time is None

    @property
    def order(self):
        """Comparable with the order of another version of the same kind; () where nothing is known."""
        return order_of(self.time) or ((self.claim.kind, *self.claim.order) if self.claim.order else ())

    def leave_out(self, reason):
        self.state, self.note, self.doubt = BAD, str(reason), ""


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
        row.doubt = UNKNOWN_LESSON
    elif expected not in (None, row.lesson):
        row.doubt = OTHER_LESSON.format(inside)
    elif named and row.lesson not in named:
        row.note = NAMED_OTHER.format(row.lesson, named[0])


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
    row.candidates = match.candidates or people.likely(row.claim.names)
    if may_add and not match.person and (row.claim.student or not row.candidates):
        match = newcomer(row.claim) or match
    row.person, row.how = match.person, match.how
    if not match.person:
        row.doubt = "; ".join(filter(None, [match.reason, row.doubt]))


def newcomer(claim):
    """A Match with a Person made of what the name says; None where it says nothing that can be an id."""
    name = claim.student or "".join(claim.names[:1])
    student = unicodedata.normalize("NFC", f"{name}_{claim.lms_id}" if claim.lms_id and name else name)
    return Match(Person(student, lms_id=claim.lms_id or ""), "added") if may_be_id(student) else None


def choose_versions(rows):
    """Of several notebooks of one student and lesson one counts; the others become OLDER, or wait."""
    groups = defaultdict(list)
    for row in rows:
        if not row.doubt and not row.state:
            groups[row.student, row.lesson].append(row)
    for group in groups.values():
        choose(group)


def choose(group):
    """The newest counts; where that is doubtful, the one on which the instructor decided."""
    doubt, decided = doubt_of(group), [row for row in group if row.how == YOU]
    choice = max(group, key=lambda row: row.order) if not doubt else decided[0] if len(decided) == 1 else None
    for row in group:
        if choice and (not doubt or row.claim.number == choice.claim.number):
            row.state = "" if row is choice else OLDER
        else:
            row.doubt, row.candidates = doubt, [row.person]


def doubt_of(group):
    """Why it cannot be told which of these notebooks counts; "" when it can."""
    if len({row.claim.number for row in group if row.how != YOU} - {None}) > 1:
        return STRANGERS.format(group[0].student)
    orders = [row.order for row in group]
    if len({order[:1] for order in orders}) > 1:  # not of one kind: nothing can be compared
        orders = [()] * len(group)
    last = {row.sha for row, order in zip(group, orders, strict=True) if order == max(orders)}
    return WHICH.format(group[0].lesson, group[0].student) if len(last) > 1 else ""


def compare(row, submitted, orders):
    """Enter what becomes of a certain row: NEW, REPLACES, SAME, or OLDER than what is in submitted/ now.
    orders: {sha: order} of what was collected before, the latest last."""
    folder = submitted / row.student / row.lesson
    if not folder.is_dir():
        row.state = NEW
        return
    there = read_student_folder(row.student, row.lesson, folder)
    sha = hashlib.sha256(there.data or b"").hexdigest()
    order = order_of(there.time) or tuple(orders.get(sha, ()))
    if sha == row.sha:
        row.state = SAME
    elif order and order[0] in row.order[:1]:
        row.state = OLDER if row.order < order else REPLACES
    else:
        row.state = OLDER if row.sha in [*orders][:-1] else REPLACES
