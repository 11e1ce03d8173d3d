"""Submission: what a student wrote for a lesson, and the steps of the first and second look at it."""

import re
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cached_property

from autograder.notes import Note
from autograder.releases.release import Release
from autograder.sandbox.shared.job import ObserveExercise, RunCell, RunTest, UseStandIns
from course_utils.source import Statement

FUTURE = re.compile(r"\s*from\s+__future__\s")
LONGEST_CELL = 50_000  # characters that a page shows of one cell
LONGEST_OTHERS = 200_000  # characters of all cells together that hold no answer
LAST = float("inf")  # the place below all cells


@dataclass
class Line:
    """A statement and the number of its cell."""

    cell: int
    statement: Statement


@dataclass
class Submission:
    """lesson: the release that it was made from. own: the student's code cells. demonstrations: the lesson's
    cells that these need. places: {exercise: number of the cell where it is observed, or LAST}. tests: an
    instructor's own test cells. answers: {grade_id: text} of written answers."""

    lesson: Release
    own: list
    demonstrations: list
    places: dict
    tests: list = field(default_factory=list)
    answers: dict = field(default_factory=dict)
    notes: list[Note] = field(default_factory=list)

    def first_look(self):
        """Return the steps of the whole notebook: set-up, then cells, each exercise observed at its test."""
        # (cell number, 0 for the cell itself and 1 for what is observed below it, step)
        placed = [(c.number, 0, RunCell(c.source, c.number)) for c in (*self.own, *self.demonstrations)]
        placed += [(number, 1, ObserveExercise(name)) for name, number in self.places.items()]
        placed += [(test.number, 1, RunTest(test.exercise_id, test.source)) for test in self.tests]
        in_order = sorted(placed, key=lambda item: item[:2])
        return [RunCell(self.lesson.setup), *(step for *_, step in in_order)]

    def second_look(self, name, stand_ins):
        """Return (the steps for one exercise on its own, the names of the stand-ins that they use).

        The steps are the set-up, the statements that the definition of `name` needs, and its observation.
        stand_ins: {exercise: source of its stand-in} of exercises that this one builds on. A stand-in follows
        the graded definition of its exercise, if that is among the statements; it comes first, if the student
        does not define that exercise.
        """
        needed, wanted = self.needed(name)
        places = defaultdict(dict)
        for other, source in stand_ins.items():
            places[self.definitions.get(other)][other] = source
        undefined = sorted(stand_ins.keys() & wanted - self.definitions.keys())
        missing = {other: stand_ins[other] for other in undefined}
        steps = [RunCell(self.lesson.setup), *([UseStandIns(missing)] if missing else [])]
        for n in needed:
            steps.append(RunCell(self.lines[n].statement.text))
            steps += [UseStandIns(places[n])] if n in places else []
        used = [other for other in stand_ins if other in missing or self.definitions.get(other) in needed]
        return [*steps, ObserveExercise(name)], used

    def is_written(self, name):
        """Does the student define this exercise, and not only keep the released stub?"""
        number = self.definitions.get(name)
        return number is not None and not self.lesson.is_unwritten(name, self.lines[number].statement)

    def cell_written_for(self, name):
        """Return the number of the last cell with the exercise's grade id that the student wrote in; or None.
        A student wrote in a cell if its text has changed and the stub's definition is not in it any more."""
        marked = [cell for cell in self.own if cell.grade_id == name and name not in cell.still_stub]
        writers = [cell.number for cell in marked if name not in cell.defines or name in cell.writes]
        return max(writers, default=None)

    def is_written_below(self, name):
        """Is the exercise also defined below its test, where the definition does not count?"""
        below = [cell.number > self.places[name] for cell in self.own if name in cell.writes]
        return any(below) and not all(below)

    def own_source(self, name):
        """Return the source of all statements that the exercise's definition needs, without x = yours("x");
        "" if it is not written."""
        statements = [line.statement for line in self.lines_of(name)]
        return "\n\n".join(statement.python for statement in statements if not asks_for(name, statement))

    def lines_of(self, name):
        """Return the Lines that the exercise's definition needs; [] if it is not written."""
        return [self.lines[n] for n in self.needed(name)[0]] if self.is_written(name) else []

    def texts(self):
        """Return the fields {"texts", "before", "after"} of a GradedSubmission.

        A cell is the text of the exercise that it defines, if that definition is the graded one. A cell that
        defines nothing, as with a syntax error, is the text of the exercise in its grade id, unless another
        cell defines that exercise.
        """
        texts, before, pending, left = {}, {}, [], LONGEST_OTHERS
        defined = {name for cell in self.own for name in cell.defines}
        graded = {name: self.lines[number].cell for name, number in self.definitions.items()}
        for cell in self.own:
            defines = [grade_id for grade_id in self.lesson.stubs if grade_id in cell.defines]
            homes = [name for name in defines if graded.get(name, cell.number) == cell.number]
            if not defines and cell.grade_id in self.lesson.stubs.keys() - defined:
                homes = [cell.grade_id]
            texts |= dict.fromkeys(homes, shortened(cell.source))
            if homes:
                before[homes[0]] = before.get(homes[0], []) + pending
            pending = [] if homes else [*pending, shortened(cell.source, left)]
            left -= 0 if homes else min(len(cell.source), LONGEST_CELL, left)
        texts |= {grade_id: shortened(text) for grade_id, text in self.answers.items()}
        return {"texts": texts, "before": before, "after": pending}

    # ---- what a definition needs

    @cached_property
    def lines(self):
        """The statements of all cells that are run, in order."""
        cells = sorted([*self.own, *self.demonstrations], key=lambda cell: cell.number)
        return [Line(cell.number, statement) for cell in cells for statement in cell.statements]

    @cached_property
    def bindings(self):
        return self.numbers_by(lambda cell: cell.bound)

    @cached_property
    def future_imports(self):
        """The numbers of `from __future__` Lines, which change how Python reads all Lines below."""
        return [n for n, line in enumerate(self.lines) if FUTURE.match(line.statement.python)]

    @cached_property
    def changes(self):
        return self.numbers_by(lambda cell: cell.changed)

    def numbers_by(self, names):
        by_name = defaultdict(list)
        for number, line in enumerate(self.lines):
            for name in names(line.statement):
                by_name[name].append(number)
        return by_name

    @cached_property
    def definitions(self):
        """{exercise: number of the Line that is graded}: its last definition above its test, or its last."""
        own, last_lines = {cell.number for cell in self.own}, {}
        for name, place in self.places.items():
            bound = [n for n in self.bindings[name] if self.lines[n].cell in own]
            numbers = [n for n in bound if not self.lesson.is_unwritten(name, self.lines[n].statement)]
            above = [n for n in numbers or bound if self.lines[n].cell <= place]
            if bound:
                last_lines[name] = max(above or numbers or bound)
        return last_lines

    def needed(self, name):
        """Return (numbers of the Lines that the definition of `name` needs, all names that they look up)."""
        own_cell = self.lines[self.definitions[name]].cell
        end = self.places[name] if own_cell <= self.places[name] < LAST else own_cell
        exercises = self.lesson.exercises.keys()
        wanted, numbers = set(), set(self.future_imports)
        available, left = self.lesson.setup_names - exercises, {name}
        while left:
            wanted |= left
            new = {n for item in left for n in self.value_lines(item, name, own_cell, end)} - numbers
            numbers |= new
            looked_up = [self.lines[n].statement for n in new]
            left = (
                {word for item in looked_up for word in item.used | (item.quoted & exercises)}
                - wanted
                - available
            )
        return sorted(numbers), wanted

    def value_lines(self, name, exercise, own_cell, end):
        """Return the numbers of the Lines that give `name` the value that `exercise` uses.

        An ordinary name gets its value from all Lines that bind it in the cells up to `end`, or from later
        Lines if there are none. The name of an exercise gets its value from its graded definition (and older
        ones, if that uses them); another exercise's name also from Lines that bind it in `own_cell`, the cell
        that defines `exercise`. In all cases, Lines up to `end` that change the object are included.
        """
        bound = self.bindings[name]
        if name in self.definitions:
            graded = self.definitions[name]
            definition = self.lines[graded].statement
            uses_older = name in definition.used or name in definition.quoted
            rebound = [n for n in bound if self.lines[n].cell == own_cell and name != exercise]
            numbers = [*rebound, *(n for n in bound if n < graded and uses_older)]
            numbers += [graded] if not rebound or graded < rebound[-1] else []
        else:
            numbers = [n for n in bound if self.lines[n].cell <= end] or bound or self.bindings["*"]
        return [*numbers, *(n for n in self.changes[name] if self.lines[n].cell <= end)]


def asks_for(name, statement):
    """Does the statement fetch this object, as softmax = yours("softmax") does?"""
    return name in statement.quoted and "yours" in statement.used


def shortened(text, left=LONGEST_CELL):
    """Return at most `left` characters of the text, with characters that UTF-8 cannot encode replaced."""
    text = "\n".join(text.encode("utf-8", "replace").decode("utf-8").splitlines())
    most = min(left, LONGEST_CELL)
    more = len(text) - most
    return text if more <= 0 else f"{text[:most]}\n# ... {more} more characters are not shown."
