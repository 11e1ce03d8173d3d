"""What each cell of a submission is there for, whatever happened to the marks that said so."""

import re
from dataclasses import dataclass, field, replace

from autograder.releases.released import bare, is_setup, is_stub

from .as_python import LONGEST
from .instructor_tests import placed

TEST_CALL = re.compile(r"""^[ \t]*(?:check|grade)\(\s{0,9}["'](\w+)["']\s{0,9},\s{0,9}(\w+)\s{0,9}\)""", re.M)
FENCE = re.compile(r"\A\s*```\w*\n(.*)\n```\s*\Z", re.S)
LAST, MOST_TRIED = float("inf"), 60


@dataclass
class Roles:
    """own: code cells of solutions and of the student's own. demonstrations: released cells, unchanged or set in another way. places:
    [(cell number, exercise)], where each one is looked at. firsts: {exercise: cell number of its first test, where there are
    several}. plain: an instructor's own test cells. answers: {grade_id: text} for a person."""

    own: list = field(default_factory=list)
    demonstrations: list = field(default_factory=list)
    places: list = field(default_factory=list)
    firsts: dict = field(default_factory=dict)
    plain: list = field(default_factory=list)
    answers: dict = field(default_factory=dict)


def roles_of(cells, lesson, notes):
    """Roles; adds a sentence to notes for whatever had to be repaired."""
    make_code_again(cells, lesson, notes)
    tests = {cell.number: name for cell in cells if (name := tested(cell)) in lesson.exercises}
    marked = {cell.number for cell in cells if cell.grade_id.startswith("test_")}
    roles = Roles(answers=written_answers(cells, lesson, notes))
    for cell in cells:
        if (
            cell.type != "code"
            or not cell.source.strip()
            or is_setup(cell.source, lesson)
            or cell.grade_id in lesson.by_hand
            or cell.grade_id in lesson.plain
        ):
            continue
        if bare(cell.source) in lesson.demonstrations or cell.meaning in lesson.meanings:
            roles.demonstrations.append(cell)
        elif cell.number not in tests or cell.defines:
            roles.own.append(cell)
    leave_out_copies(roles, lesson, notes)
    tell_lost_marks(cells, tests, roles, lesson, notes)
    roles.places, roles.firsts = places(tests, marked, roles, lesson, notes)
    roles.plain = placed(cells, roles.own, lesson)
    return roles


def tested(cell):
    """The exercise that a cell tests: by its grade id, else because it is nothing but a check("x", x).points."""
    if cell.grade_id.startswith("test_"):
        return cell.grade_id.removeprefix("test_")
    found = TEST_CALL.findall(cell.source) if len(cell.source) < 1000 else []
    alone = len(found) == 1 and found[0][0] == found[0][1] and len(bare(cell.source).splitlines()) <= 4
    return found[0][0] if alone else None


def make_code_again(cells, lesson, notes):
    """A solution whose cell became text, and that no code cell defines."""
    missing = set(lesson.exercises) - {name for cell in cells if cell.type == "code" for name in cell.defines}
    candidates = [
        n
        for n, cell in enumerate(cells)
        if cell.type != "code" and any(name in cell.source for name in missing)
    ]
    for place in candidates[:MOST_TRIED] if missing else ():
        cell = cells[place]
        again = replace(
            cell,
            type="code",
            source=FENCE.sub(r"\1", cell.source) if len(cell.source) < LONGEST else cell.source,
        )
        names = sorted(missing & again.defines)
        if names:
            cells[place] = again
            notes.append(
                f"Cell {cell.number} with {' and '.join(names)} was not a code cell: taken as one again."
            )


def leave_out_copies(roles, lesson, notes):
    """An untouched copy of a solution cell must not undo the one that was written."""
    for name, stub in lesson.stubs.items():
        same = [cell for cell in roles.own if name in cell.defines]
        written = [cell for cell in same if not is_stub(cell.source, stub)]
        if written and len(written) < len(same):
            empty = {cell.number for cell in same} - {cell.number for cell in written}
            roles.own = [cell for cell in roles.own if cell.number not in empty]
            notes.append(f"A copy of {name}'s cell is still empty: left out, the written one counts.")
        elif len([cell for cell in written if cell.grade_id == name]) > 1:
            notes.append(
                f"There are {len(written)} cells that define {name}: the last one before its test counts, or the last of all if that is better."
            )


def tell_lost_marks(cells, tests, roles, lesson, notes):
    """Marks that are gone, or that say what they must not."""
    marked = {cell.grade_id for cell in cells}
    written = {name for cell in roles.own for name in cell.defines} & set(lesson.exercises)
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
        notes.append(
            f"The file claims other points for {', '.join(dict.fromkeys(claimed))}: the lesson's own count."
        )


def places(tests, marked, roles, lesson, notes):
    """Each exercise is looked at where its marked test stands, else where another cell tests it; after the last cell, if there is
    none or it comes too early. -> (places, firsts)"""
    found, firsts, late, missing = [], {}, [], []
    for name in lesson.exercises:
        numbers = [number for number, tested_ in tests.items() if tested_ == name]
        numbers = [number for number in numbers if number in marked] or numbers
        written = [cell.number for cell in roles.own if name in cell.defines]
        if len(numbers) > 1:
            firsts[name] = numbers[0]
            notes.append(
                f"There are {len(numbers)} test cells of {name}: the last one counts, or the first if that is better."
            )
        if not numbers:
            missing.append(name)
        elif written and min(written) > numbers[-1]:
            late.append(name)
        found.append((numbers[-1] if numbers and name not in late else LAST, name))
    if missing:
        notes.append(
            f"The test cells of {', '.join(missing)} are missing: they were looked at after the last cell."
        )
    if late:
        notes.append(
            f"The test cells of {', '.join(late)} stand before the solutions: they were looked at after the last cell."
        )
    return found, firsts


def written_answers(cells, lesson, notes):
    """{grade_id: text}: by grade id, else the cell after the one that asks."""
    answers = {cell.grade_id: cell.source for cell in cells if cell.grade_id in lesson.by_hand}
    for grade_id in lesson.by_hand.keys() - answers.keys():
        asked = next(
            (n for n, cell in enumerate(cells) if bare(cell.source) == lesson.before[grade_id]), None
        )
        if asked is not None and asked + 1 < len(cells):
            answers[grade_id] = cells[asked + 1].source
            notes.append(
                f"nbgrader's mark is gone from the answer {grade_id}: the cell after its question was taken."
            )
    return answers
