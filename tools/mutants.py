"""List the small changes to a right answer that still earn full marks: `python -m tools.mutants softmax`.

Each of them should be right too (an axis counted from the other end), or concern something that is ungraded.
"""

import ast
import copy
import math
import signal
import sys
from functools import cache

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from autograder.exercises import load
from autograder.publish.solutions import answers
from autograder.releases.store import lessons
from course_utils.compare.verdict import verdict_of
from course_utils.observe.probe import observe

SEEDS = (101, 102)
SECONDS = 10  # time limit, for mutants that never end
OPERATORS = {
    ast.Gt: (ast.GtE, ast.Lt), ast.GtE: (ast.Gt, ast.LtE), ast.Lt: (ast.LtE, ast.Gt), ast.LtE: (ast.Lt,
    ast.GtE), ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,), ast.Is: (ast.IsNot,), ast.IsNot: (ast.Is,), ast.In:
    (ast.NotIn,), ast.NotIn: (ast.In,), ast.Add: (ast.Sub,), ast.Sub: (ast.Add,), ast.Mult: (ast.Div,),
    ast.Div: (ast.Mult,), ast.FloorDiv: (ast.Mult,), ast.Mod: (ast.FloorDiv,), ast.Pow: (ast.Mult,),
    ast.MatMult: (ast.Mult,), ast.BitOr: (ast.BitAnd, ast.BitXor), ast.BitAnd: (ast.BitOr,), ast.And:
    (ast.Or,), ast.Or: (ast.And,),
}  # fmt: skip
NAMES = {
    "triu": ("tril",), "tril": ("triu",), "max": ("min",), "amax": ("amin",), "min": ("max",), "sum":
    ("mean",), "mean": ("sum",), "zeros": ("ones",), "ones": ("zeros",), "all": ("any",), "any": ("all",),
    "softmax": ("log_softmax",), "exp": ("exp2",), "log": ("log2",), "inf": ("e",), "sqrt": ("log",),
    "argmax": ("argmin",), "cat": ("stack",), "zeros_like": ("ones_like",),
}  # fmt: skip
FAMILIES = (
    ("Q", "K", "V"),
    ("q", "k", "v"),
    ("W_q", "W_k", "W_v", "W_o"),
    ("T_q", "T_k"),
    ("k_all", "v_all"),
    ("B", "T", "H"),
    ("d_model", "d_head"),
    ("seq_len_q", "seq_len_k"),
)


def mutants(source):
    """Yield (what was changed, the changed source)."""
    tree = ast.parse(source)
    texts = {ast.unparse(tree)}
    for change, _ in edits(tree):
        text = ast.unparse(ast.fix_missing_locations(tree))
        if text not in texts:
            texts.add(text)
            yield change, text


def edits(tree):
    """Yield (what is changed, the new node); the tree has this change until the next step, then no longer.

    Raise statements stay as they are, because exceptions and their texts are not graded.
    """
    in_words = {
        id(node) for raised in ast.walk(tree) if isinstance(raised, ast.Raise) for node in ast.walk(raised)
    }
    for parent in [node for node in ast.walk(tree) if id(node) not in in_words]:
        for assign, child in places(parent):
            for new in replacements(child):
                assign(new)
                yield f"{short(child)} -> {short(new)}", new
                assign(child)


def places(parent):
    """Yield (a function that replaces a child, the child) for each direct child of a node."""
    for name, value in ast.iter_fields(parent):
        if isinstance(value, list):
            for i, child in enumerate(value):
                yield lambda new, value=value, i=i: value.__setitem__(i, new), child
        elif isinstance(value, ast.AST) and name not in ("annotation", "returns", "ctx"):
            yield lambda new, name=name: setattr(parent, name, new), value


