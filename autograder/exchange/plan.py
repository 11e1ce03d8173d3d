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
WHICH = "several notebooks of {} for {}, and nothing says which is newer"
STRANGERS = "the LMS has several numbers for what looks like {}: are these several people?"
UNKNOWN_LESSON = "it does not say which lesson it is: give --lesson"
TWO_LESSONS = "it cannot be read, and its name says several lessons"
OTHER_LESSON = "it is a notebook of {}"
NAMED_OTHER = "is {}, though its name says {}"


@dataclass
class Row:
    """One notebook.

    sha: of its bytes. state: see above; OPEN waits for a person, for the reason in `doubt`. how: by what the
    student is known. decided: the instructor said whose it is. several: it is one of several of which it is
    open which counts, or the one that the instructor chose.
    """

    file: object
    claim: object
    sha: str = ""
    small: dict = field(default_factory=dict)
    student: str = ""
    lesson: str = ""
    how: str = ""
    state: str = ""
    doubt: str = ""
    note: str = ""
    candidates: list = field(default_factory=list)
    person: Person | None = None
    decided: bool = False
    several: bool = False

    @property
    def time(self):
        return time_in(self.small.get(TIMESTAMP, b"")) or self.claim.time

    @property
    def order(self):
        """Comparable with the order of another version of the same kind; () where nothing is known."""
        if self.time is not None:
            return ("time", self.time.isoformat())
        return (self.claim.kind, *self.claim.order) if self.claim.order else ()

    def enter(self, person, how):
        self.person, self.student, self.how = person, person.id, how


def read_row(file, claim, expected_lesson):
    """A Row with what the file itself says."""
    row = Row(file, claim)
    try:
        data = file.read()
        small = {name: file.read(name) for name in file.small}
    except (Unreadable, OSError) as reason:
        row.state, row.note = BAD, str(reason)
        return row
    row.sha = hashlib.sha256(data).hexdigest()
    row.small = {name: text for name, text in small.items() if name != TIMESTAMP or time_in(text)}
    enter_lesson(row, data, expected_lesson)
    return row


def enter_lesson(row, data, expected):
    """What the notebook itself says comes first, then what is expected, then its name."""
    inside, named = lesson_in(data), lessons_named(row.claim.text)
    row.lesson = inside or expected or (named[0] if len(named) == 1 else "")
    if inside and expected not in (None, inside):
        row.doubt = OTHER_LESSON.format(inside)
    elif inside and named and inside not in named:
        row.note = NAMED_OTHER.format(inside, named[0])
    elif not row.lesson:
        row.doubt = TWO_LESSONS if named else UNKNOWN_LESSON


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
    if match.person is None and may_add and (row.claim.student or not match.candidates):
        new = newcomer(row.claim)
        match = Match(new, "added") if new else match
    row.candidates = match.candidates
    if match.person:
        row.enter(match.person, match.how)
    else:
        row.doubt = "; ".join(filter(None, [match.reason, row.doubt]))


def newcomer(claim):
    """A Person made of what the name says; None where it says nothing that can be an id."""
    names = claim.names[::-1] if claim.kind == "name" else claim.names  # of a loose file the outermost folder
    name = claim.student or next(iter(names), "")
    student = unicodedata.normalize("NFC", f"{name}_{claim.lms_id}" if claim.lms_id and name else name)
    return Person(student, lms_id=claim.lms_id or "") if may_be_id(student) else None


def choose_versions(rows):
    """Of several notebooks of one student and lesson the newest is left; the others become OLDER, or OPEN."""
    groups = defaultdict(list)
    for row in rows:
        if not row.doubt and not row.state:
            groups[row.student, row.lesson].append(row)
    for group in map(without_strangers, groups.values()):
        decided = [row for row in group if row.decided]
        doubt = doubt_of(group)
        choice = decided[0] if doubt and len(decided) == 1 else None
        newest = choice or max(group, key=lambda row: row.order)
        newest.several = bool(choice)
        for row in group:
            if doubt and not choice:
                row.doubt, row.several, row.candidates = doubt, True, [row.person]
            elif row is not newest:
                row.state = OLDER


def without_strangers(group):
    """Without those that have another number in the LMS than what the instructor decided on: a doubt."""
    decided = [row for row in group if row.decided]
    if decided:
        person = decided[0].person
        numbers = {row.claim.number for row in decided} | {person.lms_id, None} | person.participants
        for row in group:
            if row.claim.number not in numbers:
                row.doubt, row.candidates = STRANGERS.format(row.student), [person]
    return [row for row in group if not row.doubt]


def doubt_of(group):
    """Why it cannot be told which of these notebooks counts; "" when it can."""
    student, lesson = group[0].student, group[0].lesson
    if len({row.sha for row in group}) == 1:
        return ""
    numbers = {(row.claim.kind, row.claim.number) for row in group if row.claim.number}
    several = len(numbers) > len({kind for kind, _ in numbers})
    if several and not any(row.decided for row in group):
        return STRANGERS.format(student)
    orders = [row.order for row in group]
    last = {row.sha for row in group if row.order == max(orders)}
    comparable = all(orders) and len({order[0] for order in orders}) == 1
    return "" if comparable and len(last) == 1 else WHICH.format(lesson, student)


def compare(row, submitted, log):
    """Enter what becomes of a certain row: NEW, REPLACES, SAME, or OLDER than what is in submitted/ now."""
    folder = submitted / row.student / row.lesson
    if not folder.is_dir():
        row.state = NEW
        return
    there = read_student_folder(row.student, row.lesson, folder)
    sha = hashlib.sha256(there.data).hexdigest() if there.data is not None else ""
    if sha == row.sha:
        row.state = REPLACES if row.time and there.time is None else SAME
    else:
        older = is_older(row, there.time, sha, log.get((row.student, row.lesson), {}))
        row.state = OLDER if older and not row.several else REPLACES


def is_older(row, time, sha, log):
    """Was it made before what is there, or collected before that? log: {sha: order}, the latest last."""
    if row.time and time:
        return row.time < time
    order = tuple(log.get(sha, ()))
    if row.order and order and order[0] == row.order[0]:
        return row.order < order
    collected = list(log)
    return row.sha in log and sha in log and collected.index(row.sha) < collected.index(sha)
