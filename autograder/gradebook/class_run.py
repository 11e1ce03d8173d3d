"""Grades a class: reads new submissions, maps them over an executor, and writes each result as it arrives."""

import functools
import shlex

from autograder.cluster import WorkersDied
from autograder.grading.graded import GradedSubmission
from autograder.notes import LOOK, Note, quoted
from autograder.refused import LessonRefused, NotAgreed, Refused
from autograder.releases import store

from .change import differences
from .course import seed_of
from .page import lacks_page, notes_in, write_feedback_pages
from .penalties import bring_up_to_date
from .standing import Outcome, StudentInfo, current_outcomes, enter_students, left, unchanged
from .submitted import find_all, places, read_folders, waiting_files
from .threads import map_ahead
from .writer import Writer

DIED = (
    "{} cluster workers in a row died while grading this and nothing else: "
    "a person has to grade it. It is retried when it is handed in again, or with --regrade."
)
NEW_STUDENT = (
    "{0} was not in the gradebook and was added: if that is a misspelt name, rename the folder and remove "
    "{0} with `nbgrader db student remove {1}`."
)
UNKNOWN_STUDENT = "The gradebook knows no student {0}: `nbgrader db student add {1}`, or rename the folder."
NO_SUBMISSION = "There is no submission of {} to grade in {}: check the name of the student's folder there."
NOTHING = (
    "There is nothing to grade in {}: the grader looks for STUDENT/LESSON/LESSON.ipynb. "
    "For loose files: `grade PATH`."
)
BROKEN = "The grader itself failed here ({}: {}), not the submission: please report it."


def grade_class(
    root,
    executor,
    *,
    lessons=(),
    students=(),
    regrade=False,
    seed=None,
    no_sandbox=False,
    room=None,
    config=None,
    step=lambda done, total: None,
    consent=None,
):
    """Grade what is new in submitted/; return an Outcome for each student and lesson, missing ones included.

    executor: any concurrent.futures.Executor. room(): how many submissions to give it at a time. students:
    grade only these and their groups. regrade: also grade what was graded before. seed: of the hidden cases,
    the same for everybody; by default the one that this gradebook used before. config: nbgrader's settings;
    by default those of the folder. step(done, total) reports progress. consent(rows), for a
    regrade, is asked with the scores that would change before anything is written; only with it may a lesson
    go over to other cases. Raises Refused with one sentence; what was graded is kept.
    """
    with Writer(root, config) as writer:
        submitted, groups = writer.root / writer.coursedir.submitted_directory, writer.files.groups
        for lesson in lessons:
            store.current(lesson)  # raises Refused if there is no such lesson
        folders, left_out = find_all(submitted, lessons)
        if not folders and not left_out:
            raise Refused(NOTHING.format(submitted))
        folders = select_folders(folders, students, groups, submitted)
        outcomes, total = {}, len(places(folders, groups))
        may_change_cases = bool(regrade and consent and not students)
        seeds = seeds_of(writer, folders, seed)
        grade = functools.partial(grade_with_its_seed, grade_one, seeds, no_sandbox)
        submissions = submissions_to_grade(writer, folders, regrade, outcomes, may_change_cases, seeds)
        results = graded_or_reason(writer, map_ahead(executor, grade, submissions, room))
        if regrade and consent:
            results = hold_back(writer, results, consent, step, total)
        for first, result in results:
            for copy in (first, *first.group_copies):
                outcomes[copy.student, copy.lesson] = write_result(writer, copy, result)
            step(len(outcomes), total)
        if any(outcome.state == "new" for outcome in outcomes.values()):
            seed_of(writer.root, seed)
        bring_up_to_date(writer)
        writer.gradebook.db.commit()
        outcomes = current_outcomes(writer.coursedir, writer.gradebook, writer.files, outcomes)
        write_feedback_pages(writer.root, [o for o in outcomes if lacks_page(writer.root, o)])
        left_out += [(place[0] or "-", line) for place, line in waiting_files(writer.root) if not all(place)]
        return [*(left((place, ""), reason) for place, reason in left_out), *outcomes]


def select_folders(folders, students, groups, submitted):
    """The folders of these students and of their groups; raises Refused if a student has none."""
    if not students:
        return folders
    chosen_folders = [folder for folder in folders if set(groups.of(*folder[:2])) & set(students)]
    students_in = {student for student, _ in places(chosen_folders, groups)}
    for student in students:
        if student not in students_in:
            raise Refused(NO_SUBMISSION.format(student, submitted))
    return chosen_folders


