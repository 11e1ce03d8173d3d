"""Does an answer remember something between calls, does it ignore an argument? Most of it only another run of
the student's object, or its source, can show. (A grader has no object: there these find nothing.)"""

import ast
import inspect
import textwrap
from dataclasses import replace

import torch

from course_utils.compare.tolerance import is_close
from course_utils.model.case import Back, Fact
from course_utils.model.sentences import say
from course_utils.observe.probe import observe

from .finding import Finding, core_or_all, titles

MAY_HAVE_NO_EFFECT = ("block_size", "chunk_sizes", "max_len")  # in a right answer


def remembers(attempt):
    """Report calls that are wrong after other calls, but right as the first call of a new object: in all core
    cases that are wrong."""
    wrong = core_or_all(attempt.wrong)
    if attempt.obj is None or attempt.sheet.contract.kind != "module":
        return None
    suspects = [(verdict, suspects_in(verdict)) for verdict in wrong]
    if not all(calls and all(is_right_alone(attempt, v, n) for n in calls) for v, calls in suspects):
        return None
    call = "each call" if wrong[0].seen.raised else f"call {suspects[0][1][0] + 1}"
    return Finding(say("remembers", call=call), "remembers", wrong[0])


def suspects_in(verdict):
    """The numbers of the calls that earlier calls may have spoilt: the first wrong one, or all if the case
    raised; [] if no call came before."""
    if verdict.seen.raised:
        return list(range(len(verdict.case.calls))) if len(verdict.case.calls) > 1 else []
    return [number] if (number := min(fact.call for fact in verdict.wrong)) else []


def is_right_alone(attempt, verdict, number):
    wanted, call = verdict.wanted.values, verdict.case.calls[number]
    arguments = {
        name: wanted.get(Fact(value.item, value.call)) if isinstance(value, Back) else value
        for name, value in call.args.items()
    }
    values = values_of(attempt, verdict, [replace(call, args=arguments)])
    facts = [fact for fact in wanted if fact.call == number]
    return bool(facts) and all(
        is_close(values.get(Fact(fact.name)), wanted[fact], verdict.tolerance) for fact in facts
    )


def values_of(attempt, verdict, calls):
    """The results of the case with these calls instead of its own; {} if a call raises."""
    return observe(attempt.obj, verdict.case.but(calls=calls), attempt.sheet.contract, probes=False).values


def repeats(attempt):
    """Report results that are the right ones of earlier calls: all that is wrong in all core cases that are
    wrong."""
    wrong, earlier, places = core_or_all(attempt.wrong), [], []
    for verdict in attempt.verdicts:
        for fact, target in verdict.wanted.values.items():
            if verdict in wrong and fact in verdict.wrong:
                value = verdict.seen.values.get(fact)
                if not any(is_close(value, other, verdict.tolerance) for other in earlier):
                    return None
                places.append((verdict, fact))
            if isinstance(target, torch.Tensor) and len(target.unique()) > 1:
                earlier.append(target)
    verdict, fact = places[0]
    return Finding(say("repeats", fact=fact, title=verdict.case.title), "repeats", verdict, fact)


def ignores(attempt):
    """Report the only argument that has no effect in the wrong cases: with another value of it, the results
    stay the same.

    A right answer may take a size from another argument: so a number counts only if the code never reads it.
    """
    tries = core_or_all(attempt.wrong)[:3]
    if attempt.obj is None or not all(map(is_comparable, tries)):
        return None
    names = dict.fromkeys(name for call in tries[0].case.calls for name in call.args)
    names = [name for name in names if name not in MAY_HAVE_NO_EFFECT]
    idle = [name for name in names if all(has_no_effect(attempt, verdict, name) for verdict in tries)]
    if len(names) < 2 or len(idle) != 1:
        return None
    (name,) = idle
    if never_reads(attempt.obj, name):
        text = say("never_read", name=name)
    elif any(type(call.args.get(name)) in (int, float) for call in tries[0].case.calls):
        return None
    else:
        text = say("ignores", name=name, cases=titles(tries))
    return Finding(text, "ignores_argument", tries[0])


def is_comparable(verdict):
    """Does it have results of the right shapes, without NaN? (On meta all are 0.)"""
    pairs = [verdict.tensors(fact) for fact in verdict.wrong]
    return not verdict.case.device and all(
        pair and pair[0].shape == pair[1].shape and not pair[0].isnan().any() and pair[0].numel() > 1
        for pair in pairs
    )


def has_no_effect(attempt, verdict, name):
    calls = [
        replace(call, args={**call.args, name: other_value(call.args.get(name))})
        for call in verdict.case.calls
    ]
    if any(call.args[name] is None for call in calls):
        return False
    values = values_of(attempt, verdict, calls)
    return bool(values) and all(
        is_close(values.get(fact), value, 1e-12) for fact, value in verdict.seen.values.items()
    )


def other_value(value):
    """A value of the same kind and shape that should make a difference; None if there is none."""
    if isinstance(value, torch.Tensor) and value.numel() > 1:
        changed = ~value if value.dtype == torch.bool else value.flip(*range(value.dim()))
        return None if torch.equal(changed, value) else changed
    if isinstance(value, bool):
        return not value
    return value + 1 if isinstance(value, (int, float)) else None


# ---- the source


def nodes_of(obj):
    """All nodes of the syntax tree of an object's source; [] if there is no source."""
    try:
        return list(ast.walk(ast.parse(textwrap.dedent(inspect.getsource(obj)))))
    except (OSError, TypeError, SyntaxError):
        return []


def never_reads(obj, name):
    """Does the source show that this parameter is not used?"""
    nodes = nodes_of(obj)
    is_parameter = any(isinstance(node, ast.arg) and node.arg == name for node in nodes)
    return is_parameter and not any(isinstance(n, ast.Name) and n.id in (name, "locals") for n in nodes)


def returns_in_loop(obj):
    """Does the source show a `return` inside a loop?"""
    loops = [node for node in nodes_of(obj) if isinstance(node, (ast.For, ast.While))]
    return any(isinstance(node, ast.Return) for loop in loops for node in ast.walk(loop))
