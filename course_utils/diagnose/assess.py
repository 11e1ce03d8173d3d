"""Observations held against a sheet: points, and the sentence that the student reads. Used by `check` and by the judge."""

import torch

from course_utils.compare.verdict import compare
from course_utils.model.result import Result

from . import diagnose
from .finding import describe
from .recover import recovered

CORE = 0.7
UNWRITTEN = (
    "",
    "Not written yet: put your code here.",
)  # what a stub's NotImplementedError says; torch raises others
LARGEST_SHOWN = 20_000  # entries of a result; of a larger one its shape says enough
PROBES = "dtype, device, gradients, inputs kept"


def assess(sheet, seen, influence=None):
    """A Result for one observation per case; `influence` is the map of the stages' case, where it was observed."""
    max_points = float(sheet.points)
    if not_started(seen):
        text = "Not started yet: it still raises NotImplementedError. Write it and what it calls, run the cell, then run this one again."
        return Result(sheet.contract.name, False, text, None, 0.0, max_points, "not_started")
    verdicts = [
        compare(c, w, o, sheet.contract) for c, w, o in zip(sheet.cases, sheet.wanted, seen, strict=True)
    ]
    passed = all(not v.wrong and not v.faults for v in verdicts)
    result = Result(
        sheet.contract.name,
        passed,
        "",
        None,
        score(sheet, verdicts),
        max_points,
        "passed" if passed else "wrong",
    )
    result.trail = trail(sheet, verdicts)
    result.printed = next((o.printed for o in seen if o.printed), "")
    if passed:
        result.message = f"All {len(verdicts)} cases are right." if len(verdicts) > 1 else "It is right."
    elif any(v.wrong for v in verdicts):
        tell_wrong(result, sheet, seen, verdicts, influence)
    else:
        tell_fault(result, sheet, verdicts)
    return result


def not_started(seen):
    return bool(seen) and all(
        says_unwritten(*(o.raised or ("", ""))) or (o.problem or [""])[0] == "not_started" for o in seen
    )


def says_unwritten(kind, text):
    """Is it the error of a body that nobody has written yet?"""
    return kind == "NotImplementedError" and text in UNWRITTEN


def score(sheet, verdicts):
    """The core cases pay 70 %, all or nothing; every edge, and the probes together, an equal share of the rest."""
    core = [v for c, v in zip(sheet.cases, verdicts, strict=True) if not c.edge and not c.device]
    edges = [not v.wrong for c, v in zip(sheet.cases, verdicts, strict=True) if c.edge and not c.device]
    if sheet.contract.probes:
        elsewhere = [v for c, v in zip(sheet.cases, verdicts, strict=True) if c.device]
        edges.append(not any(v.faults for v in verdicts) and not any(v.wrong for v in elsewhere))
    if any(v.wrong for v in core):
        return 0.0
    share = 1.0 if not edges else CORE + (1 - CORE) * sum(edges) / len(edges)
    return round(share * float(sheet.points), 6)


def trail(sheet, verdicts):
    """One (name, right) for each case, and one for the probes together."""
    rows = [
        (c.name.replace("_", " "), not v.wrong)
        for c, v in zip(sheet.cases, verdicts, strict=True)
        if not c.device
    ]
    if sheet.contract.probes:
        rows.append((PROBES, not any(v.faults for v in verdicts) if all(ok for _, ok in rows) else None))
    return rows


def tell_wrong(result, sheet, seen, verdicts, influence):
    finding = diagnose(sheet, seen, verdicts, influence)
    result.message, result.mistake = sentence(finding.message), finding.mistake
    i = finding.case if finding.case is not None else next(i for i, v in enumerate(verdicts) if v.wrong)
    fact = finding.fact or next(iter(verdicts[i].wrong), None)
    yours, wanted = seen[i].values.get(fact), sheet.wanted[i]["values"].get(fact)
    if hasattr(yours, "dim") and hasattr(wanted, "dim") and yours.numel() <= LARGEST_SHOWN:
        result.picture = {
            "label": str(fact),
            "yours": yours,
            "wanted": wanted,
            "axes": sheet.contract.result_axes(fact),
        }
    result.picture = hidden_tables(sheet, seen, verdicts) or result.picture
    case = sheet.cases[i]
    result.look_at = f"Look at the {case.name.replace('_', ' ')} case: {describe(case)}"


def hidden_tables(sheet, seen, verdicts):
    """The attention weights behind a module's output, where they can be recovered and are not the wanted ones."""
    if not sheet.stages or not verdicts[sheet.stages["case"]].wrong:
        return None
    tables = recovered(sheet, seen)
    if tables is None or torch.allclose(tables, sheet.stages["weights"], atol=1e-5):
        return None
    return {
        "label": "attention weights, recovered from your output",
        "yours": tables,
        "wanted": sheet.stages["weights"],
        "axes": ["B", "H", "T_q", "T_k"],
    }


def tell_fault(result, sheet, verdicts):
    """The values are right; the first fault of the probes."""
    i = next(i for i, v in enumerate(verdicts) if v.faults)
    result.mistake, text = verdicts[i].faults[0]
    result.message = sentence(f"The values are right, but {text}")
    result.look_at = f"Look at the {sheet.cases[i].name.replace('_', ' ')} case: {describe(sheet.cases[i])}"


def sentence(text):
    first = text.split()[0]
    text = text[0].upper() + text[1:] if first.rstrip(",:").isalpha() else text
    return text if text[-1] in ".!?" else text + "."
