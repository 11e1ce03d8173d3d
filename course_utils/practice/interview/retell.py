"""An exercise's Sheet (its answer key) comes in; one with the interview's signature goes out: the same
numbers and mistakes, without what an interview does not check (gradients, dtypes, devices, a library)."""

from dataclasses import replace
from functools import cache

import torch

from course_utils.model.case import RAISED, Back, Call
from course_utils.model.sheet import ANSWERS, Mistake, Sheet, Wanted, load_sheet

from .topics import CASES, ROLES

TOLERANCE = 5e-4  # an interview accepts float32, where scores of 10 000 are exact to 1e-3
PLAIN = {"build": None, "weights": {}, "only": None, "too_large": None, "rank": None, "strided": False}
PLAIN |= {"dtype": "float64", "tolerance": TOLERANCE}  # the fields of a case that an interview does not check
DROPPED = ("d_model", "embedding_dim", "cache_k", "cache_v")


def trial_sheet(name, trial):
    """The Sheet of a function `name` for one trial of a part, a table of topics.toml:

    exercise: whose sheet is used. output: the result to compare. fixed: arguments that a case lacks. where:
    conditions on arguments, see meets_conditions(). cases: names of cases to use, by default those in
    [cases] or all in float64. only: the arguments to pass. last: compare only the last token's output.
    """
    sheet, output, last = sheet_of(trial["exercise"]), trial["output"], trial.get("last", False)
    rows = [(n, case, calls_that_count(case, trial)) for n, case in enumerate(sheet.cases)]
    rows = [row for row in rows if row[2]]
    names = dict.fromkeys(role for _, _, calls in rows for call in calls.values() for role in call)
    contract = replace(
        sheet.contract,
        name=name,
        kind="function",
        signatures={"": f"{name}({', '.join(f'{role}=None' for role in names)})"},
        returns={output: sheet.contract.returns[output]},
        container="one",
        library="torch",
        probes=False,
    )
    wanted = [of_output(sheet.wanted[n].values, output, calls) for n, _, calls in rows]
    if last:
        wanted = [{fact: value[:, -1:] for fact, value in values.items()} for values in wanted]
    mistakes = [
        Mistake(m.name, m.sentence, [of_output(m.sketches[n], output, calls) for n, _, calls in rows])
        for m in (sheet.mistakes if not last else ())
    ]
    return Sheet(
        contract,
        sheet.points,
        [case.but(calls=[*map(Call, calls.values())], **PLAIN) for _, case, calls in rows],
        [Wanted(values, None, {}) for values in wanted],
        [mistake for mistake in mistakes if any(mistake.sketches)],
    )


@cache
def sheet_of(name):
    """The Sheet of an exercise; in a notebook that works alone, the part of it that topics use."""
    file = ANSWERS / "topics" / f"{name}.json"
    return Sheet.from_json(file.read_text(encoding="utf-8")) if file.is_file() else load_sheet(name)


def calls_that_count(case, trial):
    """{index: arguments} of the calls that a trial uses, with the layer's weights as (in, out)."""
    usual = CASES.get(trial["exercise"], [case.name] if case.dtype == "float64" else [])
    if case.device or case.name not in trial.get("cases", usual):
        return {}
    weights = {ROLES[name]: matrix.T for name, matrix in case.weights.items() if name in ROLES}
    sizes = {ROLES.get(name, name): value for name, value in (case.build or {}).items()}
    calls, past = {}, 0
    for number, call in enumerate(case.calls):
        cached = call.args.get("cache_k")
        if isinstance(cached, torch.Tensor) or call.method not in ("", "forward") or "device" in call.args:
            continue
        arguments = {ROLES.get(name, name): value for name, value in call.args.items()}
        arguments = trial.get("fixed", {}) | weights | sizes | arguments
        past = past if isinstance(cached, Back) else 0
        if "wq" in arguments:
            arguments["past"] = past
            past += arguments["x"].shape[1]
        arguments = {name: value for name, value in arguments.items() if name not in DROPPED}
        arguments |= {"last": True} if trial.get("last") else {}
        if "only" in trial:
            arguments = {name: arguments[name] for name in trial["only"]}
        if meets_conditions(arguments, trial.get("where", {})):
            calls[number] = arguments
    return calls


def meets_conditions(arguments, conditions):
    """Does a call meet the conditions? "none": no such argument; "some": any; "2d": two axes; else: equal."""
    for name, wanted in conditions.items():
        value = arguments.get(name)
        if wanted == "2d":
            fits = value.dim() == 2
        elif wanted in ("none", "some"):
            fits = (value is None) == (wanted == "none")
        else:
            fits = not isinstance(value, torch.Tensor) and value == wanted
        if not fits:
            return False
    return True


def of_output(facts, output, calls):
    """The facts of one result, with calls renumbered."""
    places = {number: place for place, number in enumerate(calls)}
    own = {
        f._replace(call=places[f.call]): v for f, v in facts.items() if f.name == output and f.call in places
    }
    return own | {fact: value for fact, value in facts.items() if fact == RAISED}


def request_of(arguments):
    """A call's arguments, with NumPy arrays in place of tensors."""
    return {
        name: value.detach().numpy() if isinstance(value, torch.Tensor) else value
        for name, value in arguments.items()
    }


def first_request(family, sheets):
    """The first request of a part's sheets, with the family's sizes added."""
    return family.sizes(request_of(sheets[0].cases[0].calls[0].args))
