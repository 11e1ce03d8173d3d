"""Files and people -> [Row]: whose each file is, which lesson, which version counts, what it replaces."""

import hashlib
import unicodedata
from collections import defaultdict
from dataclasses import dataclass, field, replace

from autograder.gradebook.submitted import TIMESTAMP, read_student_folder, time_in

from .archive import Unreadable
from .lesson import lesson_of
from .people import Match, Person
from .roster import may_be_id

NEW, REPLACES, SAME, OLDER, OPEN, BAD = "new", "replaces", "same", "older", "?", "left out"
WHICH = "several notebooks of {} for {}, and nothing says which is newer"
STRANGERS = "the LMS has several numbers for what looks like {}: are these several people?"
NUMBERS = "Canvas' number of the file and its resubmission number disagree"
ADDED = "added"  # how a student is known who was not


@dataclass
class Row:
    """One notebook.

    sha: of its bytes. state: see above; OPEN waits for a person, for the reason in `doubt`. how: by what the
    student is known. decided: the instructor said whose it is. versions: it is one of several of which it is
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
    versions: bool = False

    def fresh(self):
        """A copy without candidates, for a new decision."""
        return replace(self, candidates=[])

    @property
    def key(self):
        """How collect.csv names this file: its folder and its name there."""
        return f"{self.file.place}: {self.file.label}"

    @property
    def time(self):
        return time_in(self.small.get(TIMESTAMP, b"")) or self.claim.time

    @property
    def order(self):
        """Comparable with the order of another version of the same kind; () where nothing is known."""
        if self.time is not None:
            return ("time", self.time.isoformat())
        return (self.claim.kind, *self.claim.order) if self.claim.order else ()


def read_row(file, claim, wanted):
    """A Row with what the file itself says."""
    row = Row(file, claim, student="")
    try:
        data = file.read()
        row.small = {name: text for name, text in file.beside().items() if name != TIMESTAMP or time_in(text)}
    except (Unreadable, OSError) as reason:
        row.state, row.note = BAD, str(reason)
        return row
    row.sha = hashlib.sha256(data).hexdigest()
    lesson, row.doubt, row.note = lesson_of(data, claim.text, wanted)
    row.lesson = lesson or ""
    return row


def find_student(row, people, may_add):
    """Enter whose the file is. may_add: nobody gave a roster, so that an unknown student is a new one."""
    match = people.find(row.claim)
    if match.person is None and may_add and (row.claim.student or not match.candidates):
        match = Match(newcomer(row.claim), ADDED) if newcomer(row.claim) else match
    row.person, row.how, row.candidates = match.person, match.how, match.candidates
    row.student = match.person.id if match.person else ""
    if not match.person:
        row.doubt = "; ".join(filter(None, [match.reason, row.doubt]))


def newcomer(claim):
    """A Person made of what the name says; None where it says nothing that can be an id."""
    name = claim.student or (
        claim.names[-1] if claim.kind == "name" and claim.names else "".join(claim.names[:1])
    )
    canvas = claim.kind == "Canvas"
    found = unicodedata.normalize("NFC", f"{name}_{claim.lms_id}" if canvas and name else name)
    return Person(found, lms_id=claim.lms_id if canvas else "") if may_be_id(found) else None


def choose_versions(rows):
    """Of several notebooks of one student and lesson the newest is left; the others become OLDER, or OPEN."""
    groups = defaultdict(list)
    for row in rows:
        if not row.doubt and not row.state:
            groups[row.student, row.lesson].append(row)
    for group in map(without_strangers, groups.values()):
        reason = doubt_of(group)
        decided = [row for row in group if row.decided]
        chosen = decided[0] if reason and len(decided) == 1 else None
        newest = chosen or max(group, key=lambda row: row.order)
        for row in group:
            if reason and not chosen:
                row.doubt, row.versions, row.candidates = reason, True, [row.person]
            elif row is not newest:
                row.state = OLDER
        newest.versions = newest.versions or bool(chosen)


def without_strangers(group):
    """Without those that have another number in the LMS than what the instructor decided on: a doubt."""
    decided = [row for row in group if row.decided]
    if not decided:
        return group
    person = decided[0].person
    known = {row.claim.lms_id for row in decided} | {person.lms_id, None} | person.participants
    for row in group:
        if row.claim.lms_id not in known:
            row.doubt, row.candidates = STRANGERS.format(row.student), [person]
    return [row for row in group if not row.doubt]


def doubt_of(group):
    """Why it cannot be told which of these notebooks counts; "" when it can."""
    student, lesson = group[0].student, group[0].lesson
    if len({row.sha for row in group}) == 1:
        return ""
    numbers = {(row.claim.kind, row.claim.lms_id) for row in group if row.claim.lms_id}
    several = len({number for _, number in numbers}) > len({kind for kind, _ in numbers})
    if several and not any(row.decided for row in group):
        return STRANGERS.format(student)
    orders = [row.order for row in group]
    alike = {row.sha for row in group if row.order == max(orders)}
    if len({order[:1] for order in orders}) > 1 or () in orders or len(alike) > 1:
        return WHICH.format(lesson, student)
    return NUMBERS if contradicts(group) else ""


def contradicts(group):
    """Do Canvas' number of the file and the number behind the file's name say different things?"""
    in_order = sorted((row for row in group if row.claim.kind == "Canvas"), key=lambda row: row.order)
    numbers = [row.claim.resubmission for row in in_order]
    return all(numbers) and numbers != sorted(numbers)


def compare(row, submitted, log):
    """Enter what becomes of a sure row: NEW, REPLACES, SAME, or OLDER than what is in submitted/ now."""
    folder = submitted / row.student / row.lesson
    there = read_student_folder(row.student, row.lesson, folder) if folder.is_dir() else None
    if there is None:
        row.state = NEW
    elif there.data is not None and hashlib.sha256(there.data).hexdigest() == row.sha:
        row.state = REPLACES if row.time and there.time is None else SAME
    else:
        row.state = OLDER if not row.versions and is_older(row, there, log) else REPLACES


def is_older(row, there, log):
    """Was it made before what is there, or collected before that?"""
    if row.time and there.time:
        return row.time < there.time
    earlier = log.get((row.student, row.lesson), {})
    now = hashlib.sha256(there.data).hexdigest() if there.data is not None else ""
    known = tuple(earlier.get(now, ()))
    if row.order and known and known[0] == row.order[0]:
        return row.order < known
    collected = list(earlier)
    return row.sha in earlier and now in earlier and collected.index(row.sha) < collected.index(now)
