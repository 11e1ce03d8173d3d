"""`python -m autograder collect`: shows what an LMS delivered, and copies it into submitted/."""

import sys
from pathlib import Path

from nbgrader.coursedir import CourseDirectory
from rich.progress import track

from autograder.gradebook.course import settings
from autograder.gradebook.submitted import SMALL_FILES
from autograder.gradebook.writer import Writer
from autograder.refused import Refused
from autograder.releases import store
from autograder.tables import amount, first_of, print_table
from autograder.yes import agreed

from .decisions import FILE, read_decisions, write_decisions
from .lms import claim_of
from .people import People
from .places import Doubt, files_in, is_wanted
from .plan import NEW, REPLACES, SAME, STATES, WAITS, Row, choose_versions, identify
from .roster import enter_people, merged, people_of, read_roster
from .store import BEFORE, put, state_of

NO_LESSON = "{} is not a lesson of this course, which has {}."
OWN_FOLDER = (
    "{} is the course's own submitted/, or a folder that contains it: give the place with the new files."
)
QUESTION = "Copy {}, and enter {} from the roster?"
COPIED = "\n{} copied into {}/, {} from the roster entered. What was replaced is kept in submitted_before/."
FILL_IN = (
    "{} for you to decide in {}: write the student's id into the column `student` (or `new: ID`, or `-` to "
    "leave it out), and run the same command again."
)
COLUMNS = "student", "lesson", "known by", "what", "file"
OTHERS = "\nNot notebooks, left where they are: {}, {}"
MISSING = "Of {} on the roster, {} missing: {}"
NEWCOMERS = (
    "Of the roster's {}, new in the gradebook {}: {}. If it has them under other ids, stop, and give a "
    "roster with those."
)


class Collection:
    """All files in the given places, and whose they are. others: files that are not notebooks. newcomers: ids
    on the roster that the gradebook does not have."""

    def __init__(self, root, places, lesson=None, roster=None):
        if lesson not in (None, *store.lessons()):
            raise Refused(NO_LESSON.format(lesson, ", ".join(store.lessons())))
        coursedir = CourseDirectory(config=settings(root))
        self.root, self.rows, self.others = Path(coursedir.root), [], []
        self.submitted = self.root / coursedir.submitted_directory
        members = people_of(coursedir)
        self.roster = read_roster(roster) if roster else []
        people = People(merged(self.roster, members))
        self.newcomers = [p.id for p in self.roster if p.id not in {member.id for member in members}]
        self.decisions = read_decisions(self.root, people)
        for place in places:
            self.enter(Path(place).resolve())
        no_roster = not any(person.name for person in people.all.values())  # neither in this run nor earlier
        for row in track(self.rows, "Reading", transient=True, disable=not sys.stdout.isatty()):
            identify(row, lesson, people, self.decisions, may_add=no_roster)
        choose_versions(self.of_state(""))
        for row in self.of_state(""):
            row.state = state_of(row, *self.places(row))

    def enter(self, place):
        """Add the files of a place. Raises Refused if it contains submitted/, or lies inside it."""
        submitted = self.submitted.resolve()
        if place == submitted or place in submitted.parents or submitted in place.parents:
            raise Refused(OWN_FOLDER.format(place))
        reads = files_in(place)
        rows = [Row(parts, reads, claim_of(parts)) for parts in reads if parts[-1] not in SMALL_FILES]
        self.rows += [row for row in rows if is_wanted(row.parts[-1])]
        self.others += [row.label for row in rows if not is_wanted(row.parts[-1])]

    def places(self, row):
        """(folder for the notebook, folder for earlier versions, each in a subfolder named by its time)."""
        return (folder / row.person.id / row.lesson for folder in (self.submitted, self.root / BEFORE))

    def of_state(self, *states):
        return [row for row in self.rows if row.state in states]

    def show(self):
        """Print what will be copied, what is doubtful, and how many notebooks are in each state."""
        new = sorted(self.of_state(NEW, REPLACES), key=lambda row: (row.lesson, row.person.id))
        cells = []
        for row in new:
            late = ", late, the LMS does not say when" if row.claim.late and not row.time else ""
            cells.append((row.person.id, row.lesson, row.how, row.state + late, row.label))
        if new:
            print_table(COLUMNS, cells)
        doubtful = [f"  {row.label}\n    {row.why}" for row in self.of_state(WAITS)]
        if doubtful:
            print("\nDoubtful:", *doubtful, sep="\n")
        if self.others:
            print(OTHERS.format(amount(len(self.others), "file"), first_of(self.others, 4)))
        counts = [f"{len(self.of_state(state))} {state}" for state in STATES if self.of_state(state)]
        print(f"\n{amount(len(self.rows), 'notebook')}: {'; '.join(counts) or 'there is none here'}.")
        students = {row.person.id for row in self.rows if row.person}
        missing = [person.id for person in self.roster if person.id not in students]
        for sentence, ids in ((MISSING, missing), (NEWCOMERS, self.newcomers)):
            if ids:
                print(sentence.format(len(self.roster), len(ids), first_of(ids, 20)))

    def copy(self):
        """Enter the students into the gradebook, and copy the new notebooks."""
        certain = self.of_state(NEW, REPLACES, SAME)
        for row in certain:  # stored, so that later files must match it too
            row.person.lms_id = row.person.lms_id or row.claim.lms_id
        with Writer(self.root) as writer:
            enter_people(writer.gradebook.db, [*self.roster, *(row.person for row in certain)])
            for row in self.of_state(NEW, REPLACES):
                try:
                    put(row, *self.places(row))
                except Doubt as reason:
                    raise Refused(f"{row.label}: {reason}") from None


def run(root, places, lesson=None, roster=None, yes=False, dry_run=False):
    """Show the plan, ask, copy, and return the exit code: 0 when all notebooks are in submitted/, 1 when one
    waits for a person or there is none. A roster with an empty place gives 0: that enters a class."""
    collection = Collection(Path(root).resolve(), places, lesson, roster)
    collection.show()
    new, doubtful = collection.of_state(NEW, REPLACES), collection.of_state(WAITS)
    notebooks, students = amount(len(new), "notebook"), amount(len(collection.newcomers), "student")
    if dry_run:
        print("\nNothing was copied: --dry-run.")
        return 0
    changes = new or collection.newcomers
    if changes and not agreed(yes, QUESTION.format(notebooks, students)):
        print("\nNothing was copied.")
        return 1
    collection.copy()
    if changes:
        print(COPIED.format(notebooks, collection.submitted.name, students))
    if doubtful:
        write_decisions(collection.root, collection.decisions, doubtful)
        print(FILL_IN.format(amount(len(doubtful), "notebook"), FILE))
    enters = collection.roster and not collection.others
    return int(bool(doubtful or not (collection.rows or enters)))
