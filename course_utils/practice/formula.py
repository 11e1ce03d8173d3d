"""Evaluate arithmetic in a text, without eval: "2 * layers" and {"layers": 3} give 6."""

import ast
import math
import operator
import re

BRACES = re.compile(r"\{([^{}]*)\}")
SPACE = "\N{NO-BREAK SPACE}"
OPERATIONS = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Pow: operator.pow, ast.USub: operator.neg,
}  # fmt: skip


class BadFormula(ValueError):
    """Raised for a formula that gives no number. The message quotes the formula."""


def work_out(formula, numbers):
    """The value of a formula with these numbers for its names; BadFormula if it has no finite value.

    It is computed in floats, so that too large a number is an error at once.
    """
    try:
        value = value_of(ast.parse(" ".join(formula.split()), mode="eval").body, numbers)
        if math.isfinite(value):
            return int(value) if value.is_integer() else value
    except Exception:  # whatever was typed in place of a formula
        pass
    may_hold = "a formula has numbers, drawn names, + - * / // ** and brackets"
    raise BadFormula(f'"{str(formula)[:60]}", which gives no number: {may_hold}')


def value_of(node, numbers):
    """The value of a syntax tree's node, a float; KeyError if it is not arithmetic."""
    if isinstance(node, ast.Name):
        return float(numbers[node.id])
    is_number = isinstance(node, ast.Constant) and type(node.value) is not bool
    if is_number and isinstance(node.value, (int, float)):
        return float(node.value)
    operands = [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)]
    return OPERATIONS[type(getattr(node, "op", None))](*(value_of(child, numbers) for child in operands))


def fill(text, numbers):
    """Replace each formula in braces, such as `{layers}` or `{2 * layers}`, by its value."""
    return BRACES.sub(lambda match: written(work_out(match[1], numbers)), text)


def variables_in(text):
    """The names that occur in a text's formulas."""
    return {name for formula in BRACES.findall(text) for name in re.findall(r"\b[^\W\d]\w*", formula)}


def written(value):
    """Format a number for a text: 4096, 65 504, 0.1289."""
    if value == round(value) or abs(value) >= 1000:
        digits = f"{round(value):,}"
        return digits.replace(",", SPACE if abs(value) >= 10_000 else "")
    return f"{value:.4g}"
