"""Cut the exercises' sheets down to what the interview's topics need, for the interview notebook."""

from collections import defaultdict

from torch import Tensor

from course_utils.model.case import RAISED
from course_utils.model.sheet import Mistake, Sheet, Wanted
from course_utils.practice.interview.retell import calls_that_count
from course_utils.practice.interview.topics import CASES, tables, topic

DIGITS, OF_SKETCHES = 4, 3  # decimals: errors stay ten times below an interview's tolerances


def topic_sheets(answers):
    """{exercise: its sheet as JSON bytes, with only the calls and results that the topics need}."""
    trials_by_exercise = defaultdict(list)
    for trial in trials():
        trials_by_exercise[trial["exercise"]].append(trial)
    sheets = {name: cut_to_trials(read(answers, name), group) for name, group in trials_by_exercise.items()}
    checked = {part.exercise for part in parts() if part.exercise}  # parts checked as in the lesson
    sheets |= {name: cut_to_cases(read(answers, name)) for name in checked}
    return {name: sheet.to_json().encode() for name, sheet in sorted(sheets.items())}


def read(answers, name):
    return Sheet.from_json((answers / f"{name}.json").read_text(encoding="utf-8"))


def parts():
    return (part for name in tables() for part in topic(name).parts)


def trials():
    for part in parts():
        for trial in (*part.tries, *part.masked):
            yield from (trial, *trial.get("also", ()))


def cut_to_cases(sheet):
    """A sheet with only the cases that the topics use, without gradients and hints."""
    names = CASES.get(sheet.contract.name, [case.name for case in sheet.cases])
    numbers = [n for n, case in enumerate(sheet.cases) if case.name in names]
    wanted = [Wanted(sheet.wanted[n].values, None, sheet.wanted[n].where) for n in numbers]
    mistakes = [Mistake(m.name, m.sentence, [m.sketches[n] for n in numbers]) for m in sheet.mistakes]
    return Sheet(sheet.contract, sheet.points, [sheet.cases[n] for n in numbers], wanted, mistakes)


def cut_to_trials(sheet, names):
    """A sheet with only the calls and results that these trials need."""
    outputs = {trial["output"] for trial in names}
    calls = [{number for trial in names for number in calls_that_count(case, trial)} for case in sheet.cases]
    counting = [number for number, arguments in enumerate(calls) if arguments]

    def only(facts, case):
        values = sheet.wanted[case].values
        return {
            fact: round_floats(value, values.get(fact))
            for fact, value in facts.items()
            if fact == RAISED or fact.name in outputs and fact.call in calls[case]
        }

    wanted = [Wanted(only(sheet.wanted[case].values, case), None, {}) for case in counting]
    mistakes = [
        Mistake(mistake.name, mistake.sentence, sketches)
        for mistake in sheet.mistakes
        if any(sketches := [only(mistake.sketches[case], case) for case in counting])
    ]
    return Sheet(sheet.contract, sheet.points, [sheet.cases[case] for case in counting], wanted, mistakes)


def round_floats(value, wanted):
    """Round a result, or its sketch, if the expected result holds floats; else return it unchanged."""
    if not isinstance(wanted, Tensor) or not wanted.is_floating_point() or isinstance(value, str):
        return value
    if isinstance(value, Tensor):
        return value.round(decimals=DIGITS) if value.is_floating_point() else value
    return [value[0], *(round(number, OF_SKETCHES) for number in value[1:])]
