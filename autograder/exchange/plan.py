"""Finds the student and lesson of each collected file, and decides which of several versions counts."""

import hashlib
import unicodedata
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import datetime

from autograder.gradebook.submitted import SMALL_FILES, TIMESTAMP, time_in
from autograder.notes import LONGEST, clean
from autograder.releases import store
from autograder.submission.files import is_notebook, printable
from autograder.submission.notebook_file import Rejected, read_notebook
from autograder.submission.which_release import which_lesson
from autograder.tables import safe

from . import sentences
from .decisions import LEAVE_OUT, person_of
from .lms import Claim, lessons_named
from .people import Person
from .places import Doubt, is_zip
from .roster import may_be_id

NEW, REPLACES, SAME = "new", "replacing what was there", "already there"
OTHER, WAITS, LEFT_OUT = "not copied, as another version counts", "doubtful", "left out, as you decided"
BESIDE = "not notebooks, from students who handed in one"
STATES = NEW, REPLACES, SAME, OTHER, WAITS, LEFT_OUT, BESIDE
YOU = "you"  # value of Row.how when the instructor named the student


@dataclass
class Row:
    """A collected file. parts, reads: see files_in. claims: of its parts. outer: of the place's own name.
    claim: the one that names the student. sha: the hash of its bytes. small: {name: bytes} of nbgrader's
    files in a folder of the exchange. how: what identified the student. state: one of STATES, or "".
    no_time: why the time is unknown."""

    parts: tuple
    reads: dict
    claims: list
    outer: Claim = Claim()
    claim: Claim = Claim()
    sha: str = ""
    small: dict = field(default_factory=dict)
    person: Person | None = None
    lesson: str = ""
    how: str = ""
    state: str = ""
    why: str = ""
    time: datetime | None = None
    no_time: str = ""

    @property
    def label(self):
        return clean(printable("/".join(self.parts)), LONGEST)

    @property
    def key(self):
        """The (file, content) by which collect.csv identifies the file."""
        return safe(self.label).strip(), self.sha[:12]

    def read(self):
        return self.reads[self.parts]()


def level_of_names(rows, people):
    """At which level of a place's folders the students are named: the outermost at which the paths differ, as
    a folder that holds everything is nobody's, unless it has a student's name. What is inside is theirs. A
    zip in a folder is somebody's upload, unless an LMS named the files in it; the exchange's folders lie in
    no other one."""
    deepest = max((len(row.parts) for row in rows), default=0)
    levels = [[row.claims[n] for row in rows if n < len(row.claims)] for n in range(deepest)]
    outer = next((n for n, claims in enumerate(levels) if any(claim != Claim() for claim in claims)), 0)
    if not levels or levels[outer][0].number or people.evidence(levels[outer][0]):
        return outer
    level = next((n for n, claims in enumerate(levels) if len(set(claims)) > 1), outer)
    is_upload = is_zip(rows[0].parts[outer]) and not any(claim.number for claim in levels[level])
    return outer if is_upload or any(claim.time for claim in levels[level]) else level


def identify(row, level, expected_lesson, people, decisions, may_add, zone):
    """Find the row's student, lesson and time, or mark it as doubtful. level: see level_of_names. may_add:
    are unknown students accepted? zone: see time_in."""
    place = min(level, len(row.parts) - 1)
    row.claim = row.claims[place]
    try:
        data = row.read()
        row.sha = sha_of(data)
        person = person_of(decisions.get(row.key, {}).get("student", ""), people)
        read_time(row, place, zone)
        names = lessons_named(row.label)
        row.lesson = lesson_in(data) or expected_lesson or (names[0] if len(names) == 1 else "")
        row.person, row.how = (person, YOU) if person else find_student(row, people, may_add)
        if not (is_notebook(row.parts[-1]) or person):
            raise Doubt(sentences.no_notebook)
        if not row.lesson:
            raise Doubt(sentences.unknown_lesson)
        if person is None and expected_lesson not in (None, row.lesson):
            raise Doubt(sentences.other_lesson.format(row.lesson))
    except Doubt as reason:
        row.state, row.why = WAITS, str(reason)
    if decisions.get(row.key, {}).get("student") == LEAVE_OUT:
        row.state = LEFT_OUT


