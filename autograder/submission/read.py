"""Bytes of a notebook -> Submission: its lesson, the role of each cell, where exercises are observed."""

import re
from bisect import bisect_left
from collections import defaultdict
from dataclasses import replace

from autograder.releases.course_copy import without_course_copy
from autograder.releases.release import bare, is_stub
from autograder.releases.store import lessons, release_for
from course_utils.source import LONGEST, names_in

from .notebook_file import Cell, Rejected, read_notebook
from .ready_made import may_call_some, methods_in, ready_made
from .submission import LAST, Submission, writes
from .written import written_answers

TEST_CALL = re.compile(r"""^[ \t]*(?:check|grade)\(\s{0,9}["'](\w+)["']\s{0,9},\s{0,9}(\w+)\s{0,9}\)""", re.M)
FENCE = re.compile(r"\A\s*```\w*\n(.*)\n```\s*\Z", re.S)
MOST_TRIED = 60  # cells that are no code and may hold a solution


def submission_from(data):
    """A notebook's bytes -> Submission; raises Rejected with the reason."""
    notes = []
    cells, named, release_id = read_notebook(data, notes)
    cells = [replace(cell, source=without_course_copy(cell.source)) for cell in cells]
    lesson = which_lesson(cells, named)
    lesson, note = release_for(lesson.name, release_id)
    notes += note
    take_as_code(cells, lesson, notes)
    answers = written_answers(cells, lesson, notes)
    tests = {cell.number: name for cell in cells if (name := tested(cell)) in lesson.exercises}
    own, demonstrations = sorted_out(cells, tests, lesson)
    own = without_empty_copies(own, lesson, notes)
    note_lost_marks(cells, tests, own, lesson, notes)
    marked = {cell.number for cell in cells if cell.grade_id.startswith("test_")}
    places = places_of(tests, marked, own, lesson, notes)
    plain = instructor_tests(cells, own, lesson)
    needed = needed_demonstrations([*own, *plain], demonstrations, lesson.setup)
    return Submission(lesson, own, needed, places, plain, answers, calls_to_note(own, lesson), notes)


def which_lesson(cells, named=None):
    """The lesson that the file's metadata name, if all its exercises are there. Else the one whose exercises
    are found most often: by grade id, by test cell, by definition; that the metadata name a lesson counts as
    much as a definition of each of its exercises. Of two, the one where fewer are missing."""
    votes, found = {}, {cell.grade_id.removeprefix("test_") for cell in cells} | {*map(tested, cells)}
    if named in lessons() and set() < lessons()[named].exercises.keys() <= found:
        return lessons()[named]
    for lesson in lessons().values():
        own = {name.removeprefix("test_") for name in (*lesson.exercises, *lesson.by_hand, *lesson.plain)}
        defined = {name for cell in cells if cell.type == "code" for name in cell.defines} & own
        score = 2 * len(found & own) + len(defined)
        votes[lesson.name] = score + (len(own) if score and named == lesson.name else 0), -len(own)
    best = max(votes, key=votes.get, default=None)
    if best is None or not votes[best][0]:
        known = ", ".join(lessons())
        raise Rejected(
            f"This is a notebook, but not of a lesson of this course ({known}): was the right file handed in?"
        )
    return lessons()[best]


def take_as_code(cells, lesson, notes):
    """A solution whose cell became text, and that no code cell defines, is code again."""
    missing = set(lesson.exercises) - {name for cell in cells if cell.type == "code" for name in cell.defines}
    texts = [
        number
        for number, cell in enumerate(cells)
        if cell.type != "code" and any(name in cell.source for name in missing)
    ]
    for number in texts[:MOST_TRIED]:
        cell = cells[number]
        source = FENCE.sub(r"\1", cell.source) if len(cell.source) < LONGEST else cell.source
        again = replace(cell, type="code", source=source)
        names = sorted(missing & again.defines)
        if names:
            cells[number] = again
            notes.append(
                f"Cell {cell.number} with {' and '.join(names)} was not a code cell: taken as one again."
            )


def tested(cell):
    """The exercise that a cell tests: by its grade id, else because it only says check("x", x).points."""
    if cell.grade_id.startswith("test_"):
        return cell.grade_id.removeprefix("test_")
    found = TEST_CALL.findall(cell.source) if len(cell.source) < 1000 else []
    alone = len(found) == 1 and found[0][0] == found[0][1] and len(bare(cell.source).splitlines()) <= 4
    return found[0][0] if alone else None


def sorted_out(cells, tests, lesson):
    """(the student's own code cells, those that hold a demonstration of the release: its code, whatever its
    layout)"""
    own, demonstrations = [], []
    for cell in cells:
        not_theirs = cell.type != "code" or not cell.source.strip() or lesson.is_setup(cell.source)
        if not_theirs or cell.grade_id in lesson.by_hand or cell.grade_id in lesson.plain:
            continue
        if bare(cell.source) in lesson.demonstrations or cell.meaning in lesson.meanings:
            demonstrations.append(cell)
        elif cell.number not in tests or cell.defines:  # a test cell with a definition is code of theirs
            own.append(cell)
    return own, demonstrations


