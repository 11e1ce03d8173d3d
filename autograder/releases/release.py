"""Release: a lesson's notebook as students got it, and the purpose of each cell."""

from dataclasses import dataclass, field
from functools import cached_property

import nbformat

from .course_copy import is_course_copy


def marks(cell):
    return cell["metadata"].get("nbgrader", {})


def grade_id(cell):
    return marks(cell).get("grade_id", "")


def test_of(cell):
    """Return the name of what a test cell tests, usually an exercise; "" for other cells."""
    is_test = marks(cell).get("grade") and not marks(cell).get("solution")
    return grade_id(cell).removeprefix("test_") if is_test else ""


SETUP = "setup"  # the tag of the cell that imports course_utils


@dataclass
class Stub:
    """A released cell for students to fill in. name: its grade id, which is also the name to define."""

    name: str
    text: str

    @cached_property
    def meaning(self):
        return reading().meaning(self.text)

    @cached_property
    def definitions(self):
        """The meanings of its statements that define the name."""
        return {
            statement.meaning for statement in reading().statements(self.text) if self.name in statement.bound
        }


@dataclass
class Release:
    """A lesson's notebook as students got it, and the purpose of its cells.

    id: also in the notebook's metadata. record: the plain data that it was made from (see store.record_of).
    exercises: {name: points}. by_person: {name: sentence} of exercises that a person has to grade, because
    they have changed. setup: the set-up cell's source. stubs: {grade_id: Stub} of the cells to fill in.
    demonstrations: sources of the other code cells. plain: {grade_id: (points, source with hidden tests)} of
    an instructor's own test cells. by_hand: {grade_id: points} of written answers; answers: their released
    texts; before: the text of the cell before each. texts: the texts of all cells.
    """

    lesson: str
    id: str
    record: dict
    exercises: dict = field(default_factory=dict)
    by_person: dict = field(default_factory=dict)
    setup: str = ""
    stubs: dict = field(default_factory=dict)
    demonstrations: set = field(default_factory=set)
    plain: dict = field(default_factory=dict)
    by_hand: dict = field(default_factory=dict)
    answers: dict = field(default_factory=dict)
    before: dict = field(default_factory=dict)
    texts: set = field(default_factory=set)

    @classmethod
    def of(cls, record):
        """Make the release that a record describes."""
        about, before = record["notebook"]["metadata"]["course"], ""
        release = cls(about["lesson"], about["version"], record)
        for cell in release.skeleton().cells:
            release.add(cell, before)
            before = bare(cell.source)
        return release

    def add(self, cell, before):
        """Enter a cell into the field for its purpose. before: the text of the cell above it."""
        name, exercise = grade_id(cell), test_of(cell)
        points, is_written = float(marks(cell).get("points") or 0), marks(cell).get("solution")
        self.texts.add(bare(cell.source))
        if exercise in self.record["exercises"]:
            self.exercises[exercise] = points
        elif exercise:
            self.plain[name] = points, self.record["tests"].get(name, cell.source)
        elif is_written and marks(cell).get("grade"):
            self.by_hand[name] = points
            self.answers[name], self.before[name] = cell.source, before
        elif is_written:
            self.stubs[name] = Stub(name, bare(cell.source))
        elif SETUP in cell.metadata.get("tags", []):
            self.setup = cell.source
        elif cell.cell_type == "code":
            self.demonstrations.add(bare(cell.source))

    @property
    def all_exercises(self):
        """The names of its exercises, with those that a person grades now."""
        return {*self.exercises, *self.by_person}

    @property
    def all_parts(self):
        """The names of all that gives points, in order: exercises, written answers, an instructor's tests."""
        return [*self.exercises, *self.by_person, *self.by_hand, *self.plain]

    @property
    def names(self):
        """The names of its exercises, written questions and instructor's own tests."""
        return {part.removeprefix("test_") for part in (*self.exercises, *self.by_hand, *self.plain)}

    @property
    def is_graded(self):
        """Does any cell give points?"""
        return bool(self.exercises or self.plain or self.by_hand)

    @property
    def name(self):
        """The lesson's name, for code that calls a release `lesson`."""
        return self.lesson

    def skeleton(self):
        """Return a new copy of the released notebook, without the copy of course_utils in it."""
        notebook = self.record["notebook"].items()
        return nbformat.NotebookNode({key: nbformat.from_dict(value) for key, value in notebook})

    def is_setup(self, source):
        """Is this the source of the set-up cell, or of the cell with the copy of course_utils?"""
        return is_course_copy(source) or bare(source) == bare(self.setup)

    @cached_property
    def meanings(self):
        """The demonstrations' sources, independent of their formatting."""
        return {reading().meaning(source) for source in self.demonstrations} - {()}

    @cached_property
    def setup_names(self):
        """The names that the set-up cell binds."""
        return reading().names_in(self.setup).bound

    def is_unwritten(self, name, statement):
        """Is the statement still the released stub's definition of this name?"""
        return name in self.stubs and statement.meaning in self.stubs[name].definitions


def reading():
    """Import the source analyser only when needed: the gradebook's process does without it and torch."""
    from course_utils import source

    return source


def bare(source):
    """Return a source without the white space that editors change."""
    return "\n".join(line.rstrip() for line in source.strip().splitlines())
