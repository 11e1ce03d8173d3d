"""`python -m autograder collect`: what an LMS gave is shown, and copied to where nbgrader looks for it."""

import sys
from pathlib import Path

from nbgrader.api import Student
from nbgrader.coursedir import CourseDirectory
from rich.console import Console
from rich.progress import track

from autograder.gradebook.course import settings
from autograder.gradebook.database import check_course, explain
from autograder.gradebook.writer import Writer
from autograder.refused import Refused
from autograder.releases import store
from autograder.tables import counted
from autograder.yes import agreed

from .claim import claim_of
from .decisions import FILE, LEFT, Decisions
from .people import People
from .places import Contents, Unreadable, contents_of
from .plan import BAD, NEW, OPEN, REPLACES, SAME, choose_versions, compare, find_student, read_row
from .roster import known_people, merged, read_roster
from .show import show_plan
from .store import Store

NO_LESSON = "{} is no lesson of this course: it has {}."
OWN = "This is the course's own submitted/, or a folder around it: name the place with the new files."
STOPPED = "Stopped. What was copied stays; run it again to go on."
FILL_IN = (
    "{} for you to decide in {}: write the student's id into the column `student` (or `new: ID`, or `-` to "
    "leave it out), and run the same command again."
)
ENTERED = "All {} on the roster are in the gradebook now."
STRANGERS = (
    "Nobody on the roster ({}, ...) is among the {} that the gradebook knows ({}, ...): if these are the "
    "same people under other ids, give the roster with those; if not, the class has both from now on."
)


class Collection:
    """What lies in the places, and whose it is."""

    def __init__(self, root, places, lesson=None, roster=None):
        if lesson is not None and lesson not in store.lessons():
            raise Refused(NO_LESSON.format(lesson, ", ".join(store.lessons())))
        coursedir = CourseDirectory(config=settings(root))
        check_course(coursedir)
        self.root = Path(coursedir.root)
        self.store = Store(self.root, self.root / coursedir.submitted_directory)
        people = known_people(coursedir)
        ids = [person.id for person in people]
        self.roster = read_roster(roster, ids) if roster else []
        self.people = People(merged(self.roster, people) if roster else people)
        both = {person.id for person in self.roster} & set(ids)
        foreign = self.roster and people and not both
        self.strangers = foreign and STRANGERS.format(self.roster[0].id, counted(len(ids), "student"), ids[0])
        self.decisions = Decisions(self.root, self.people)
        self.contents = Contents()
        for place in map(Path, places):
            own = overlap(place, self.store.submitted)
            self.contents.take(Contents(left_out=[(str(place), OWN)]) if own else contents_of(place))
        self.read(lesson)
        self.decide()

    def read(self, lesson):
        """Read each notebook once. Their bytes are not kept."""
        files, console = self.contents.files, Console(stderr=True)
        steps = track(files, "Reading", console=console, transient=True, disable=not sys.stderr.isatty())
        self.rows = [read_row(file, claim_of(file.parts), lesson) for file in steps]

    def decide(self):
        """Enter into each row whose it is and what becomes of it."""
        readable = [row for row in self.rows if not row.state]
        no_roster = not any(person.name for person in self.people.all)  # neither now nor before
        for row in readable:
            find_student(row, self.people, may_add=no_roster)
        self.decisions.apply(readable)
        choose_versions(readable)
        orders = self.store.orders()
        for row in readable:
            if row.doubt:
                row.state = OPEN
            elif not row.state:
                compare(row, self.store.submitted, orders)

    def of_state(self, *states):
        return [row for row in self.rows if row.state in states]

    def copy(self):
        """Copy what is new; [(label, sentence)] of what could not be copied."""
        failures = []
        with Writer(self.root) as writer:
            people = [row.person for row in self.of_state(NEW, REPLACES, SAME)]
            enter_people(writer.gradebook.db, [*self.roster, *people])
            self.store.clear()
            try:
                for row in self.of_state(NEW, REPLACES):
                    try:
                        self.store.put(row, row.file.read())
                    except Unreadable as reason:
                        row.state = BAD
                        failures.append((row.file.label, str(reason)))
            finally:
                self.store.clear()
        return failures


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


def run(root, places, lesson=None, roster=None, yes=False, dry_run=False):
    """The exit code: 0 when all notebooks are in submitted/, 1 when one waits for a person, or when there is
    none. An empty place with a roster is 0: that is how a class is entered."""
    try:
        return collect(Collection(Path(root).resolve(), places, lesson, roster), yes, dry_run)
    except OSError as error:
        print(explain("", error), file=sys.stderr)
    except Refused as reason:
        print(reason, file=sys.stderr)
    except (KeyboardInterrupt, EOFError):
        print(f"\n{STOPPED}", file=sys.stderr)
    return 1


def collect(collection, yes, dry_run):
    """Show, ask, copy."""
    show_plan(collection.rows, collection.contents, collection.roster)
    todo, enters = collection.of_state(NEW, REPLACES), collection.roster and not collection.contents.others
    if dry_run:
        print("\nNothing was copied: --dry-run.")
        return 0
    if collection.strangers:
        print(collection.strangers)
    if (todo or collection.strangers) and not agreed(yes, f"Copy {counted(len(todo), 'notebook')}?"):
        print("\nNothing was copied.")
        return 1
    failures = collection.copy()
    if todo:
        copied = counted(len(collection.of_state(NEW, REPLACES)), "notebook")
        print(f"\n{copied} copied into {collection.store.submitted.name}/.")
    if collection.roster and not collection.rows:
        print(ENTERED.format(counted(len(collection.roster), "student")))
    for label, reason in failures:
        print(f"{label}: {reason}", file=sys.stderr)
    waiting = collection.of_state(OPEN)
    if waiting:
        collection.decisions.write(waiting)
        print(FILL_IN.format(counted(len(waiting), "notebook"), FILE))
    unread = [row for row in collection.of_state(BAD) if row.note != LEFT] + collection.contents.left_out
    return int(bool(waiting or unread or not (collection.rows or enters)))
