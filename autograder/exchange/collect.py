"""`python -m autograder collect`: shows what an LMS delivered, and copies it into submitted/."""

import sys
from pathlib import Path

from nbgrader.coursedir import CourseDirectory
from rich.progress import track

from autograder.gradebook.course import settings
from autograder.gradebook.standing import class_list, enter_students
from autograder.gradebook.submitted import COLLECT, SMALL_FILES, SOURCE, exchange_zone
from autograder.gradebook.writer import Writer
from autograder.refused import Refused
from autograder.releases import store
from autograder.tables import amount, first_of, print_table
from autograder.yes import agreed

from . import plan, sentences
from .decisions import read_decisions, write_decisions
from .lms import claim_of
from .people import People, person_of
from .places import Doubt, files_in
from .roster import merged, read_roster
from .store import BEFORE, put, source_of, state_of

MOST_LINES = 200  # of doubtful files, on the screen


class Collection:
    """All files in the given places, and whose they are. newcomers: ids on the roster that the gradebook does
    not have."""

    def __init__(self, root, places, lesson=None, roster=None):
        if lesson not in (None, *store.lessons()):
            raise Refused(sentences.no_lesson.format(lesson, ", ".join(store.lessons())))
        config = settings(root)
        coursedir, self.zone = CourseDirectory(config=config), exchange_zone(config)
        self.root, self.rows = Path(coursedir.root), []
        self.submitted = self.root / coursedir.submitted_directory
        members = [person_of(*member) for member in class_list(coursedir).items()]
        self.roster = read_roster(roster) if roster else []
        people = People(merged(self.roster, members, roster or ""))
        self.newcomers = [p.id for p in self.roster if p.id not in {member.id for member in members}]
        self.decisions = read_decisions(self.root, people)
        may_add = not roster and all(map(self.is_called_as_its_files, members))
        for rows in [self.rows_of(Path(place).resolve()) for place in places]:
            level = plan.level_of_names(rows, people)
            for row in track(rows, "Reading", transient=True, disable=not sys.stdout.isatty()):
                plan.identify(row, level, lesson, people, self.decisions, may_add, self.zone)
            self.rows += rows
        plan.set_aside(self.rows)
        plan.choose_versions(self.of_state(""))
        for row in self.of_state(""):
            try:
                row.state = state_of(row, *self.places(row), self.zone)
            except Doubt as reason:
                row.state, row.why = plan.WAITS, str(reason)

    def rows_of(self, place):
        """The files of a place. Raises Refused if it contains submitted/, or lies inside it."""
        submitted = self.submitted.resolve()
        if place == submitted or place in submitted.parents or submitted in place.parents:
            raise Refused(sentences.own_folder.format(place))
        reads, outer = files_in(place), claim_of(place.name)
        rows = [plan.Row(parts, reads, [*map(claim_of, parts)], outer) for parts in reads]
        of_nbgrader = [len(r.parts) > 1 and r.claims[-2].time and r.parts[-1] in SMALL_FILES for r in rows]
        return [row for row, is_one in zip(rows, of_nbgrader, strict=True) if not is_one]

    def is_called_as_its_files(self, member):
        """Was this student added by `collect`, with the name in the files as the id? Not if a roster has
        entered it: then a file of another name may be the same student's."""
        paths = (self.submitted / member.id).glob(f"*/{SOURCE}")
        claims = (claim for path in paths for claim in map(claim_of, source_of(path.parent).split("/")))
        return any(plan.new_id(claim) == member.id for claim in claims)

    def places(self, row):
        """(folder for the notebook, folder for earlier versions, each in a subfolder named by its time)."""
        place = Path(row.person.id, row.lesson)
        return self.submitted / place, self.root / BEFORE / place

    def of_state(self, *states):
        return [row for row in self.rows if row.state in states]

    def show(self):
        """Print what will be copied, what is doubtful, and how many files are in each state."""
        new = sorted(self.of_state(plan.NEW, plan.REPLACES), key=lambda row: (row.lesson, row.person.id))
        if new:
            what = [", ".join(filter(None, (row.state, row.no_time))) for row in new]
            cells = [(r.person.id, r.lesson, r.how, w, r.label) for r, w in zip(new, what, strict=True)]
            print_table(("student", "lesson", "known by", "what", "file"), cells)
        doubtful = [f"  {row.label}\n    {row.why}" for row in self.of_state(plan.WAITS)]
        if doubtful:
            more = [sentences.more_lines.format(len(doubtful) - MOST_LINES)] if doubtful[MOST_LINES:] else []
            print("\nDoubtful:", *doubtful[:MOST_LINES], *more, sep="\n")
        counts = [f"{len(self.of_state(state))} {state}" for state in plan.STATES if self.of_state(state)]
        print(f"\n{amount(len(self.rows), 'file')}: {'; '.join(counts) or 'there is none here'}.")
        students = {row.person.id for row in self.rows if row.person}
        missing = [person.id for person in self.roster if person.id not in students]
        for sentence, ids in ((sentences.missing, missing), (sentences.newcomers, self.newcomers)):
            if ids:
                print(sentence.format(len(self.roster), len(ids), first_of(ids, 20)))

    def copy(self):
        """Enter the students into the gradebook, and copy the new notebooks."""
        certain = self.of_state(plan.NEW, plan.REPLACES, plan.SAME)
        for row in certain:  # stored, so that later files must match it too
            row.person.lms_id = row.person.lms_id or row.claim.lms_id
        with Writer(self.root) as writer:
            people = [*self.roster, *(row.person for row in certain)]
            enter_students(writer.gradebook, {person.id: person.about for person in people})
            for row in self.of_state(plan.NEW, plan.REPLACES):
                try:
                    put(row, *self.places(row), self.zone)
                except Doubt as reason:
                    raise Refused(f"{row.label}: {reason}") from None
        places = {(row.person.id, row.lesson) for row in certain}
        write_decisions(self.root, self.decisions, self.of_state(plan.WAITS), places)


def run(root, places, lesson=None, roster=None, yes=False, dry_run=False):
    """Show the plan, ask, copy, and return the exit code: 0 when all notebooks are in submitted/, 1 when one
    waits for a person or there is none. A roster with an empty place gives 0: that enters a class."""
    collection = Collection(Path(root).resolve(), places, lesson, roster)
    collection.show()
    new, doubtful = collection.of_state(plan.NEW, plan.REPLACES), collection.of_state(plan.WAITS)
    notebooks, students = amount(len(new), "notebook"), amount(len(collection.newcomers), "student")
    if dry_run:
        print("\nNothing was copied: --dry-run.")
        return 0
    if (changes := new or collection.newcomers) and not agreed(
        yes, sentences.question.format(notebooks, students)
    ):
        print("\nNothing was copied.")
        return 1
    collection.copy()
    if changes:
        print(sentences.copied.format(notebooks, collection.submitted.name, students))
    if doubtful:
        print(sentences.fill_in.format(amount(len(doubtful), "file"), COLLECT))
    return int(bool(doubtful or not (collection.rows or collection.roster)))
