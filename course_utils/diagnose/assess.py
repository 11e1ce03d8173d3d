"""An Attempt -> the Result: points, and what the student reads. Both `check` and the judge use it.

The sentence on a wrong answer comes from the first of the MECHANISMS that finds something; the last one, the
evidence, always does, and names no cause.
"""

from course_utils.compare.faults import SPOILS, WHY
from course_utils.model.result import Picture, Result
from course_utils.model.sentences import say

from .again import ignores, remembers, repeats
from .evidence import evidence
from .exceptions import changed_inputs, fixed_length, from_exception, interface, only_raised, unsteady
from .finding import as_sentence, describe
from .recognise import ask_about_mistake, recognise_by_result, recognise_exactly, recognise_most
from .relate import relate

MECHANISMS = (
    recognise_exactly,
    interface,
    unsteady,
    changed_inputs,
    only_raised,
    fixed_length,
    remembers,
    repeats,
    ignores,
    recognise_most,
    recognise_by_result,
    relate,
    from_exception,
    ask_about_mistake,
    evidence,
)
NOT_STARTED = say("not_started")
LARGEST_SHOWN = 20_000  # entries of a result; a larger one gets no picture
PROBES_TITLE = "dtype, device, gradients, inputs unchanged"


def assess(attempt):
    """The Result of a compared answer."""
    verdicts, sheet = attempt.verdicts, attempt.sheet
    result = Result(sheet.contract.name, attempt.passed, "", None, attempt.points, float(sheet.points))
    result.trail = trail(attempt)
    result.printed = next((verdict.seen.printed for verdict in verdicts if verdict.seen.printed), "")
    if attempt.passed:
        result.status = "passed"
        result.message = say("all_right", count=len(verdicts)) if len(verdicts) > 1 else say("right")
    elif attempt.wrong:
        explain_wrong(result, attempt)
    else:
        faulty = [verdict for verdict in verdicts if verdict.faults]
        explain_fault(result, min(faulty, key=lambda verdict: verdict.right))  # first what earns nothing
    if left := attempt.remaining_faults:
        result.status = "one_left"
        result.why = WHY.get(result.mistake, WHY[left[0]])
        result.left = len(left)
        result.spoils = not SPOILS.isdisjoint(left)
    return result


def trail(attempt):
    """One (name, right) for each case, and one for all probes together (None: not checked)."""
    rows = [(verdict.case.title, verdict.right) for verdict in attempt.verdicts if not verdict.case.device]
    if attempt.sheet.contract.probes:
        rows.append((PROBES_TITLE, attempt.probes_pass if all(right for _, right in rows) else None))
    return rows


def explain_wrong(result, attempt):
    """Fill in what the student reads if values are wrong."""
    finding = find_mistake(attempt)
    verdict = finding.verdict or attempt.wrong[0]
    result.message, result.mistake = as_sentence(finding.message), finding.mistake
    result.picture = picture_of(attempt, verdict, finding.fact)
    result.crash = attempt.crashes.get(verdict.number)
    result.look_at = look_at(verdict.case)
    core = [wrong for wrong in attempt.wrong if not wrong.case.edge and not wrong.case.device]
    if core and all(wrong.seen.raised for wrong in core):
        result.status, result.ended = "error", ": ".join(filter(None, core[0].seen.raised))


def find_mistake(attempt):
    """The Finding that the student reads."""
    return next(finding for mechanism in MECHANISMS if (finding := mechanism(attempt)))


def explain_fault(result, verdict):
    """Fill in what the student reads if the values are right: the first fault of the probes."""
    result.mistake, text = verdict.faults[0]
    result.message = as_sentence(say("values_right", fault=text))
    result.look_at = look_at(verdict.case)


def look_at(case):
    return say("look_at", title=case.title, case=describe(case))


def picture_of(attempt, verdict, fact):
    """The result next to the wanted one, if both are tensors and not too large; else None."""
    fact = fact or next(iter(verdict.wrong), None)
    pair = verdict.tensors(fact)
    if fact is None or pair is None or pair[0].numel() > LARGEST_SHOWN:
        return None
    yours, wanted = pair
    return Picture(fact, yours, wanted, attempt.sheet.contract.result_axes(fact, verdict.case))
