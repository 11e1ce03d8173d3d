"""Arithmetic that is written in a text: worked out with given numbers, and with nothing else of Python.

In: "2 * layers * heads" and {"layers": 3, "heads": 4}. Out: 24, or BadFormula with what is wrong.
"""

import ast
import math
import re

BRACES = re.compile(r"\{([^{}]*)\}")
SPACE = "\N{NO-BREAK SPACE}"
ARITHMETIC = (
    ast.Expression, ast.Constant, ast.Name, ast.Load, ast.UnaryOp, ast.USub,
    ast.BinOp, ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Pow,
)  # fmt: skip
NO_NUMBER = ArithmeticError, TypeError, ValueError, RecursionError, MemoryError  # TypeError: a complex number
MAY_HOLD = "a formula has numbers, drawn names, + - * / // ** and brackets"


class BadFormula(ValueError):
    """A formula or a part of it in quotes, and what is wrong with it."""


def work_out(formula, numbers):
    """The number that a formula gives with these numbers for its names; BadFormula where it gives none.

    All numbers in it are floats: so what is too large is an error at once.
    """
    tree, values = tree_of(formula), {name: float(number) for name, number in numbers.items()}
    try:
        for node in ast.walk(tree):
            is_number = not isinstance(node, ast.Constant) or type(node.value) in (int, float)
            is_drawn = not isinstance(node, ast.Name) or node.id in numbers
            if not (isinstance(node, ARITHMETIC) and is_number and is_drawn):
                raise BadFormula(f'"{ast.unparse(node)[:60]}", which is more than arithmetic: {MAY_HOLD}')
            if isinstance(node, ast.Constant):
                node.value = float(node.value)
        value = eval(compile(tree, "formula", "eval"), {"__builtins__": {}}, values)
        if math.isfinite(value):
            return int(value) if value.is_integer() else value
    except BadFormula:
        raise
    except NO_NUMBER:
        pass
    raise BadFormula(f'"{formula}", which gives no number')


def tree_of(formula):
    try:
        return ast.parse(" ".join(formula.split()), mode="eval")
    except (AttributeError, SyntaxError, ValueError, RecursionError, MemoryError):
        raise BadFormula(f'"{str(formula)[:60]}", which cannot be read: {MAY_HOLD}') from None


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
