"""What a cell's text defines, uses and says, without running it; nothing at all for a cell that is no Python."""

import ast
import builtins
import re
from functools import lru_cache
from itertools import pairwise

from .as_python import read, tree_of

WHOLE = re.compile(r"\s*%%(?!(?:time|capture)\b)")  # cell magics that do something else than run the cell
EVERYWHERE = {*dir(builtins), "get_ipython", "display", "In", "Out"}
QUOTED = re.compile(r"""["'](\w+)["']""")
COMPREHENSIONS = ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp
INNER = ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda, *COMPREHENSIONS


def names_in(source):
    """(defined, used): names that a cell binds at its top level, also under an if, a try, a with or a loop; names that
    it looks for outside its functions, does not bind there before, and does not find in Python itself."""
    tree, tables = read(source)
    shared = [name for table in tables for name in table.get_symbols() if name.is_global()]
    bound = {name.get_name() for name in shared if name.is_assigned() or name.is_imported()}
    used = {name.get_name() for name in shared if name.is_referenced()}
    return frozenset(name for node in at_top(tree) for name in bound_by(node)), frozenset(
        (used - bound | read_first(tree)) - EVERYWHERE
    )


def quoted_in(source):
    """The names that stand in quotes in it, as in yours("softmax")."""
    return set(QUOTED.findall(source))


def meaning(source):
    """Equal for texts that differ in white space, quotes, brackets and comments only; empty where nothing is said."""
    return tuple((type(node), *map(told, ast.iter_fields(node))) for node in ast.walk(tree_of(source)))[1:]


def told(field):
    """What a field of a node holds, and where other nodes stand in it."""
    _, value = field
    if isinstance(value, list):
        return tuple(isinstance(item, ast.AST) or item for item in value)
    return isinstance(value, ast.AST) or (type(value), value)


@lru_cache(maxsize=64)  # one cell may hold several exercises
def statements(source):
    """The texts of a cell's statements at its top level, in their order; all in one where these cannot be told apart."""
    lines, first_lines, done = source.split("\n"), [], 0
    for node in () if WHOLE.match(source) else tree_of(source).body:
        first = min([node.lineno, *(decorator.lineno for decorator in getattr(node, "decorator_list", ()))])
        if first > done:  # not behind a semicolon
            first_lines.append(first - 1)
        done = node.end_lineno
    parts = ["\n".join(lines[a:b]) for a, b in pairwise([*first_lines, len(lines)])]
    return parts or [source]


def at_top(tree):
    """Every node that is not inside a function, a class or a comprehension."""
    left = [tree]
    while left:
        node = left.pop()
        yield node
        if not isinstance(node, INNER):
            left.extend(ast.iter_child_nodes(node))


def read_first(tree):
    """The names that a cell reads at its top level and binds or deletes there only afterwards: x = x / 2, x += 1."""
    read, bound, left = set(), set(), [tree]
    while left:
        node = left.pop()
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Store):
            read |= {node.id} - bound
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            read |= {node.target.id} - bound
        bound |= (
            {node.id} if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Del) else set(bound_by(node))
        )
        left += reversed(in_order(node))
    return read & bound


def in_order(node):
    """What is looked at inside a node at the cell's top level, as Python runs it: values before what they are bound to."""
    if isinstance(node, COMPREHENSIONS):
        return [node.generators[0].iter]
    if isinstance(node, INNER):
        return []
    value = getattr(node, "value", None) or getattr(node, "iter", None)
    return sorted(ast.iter_child_nodes(node), key=lambda child: child is not value)


def bound_by(node):
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        yield node.name
    elif isinstance(node, ast.alias):
        yield (node.asname or node.name).split(".")[0]
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node.id
    elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and node.name:
        yield node.name
    elif isinstance(node, ast.MatchMapping) and node.rest:
        yield node.rest