def sha_of(data):
    return hashlib.sha256(data).hexdigest()


def read_time(row, place, zone):
    """Read the time that nbgrader's exchange wrote, in the folder's name and in its timestamp.txt. No other
    file in a submission sets a time, nor its name."""
    if row.claim.late:
        row.no_time = sentences.late
    if not row.claim.time or place == len(row.parts) - 1:
        return
    paths = {name: (*row.parts[: place + 1], name) for name in SMALL_FILES}
    row.small = {name: row.reads[path]() for name, path in paths.items() if path in row.reads}
    texts = {row.claim.time.encode(), row.small.get(TIMESTAMP, b"").strip()} - {b""}
    times = {time_in(text, zone) for text in texts}
    row.time = times.pop() if len(times) == 1 else None
    words = printable(b", ".join(sorted(texts))[:200])
    row.no_time = "" if row.time else sentences.exchange_time.format(words)


def lesson_in(data):
    """The lesson that the notebook's metadata or its cells name; None if it is unreadable or no lesson."""
    try:
        cells, name, _ = read_notebook(data, [])
        return name if name in store.lessons() else which_lesson(cells, name).name
    except Rejected:
        return None


def find_student(row, people, may_add):
    """Return (Person, what identified them). Raises Doubt unless exactly one person fits, and no other part
    of the path names somebody else."""
    others = [claim for claim in row.claims if claim is not row.claim]
    person, how = people.find(row.claim)
    own = {person.id} if person else set()
    pieces = [ids for claim in (row.outer, *others) for _, ids in people.evidence(claim) if not own & ids]
    if pieces:
        raise Doubt(sentences.several.format(people.labels(own.union(*pieces))))
    if how == sentences.nobody and may_add and not any(other.number for other in others):
        student = new_id(row.claim)
        if may_be_id(student):
            person, how = Person(student, lms_id=row.claim.lms_id), "added"
            people.enter(person)
    if person is None:
        raise Doubt(how)
    return person, how


def new_id(claim):
    """The id of a student whom nobody knew before; Canvas' number makes it unique."""
    name = claim.id or "".join(claim.texts)
    return unicodedata.normalize("NFC", f"{name}_{claim.lms_id}" if claim.lms_id and name else name)


def set_aside(rows):
    """Set aside the files that are no notebooks where their student handed in a notebook of that lesson."""
    handed_in = {(row.person.id, row.lesson) for row in rows if row.person and is_notebook(row.parts[-1])}
    first, *others = {lesson for _, lesson in handed_in} or {""}
    only = "" if others else first
    for row in rows:
        is_other = row.state == WAITS and row.why == sentences.no_notebook
        if is_other and (row.person.id, row.lesson or only) in handed_in:
            row.state = BESIDE


def choose_versions(rows):
    """For each student and lesson, choose which of several notebooks counts, or mark all as doubtful. The
    instructor's decision comes first, then the latest time. Equal files raise no doubt. Files with different
    LMS numbers may be different people's, so each needs its own decision."""
    groups = defaultdict(list)
    for row in rows:
        groups[row.person.id, row.lesson].append(row)
    for place, group in groups.items():
        decided = [row for row in group if row.how == YOU]
        choices = decided or group
        if all(row.time for row in choices):
            latest = max(row.time for row in choices)
            choices = [row for row in choices if row.time == latest]
        is_clear, choice = len({(row.sha, row.claim.number) for row in choices}) == 1, choices[0]
        for row in group:
            if is_clear and (not decided or row.claim.number and row.claim.number == choice.claim.number):
                row.state = "" if row is choice else OTHER
            elif not is_clear or row is not choice:
                row.state, row.why = WAITS, sentences.which.format(*place[::-1])
