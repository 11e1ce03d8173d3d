"""What the interview's topics use of the sheets, for the one notebook that carries it."""

from collections import defaultdict

from torch import Tensor

from course_utils.model.case import RAISED
from course_utils.model.sheet import Mistake, Sheet, Wanted
from course_utils.practice.interview.retell import calls_that_count
from course_utils.practice.interview.topics import TOPICS

DIGITS = 5  # an interview compares to 2e-4


def topic_sheets(answers):
    """{exercise: its sheet as JSON, with the calls and the results that topics ask for}."""
    used = defaultdict(list)
    for trial in trials():
        used[trial["exercise"]].append(trial)
    return {name: cut(answers / f"{name}.json", some) for name, some in sorted(used.items())}


def trials():
    for topic in TOPICS.values():
        for part in topic.parts:
            for trial in (*part.tries, *part.masked):
                yield from (trial, *trial.get("also", ()))


def cut(path, asked):
    """A sheet as JSON, with what these trials ask for."""
    sheet, outputs = Sheet.from_json(path.read_text(encoding="utf-8")), {trial["output"] for trial in asked}
    calls = [{number for trial in asked for number in calls_that_count(case, trial)} for case in sheet.cases]
    kept = [number for number, some in enumerate(calls) if some]

    def only(facts, case):
        return {
            fact: rounded(value)
            for fact, value in facts.items()
            if fact == RAISED or fact.name in outputs and fact.call in calls[case]
        }

    wanted = [Wanted(only(sheet.wanted[case].values, case), None, {}) for case in kept]
    mistakes = [
        Mistake(one.name, one.sentence, [only(one.sketches[case], case) for case in kept])
        for one in sheet.mistakes
    ]
    cases = [sheet.cases[case] for case in kept]
    return Sheet(sheet.contract, sheet.points, cases, wanted, mistakes).to_json().encode()


def rounded(value):
    return value.round(decimals=DIGITS) if isinstance(value, Tensor) and value.is_floating_point() else value
