"""What a cell's text defines and uses, without running it; nothing at all for a cell that is no Python."""
import ast
import builtins
import os
import re
import symtable
from itertools import groupby, pairwise
from unicodedata import combining, normalize

from IPython.core.inputtransformer2 import classic_prompt, ipython_prompt, leading_empty_lines

LONGEST = 50_000  # characters; a longer cell holds data, not answers
MOST_MARKS = 50  # on one letter
MOST_STATEMENTS = 50  # of a cell that is taken apart
EMPTY = ast.Module([], [])
HELP = re.compile(r"[%\w.*]+\?\??")  # softmax?, torch.where??; and not a comment that asks something
WHOLE = re.compile(r"\s*%%(?!(?:time|capture)\b)")  # cell magics that do something else than run the cell
ASSIGNED = re.compile(r"^(\s*\w+\s*=\s*)[%!].*")  # here = %pwd, files = !ls
TIMED = re.compile(r"^(\s*(?:\w+\s*=\s*)?)%time(?:it)?\b(?:[ \t]{1,9}-[a-z](?:[ \t]{0,9}\d{1,9})?){0,9}[ \t]{0,9}")  # before Python
EVERYWHERE = {*dir(builtins), "get_ipython", "display", "In", "Out"}


def tree_of(source):
    """The syntax tree, lines numbered as in the cell. What only IPython reads, magics and such, counts as `pass` or None."""
    return read(source)[0]


def read(source):
    """(syntax tree, [symbol tables of its scopes])"""
    if len(source) > LONGEST or piled_up(source):
        return EMPTY, []
    for text in readings(source):
        try:
            return ast.parse(text), list(scopes(symtable.symtable(text, "cell", "exec")))
        except Exception:  # besides SyntaxError, the parser has a dozen ways to give up on a text made to break it
            continue
    return EMPTY, []


def scopes(table):
    left = [table]
    while left:
        table = left.pop()
        yield table
        left += table.get_children()


def readings(source):
    """What the cell may say in Python, closest to its letter first: a line of plain Python may go on with a percent sign."""
    yield source
    lines = as_pasted(source)
    yield "\n".join(without_magic(line) if line.startswith("%%") else line for line in lines)
    yield "\n".join(without_magic(TIMED.sub(r"\1", line)) for line in lines)
    yield "\n".join(map(without_magic, lines))


def as_pasted(source):
    """Its lines as IPython runs them: without prompts, and without the indentation that all of them have."""
    lines = source.splitlines(keepends=True)
    kept = leading_empty_lines(lines)
    empty = "\n" * (len(lines) - len(kept))
    margin = os.path.commonprefix([line[: len(line) - len(line.lstrip())] for line in kept if not line.isspace()])
    kept = [line.removeprefix(margin) for line in kept]
    for clean in (classic_prompt, ipython_prompt):
        kept = clean(kept)
    return (empty + "".join(kept)).split("\n")


def piled_up(source):
    """More accents on one letter than anybody writes? Python sorts those of a name, which takes minutes when there are many."""
    if source.isascii():
        return False
    marks = {c for c in set(source) if combining(normalize("NFKD", c)[0])}
    return any(is_mark and len(list(run)) > MOST_MARKS for is_mark, run in groupby(source, marks.__contains__))


def without_magic(line):
    start = line.strip()
    if start.startswith(("%", "!", "?")) or HELP.fullmatch(start):
        return line[: len(line) - len(line.lstrip())] + "pass"
    return ASSIGNED.sub(r"\1None", line)


def names_in(source):
    """(defined, used): names that a cell binds at its top level, also under an if, a try, a with or a loop; names that
    it looks for outside its functions, does not bind there, and does not find in Python itself."""
    tree, tables = read(source)
    shared = [name for table in tables for name in table.get_symbols() if name.is_global()]
    bound = {name.get_name() for name in shared if name.is_assigned() or name.is_imported()}
    used = {name.get_name() for name in shared if name.is_referenced()}
    return frozenset(name for node in at_top(tree) for name in bound_by(node)), frozenset(used - bound - EVERYWHERE)


def meaning(source):
    """Equal for texts that differ in white space, quotes, brackets and comments only; empty where nothing is said."""
    return tuple((type(node), *map(told, ast.iter_fields(node))) for node in ast.walk(tree_of(source)))[1:]


def told(field):
    """What a field of a node holds beside other nodes; of several things, how many."""
    _, value = field
    if isinstance(value, list):
        return len(value), *(item for item in value if isinstance(item, str))
    return isinstance(value, ast.AST) or (type(value), value)


def statements(source):
    """The texts of a cell's statements at its top level, in their order; all in one where these cannot be told apart."""
    lines, first_lines, done = source.split("\n"), [], 0
    for node in () if WHOLE.match(source) else tree_of(source).body:
        first = min([node.lineno, *(decorator.lineno for decorator in getattr(node, "decorator_list", ()))])
        if first > done:  # not behind a semicolon
            first_lines.append(first - 1)
        done = node.end_lineno
    parts = ["\n".join(lines[a:b]) for a, b in pairwise([*first_lines, len(lines)])]
    return parts if 0 < len(parts) <= MOST_STATEMENTS else [source]


def at_top(tree):
    """Every node that is not inside a function, a class or a comprehension."""
    inner = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
    left = [tree]
    while left:
        node = left.pop()
        yield node
        if not isinstance(node, inner):
            left.extend(ast.iter_child_nodes(node))


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