def replacements(node):
    """Yield nodes that could replace this one."""
    yield from other_operators(node)
    if (
        isinstance(node, ast.stmt)
        and not isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.Pass, ast.Import, ast.ImportFrom))
        and not is_text(node)
    ):
        yield ast.Pass()
    if isinstance(node, ast.If):
        yield from (with_fields(node, test=ast.Constant(value)) for value in (True, False))
    elif isinstance(node, ast.BinOp):
        yield from (node.left, node.right)
        if not isinstance(node.op, (ast.Add, ast.Mult, ast.BitOr, ast.BitAnd)):
            yield with_fields(node, left=node.right, right=node.left)
    elif isinstance(node, ast.BoolOp):
        yield from node.values
    elif isinstance(node, ast.UnaryOp):
        yield node.operand
    elif isinstance(node, ast.IfExp):
        yield from (node.body, node.orelse)
    elif isinstance(node, ast.Constant):
        yield from map(ast.Constant, other_values(node.value))
    elif isinstance(node, ast.Attribute):
        yield from (with_fields(node, attr=name) for name in NAMES.get(node.attr, ()))
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        yield from (
            ast.Name(name, ast.Load())
            for family in FAMILIES
            if node.id in family
            for name in family
            if name != node.id
        )
    elif isinstance(node, ast.Call):
        yield from other_calls(node)
    elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
        yield node.value
    elif isinstance(node, ast.Slice):
        yield from (
            with_fields(node, **{part: None})
            for part in ("lower", "upper", "step")
            if getattr(node, part) is not None
        )
    elif isinstance(node, ast.Tuple) and len(node.elts) == 2 and isinstance(node.ctx, ast.Load):
        yield with_fields(node, elts=node.elts[::-1])


def other_operators(node):
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        yield from (with_fields(node, ops=[other()]) for other in OPERATORS.get(type(node.ops[0]), ()))
    elif isinstance(node, (ast.BinOp, ast.BoolOp, ast.AugAssign)):
        yield from (with_fields(node, op=other()) for other in OPERATORS.get(type(node.op), ()))


def other_calls(node):
    """Yield the call's object without its call, and calls without one argument or with two arguments swapped.

    The two axes of transpose and swapaxes are not swapped, because their order has no effect.
    """
    method = node.func.attr if isinstance(node.func, ast.Attribute) else None
    if method:
        yield node.func.value
    for i in range(len(node.args)):
        yield with_fields(node, args=node.args[:i] + node.args[i + 1 :])
        if i and method not in ("transpose", "swapaxes"):
            yield with_fields(
                node, args=[*node.args[: i - 1], node.args[i], node.args[i - 1], *node.args[i + 1 :]]
            )
    for i in range(len(node.keywords)):
        yield with_fields(node, keywords=node.keywords[:i] + node.keywords[i + 1 :])


def other_values(value):
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, (int, float)):
        return [other for other in dict.fromkeys((value + 1, value - 1, 2 * value, 0)) if other != value]
    return [0] if value is None else []


def with_fields(node, **fields):
    """Return a shallow copy of the node with these fields replaced."""
    new = copy.copy(node)
    for name, value in fields.items():
        setattr(new, name, value)
    return new


def is_text(node):
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def short(node):
    return " ".join(ast.unparse(node).split())[:36]


# ---- which mutants still earn full marks?


def survivors(name):
    """List the changes to the lesson's answer that leave all hidden cases right."""
    source = next(texts[name] for texts in all_answers().values() if name in texts)
    return [change for change, text in mutants(source) if survives(name, text)]


def survives(name, source):
    space = everything()
    signal.signal(signal.SIGALRM, too_long)
    signal.alarm(SECONDS)
    try:
        exec(source, space)
        return all(is_right(space[name], hidden_sheet(name, seed)) for seed in SEEDS)
    except Exception:  # it does not define the function any more, or takes too long
        return False
    finally:
        signal.alarm(0)


@cache
def hidden_sheet(name, seed):
    return load(name).sheet(seed, with_mistakes=False)


def is_right(obj, sheet):
    """Check case by case, up to the first wrong one."""
    for number, (case, wanted) in enumerate(zip(sheet.cases, sheet.wanted, strict=True)):
        observation = observe(obj, case, sheet.contract)
        verdict = verdict_of(number, case, wanted, observation, sheet.contract)
        if verdict.wrong or verdict.faults:
            return False
    return True


def too_long(*_):
    raise TimeoutError


def everything():
    """Return a new namespace with all the lessons' own answers."""
    space = {"math": math, "np": np, "torch": torch, "nn": nn, "F": F}
    for lesson, texts in all_answers().items():
        for name in lessons()[lesson].exercises:
            exec(compiled(texts[name]), space)
    return space


@cache
def all_answers():
    return {lesson: answers(lesson) for lesson in lessons()}


@cache
def compiled(source):
    return compile(source, "<answer>", "exec")


if __name__ == "__main__":
    for exercise_name in sys.argv[1:]:
        print(exercise_name, *survivors(exercise_name), sep="\n    ")
