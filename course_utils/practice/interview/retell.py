"""A lesson's sheet comes in, the sheet of the interview's own signature goes out: the same numbers and
mistakes, without what an interview does not ask for (gradients, dtypes, devices, a library)."""

import json
from dataclasses import replace
from functools import cache

import torch

from course_utils.model.case import RAISED, Back, Call
from course_utils.model.sheet import ANSWERS, Mistake, Sheet, Wanted, load_sheet

from .topics import CASES

TOLERANCE = 5e-4  # an interview takes float32, whose scores of 10 000 are exact to 1e-3
WEIGHTS = {
    **{name: f"w{name[2].lower()}" for name in ("W_Q", "W_K", "W_V", "W_O", "W_q", "W_k", "W_v", "W_o")},
    **{name: f"w{name[0]}" for name in ("q_proj", "k_proj", "v_proj", "out_proj")},
}
ROLES = WEIGHTS | {
    "X": "x",
    "num_heads": "heads",
    "num_kv_heads": "kv_heads",
    "is_causal": "causal",
    "key_padding_lengths": "lengths",
    "seq_len_q": "T",
    "seq_len_k": "T_k",
    "cache_len": "past",
    "Q": "q",
    "K": "k",
    "V": "v",
    "block_size": "block",
}
DROPPED = ("d_model", "embedding_dim", "cache_k", "cache_v")


def trial_sheet(name, trial):
    """The Sheet of the function `name` for one trial of a part, a table of topics.toml:

    exercise: whose sheet it is. output: the result that counts. fixed: arguments where the case has none.
    where: what arguments have to be; null stands for none. cases: the names of those that count, if
    not those of [cases]. only: the arguments that are handed over. last: only the last token's output counts.
    """
    return tell(name, json.dumps(trial))


@cache
def tell(name, text):
    trial = json.loads(text)
    sheet, output = sheet_of(trial["exercise"]), trial["output"]
    rows = []
    for number, case in enumerate(sheet.cases):
        calls = calls_that_count(case, trial)
        if calls:
            rows.append((number, case, calls))
    names = list(dict.fromkeys(role for _, _, calls in rows for call in calls.values() for role in call))
    facts = [[of_output(sheet.wanted[n].values, output, calls) for n, _, calls in rows]]
    facts += [[of_output(m.sketches[n], output, calls) for n, _, calls in rows] for m in sheet.mistakes]
    last = trial.get("last", False)
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
    return Sheet(
        contract,
        sheet.points,
        [plain_case(case, calls) for _, case, calls in rows],
        [Wanted(last_rows(values) if last else values, None, {}) for values in facts[0]],
        [
            Mistake(mistake.name, mistake.sentence, sketches)
            for mistake, sketches in zip(sheet.mistakes, facts[1:], strict=True)
            if any(sketches) and not last
        ],
    )


def sheet_of(name):
    """The sheet of an exercise; in a notebook that works alone, what topics use of it."""
    file = ANSWERS / "topics" / f"{name}.json"
    return Sheet.from_json(file.read_text(encoding="utf-8")) if file.is_file() else load_sheet(name)


def plain_case(case, calls):
    """The case as calls of a function, without what is not asked for."""
    settings = {"build": None, "weights": {}, "only": None, "too_large": None, "rank": None, "strided": False}
    settings |= {"dtype": "float64"}
    return case.but(calls=[Call(call) for call in calls.values()], tolerance=TOLERANCE, **settings)


def calls_that_count(case, trial):
    """{number: arguments} of the calls that count; the weights of a layer come as (in, out)."""
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
        if counts(arguments, trial.get("where", {})):
            calls[number] = arguments
    return calls


def counts(arguments, where):
    """Does the part ask for this call? "none" stands for no argument, "some" for any, "2d" for a table."""
    for name, wanted in where.items():
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
    """The facts of one result, with the numbers that the calls have now."""
    places = {number: place for place, number in enumerate(calls)}
    own = {
        f._replace(call=places[f.call]): v for f, v in facts.items() if f.name == output and f.call in places
    }
    return own | {fact: value for fact, value in facts.items() if fact == RAISED}


def last_rows(values):
    return {fact: value[:, -1:] for fact, value in values.items()}


def request_of(arguments):
    """What a way of calling is given: NumPy arrays."""
    return {
        name: value.detach().numpy() if isinstance(value, torch.Tensor) else value
        for name, value in arguments.items()
    }
