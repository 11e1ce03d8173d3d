"""Sheets (answer keys) for interviews: an exercise's, cut to some calls, or a form's own.

An interview compares values alone, no dtypes, devices or gradients. Its calls are in float32.
"""

from dataclasses import replace
from functools import cache

from course_utils.model.case import RAISED, Call
from course_utils.model.sheet import ANSWERS, Mistake, Sheet, Wanted, load_sheet

TOLERANCE = 1e-3  # of float32, where scores are in the thousands
PLAIN = {"weights": {}, "build": None, "only": None, "strided": False, "evaluating": True, "dtype": "float32"}


@cache
def sheet_of(name, folder="topics"):
    """The Sheet of an exercise, in a notebook that works alone the part that topics use; in "interview", that
    of a form with cases of its own (autograder/forms)."""
    file = ANSWERS / folder / f"{name}.json"
    return Sheet.from_json(file.read_text(encoding="utf-8")) if file.is_file() else load_sheet(name)


def own_sheet(name):
    sheet = sheet_of(name, "interview")
    return cut(
        sheet,
        [dict(enumerate(call.args for call in case.calls)) for case in sheet.cases],
        sheet.contract.returns,
    )


def cut(sheet, calls, results):
    """The sheet with only some calls and results, in an interview's dtype. calls: for each case, {number of a
    call: its new arguments}; a case without calls is left out."""
    numbers = [number for number, rows in enumerate(calls) if rows]

    def facts_of(values, case):
        places = {call: place for place, call in enumerate(calls[case])}
        own = {f._replace(call=places[f.call]): v for f, v in values.items() if counts(f, places, results)}
        return own | {fact: value for fact, value in values.items() if fact == RAISED}

    contract = replace(sheet.contract, returns={name: sheet.contract.returns[name] for name in results})
    container = "one" if len(results) == 1 else sheet.contract.container
    cases = [replace(sheet.cases[n], calls=[*map(Call, calls[n].values())], **PLAIN) for n in numbers]
    cases = [case.but(tolerance=max(case.tolerance or 0, TOLERANCE)) for case in cases]
    mistakes = [
        Mistake(m.name, m.sentence, [facts_of(m.sketches[n], n) for n in numbers]) for m in sheet.mistakes
    ]
    return Sheet(
        replace(contract, container=container),
        sheet.points,
        cases,
        [Wanted(facts_of(sheet.wanted[n].values, n), None, {}) for n in numbers],
        [mistake for mistake in mistakes if any(mistake.sketches)],
    )


def counts(fact, calls, results):
    return fact != RAISED and fact.call in calls and fact.name in results
