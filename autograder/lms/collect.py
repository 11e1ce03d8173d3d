"""`python -m autograder collect`: what an LMS gave is shown, and copied to where nbgrader looks for it."""

import sys
from pathlib import Path

from nbgrader.api import Student
from nbgrader.coursedir import CourseDirectory
from rich.console import Console
from rich.progress import track

from autograder.gradebook.course import settings
from autograder.gradebook.database import Refused, check_course, explain
from autograder.gradebook.writer import Writer
from autograder.releases import store

from .archive import Unreadable
from .asking import ask_all
from .decisions import LEFT, apply, read_decisions, write_open
from .naming import claim_of
from .people import People
from .places import Contents, contents_of
from .plan import BAD, NEW, OPEN, REPLACES, SAME, choose_versions, compare, find_student, read_row
from .roster import known_people, merged, read_roster
from .store import Store
from .table import MOST_NAMED, counted, say, show_plan

NO_LESSON = "{} is no lesson of this course: it has {}."
NOT_COPIED = "Nothing was copied. Add --yes to copy what is sure."
OWN = "This is the course's own submitted/, or a folder around it: give the place where the new files lie."
DRY = "Nothing was copied: --dry-run."
STOPPED = "Stopped. What was copied stays; run it again to go on."
FILL_IN = (
    "{} for you to decide in {}: write the student's id into the column `student` (or `new: ID`, or `-` to "
    "leave it out), and run the same command again with --decided {}"
)
ENTERED = "All {} of the roster are in the gradebook now."
UNUSED = "Your list decides on {} that did not come up: {}"
STRANGERS = (
    "Nobody on the roster ({}, ...) is among the {} that the gradebook knows ({}, ...): if these are the "
    "same people under other ids, give the roster with those; if not, add --yes, and the class has both."
)
ENTER = "Enter them beside the others? [y/N] "
QUESTION = "\nCopy {}? [y/N] "


class Collection:
    """What was found in the places, and whose it is."""

    def __init__(self, root, places, lesson=None, roster=None, decided=None):
        if lesson is not None and lesson not in store.lessons():
            raise Refused(NO_LESSON.format(lesson, ", ".join(store.lessons())))
        coursedir = CourseDirectory(config=settings(root))
        check_course(coursedir)
        self.root, self.lesson = Path(coursedir.root), lesson
        self.store = Store(self.root, self.root / coursedir.submitted_directory)
        known = known_people(coursedir)
        people = read_roster(roster, [person.id for person in known]) if roster else []
        self.roster, ids = people, [person.id for person in known]
        self.people = People(merged(people, known) if roster else known)
        match = not (people and known) or {person.id for person in people} & {*ids}
        self.strangers = "" if match else STRANGERS.format(people[0].id, counted(len(ids), "student"), ids[0])
        self.decisions = read_decisions(decided, self.people) if decided else {}
        self.contents = Contents()
        for place in places:
            own = overlap(Path(place), self.store.submitted)
            self.contents.take(Contents(left_out=[(str(place), OWN)]) if own else contents_of(place))
        self.read()
        self.decide()

    def read(self):
        """Read each notebook once. Their bytes are not kept."""
        files = self.contents.files
        steps = track(
            files, "Reading", console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()
        )
        self.read_rows = [read_row(file, claim_of(file.parts), self.lesson) for file in steps]

    def decide(self, more=None):
        """Enter into each row whose it is and what becomes of it; more: further decisions."""
        self.decisions |= more or {}
        self.rows = [row.fresh() for row in self.read_rows]
        sure = [row for row in self.rows if not row.state]
        no_roster = not any(person.name for person in self.people.all)  # neither now nor before
        for row in sure:
            find_student(row, self.people, may_add=no_roster)
        self.unused = apply(sure, self.decisions, self.store.left_out())
        choose_versions(sure)
        log = self.store.log()
        for row in sure:
            if row.doubt:
                row.state = OPEN
            elif not row.state:
                compare(row, self.store.submitted, log)

    def show(self):
        show_plan(self.rows, self.contents, self.roster)
        if self.unused:
            say(UNUSED.format(counted(len(self.unused), "file"), ", ".join(self.unused[:MOST_NAMED])))

    def of_state(self, *states):
        return [row for row in self.rows if row.state in states]

    def copy(self):
        """Copy what is new; [(label, sentence)] of what could not be copied."""
        failed = []
        with Writer(self.root) as writer:
            collected = self.of_state(NEW, REPLACES, SAME)
            enter_people(writer.gradebook.db, [*self.roster, *(row.person for row in collected)])
            self.store.clear()
            self.remember_left_out()
            try:
                for row in self.of_state(NEW, REPLACES):
                    try:
                        self.store.put(row, row.file.read())
                    except Unreadable as reason:
                        row.state = BAD
                        failed.append((row.file.label, str(reason)))
            finally:
                self.store.clear()
        return failed

    def remember_left_out(self):
        known = self.store.left_out()
        for row in self.of_state(BAD):
            if row.note == LEFT and (row.file.label, row.sha) not in known:
                self.store.note_left_out(row)


