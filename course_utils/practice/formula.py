"""Arithmetic that is written in a text: worked out with given numbers, and with nothing else of Python.

In: "2 * layers * heads" and {"layers": 3, "heads": 4}. Out: 24, or BadFormula with what is wrong.
"""

import ast
import math
import operator
import re

BRACES = re.compile(r"\{([^{}]*)\}")
SPACE = "\N{NO-BREAK SPACE}"
OPERATORS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Pow: lambda base, power: float(base) ** power,  # a float: what is too large is an error at once
}
KNOWN = "a formula has numbers, drawn names, + - * / // ** and brackets"


class BadFormula(ValueError):
    """A formula or a part of it in quotes, and what is wrong with it."""


def work_out(formula, numbers):
    """The number that a formula gives with these numbers for its names; BadFormula where it gives none."""
    try:
        value = value_of(tree_of(formula), numbers)
        if math.isfinite(value):
            return value
    except BadFormula:
        raise
    except (ArithmeticError, TypeError, ValueError, RecursionError):  # a TypeError is a complex number's
        pass
    raise BadFormula(f'"{formula}", which gives no number')


def value_of(node, numbers):
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        return node.value
    if isinstance(node, ast.Name) and node.id in numbers:
        return numbers[node.id]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -value_of(node.operand, numbers)
    if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
        return OPERATORS[type(node.op)](value_of(node.left, numbers), value_of(node.right, numbers))
    raise BadFormula(f'"{ast.unparse(node)[:60]}", which is more than arithmetic: {KNOWN}')


def tree_of(formula):
    """The formula's one expression."""
    try:
        return ast.parse(" ".join(formula.split()), mode="eval").body
    except (AttributeError, SyntaxError, ValueError, RecursionError, MemoryError):
        raise BadFormula(f'"{str(formula)[:60]}", which cannot be read: {KNOWN}') from None


def fill(text, numbers):
    """The text with each formula in braces worked out, `{layers}` and `{2 * layers}` alike."""
    return BRACES.sub(lambda match: written(work_out(match[1], numbers)), text)


def variables_in(text):
    """The names in the formulas of a text that has them in braces."""
    trees = [tree_of(formula) for formula in BRACES.findall(text)]
    return {node.id for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Name)}


def written(value):
    """A number as it stands in a text: 4096, 65 504, 0.1289."""
    if value == round(value) or abs(value) >= 1000:
        digits = f"{round(value):,}"
        return digits.replace(",", SPACE if abs(value) >= 10_000 else "")
    return f"{value:.4g}"
