"""`python -m autograder collect`: what an LMS gave is shown, and copied to where nbgrader looks for it."""

import sys
from pathlib import Path

from nbgrader.api import Student
from nbgrader.coursedir import CourseDirectory
from rich.console import Console
from rich.progress import track

from autograder.gradebook.course import settings
from autograder.gradebook.database import explain
from autograder.gradebook.writer import Writer
from autograder.refused import Refused
from autograder.releases import store
from autograder.tables import counted
from autograder.yes import agreed

from .claim import claim_of
from .decisions import FILE, LEFT, Decisions
from .people import People
from .places import Unreadable, files_in
from .plan import BAD, NEW, OPEN, REPLACES, SAME, choose_versions, find_student, read_row, state_of
from .roster import merged, people_of, read_roster
from .show import show_plan
from .store import Store

NO_LESSON = "{} is no lesson of this course: it has {}."
OWN = "{} is the course's own submitted/, or a folder around it: name the place with the new files."
STOPPED = "Stopped. What was copied stays; run it again to go on."
QUESTION = "Copy {}, and enter {} of the roster?"
DONE = "\n{} copied into {}/, {} of the roster entered."
FILL_IN = (
    "{} for you to decide in {}: write the student's id into the column `student` (or `new: ID`, or `-` to "
    "leave it out), and run the same command again."
)


class Collection:
    """What lies in the places, and whose it is. newcomers: ids on the roster that the gradebook lacks."""

    def __init__(self, root, places, lesson=None, roster=None):
        if lesson is not None and lesson not in store.lessons():
            raise Refused(NO_LESSON.format(lesson, ", ".join(store.lessons())))
        coursedir = CourseDirectory(config=settings(root))
        self.root = Path(coursedir.root)
        self.store = Store(self.root, self.root / coursedir.submitted_directory)
        people = people_of(coursedir)
        ids = [person.id for person in people]
        self.roster = read_roster(roster, ids) if roster else []
        self.people = People(merged(self.roster, people))
        self.newcomers = [person.id for person in self.roster if person.id not in ids]
        self.decisions = Decisions(self.root, self.people)
        files = [file for place in places for file in files_in(self.check(place))]
        self.others = [file.label for file in files if not file.is_wanted]
        files = [file for file in files if file.is_wanted]
        console = Console(stderr=True)
        steps = track(files, "Reading", console=console, transient=True, disable=not sys.stderr.isatty())
        self.rows = [read_row(file, claim_of(file.parts), lesson) for file in steps]
        self.decide()

    def check(self, place):
        """The place itself; Refused where it and submitted/ are one in the other."""
        place, submitted = Path(place).resolve(), self.store.submitted.resolve()
        if place == submitted or place in submitted.parents or submitted in place.parents:
            raise Refused(OWN.format(place))
        return place

    def decide(self):
        """Enter into each row whose it is and what becomes of it."""
        no_roster = not any(person.name for person in self.people.all.values())  # neither now nor before
        for row in self.of_state("", OPEN):
            self.decisions.apply(row)
        for row in self.of_state("", OPEN):
            if not row.person:
                find_student(row, self.people, may_add=no_roster)
        choose_versions(self.of_state(""))
        orders = self.store.orders()
        for row in self.of_state(""):
            row.state = state_of(row, self.store.submitted, orders.get((row.student, row.lesson), {}))

    def of_state(self, *states):
        return [row for row in self.rows if row.state in states]

    def copy(self):
        """Enter the students, and copy what is new; what cannot be copied is left out."""
        with Writer(self.root) as writer:
            people = [row.person for row in self.of_state(NEW, REPLACES, SAME)]
            enter_people(writer.gradebook.db, [*self.roster, *people])
            for row in self.of_state(NEW, REPLACES):
                try:
                    self.store.put(row, row.file.read())
                except Unreadable as reason:
                    row.leave_out(reason)
                    print(f"{row.file.label}: {reason}", file=sys.stderr)


def enter_people(db, people):
    """Enter students into nbgrader's gradebook; what a roster does not say stays as it is there."""
    columns = "first_name", "last_name", "email", "lms_user_id"
    for person in {person.id: person for person in people}.values():
        about = zip(columns, (person.first, person.last, person.mail, person.lms_id), strict=True)
        db.merge(Student(id=person.id, **{column: text[:128] for column, text in about if text}))
    db.commit()


def run(root, places, lesson=None, roster=None, yes=False, dry_run=False):
    """The exit code: 0 when all notebooks are in submitted/, 1 when one waits for a person, or when there is
    none. An empty place with a roster is 0: that is how a class is entered."""
    try:
        return collect(Collection(Path(root).resolve(), places, lesson, roster), yes, dry_run)
    except (OSError, Refused) as error:
        print(explain("", error) if isinstance(error, OSError) else error, file=sys.stderr)
    except (KeyboardInterrupt, EOFError):
        print(f"\n{STOPPED}", file=sys.stderr)
    return 1


def collect(collection, yes, dry_run):
    """Show, ask, copy."""
    new, waiting = collection.of_state(NEW, REPLACES), collection.of_state(OPEN)
    show_plan(collection.rows, collection.others, collection.roster, collection.newcomers)
    if dry_run:
        print("\nNothing was copied: --dry-run.")
        return 0
    changes, newcomers = new or collection.newcomers, counted(len(collection.newcomers), "student")
    if changes and not agreed(yes, QUESTION.format(counted(len(new), "notebook"), newcomers)):
        print("\nNothing was copied.")
        return 1
    collection.copy()
    if changes:
        copied = counted(len(collection.of_state(NEW, REPLACES)), "notebook")
        print(DONE.format(copied, collection.store.submitted.name, newcomers))
    if waiting:
        collection.decisions.write(waiting)
        print(FILL_IN.format(counted(len(waiting), "notebook"), FILE))
    unread = [row for row in collection.of_state(BAD) if row.why != LEFT]
    enters = collection.roster and not collection.others
    return int(bool(waiting or unread or not (collection.rows or enters)))
