"""Finds the student and lesson of each collected notebook, and decides which of several versions counts."""

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

# states of a Row
NEW, REPLACES, SAME = "new", "replacing what was there", "already there"
OTHER, WAITS, LEFT_OUT = "not copied, as another version counts", "doubtful", "left out, as you decided"
STATES = NEW, REPLACES, SAME, OTHER, WAITS, LEFT_OUT
YOU = "you"  # value of Row.how when the instructor named the student
WHICH = "several notebooks of {} for {}: it is unclear which one counts, or they belong to several people"
UNKNOWN_LESSON = "it does not say which lesson it is: give --lesson"
OTHER_LESSON = "it is a notebook of {}"


@dataclass
class Row:
    """A collected notebook.

    parts, reads: see files_in. sha: the hash of its bytes. small: {name: bytes} of nbgrader's files next to
    it. how: what identified the student. state: one of STATES; "" at first. why: why it is doubtful.
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


def identify(row, expected_lesson, people, decisions, may_add):
    """Find the row's student and lesson, or mark it as doubtful. may_add: are unknown students accepted?"""
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
    """{name: bytes} of nbgrader's files next to a notebook; timestamp.txt only if it holds a time."""
    places = {name: (*row.parts[:-1], name) for name in SMALL_FILES}
    texts = {name: row.reads[parts]() for name, parts in places.items() if parts in row.reads}
    return {name: text for name, text in texts.items() if name != TIMESTAMP or time_in(text)}


def lesson_in(data):
    """The lesson that the notebook's metadata or its cells name; None if it is unreadable or no lesson."""
    try:
        cells, name, _ = read_notebook(data, [])
        return name if name in store.lessons() else which_lesson(cells, name).name
    except Rejected:
        return None


def find_student(claim, people, may_add):
    """Return (Person, what identified them); raises Doubt if nobody fits, or more than one."""
    person, how = people.find(claim)
    name = claim.id or "".join(claim.texts[:1])
    student = unicodedata.normalize("NFC", f"{name}_{claim.lms_id}" if claim.lms_id and name else name)
    if how == NOBODY and may_add and may_be_id(student):
        return Person(student, lms_id=claim.lms_id), "added"
    if person is None:
        raise Doubt(how)
    return person, how


def choose_versions(rows):
    """For each student and lesson, choose which of several notebooks counts, or mark all as doubtful."""
    groups = defaultdict(list)
    for row in rows:
        groups[row.person.id, row.lesson].append(row)
    for group in groups.values():
        choose(group)


def choose(group):
    """Choose from a group: the instructor's decision comes first, then the latest time. Equal files raise no
    doubt. Files with different LMS numbers may be different people's, so each needs its own decision."""
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
