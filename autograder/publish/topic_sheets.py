"""Cut the exercises' sheets down to what the interview's forms need, for the interview notebook."""

import math
from collections import defaultdict

from torch import Tensor

from course_utils.compare.tolerance import OF_SKETCHES
from course_utils.model.case import RAISED, Fact
from course_utils.model.sheet import Mistake, Sheet, Wanted
from course_utils.practice.interview.form import TABLES, TOLERANCE, form

DIGITS = 4  # decimals: errors stay ten times below an interview's tolerance


def topic_sheets(answers):
    """{"topics/exercise" or "interview/name": a sheet as JSON bytes, with only what the forms need}."""
    forms = defaultdict(list)
    for own in map(form, TABLES):
        if own.exercise:
            forms[own.exercise].append(own)
    sheets = {name: Sheet.from_json((answers / f"{name}.json").read_text(encoding="utf-8")) for name in forms}
    cut = {f"topics/{name}": cut_to_forms(sheet, forms[name]) for name, sheet in sheets.items()}
    for path in (answers / "interview").glob("*.json"):
        sheet = Sheet.from_json(path.read_text(encoding="utf-8"))
        calls = [{*range(len(case.calls))} for case in sheet.cases]
        cut[f"interview/{path.stem}"] = cut_to_calls(sheet, calls, sheet.contract.returns)
    return {name: sheet.to_json().encode() for name, sheet in sorted(cut.items())}


def cut_to_forms(sheet, forms):
    """A sheet with only the cases, results and mistakes that some of these forms need."""
    used = {own.name: [own.calls(case) for case in sheet.cases] for own in forms}
    results = {name for own in forms for name in own.results or sheet.contract.returns}
    calls = [{number for rows in used.values() for number in rows[case]} for case in range(len(sheet.cases))]
    return cut_to_calls(sheet, calls, results)


def cut_to_calls(sheet, calls, results):
    """A sheet with only these calls, a set of numbers for each case, and these results; without hints."""
    counting = [number for number, numbers in enumerate(calls) if numbers]

    def only(facts, case) -> dict[Fact, object]:
        values = sheet.wanted[case].values
        return {
            fact: round_floats(value, values.get(fact))
            for fact, value in facts.items()
            if fact == RAISED or fact.name in results and fact.call in calls[case]
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
        if not value.is_floating_point():
            return value
        rounded = value.round(decimals=DIGITS)
        return rounded.where(rounded != 0, value)  # a weight of 0 is a masked one
    return [value[0], *map(round_sketch, value[1:])]


def round_sketch(number):
    """Keep so many digits that the error stays three times below the tolerance of sketches."""
    most = OF_SKETCHES * TOLERANCE * (1 + abs(number)) / 3
    return round(number, -math.floor(math.log10(2 * most)))
