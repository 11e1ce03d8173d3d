"""An object, or what was observed of it, and a sheet -> Result: points, and the sentence that the student
reads."""

import difflib
import sys
from functools import partial

import torch

from course_utils.compare.verdict import SPOILS, WHY, compare, left_over, listed, score
from course_utils.model.case import Fact
from course_utils.model.result import Picture, Result
from course_utils.model.sheet import load_sheet, published_names
from course_utils.observe.crash import crash_of
from course_utils.observe.influence import influence
from course_utils.observe.interface import defaults_of
from course_utils.observe.limit import SECONDS, TimeUp, limited, time_limit
from course_utils.observe.probe import observe

from . import find_mistake
from .axes import sure_axes
from .finding import Attempt, describe
from .recover import recovered

# the texts of a stub's NotImplementedError; torch's own have others
UNWRITTEN = ("", "Not written yet: put your code here.")
NOT_STARTED = (
    "Not started yet: it still raises NotImplementedError. Write it and what it calls, run the cell, then "
    "run this one again."
)
NO_END = (
    f"It did not come to an end in {SECONDS:g} seconds, so the check stopped it: does a loop go on for ever, "
    "or is something far too large?"
)
LARGEST_SHOWN = 20_000  # entries of a result; of a larger one its shape says enough
PROBES = "dtype, device, gradients, inputs kept"
RECOVERED = Fact("attention weights, recovered from your output")


# ---- on the visible cases


def assess_visible(name, obj):
    """The Result of the exercise's visible cases. Never raises for what the student's code does."""
    sheet = find_sheet(name)
    if isinstance(sheet, Result):
        return sheet
    points = float(sheet.points)
    if is_stand_in(obj):
        text = f"This is the course's stand-in for {name}, not your own work: pass your {name}."
        return Result(name, False, text, "stand_in", 0.0, points)
    try:
        try:
            with time_limit():
                result = observe_and_assess(sheet, obj)
        except TimeUp as error:
            if limited():  # by a check around this one
                raise
            result = Result(name, False, NO_END, "no_end", 0.0, points, "error", NO_END)
            result.crash = crash_of(error, {})
        result.note = wrong_foundations(sheet, result)
        return result
    except Exception as error:  # whatever the student's code did was observed already: this is our fault
        text = (
            f"The check itself broke ({type(error).__name__}: {error}). This is a fault of the course, not "
            "of your answer: please report it."
        )
        return Result(name, False, text, None, 0.0, points, "broken")


def observe_and_assess(sheet, obj):
    seen = [
        observe(obj, case, sheet.contract, axes=partial(sure_axes, case, wanted, sheet.contract))
        for case, wanted in zip(sheet.cases, sheet.wanted, strict=True)
    ]
    if not_started(seen):
        points = float(sheet.points)
        return Result(sheet.contract.name, False, NOT_STARTED, None, 0.0, points, "not_started")
    find_defaults = partial(defaults_of, obj, sheet.contract)
    return assess(sheet, compare(sheet, seen), partial(influence_of, obj, sheet), find_defaults)


def find_sheet(name):
    """The sheet, or a Result that says that there is none and which name is nearest."""
    try:
        return load_sheet(name)
    except KeyError:
        near = difflib.get_close_matches(str(name), published_names(), 1, 0.4)
        meant = f" Did you mean {near[0]!r}?" if near else ""
        text = f"There is no exercise called {name!r} here.{meant}"
        return Result(str(name), False, text, "unknown_exercise")


def influence_of(obj, sheet):
    """Which output tokens depend on which input tokens, in the case whose stages the sheet holds."""
    return influence(obj, sheet.cases[sheet.stages["case"]], sheet.contract)


def is_stand_in(obj):
    return getattr(obj, "is_stand_in", False) is True


def wrong_foundations(sheet, result):
    """Say which exercises that this one builds on stand in the notebook and do not pass: they come first."""
    if result.accepted:
        return ""
    space, wrong = vars(sys.modules["__main__"]), []
    for name in sheet.uses:
        if name in space and name in published_names():
            other = assess_visible(name, space[name])
            if not other.accepted and (result.status != "not_started" or other.status == "not_started"):
                wrong.append(name)
    if not wrong:
        return ""
    names = listed([", ".join(wrong[:-1]), wrong[-1]] if len(wrong) > 1 else wrong)
    do, them = ("do", "them") if len(wrong) > 1 else ("does", "it")
    return f"It builds on {names}, which {do} not pass yet: if your code uses {them}, begin there."


