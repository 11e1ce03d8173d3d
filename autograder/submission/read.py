"""Turn a notebook's bytes into a Submission: its lesson, the student's cells, where to observe exercises."""

import re
from bisect import bisect_left
from collections import defaultdict
from dataclasses import replace
from itertools import takewhile

from autograder.notes import INFO, Note
from autograder.releases.course_copy import without_course_copy
from autograder.releases.release import bare
from course_utils.source import LONGEST, meaning

from .notebook_file import DEMONSTRATION, NOT_RUN, OWN, TEST, Cell, read_notebook
from .remarks import remarks_on
from .submission import LAST, Submission
from .which_release import which_release

FENCE = re.compile(r"\A\s*```\w*\n(.*)\n```\s*\Z", re.S)
MOST_TRIED = 60  # text cells that are searched for a solution
IN_A_TEXT = (
    "Cell {} is a text cell, with a definition of {} among other words: it was not graded. Make it a code "
    "cell that holds only the code."
)
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
    cells_used = needed_cells(own, lesson.exercises)
    notes += remarks_on(submission, cells_used)
    return submission


# ---- what each cell is for


def with_roles(cells, lesson, notes):
    """Return the cells, with role, writes and still_stub set for this lesson."""
    cells = with_texts_as_code(cells, lesson, notes)
    for cell in cells:
        cell.role = role_of(cell, lesson)
        if cell.role == OWN:
            stubs = {name: stub for name, stub in lesson.stubs.items() if name in cell.defines}
            cell.still_stub = {
                n for n, s in stubs.items() if s.text == cell.text or s.meaning == cell.meaning
            }
            cell.writes = {n for n in lesson.exercises.keys() & cell.defines if writes(cell, n, lesson)}
    return cells


def with_texts_as_code(cells, lesson, notes):
    """Turn text cells back into code if they hold a solution that no code cell defines, and name those that
    hold one among other words."""
    missing = set(lesson.exercises) - {name for cell in cells if cell.type == "code" for name in cell.defines}
    cells = list(cells)
    texts = [n for n, c in enumerate(cells) if c.type != "code" and any(name in c.source for name in missing)]
    for number in texts[:MOST_TRIED]:
        cell = cells[number]
        source = FENCE.sub(r"\1", cell.source) if len(cell.source) < LONGEST else cell.source
        as_code = replace(cell, type="code", source=source)
        names = sorted(missing & as_code.defines)
        if names:
            cells[number] = as_code
            subject = f"Cell {cell.number} with {' and '.join(names)}"
            notes.append(Note(INFO, f"{subject} was not a code cell: treated as one."))
        elif cell.text not in lesson.texts:
            among = [
                name for name in missing if re.search(rf"^\s*(?:def|class)\s+{name}\b", cell.source, re.M)
            ]
            notes += [Note(INFO, IN_A_TEXT.format(cell.number, name)) for name in sorted(among)]
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
    """Does the cell define this exercise in another way than the released stub does?"""
    definitions = [statement for statement in cell.statements if name in statement.bound]
    return not all(lesson.is_unwritten(name, statement) for statement in definitions)


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


# ---- written answers


def written_answers(cells, lesson):
    """Return {grade_id: text}: what the student wrote around the question and the answer's cells. If that is
    nothing, the answer is the student's text cells elsewhere in the notebook; if there are none, it is the
    released text."""
    answers, elsewhere = {}, text_cells_elsewhere(cells, lesson)
    for grade_id in lesson.by_hand:
        question = lesson.before[grade_id]
        marked = [n for n, cell in enumerate(cells) if cell.grade_id == grade_id]
        places = [n for n, cell in enumerate(cells) if question and question in cell.text]
        near = [cells[n] for n in numbers_near([*places, *marked], cells, lesson, grade_id)]
        texts_given_out = question, lesson.answers[grade_id]
        texts = student_texts(near, texts_given_out) or student_texts(elsewhere, texts_given_out)
        if texts or marked:
            answers[grade_id] = "\n\n".join(texts) or lesson.answers[grade_id]
    return answers


def numbers_near(places, cells, lesson, grade_id):
    """Return the numbers of the cells at these places and of their neighbours on both sides, up to the next
    cells of the lesson; in order."""
    lessons_own = lesson.texts - {bare(lesson.answers[grade_id])}
    is_own = [cell.grade_id not in ("", grade_id) or cell.text in lessons_own for cell in cells]
    near = set()
    for place in places:
        if place not in near:
            above, below = range(place - 1, -1, -1), range(place + 1, len(cells))
            near |= {place, *(n for side in (above, below) for n in takewhile(lambda n: not is_own[n], side))}
    return sorted(near)


def text_cells_elsewhere(cells, lesson):
    """Return the text cells that do not belong to the lesson."""
    return [c for c in cells if c.type != "code" and not c.grade_id and c.text not in lesson.texts]


def student_texts(cells, texts_given_out):
    """Return what the student wrote in each cell, without the released texts. A code cell without a grade id
    counts only if it holds a comment or a string."""
    texts = []
    for cell in cells:
        text = cell.text
        for source in texts_given_out:
            text = text.replace(bare(source), "")
        if text.strip() and (cell.type != "code" or cell.grade_id or has_prose(text)):
            texts.append(text.strip())
    return texts


def has_prose(code):
    """Is there no Python in it, or has one of its lines at least three words and a comment or quotes?"""
    return not meaning(code) or any(
        len(line.split()) > 2 for line in code.split("\n") if "#" in line or '"' in line or "'" in line
    )


# ---- which cells are run at all


def reach(start, more):
    """Return the items in `start`, those in more(item) for each of them, and so on, each once."""
    reached = dict.fromkeys(start)
    left = [*reached]
    while left:
        new = dict.fromkeys(item for item in more(left.pop()) if item not in reached)
        reached |= new
        left += new
    return [*reached]


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
