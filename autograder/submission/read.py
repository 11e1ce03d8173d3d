"""Bytes of a submission -> its lesson and the steps that a score needs; or a sentence that says why not."""

from dataclasses import dataclass, field, replace

from autograder.releases.released import lessons, without_copy

from .instructor_tests import shown_name
from .needs import needed_demonstrations, reached
from .notebook_file import SIZE_LIMIT, Rejected, read_cells
from .ready_made import mentions_some, methods_in, ready_made
from .roles import LAST, Roles, roles_of
from .syntax import names_in, quoted_in, statements

MOST_STATEMENTS = 1000  # of the cells that an exercise needs, if they are taken apart

__all__ = ["SIZE_LIMIT", "Rejected", "Submission", "take_in"]


@dataclass
class Submission:
    """steps: {"run": source, "cell": number} and {"observe": exercise, "replace": {}} in order. roles: what the cells are there for.
    solutions: {exercise: the text that defines it}. answers: {grade_id: text} for a person. ready_made: [(cell, line,
    name)]. notes: what was repaired."""

    lesson: object
    steps: list
    roles: object
    solutions: dict = field(default_factory=dict)
    answers: dict = field(default_factory=dict)
    ready_made: list = field(default_factory=list)
    notes: list = field(default_factory=list)

    @property
    def made_anew(self):
        """The exercises that a cell below their place defines once more."""
        last = {name: cell.number for cell in self.roles.own for name in cell.defines}
        return [
            name
            for place, name in self.roles.places
            if last.get(name, 0) > self.roles.firsts.get(name, place)
        ]

    def ways(self, name, failed):
        """Lists of cells to look at one exercise alone with: those that its definition needs; these without those that define a
        helper anew below it; without those below the first of its tests. Where a cell below its place speaks of it or of its
        helpers, perhaps to complete them, or some cell failed: all that the student wrote."""
        cells = reached(self.roles.own, self.asked_for_by(name), names_in(self.lesson.setup)[0])
        first = self.roles.firsts.get(name, LAST)
        ways = [cells, without_later_ones(cells, name), [cell for cell in cells if cell.number < first]]
        ways += [self.roles.own] if failed or self.spoken_of_below(name, cells) else []
        return [way for number, way in enumerate(ways) if way not in ways[:number]]

    def alone(self, name, cells):
        """The steps to look at one exercise with these cells, statement by statement: one which fails, or never ends, costs no
        more than itself."""
        return apart(steps_of(self.lesson, Roles(cells, self.roles.demonstrations, [(LAST, name)])))

    def asked_for_by(self, name):
        """It, the exercises that its cells speak of in quotes, as in yours("softmax"), those that these speak of, and so on."""
        names = [name]
        for each in names:
            quoted = {word for cell in self.cells_for(each) for word in quoted_in(cell.source)}
            names += sorted(quoted & self.lesson.exercises.keys() - {*names})
        return names

    def spoken_of_below(self, name, cells):
        place = next((place for place, other in self.roles.places if other == name), LAST)
        made = {name, *(defined for cell in cells for defined in cell.defines)}
        return any(cell.uses & made for cell in self.roles.own if cell.number > place)

    def cells_for(self, name):
        """The student's own cells that its definition needs."""
        return reached(self.roles.own, [name], names_in(self.lesson.setup)[0])


def without_later_ones(cells, name):
    """The cells without those below the definition that only define anew what it uses."""
    last = max((cell.number for cell in cells if name in cell.defines), default=0)
    given = {defined for cell in cells if cell.number <= last for defined in cell.defines}
    missing = {used for cell in cells for used in cell.uses} - given
    return [cell for cell in cells if cell.number <= last or cell.defines & missing]


def take_in(data):
    """A notebook's bytes -> Submission; raises Rejected."""
    notes = []
    cells = [replace(cell, source=without_copy(cell.source)) for cell in read_cells(data, notes)]
    lesson = which_lesson(cells)
    roles = roles_of(cells, lesson, notes)
    solutions = {name: cell.source for cell in roles.own for name in cell.defines if name in lesson.exercises}
    suspects = [cell for cell in reached(roles.own, lesson.exercises) if mentions_some(cell.source)]
    methods = {name for cell in suspects for name in methods_in(cell.source)}
    found = [(cell.number, *use) for cell in suspects for use in ready_made(cell.source, methods)]
    return Submission(lesson, steps_of(lesson, roles), roles, solutions, roles.answers, found, notes)


def steps_of(lesson, roles):
    """Set-up, then the cells that a score needs in their order, each exercise where it is looked at."""
    to_run = [
        *roles.own,
        *needed_demonstrations([*roles.own, *roles.plain], roles.demonstrations, lesson.setup),
    ]
    placed = [(cell.number, 0, {"run": cell.source, "cell": cell.number}) for cell in to_run]
    placed += [(number, 1, {"observe": name, "replace": {}}) for number, name in roles.places]
    placed += [
        (test.number, 1, {"observe": shown_name(test.grade_id), "test": test.source}) for test in roles.plain
    ]
    return [{"run": lesson.setup}, *(step for *_, step in sorted(placed, key=lambda item: item[:2]))]


def apart(steps):
    """The steps with their cells statement by statement, the set-up excepted; as they are where these are too many."""
    setup, *rest = steps
    parts = [
        part
        for step in rest
        for part in ([{"run": text} for text in statements(step["run"])] if "run" in step else [step])
    ]
    return [setup, *parts] if len(parts) <= MOST_STATEMENTS else steps


def which_lesson(cells):
    """The lesson whose exercises are found most often, by grade id or by definition; of two, the one where fewer are missing."""
    votes = {}
    for lesson in lessons().values():
        own = {*lesson.exercises, *lesson.by_hand}
        ids = {cell.grade_id.removeprefix("test_") for cell in cells} & own
        defined = {name for cell in cells if cell.type == "code" for name in cell.defines} & own
        votes[lesson.name] = 2 * len(ids) + len(defined), -len(own)
    best = max(votes, key=votes.get, default=None)
    if best is None or not votes[best][0]:
        known = ", ".join(lessons())
        raise Rejected(
            f"This is a notebook, but not of a lesson of this course ({known}): was the right file handed in?"
        )
    return lessons()[best]