def without_empty_copies(own, lesson, notes):
    """An untouched copy of a solution cell must not undo the one that was written."""
    for name, stub in lesson.stubs.items():
        same = [cell for cell in own if name in cell.defines]
        written = [cell for cell in same if not is_stub(cell.source, stub)]
        if written and len(written) < len(same):
            empty = {cell.number for cell in same} - {cell.number for cell in written}
            own = [cell for cell in own if cell.number not in empty]
            notes.append(f"A copy of {name}'s cell is still empty: left out, the written one counts.")
        elif len([cell for cell in written if cell.grade_id == name]) > 1:
            notes.append(
                f"There are {len(written)} cells that define {name}: the last one above its test counts, "
                "or the last of all if none stands there."
            )
    return own


def note_lost_marks(cells, tests, own, lesson, notes):
    """Marks that are gone, or that say what they must not."""
    marked = {cell.grade_id for cell in cells}
    written = {name for cell in own for name in cell.defines} & set(lesson.exercises)
    lost = [name for name in lesson.exercises if name in written and name not in marked]
    if lost:
        notes.append(
            f"nbgrader's marks are gone from the cells of {', '.join(lost)}: found again by what they define."
        )
    claimed = [
        tests[c.number]
        for c in cells
        if c.number in tests and c.points is not None and c.points != lesson.exercises[tests[c.number]]
    ]
    if claimed:
        names = ", ".join(dict.fromkeys(claimed))
        notes.append(f"The file claims other points for {names}: the lesson's own count.")


def places_of(tests, marked, own, lesson, notes):
    """{exercise: number of the cell where it is observed}: its last marked test, else the last other cell
    that tests it; LAST, if there is none or it stands above the solution."""
    places, late, missing = {}, [], []
    for name in lesson.exercises:
        numbers = [number for number, other in tests.items() if other == name]
        numbers = [number for number in numbers if number in marked] or numbers
        written = [cell.number for cell in own if name in cell.defines and writes(cell, name, lesson)]
        if len(numbers) > 1:
            notes.append(f"There are {len(numbers)} test cells of {name}: the last one counts.")
        if not numbers:
            missing.append(name)
        elif written and min(written) > numbers[-1]:
            late.append(name)
        places[name] = numbers[-1] if numbers and name not in late else LAST
    for names, what in ((missing, "are missing"), (late, "stand before the solutions")):
        if names:
            notes.append(
                f"The test cells of {', '.join(names)} {what}: they were looked at after the last cell."
            )
    return places


def instructor_tests(cells, own, lesson):
    """[Cell] with the instructor's text, where the student has that cell; after the last cell, if its
    solution stands below it."""
    found = []
    for grade_id, (_, source) in lesson.plain.items():
        test = Cell(0, "code", source, grade_id)
        here = max((cell.number for cell in cells if cell.grade_id == grade_id), default=None)
        written = [cell.number for cell in own if cell.defines & test.uses]
        below = here is None or (written and min(written) > here)
        found.append(replace(test, number=LAST if below else here))
    return found


def calls_to_note(own, lesson):
    """[(cell, line, name)] of calls of what an exercise is about, ready-made."""
    suspects = [cell for cell in reached(own, lesson.exercises) if may_call_some(cell.source)]
    methods = {name for cell in suspects for name in methods_in(cell.source)}
    return [(cell.number, *use) for cell in suspects for use in ready_made(cell.source, methods)]


# ---- which cells are run at all


def givers(cells):
    """{name: [cells that define it, in their order]}"""
    found = defaultdict(list)
    for cell in cells:
        for name in cell.defines:
            found[name].append(cell)
    return found


def needed_demonstrations(own, demonstrations, setup):
    """The demonstrations that give a name which the student's cells use, where the nearest cell that gives it
    is one."""
    known, shown = names_in(setup).bound, {cell.number for cell in demonstrations}
    giving = givers(sorted([*own, *demonstrations], key=lambda cell: cell.number))
    needed, left = {}, list(own)
    while left:
        cell = left.pop()
        for name in (cell.uses - known) & giving.keys():
            giver = nearest(cell, giving[name])
            if giver.number in shown and giver.number not in needed:
                needed[giver.number] = giver
                left.append(giver)
    return list(needed.values())


def nearest(cell, others):
    """The last of the others before the cell, else the first one after it."""
    place = bisect_left(others, cell.number, key=lambda other: other.number)
    return others[max(0, place - 1)]


def reached(cells, names):
    """The cells that define one of the names, and those that define what these use, and so on."""
    giving, found, left = givers(cells), {}, list(names)
    done = {*names}
    while left:
        for cell in giving.get(left.pop(), ()):
            if cell.number not in found:
                found[cell.number] = cell
                left += cell.uses - done
                done |= cell.uses
    return [found[number] for number in sorted(found)]
