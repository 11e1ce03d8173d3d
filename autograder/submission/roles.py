"""The cells of a submission and its lesson -> the same cells, each with its role and what it writes."""

import re
from dataclasses import replace

from course_utils.source import LONGEST

from .cell import DEMONSTRATION, NOT_RUN, OWN, TEST

FENCE = re.compile(r"\A\s*```\w*\n(.*)\n```\s*\Z", re.S)
MOST_TRIED = 60  # cells that are no code and may hold a solution


def with_roles(cells, lesson, notes):
    """The cells with role, writes and still_stub, as they are in this lesson."""
    cells = with_texts_as_code(cells, lesson, notes)
    for cell in cells:
        cell.role = role_of(cell, lesson)
        if cell.role == OWN:
            cell.writes = {
                name for name in lesson.exercises.keys() & cell.defines if writes(cell, name, lesson)
            }
            cell.still_stub = {
                name
                for name, stub in lesson.stubs.items()
                if name in cell.defines and (cell.text == stub.text or cell.meaning == stub.meaning)
            }
    return cells


def with_texts_as_code(cells, lesson, notes):
    """A solution whose cell became text, and that no code cell defines, is code again."""
    missing = set(lesson.exercises) - {name for cell in cells if cell.type == "code" for name in cell.defines}
    cells = list(cells)
    texts = [n for n, c in enumerate(cells) if c.type != "code" and any(name in c.source for name in missing)]
    for number in texts[:MOST_TRIED]:
        cell = cells[number]
        source = FENCE.sub(r"\1", cell.source) if len(cell.source) < LONGEST else cell.source
        again = replace(cell, type="code", source=source)
        names = sorted(missing & again.defines)
        if names:
            cells[number] = again
            which = f"Cell {cell.number} with {' and '.join(names)}"
            notes.append(f"{which} was not a code cell: taken as one.")
    return cells


def role_of(cell, lesson):
    if cell.type != "code" or not cell.source.strip() or lesson.is_setup(cell.source):
        return NOT_RUN
    if cell.grade_id in lesson.by_hand or cell.grade_id in lesson.plain:
        return NOT_RUN
    if cell.text in lesson.demonstrations or cell.meaning in lesson.meanings:
        return DEMONSTRATION
    return TEST if cell.tests in lesson.exercises and not cell.defines else OWN


def writes(cell, name, lesson):
    """Does the cell define it otherwise than it was given out?"""
    definitions = [statement for statement in cell.statements if name in statement.bound]
    return not all(lesson.is_unwritten(name, statement) for statement in definitions)
