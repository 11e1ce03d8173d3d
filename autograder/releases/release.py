"""Release: one lesson as students were given it, with what each of its cells is for."""

from dataclasses import dataclass, field
from functools import cached_property

import nbformat

from .course_copy import is_course_copy
from .marks import grade_id, marks, test_of

SETUP = "setup"  # the tag of the cell that imports course_utils


@dataclass
class Stub:
    """A cell to be written in, as it was given out. name: its grade id, which is what it is to define."""

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
    """A lesson's notebook as it was given out, and what its cells are for.

    id: stands in the notebook's metadata. record: the plain data that it was made from (see store.record_of).
    exercises: {name: points}. by_person: {name: sentence} of exercises that the grader no longer knows in
    this form. setup: the set-up cell's source. stubs: {grade_id: Stub} of the cells to be written in.
    demonstrations: sources of the other code cells. plain:
    {grade_id: (points, source with hidden tests)} of an instructor's own test cells. by_hand: {grade_id:
    points} of written answers; answers: their released text; before: the text of the cell before each.
    texts: the texts of all its cells.
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
        """The release that a record describes."""
        about, before = record["notebook"]["metadata"]["course"], ""
        release = cls(about["lesson"], about["version"], record)
        for cell in release.skeleton().cells:
            release.add(cell, before)
            before = bare(cell.source)
        return release

    def add(self, cell, before):
        """Note what a cell is for."""
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
    def is_graded(self):
        """Is there anything that gives points?"""
        return bool(self.exercises or self.plain or self.by_hand)

    @property
    def name(self):
        """The lesson's name, where `lesson` is the release."""
        return self.lesson

    def skeleton(self):
        """A fresh copy of the notebook as it was given out, without the copy of course_utils in it."""
        return nbformat.from_dict(self.record["notebook"])

    def is_setup(self, source):
        """Is it the set-up cell, or the course's copy that stands before it?"""
        return is_course_copy(source) or bare(source) == bare(self.setup)

    @cached_property
    def meanings(self):
        """The demonstrations' sources, whatever their layout."""
        return {reading().meaning(source) for source in self.demonstrations} - {()}

    @cached_property
    def setup_names(self):
        """The names that the set-up cell binds."""
        return reading().names_in(self.setup).bound

    def is_unwritten(self, name, statement):
        """Is it still the definition that was given out?"""
        return name in self.stubs and statement.meaning in self.stubs[name].definitions


def reading():
    """The analyser of texts, which imports torch: the process that writes the gradebook needs neither."""
    from course_utils import source

    return source


def bare(source):
    """A source without the white space that editors change."""
    return "\n".join(line.rstrip() for line in source.strip().splitlines())
