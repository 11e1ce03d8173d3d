"""What a worker is told of a submission: its steps, hidden inputs, and the answers that its code may ask for."""

import re

from autograder.releases.released import lessons
from autograder.submission.as_python import without_cell_magic
from autograder.submission.instructor_tests import shown_name
from autograder.submission.read import MOST_STATEMENTS
from autograder.submission.syntax import names_in, quoted_in, statements

from .pieces import source_of

LONGEST_OWN = 100_000  # characters: an answer that is sent along


def job_for(submission, exercises, seed):
    """The job of `worker.runner.run`, with the seed's cases of these {name: Exercise}."""
    cases = {
        name: {"contract": exercise.contract, "cases": untold(exercise.cases(seed))}
        for name, exercise in exercises.items()
    }
    plain = {shown_name(grade_id): {} for grade_id in submission.lesson.plain}
    return {
        "steps": submission.steps,
        "exercises": cases | plain,
        "points": submission.lesson.exercises,
        **sent_along(submission),
    }


def untold(cases):
    """The cases as a submission may see them: where some calls must raise an error, nothing says which."""
    told = any(call.raises for case in cases for call in case.calls)
    return [case.untold() if told and not case.device else case for case in cases]


def sent_along(submission):
    """What the notebook may ask for with yours, in a call, a loop or under another name: of the exercises whose names stand
    in it in quotes, "library", right ones of those of earlier lessons, as far as no answer to this one stands in them; "own",
    the student's cells for those of this one."""
    order = list(lessons())
    earlier = order[: order.index(submission.lesson.name)]
    known = {name for lesson in earlier for name in lessons()[lesson].exercises}
    asked_here = submission.lesson.exercises.keys()
    asked = sorted(quoted_in("\n".join(step.get("run", "") for step in submission.steps)))
    library = {
        name: source
        for name in asked
        if name in known and (source := source_of(name)) and not names_in(source)[0] & asked_here
    }
    own = {name: own_text(submission, name) for name in asked if name in submission.solutions}
    return {
        "library": library,
        "own": {name: text for name, text in own.items() if 0 < len(text) <= LONGEST_OWN},
    }


def own_text(submission, name):
    """The student's cells that make it, without those that only ask for it: softmax = yours("softmax")."""
    asks = re.compile(rf"""\byours\b.{{0,200}}["']{name}["']""")
    return "\n\n".join(
        without_cell_magic(cell.source) for cell in submission.cells_for(name) if not asks.search(cell.source)
    )


def with_right_ones(job, steps, name, others):
    """The job with these steps, as far as they are about one exercise, and right ones of the others in their places: after the
    set-up, and again from where the student's own are defined, so that what is made of them there (another name, a subclass,
    a default) is made of right ones.

    In a process that sees no other exercise: the right ones that are sent along are answers to those.
    """
    right = {other: source_of(other) for other in others}
    setup, *about_it = (step for step in steps if step.get("observe", name) == name)
    parts = [
        part
        for step in about_it
        for part in ([{**step, "replace": right}] if "observe" in step else given_after(step["run"], right))
    ]
    return {
        **job,
        "steps": [setup, {"give": right}, *parts],
        "library": {**job["library"], **right},
        "given": others,
    }


def given_after(source, right):
    """The steps of a cell: after each statement that defines one of them, the right one is given."""
    if not any(name in source for name in right) or not right.keys() & names_in(source)[0]:
        return [{"run": source}]
    texts, steps = statements(source), []
    for text in texts if len(texts) <= MOST_STATEMENTS else [source]:
        defined = right.keys() & names_in(text)[0]
        steps += [
            {"run": text},
            *([{"give": {name: right[name] for name in sorted(defined)}}] if defined else []),
        ]
    return steps
