"""Files and people -> [Row]: whose each notebook is, which lesson, and which version counts."""

import hashlib
import unicodedata
from collections import defaultdict
from dataclasses import dataclass, field

from autograder.gradebook.submitted import SMALL_FILES, TIMESTAMP, time_in
from autograder.releases import store
from autograder.submission.files import printable
from autograder.submission.notebook_file import Rejected, read_notebook
from autograder.submission.which_release import which_lesson

from .decisions import LEAVE_OUT, decision_on, person_of
from .lms import Claim, lessons_named
from .people import NOBODY, Person
from .places import Doubt
from .roster import may_be_id

# what becomes of a notebook
NEW, REPLACES, SAME = "new", "replacing what was there", "already there"
OTHER, WAITS, LEFT_OUT = "not copied, as another version counts", "doubtful", "left out, as you decided"
STATES = NEW, REPLACES, SAME, OTHER, WAITS, LEFT_OUT
YOU = "you"  # how a student is known where the instructor decided it
WHICH = "several notebooks of {} for {}: nothing says which one counts, or they belong to several people"
UNKNOWN_LESSON = "it does not say which lesson it is: give --lesson"
OTHER_LESSON = "it is a notebook of {}"


@dataclass
class Row:
    """One notebook.

    parts, reads: see files_in. sha: of its bytes. small: {name: bytes} of nbgrader's files beside it. how: by
    what the student is known. state: what becomes of it, see above. why: why it waits.
    """

    parts: tuple
    reads: dict
    claim: Claim
    sha: str = ""
    small: dict = field(default_factory=dict)
    person: Person | None = None
    lesson: str = ""
    how: str = ""
    state: str = ""
    why: str = ""

    @property
    def label(self):
        return printable("/".join(self.parts))

    @property
    def time(self):
        return time_in(self.small.get(TIMESTAMP, b"")) or self.claim.time

    @property
    def number(self):
        """The student's number in the LMS."""
        return self.claim.lms_id or self.claim.participant

    def read(self):
        return self.reads[self.parts]()


def settle(row, expected_lesson, people, decisions, may_add):
    """Fill in the row from its file and from the decision on it. may_add: may a student be new?"""
    try:
        data = row.read()
        row.sha, row.small = sha_of(data), small_files(row)
        person = person_of(decision_on(row, decisions), people)
        names = lessons_named(row.label)
        row.lesson = lesson_in(data) or expected_lesson or (names[0] if len(names) == 1 else "")
        if not row.lesson:
            raise Doubt(UNKNOWN_LESSON)
        if person is None and expected_lesson not in (None, row.lesson):
            raise Doubt(OTHER_LESSON.format(row.lesson))
        row.person, row.how = (person, YOU) if person else find_student(row.claim, people, may_add)
    except Doubt as reason:
        row.state, row.why = WAITS, str(reason)
    if decision_on(row, decisions) == LEAVE_OUT:
        row.state = LEFT_OUT


def sha_of(data):
    return hashlib.sha256(data).hexdigest()


def small_files(row):
    """{name: bytes} of what nbgrader keeps beside a notebook; timestamp.txt only where it holds a time."""
    places = {name: (*row.parts[:-1], name) for name in SMALL_FILES}
    texts = {name: row.reads[parts]() for name, parts in places.items() if parts in row.reads}
    return {name: text for name, text in texts.items() if name != TIMESTAMP or time_in(text)}


def lesson_in(data):
    """What the notebook's metadata or its cells say; None where it cannot be read, or is no lesson."""
    try:
        cells, name, _ = read_notebook(data, [])
        return name if name in store.lessons() else which_lesson(cells, name).name
    except Rejected:
        return None


def find_student(claim, people, may_add):
    """(Person, by what); Doubt."""
    person, how = people.find(claim)
    name = claim.id or "".join(claim.texts[:1])
    student = unicodedata.normalize("NFC", f"{name}_{claim.lms_id}" if claim.lms_id and name else name)
    if how == NOBODY and may_add and may_be_id(student):
        return Person(student, lms_id=claim.lms_id), "added"
    if person is None:
        raise Doubt(how)
    return person, how


def choose_versions(rows):
    """Among several notebooks of one student and lesson, one counts or all wait."""
    groups = defaultdict(list)
    for row in rows:
        groups[row.person.id, row.lesson].append(row)
    for group in groups.values():
        choose(group)


def choose(group):
    """A decision of the instructor comes first, then the latest time; files with equal bytes raise no doubt.
    Files with different LMS numbers may belong to different people, so each needs a decision of its own."""
    decided = [row for row in group if row.how == YOU]
    choices = decided or group
    if all(row.time for row in choices):
        latest = max(row.time for row in choices)
        choices = [row for row in choices if row.time == latest]
    is_clear, choice = len({(row.sha, row.number) for row in choices}) == 1, choices[0]
    for row in group:
        if is_clear and (not decided or row.number and row.number == choice.number):
            row.state = "" if row is choice else OTHER
        elif not is_clear or row is not choice:
            row.state, row.why = WAITS, WHICH.format(row.lesson, row.person.id)
