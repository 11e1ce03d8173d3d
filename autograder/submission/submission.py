"""Submission: what a student wrote for a lesson, and the steps of the two looks at it."""

import re
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cached_property

from autograder.releases.release import Release
from autograder.sandbox.shared.job import GivePieces, ObserveExercise, RunCell, RunTest
from course_utils.source import Statement

FUTURE = re.compile(r"\s*from\s+__future__\s")
LAST = float("inf")  # below all cells


@dataclass
class Line:
    """A statement, and the number of the cell that it stands in."""

    cell: int
    statement: Statement


@dataclass
class Submission:
    """lesson: the release that it was made from. own: the student's code cells. demonstrations: released
    cells that these need. places: {exercise: number of the cell that tests it, LAST where there is none}.
    tests: an instructor's own test cells. answers: {grade_id: text} for a person. remarks: [sentence] on
    code that a person should look at. notes: what was repaired. release_note,
    doubts: what to tell of its release, and why a person has to look; both are among the notes."""

    lesson: Release
    own: list
    demonstrations: list
    places: dict
    tests: list = field(default_factory=list)
    answers: dict = field(default_factory=dict)
    remarks: list = field(default_factory=list)
    notes: list = field(default_factory=list)
    release_note: str = ""
    doubts: list = field(default_factory=list)

    def first_look(self):
        """The set-up, then the cells in their order, each exercise observed where its test stands."""
        # (cell number, 0 for the cell itself and 1 for what is observed below it, step)
        placed = [(c.number, 0, RunCell(c.source, c.number)) for c in (*self.own, *self.demonstrations)]
        placed += [(number, 1, ObserveExercise(name)) for name, number in self.places.items()]
        placed += [(test.number, 1, RunTest(test.exercise_id, test.source)) for test in self.tests]
        in_order = sorted(placed, key=lambda item: item[:2])
        return [RunCell(self.lesson.setup), *(step for *_, step in in_order)]

    def second_look(self, name, pieces):
        """(steps, names of the right pieces that are used in them): the set-up, then the statements that the
        definition of `name` needs, then its observation.

        pieces: {exercise: source of its right piece} of exercises that this one builds on. A right piece
        follows the graded definition of its exercise, if that is among the statements; if the student
        defines nothing of that name, it stands at the beginning.
        """
        needed, wanted = self.needed(name)
        places = defaultdict(dict)
        for other, source in pieces.items():
            places[self.definitions.get(other)][other] = source
        missing = {other: pieces[other] for other in sorted(pieces.keys() & wanted - self.definitions.keys())}
        steps = [RunCell(self.lesson.setup), *([GivePieces(missing)] if missing else [])]
        for n in needed:
            steps.append(RunCell(self.lines[n].statement.text))
            steps += [GivePieces(places[n])] if n in places else []
        pieces_used = [other for other in pieces if other in missing or self.definitions.get(other) in needed]
        return [*steps, ObserveExercise(name)], pieces_used

    def is_written(self, name):
        """Does the student define it, other than by the cell as it was given out?"""
        number = self.definitions.get(name)
        return number is not None and not self.lesson.is_unwritten(name, self.lines[number].statement)

    def cell_written_for(self, name):
        """The number of the cell with the exercise's mark, if the student wrote in it: its text is another,
        and it does not hold the stub's own definition. The last of several such cells; None where none is."""
        marked = [cell for cell in self.own if cell.grade_id == name and name not in cell.still_stub]
        writers = [cell.number for cell in marked if name not in cell.defines or name in cell.writes]
        return max(writers, default=None)

    def is_written_below(self, name):
        """Is it defined again below its test, where that does not count?"""
        below = [cell.number > self.places[name] for cell in self.own if name in cell.writes]
        return any(below) and not all(below)

    def own_source(self, name):
        """The text of all statements that its definition needs, without x = yours("x"); "" where it is not
        written."""
        if not self.is_written(name):
            return ""
        statements = [self.lines[n].statement for n in self.needed(name)[0]]
        return "\n\n".join(statement.python for statement in statements if not asks_for(name, statement))

    # ---- what a definition needs

    @cached_property
    def lines(self):
        """The Lines of all cells that are run, in order."""
        cells = sorted([*self.own, *self.demonstrations], key=lambda cell: cell.number)
        return [Line(cell.number, statement) for cell in cells for statement in cell.statements]

    @cached_property
    def binding(self):
        return self.numbers_by(lambda cell: cell.bound)

    @cached_property
    def futures(self):
        """Numbers of the Lines that say how Python reads all below them: from __future__ import ..."""
        return [n for n, line in enumerate(self.lines) if FUTURE.match(line.statement.python)]

    @cached_property
    def changing(self):
        return self.numbers_by(lambda cell: cell.changed)

    def numbers_by(self, names):
        by_name = defaultdict(list)
        for number, line in enumerate(self.lines):
            for name in names(line.statement):
                by_name[name].append(number)
        return by_name

    @cached_property
    def definitions(self):
        """{exercise: number of the Line that is graded}: the last above its test, else the last."""
        own, last_lines = {cell.number for cell in self.own}, {}
        for name, place in self.places.items():
            bound = [n for n in self.binding[name] if self.lines[n].cell in own]
            numbers = [n for n in bound if not self.lesson.is_unwritten(name, self.lines[n].statement)]
            above = [n for n in numbers or bound if self.lines[n].cell <= place]
            if bound:
                last_lines[name] = max(above or numbers or bound)
        return last_lines

    def needed(self, name):
        """(numbers of the Lines that the definition needs, all names that they look up)"""
        own_cell = self.lines[self.definitions[name]].cell
        end = self.places[name] if own_cell <= self.places[name] < LAST else own_cell
        exercises = self.lesson.exercises.keys()
        wanted, numbers = set(), set(self.futures)
        available, left = self.lesson.setup_names - exercises, {name}
        while left:
            wanted |= left
            new = {number for item in left for number in self.giving(item, name, own_cell, end)} - numbers
            numbers |= new
            looked_up = [self.lines[n].statement for n in new]
            left = (
                {word for item in looked_up for word in item.used | (item.quoted & exercises)}
                - wanted
                - available
            )
        return sorted(numbers), wanted

    def giving(self, name, exercise, own_cell, end):
        """Numbers of the Lines that give `name` its value, as far as `exercise` sees it.

        An ordinary name gets its value from all Lines that bind it in the cells up to `end`, or from those
        below where no Line above binds it. The name of an exercise gets it from the definition that is graded
        (after older ones, if the definition uses these), and from what the cell `own_cell`, which defines
        `exercise`, makes of it. Lines that change the object, in the cells up to `end`, come along for both.
        """
        bound = self.binding[name]
        if name in self.definitions:
            graded = self.definitions[name]
            definition = self.lines[graded].statement
            uses_older = name in definition.used or name in definition.quoted
            rebound = [n for n in bound if self.lines[n].cell == own_cell and name != exercise]
            numbers = [*rebound, *(n for n in bound if n < graded and uses_older)]
            numbers += [graded] if not rebound or graded < rebound[-1] else []
        else:
            numbers = [n for n in bound if self.lines[n].cell <= end] or bound or self.binding["*"]
        return [*numbers, *(n for n in self.changing[name] if self.lines[n].cell <= end)]


def asks_for(name, statement):
    """Does the statement ask for it, as softmax = yours("softmax") does?"""
    return name in statement.quoted and "yours" in statement.used