def overlap(place, submitted):
    """Is one of the two folders in the other?"""
    place, submitted = place.resolve(), submitted.resolve()
    return place == submitted or place in submitted.parents or submitted in place.parents


def enter_people(db, people):
    """Enter students into nbgrader's gradebook; what a roster does not say stays as it is there."""
    for person in {person.id: person for person in people}.values():
        row = db.get(Student, person.id)
        if row is None:
            row = Student(id=person.id)
            db.add(row)
        about = {"first_name": person.first, "last_name": person.last, "email": person.mail}
        for name, text in (about | {"lms_user_id": person.lms_id}).items():
            if text:
                setattr(row, name, text[:128])
    db.commit()


def run(root, places, lesson=None, roster=None, decided=None, yes=False, dry_run=False):
    """The exit code: 0 when all that was found is in submitted/, 1 when something waits for a person, or when
    no notebook was found. An empty place with a roster is 0: that is how a class is entered."""
    root = Path(root).resolve()
    try:
        return collect(Collection(root, places, lesson, roster, decided), yes, dry_run)
    except OSError as error:
        print(explain("", error), file=sys.stderr)
        return 1
    except Refused as reason:
        print(reason, file=sys.stderr)
        return 1
    except (KeyboardInterrupt, EOFError):
        print(f"\n{STOPPED}", file=sys.stderr)
        return 1


def collect(found, yes, dry_run):
    """Show, ask, copy."""
    found.show()
    terminal = sys.stdin.isatty() and sys.stdout.isatty()
    if dry_run:
        print(f"\n{DRY}")
        return 0
    if terminal and not yes and found.of_state(OPEN):
        found.decide(ask_all(found.of_state(OPEN), found.people))
        print()
        found.show()
    if found.strangers and not yes:
        say(found.strangers)
        if not (terminal and is_yes(input(ENTER))):
            return 1
    todo = found.of_state(NEW, REPLACES)
    if todo and not yes and not (terminal and agreed(todo)):
        print(f"\n{NOT_COPIED}")
        return 1
    failed = found.copy()
    done = len(found.of_state(NEW, REPLACES))
    print(f"\n{counted(done, 'notebook')} copied into {found.store.submitted.name}/." if todo else "")
    if found.roster and not found.rows:
        print(ENTERED.format(counted(len(found.roster), "student")))
    for label, reason in failed:
        print(f"{label}: {reason}", file=sys.stderr)
    waiting = found.of_state(OPEN)
    if waiting:
        path = write_open(waiting, found.root)
        say(FILL_IN.format(counted(len(waiting), "notebook"), path.name, path.name))
    unread = [row for row in found.of_state(BAD) if row.note != LEFT] + found.contents.left_out
    enters_a_class = found.roster and not found.contents.others
    return int(bool(waiting or unread or not (found.rows or enters_a_class)))


def agreed(todo):
    return is_yes(input(QUESTION.format(counted(len(todo), "notebook"))))


def is_yes(answer):
    return answer.strip().lower() in ("y", "yes")