def seeds_of(writer, folders, seed):
    """{lesson: the seed of its hidden cases}: the given one, else the one that graded others, else the
    course's."""
    seeds = {}
    for lesson in {lesson for _, lesson, _ in folders}:
        before = {memory.get("seed") for memory in writer.memories_of(lesson).values()}
        seeds[lesson] = seed or (before.pop() if len(before) == 1 else seed_of(writer.root))
    return seeds


def grade_with_its_seed(action, seeds, no_sandbox, submitted):
    return action(submitted, seeds[submitted.lesson], no_sandbox)


def grade_one(submitted, seed, no_sandbox):
    """Grade one submission in the executor; arguments and result are plain data."""
    from .grade import grade_submitted  # imports torch, which the writing process does not need

    return grade_submitted(submitted, seed, no_sandbox)


def hold_back(writer, results, consent, step, total):
    """Yield the results, if any, when all are there and consent(rows) agrees."""
    held = []
    for pair in results:
        held.append(pair)
        step(len(held), total)

    def preview():
        for submitted, result in held:
            for copy in (submitted, *submitted.group_copies):
                if not isinstance(result, str) and not result.retry:
                    writer.record(copy, result)

    rows = differences(writer.gradebook, preview)
    writer.gradebook.db.rollback()
    if held and not consent(rows):
        raise NotAgreed
    yield from held


def submissions_to_grade(writer, folders, regrade, outcomes, may_change_cases, seeds):
    """Read folder by folder, and yield each Submitted to grade, with its `group_copies`. Submissions that
    need no grading go into `outcomes` at once: "unchanged", or "left" with the reason."""
    groups, refused = writer.files.groups, {}
    at_hand = places(folders, groups)
    for lesson in dict.fromkeys(lesson for _, lesson, _ in folders):
        try:
            writer.enter(lesson)
            writer.refuse_other_cases(lesson, seeds[lesson], may_change_cases, at_hand)
        except LessonRefused as reason:
            refused[lesson] = str(reason)
    before = writer.students()
    strangers = {student for student, _ in at_hand} - before
    if writer.may_enter and not before:  # a new course: the next run must not report them as new
        enter_students(writer.gradebook, dict.fromkeys(sorted(strangers), StudentInfo()))
    for files, why_not in read_folders(folders, groups, writer.zone):
        memories = [writer.memory(file.student, file.lesson) for file in files]
        same = [is_graded(writer, *pair) for pair in zip(files, memories, strict=True)]
        is_same, why_not, graded = all(same) and not why_not, why_not or refused.get(files[0].lesson), []
        for file, memory in zip(files, memories, strict=True):
            place = file.student, file.lesson
            is_new, name = file.student in strangers, (file.student, shlex.quote(file.student))
            if is_same and not regrade:
                outcomes[place] = unchanged(place, memory)
            elif why_not or (is_new and not writer.may_enter):
                outcomes[place] = left(place, why_not or UNKNOWN_STUDENT.format(*name))
            else:
                file.notes += [Note(LOOK, NEW_STUDENT.format(*name))] if is_new and before else []
                graded.append(file)
        if graded:
            first, *first.group_copies = graded
            yield first


def is_graded(writer, submitted, memory):
    """Was this very file graded, and has nothing changed in what is asked about its release?"""
    question = writer.release_question(submitted.lesson, memory.get("release"))
    time_before = writer.recorded.get((submitted.student, submitted.lesson))
    same_file = submitted.was_graded(memory, writer.page(submitted), time_before)
    return same_file and memory.get("release_question", "") == question


def graded_or_reason(writer, results):
    """Yield (Submitted, its GradedSubmission, or a sentence on why there is none); raise if grading cannot go
    on. Each Submitted gets the question about its release."""
    for submitted, result in results:
        if isinstance(result, WorkersDied):
            result = GradedSubmission.rejected(DIED.format(*result.args), seed_of(writer.root))
        elif isinstance(result, Exception) and not isinstance(result, Refused):
            result = BROKEN.format(type(result).__name__, quoted(str(result)))
        elif isinstance(result, BaseException):  # there is no sandbox, or no cluster
            raise result
        for copy in (submitted, *submitted.group_copies):
            copy.release_question = writer.release_question(copy.lesson, getattr(result, "release", None))
        yield submitted, result


def write_result(writer, submitted, result):
    """Write the result of one submission, and return its Outcome."""
    place = submitted.student, submitted.lesson
    if isinstance(result, str):
        return left(place, result)
    if result.retry:
        return Outcome(*place, "left", result.notes)
    memory = writer.write(submitted, result)
    return Outcome(*place, "new", notes_in(memory), memory)
