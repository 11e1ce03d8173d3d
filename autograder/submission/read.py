"""Turn a notebook's bytes into a Submission: its lesson, the student's cells, where to observe exercises."""

from bisect import bisect_left
from collections import defaultdict
from dataclasses import replace

from autograder.notes import INFO, Note
from autograder.releases.course_copy import without_course_copy
from autograder.releases.release import reach

from .cell import DEMONSTRATION, OWN, Cell, with_roles
from .notebook_file import read_notebook
from .remarks import remarks_on
from .submission import LAST, Submission
from .which_release import which_release
from .written import written_answers

SEVERAL = (
    "There are {} cells that define {}: the last one above its test counts, or the last one if there is none "
    "above."
)


def submission_from(data):
    """Return the Submission in a notebook's bytes; raise Rejected with the reason if there is none."""
    notes = []
    cells, lesson_name, release_id = read_notebook(data, notes)
    cells = [replace(cell, source=without_course_copy(cell.source)) for cell in cells]
    choice = which_release(cells, lesson_name, release_id)
    lesson = choice.release
    notes += choice.notes
    cells = with_roles(cells, lesson, notes)
    answers = written_answers(cells, lesson)
    own = without_empty_copies([cell for cell in cells if cell.role == OWN], lesson, notes)
    places = places_of(cells, own, lesson, notes)
    tests = instructor_tests(cells, own, lesson)
    demonstrations = {cell for cell in cells if cell.role == DEMONSTRATION}
    demonstrations = needed_demonstrations([*own, *tests], demonstrations, lesson.setup_names)
    submission = Submission(lesson, own, demonstrations, places, tests, answers, notes)
    notes += remarks_on(submission, needed_cells(own, lesson.exercises))
    return submission


def without_empty_copies(own, lesson, notes):
    """Drop untouched copies of a solution cell, which would overwrite the student's own definition."""
    for name in lesson.stubs:
        same = [cell for cell in own if name in cell.defines]
        filled = [cell for cell in same if name not in cell.still_stub]
        if filled and len(filled) < len(same):
            empty = {cell.number for cell in same} - {cell.number for cell in filled}
            own = [cell for cell in own if cell.number not in empty]
            text = f"A copy of {name}'s cell is still empty: ignored, as the written one counts."
            notes.append(Note(INFO, text))
        elif len([cell for cell in filled if cell.grade_id == name]) > 1:
            notes.append(Note(INFO, SEVERAL.format(len(filled), name)))
    return own


def places_of(cells, own, lesson, notes):
    """Return {exercise: number of the cell where it is observed}. That is its last test cell with a grade id,
    else the last other cell that tests it; LAST, if there is none or if it comes before the solution."""
    places, late, missing = {}, [], []
    for name in lesson.exercises:
        tests = [cell for cell in cells if cell.tests == name]
        tests = [cell for cell in tests if cell.grade_id.startswith("test_")] or tests
        writers = [cell.number for cell in own if name in cell.writes]
        if len(tests) > 1:
            notes.append(Note(INFO, f"There are {len(tests)} test cells of {name}: the last one counts."))
        if not tests:
            missing.append(name)
        elif writers and min(writers) > tests[-1].number:
            late.append(name)
        places[name] = tests[-1].number if tests and name not in late else LAST
    for names, complaint in ((missing, "are missing"), (late, "come before the solutions")):
        if names:
            subject = f"The test cells of {', '.join(names)} {complaint}"
            notes.append(Note(INFO, f"{subject}: they were checked after the last cell."))
    return places


def instructor_tests(cells, own, lesson):
    """Return the instructor's own test cells, each where the student's notebook has it. A test goes after the
    last cell if the notebook lacks it or has its solution further down."""
    tests = []
    for grade_id, (_, source) in lesson.plain.items():
        test = Cell(0, "code", source, grade_id)
        last_place = max((cell.number for cell in cells if cell.grade_id == grade_id), default=None)
        cells_before = [cell.number for cell in own if cell.defines & test.uses]
        below = last_place is None or (cells_before and min(cells_before) > last_place)
        tests.append(replace(test, number=LAST if below else last_place))
    return tests


# ---- which cells are run at all


def definers_by_name(cells):
    """Return {name: [cells that define it, in order]}."""
    by_name = defaultdict(list)
    for cell in sorted(cells, key=lambda cell: cell.number):
        for name in cell.defines:
            by_name[name].append(cell)
    return by_name


def needed_demonstrations(own, demonstrations, names):
    """Return the demonstrations that the student's cells need, directly or through other demonstrations. A
    demonstration is needed if it is the nearest cell that defines a name in use. names: need no cell."""
    definers = definers_by_name([*own, *demonstrations])

    def nearest_definers(cell):
        return [nearest(cell, definers[name]) for name in (cell.uses - names) & definers.keys()]

    needed = reach(own, lambda cell: {*nearest_definers(cell)}.intersection(demonstrations))
    return [cell for cell in needed if cell in demonstrations]


def nearest(cell, candidates):
    """Return the last candidate before the cell, else the first one after it."""
    place = bisect_left(candidates, cell.number, key=lambda other: other.number)
    return candidates[max(0, place - 1)]


def needed_cells(cells, names):
    """Return the cells that define one of the names, and all cells that those depend on."""
    definers = definers_by_name(cells)
    items = reach(names, lambda item: definers.get(item, ()) if isinstance(item, str) else item.uses)
    return sorted((item for item in items if isinstance(item, Cell)), key=lambda cell: cell.number)