# ---- from what was observed


def not_started(seen):
    """Is every case just the stub? (Asked before anything is compared.)"""
    return bool(seen) and all(
        says_unwritten(*(o.raised or ("", ""))) or (o.problem or [""])[0] == "not_started" for o in seen
    )


def says_unwritten(kind, text):
    """Is it the error of a body that nobody has written yet?"""
    return kind == "NotImplementedError" and text in UNWRITTEN


def assess(sheet, verdicts, find_influence=lambda: None, find_defaults=dict):
    """The Result for one verdict per case. find_influence() gives which output tokens depend on which input
    tokens, in the sheet's stages case, and find_defaults() the defaults of its parameters; both need the
    student's object, so the judge has none."""
    passed = all(not verdict.wrong and not verdict.faults for verdict in verdicts)
    points = score(sheet, verdicts)
    result = Result(sheet.contract.name, passed, "", None, points, float(sheet.points))
    result.trail = trail(sheet, verdicts)
    result.printed = next((verdict.seen.printed for verdict in verdicts if verdict.seen.printed), "")
    if passed:
        result.status = "passed"
        result.message = f"All {len(verdicts)} cases are right." if len(verdicts) > 1 else "It is right."
    elif any(verdict.wrong for verdict in verdicts):
        explain_wrong(result, Attempt(sheet, verdicts, find_influence, find_defaults))
    else:
        explain_fault(result, next(verdict for verdict in verdicts if verdict.faults))
    if left := left_over(verdicts):
        result.status = "one_left"
        result.why = WHY.get(result.mistake, WHY[left[0]])
        result.left = len(left)
        result.spoils = not SPOILS.isdisjoint(left)
    return result


def trail(sheet, verdicts):
    """One (name, right) for each case, and one for the probes together (None: not looked at)."""
    rows = [(verdict.case.title, verdict.right) for verdict in verdicts if not verdict.case.device]
    if sheet.contract.probes:
        probes = not any(v.faults or (v.case.device and v.wrong) for v in verdicts)
        rows.append((PROBES, probes if all(right for _, right in rows) else None))
    return rows


def explain_wrong(result, attempt):
    """What the student reads of wrong values."""
    finding = find_mistake(attempt)
    verdict = finding.verdict or attempt.wrong[0]
    result.message, result.mistake = sentence(finding.message), finding.mistake
    result.picture = recovered_tables(attempt) or picture_of(attempt, verdict, finding.fact)
    result.crash = verdict.seen.crash
    result.look_at = look_at(verdict.case)
    ended = [v for v in attempt.wrong if not v.case.edge and not v.case.device]
    if ended and all(v.seen.raised for v in ended):
        result.status, result.ended = "error", ": ".join(filter(None, ended[0].seen.raised))


def explain_fault(result, verdict):
    """What the student reads where the values are right: the first fault of the probes."""
    result.mistake, text = verdict.faults[0]
    result.message = sentence(f"The values are right, but {text}")
    result.look_at = look_at(verdict.case)


def look_at(case):
    return f"Look at the case “{case.title}”: {describe(case)}"


def picture_of(attempt, verdict, fact):
    """The result beside the wanted one, where both are tensors and not too large."""
    fact = fact or next(iter(verdict.wrong), None)
    yours, wanted = verdict.seen.values.get(fact), verdict.wanted.values.get(fact)
    if (
        not isinstance(yours, torch.Tensor)
        or not isinstance(wanted, torch.Tensor)
        or yours.numel() > LARGEST_SHOWN
    ):
        return None
    return Picture(fact, yours, wanted, attempt.sheet.contract.result_axes(fact))


def recovered_tables(attempt):
    """The attention weights behind a module's output, where they can be recovered and are not the wanted
    ones."""
    tables = recovered(attempt) if attempt.staged else None
    wanted = attempt.sheet.stages.get("weights")
    if tables is None or torch.allclose(tables, wanted, atol=1e-5):
        return None
    return Picture(RECOVERED, tables, wanted, ["B", "H", "T_q", "T_k"])


def sentence(text):
    """With a capital and a full stop, unless it begins with a name."""
    first = text.split()[0]
    text = text[0].upper() + text[1:] if first.rstrip(",:").isalpha() else text
    return text if text[-1] in ".!?" else text + "."
