"""Analyse the source of notebook cells without running it: the names that it binds, changes, uses and quotes,
its statements, and a fingerprint of its meaning.

This is the only analyser: saved answers, submissions and the build of a lesson all use it. Text that is not
Python, or that was made to break a parser, counts as a cell without code.
"""

import ast
import builtins
import re
import symtable
import threading
import warnings
from collections import namedtuple
from dataclasses import dataclass
from functools import cached_property, lru_cache, wraps
from itertools import groupby, pairwise
from unicodedata import combining, normalize

ONE_THREAD = threading.RLock()  # CPython 3.11 miscounts depth when two threads build syntax trees
LONGEST = 50_000  # characters; a longer cell holds data, not answers
USUAL = 5_000  # characters; results for cells up to this length are cached: submissions share them
MOST_MARKS = 50  # accents on one letter: Python sorts a name's accents, which can take minutes
MOST_ESCAPES = 200  # lines in IPython's own syntax; IPython itself gives up at 500
MOST_WORK = 100_000  # such lines times all lines of a cell: each replacement copies the cell
LONGEST_ESCAPED = 2_000  # characters of any line in such a cell: IPython's search for `?` is quadratic
MOST_ROUNDS = 8  # passes over such lines: an unpaired quote hides the next one from the tokenizer
TOO_MUCH = "more magics than anybody writes"
RUNS_ITS_BODY = ("time", "timeit", "capture", "prun")  # cell magics that run the cell as Python
# a backslash joins two lines; the other characters end a line for str.splitlines but not for Python
ODD_LINES = re.compile("\\\\\n|[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
TIMES = re.compile(r"get_ipython\(\)\.run_line_magic\('time(?:it)?', (.*)\)\s*$")
OPTIONS = re.compile(r"(?:-[a-z][ \t]*\d*[ \t]+)*")  # options of %timeit
QUOTED = re.compile(r"""["'](\w+)["']""")
BUILTINS = {*dir(builtins), "get_ipython", "display", "In", "Out"}
FUNCTIONS = ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef
COMPREHENSIONS = ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp
INNER = *FUNCTIONS, ast.Lambda, *COMPREHENSIONS

Names = namedtuple("Names", "bound used")
Reading = namedtuple(
    "Reading", "python tree is_all"
)  # is_all: False if a notebook may run more of the cell than this


@dataclass
class Statement:
    """A statement at the top level of a cell, or several that share a line.

    text: its source in the cell; python: the same with IPython's syntax replaced; line: its first line in the
    cell.
    """

    text: str
    python: str
    line: int = 1

    @cached_property
    def names(self):
        return names_of(self.python)

    @property
    def bound(self):
        return self.names.bound

    @property
    def used(self):
        """Names that it needs from outside: it, or a function in it, looks them up, and it does not bind them
        first."""
        return self.names.used

    @cached_property
    def changed(self):
        """Names of objects that it mutates: x.y = 1, x[0] = 1, x.append(1), setattr(x, ...), @added_to(x)."""
        return frozenset(name for node in at_top(parse(self.python)) for name in changed_by(node))

    @cached_property
    def quoted(self):
        return quoted_in(self.python)

    @cached_property
    def meaning(self):
        return meaning(self.python)


def cache_usual_cells(function):
    """Cache a function of a cell's source, for cells of usual length: most cells of a class's notebooks are
    identical, because they are the lesson's own."""
    cached = lru_cache(maxsize=256)(function)
    return wraps(function)(lambda source: cached(source) if len(source) <= USUAL else function(source))


def tree_of(source):
    """The syntax tree of a cell, with the cell's line numbers; an empty tree if it is not Python."""
    return read(source).tree


@cache_usual_cells
def names_in(source):
    """Names(bound, used) of a cell. bound: names bound at its top level, also under an if, a try, a with or a
    loop. used: names that it needs from outside, without Python's builtins."""
    return names_of(read(source).python)


def quoted_in(source):
    """The names that appear in quotes in a text, as in yours("softmax")."""
    return frozenset(QUOTED.findall(source))


@cache_usual_cells
def meaning(source):
    """A fingerprint, equal for texts that differ only in white space, quotes, brackets and comments; empty
    for a cell without code."""
    nodes = ast.walk(tree_of(source))
    return tuple((type(node), *map(field_shape, ast.iter_fields(node))) for node in nodes)[1:]


@lru_cache(maxsize=256)
def statements(source):
    """The Statements of a cell in order; the whole cell as one Statement if it cannot be split."""
    python, tree, _ = read(source)
    first_lines, end = [], 0
    for node in tree.body:
        first = min([node.lineno, *(decorator.lineno for decorator in getattr(node, "decorator_list", ()))])
        if first > end:  # not after a semicolon
            first_lines.append(first - 1)
        end = node.end_lineno
    if not first_lines:
        return [Statement(source, "")]
    if any(line.strip() for line in source.split("\n")[: first_lines[0]]):
        first_lines.insert(0, 0)
    texts, readings = source.split("\n"), python.split("\n")
    spans = pairwise([*first_lines, len(texts)])
    parts = [Statement("\n".join(texts[a:b]), "\n".join(readings[a:b]), a + 1) for a, b in spans]
    if ODD_LINES.search(source) and not all(is_python(part.python) for part in parts):
        return [Statement(source, python)]
    return parts


def definition(name, statements):
    """The newest of these Statements that binds the name, after the definitions that it needs, as a list of
    Python texts; [] if none binds it."""
    texts, names = [], set()

    def add(wanted):
        newest = next((statement for statement in reversed(statements) if wanted in statement.bound), None)
        if newest is None or wanted in names:
            return
        names.add(wanted)
        for name in sorted(newest.used - {wanted}):
            add(name)
        texts.append(newest.python.strip("\n"))

    add(name)
    return list(dict.fromkeys(texts))


# ---- reading


@lru_cache(maxsize=32)
def read(source):
    """Parse a cell into a Reading; an empty one if it is not Python, or too much to read."""
    is_all = len(source) <= LONGEST and not has_piled_accents(source)
    for reading in (str, as_ipython_reads) if is_all else ():
        try:
            python = reading(source)
            return Reading(python, parse(python), True)
        except (SyntaxError, UnicodeError):  # a notebook runs nothing of it
            continue
        except Exception:  # parsers have a dozen ways to give up on a text made to break them
            is_all = False
    return Reading("", ast.Module([], []), is_all)


def parse(python):
    with ONE_THREAD, warnings.catch_warnings(action="ignore"):  # of "\sigma", say, in student code
        return ast.parse(python)


def is_python(text):
    try:
        parse(text)
    except Exception:  # see read
        return False
    return True


def has_piled_accents(source):
    """Does some letter carry more accents than anybody writes?"""
    if source.isascii():
        return False
    marks = {c for c in set(source) if combining(normalize("NFKD", c)[0])}
    runs = groupby(source, marks.__contains__)
    return any(is_mark and len(list(run)) > MOST_MARKS for is_mark, run in runs)


def as_ipython_reads(source):
    """Replace IPython's own syntax (magics, commands, help, pasted prompts) by Python on the same lines."""
    from IPython.core.inputtransformer2 import TransformerManager, leading_empty_lines

    manager, lines = TransformerManager(), [f"{line}\n" for line in source.split("\n")]
    empty = len(lines) - len(leading_empty_lines(lines))
    for clean in manager.cleanup_transforms:
        lines = clean(lines)
    magic = re.match(r"%%(?!\w+\?)(\w*)", lines[0]) if lines else None
    if magic:
        if magic[1] not in RUNS_ITS_BODY:
            return ""
        lines = ["\n", *lines[1:]]
    for _ in range(MOST_ROUNDS):
        if not replace_escapes(lines, manager.token_transformers):
            break
    else:
        raise ValueError(TOO_MUCH)
    return "\n" * empty + "".join(lines)


def replace_escapes(lines, transformers):
    """Replace the magics and similar calls that the tokenizer finds, the last one first; return whether any
    was replaced.

    TransformerManager itself looks for one at a time, and tokenizes the whole cell again for each.
    """
    from IPython.core.inputtransformer2 import make_tokens_by_line

    with warnings.catch_warnings(action="ignore"):  # of unusual line endings
        tokens = make_tokens_by_line(lines)
    each = [(kind, line) for line in tokens for kind in transformers]
    calls = [call for kind, line in each if (call := kind.find([line]))]
    too_long = calls and max(len(line) for line in lines) > LONGEST_ESCAPED
    if too_long or len(calls) > MOST_ESCAPES or len(calls) * len(lines) > MOST_WORK:
        raise ValueError(TOO_MUCH)
    changed = False
    for call in sorted(calls, key=lambda call: (-call.start_line, call.sortby())):
        try:
            after = call.transform(lines)
        except SyntaxError:
            continue
        removed, changed = len(lines) - len(after), True
        python = without_timing(after[call.start_line])
        lines[:] = [*after[: call.start_line], python, *["\n"] * removed, *after[call.start_line + 1 :]]
    return changed


def without_timing(line):
    """Replace a %time or %timeit call in a line by the code that it times, if that is valid Python."""
    match = TIMES.search(line)
    if not match:
        return line
    timed = OPTIONS.sub("", ast.literal_eval(match[1]), count=1)
    try:
        parse(timed)
    except Exception:  # see read
        return line
    return f"{line[: match.start()]}{timed or None}\n"


# ---- names


def names_of(python):
    try:
        with ONE_THREAD, warnings.catch_warnings(action="ignore"):
            tables = list(scopes(symtable.symtable(python, "cell", "exec")))
    except Exception:  # the compiler may still reject what the parser accepts
        return Names(frozenset(), frozenset())
    tree = parse(python)
    shared = [name for table in tables for name in table.get_symbols() if name.is_global()]
    bound = {name.get_name() for name in shared if name.is_assigned() or name.is_imported()}
    names = {name.get_name() for name in shared if name.is_referenced()}
    at_the_top = frozenset(name for node in at_top(tree) for name in bound_by(node))
    return Names(at_the_top, frozenset((names - bound | read_before_binding(tree)) - BUILTINS))


def scopes(table):
    pending = [table]
    while pending:
        table = pending.pop()
        yield table
        pending += table.get_children()


def at_top(tree):
    """Every node that is not inside a function, a class or a comprehension."""
    pending = [tree]
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, INNER):
            pending.extend(ast.iter_child_nodes(node))


def read_before_binding(tree):
    """Names that a text reads at its top level before it binds or deletes them there: x = x / 2, x += 1."""
    read, bound, pending = set(), set(), [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Store):
            read |= {node.id} - bound
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            read |= {node.target.id} - bound
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Del):
            bound.add(node.id)
        bound |= set(bound_by(node))
        pending += reversed(children_in_order(node))
    return read & bound


def children_in_order(node):
    """The children of a node that run at the top level, in the order in which Python runs them: values before
    the targets that they are assigned to."""
    if isinstance(node, COMPREHENSIONS):
        return [node.generators[0].iter]
    if isinstance(node, INNER):
        return []
    value = getattr(node, "value", None) or getattr(node, "iter", None)
    return sorted(ast.iter_child_nodes(node), key=lambda child: child is not value)


def bound_by(node):
    if isinstance(node, FUNCTIONS):
        yield node.name
    elif isinstance(node, ast.alias):
        yield (node.asname or node.name).split(".")[0]
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node.id
    elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and node.name:
        yield node.name
    elif isinstance(node, ast.MatchMapping) and node.rest:
        yield node.rest


def changed_by(node):
    """The names of the objects that this node mutates without assigning to the name."""
    targets = []
    if isinstance(node, (ast.Attribute, ast.Subscript)) and not isinstance(node.ctx, ast.Load):
        targets = [node]
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        function = node.value.func
        sets = isinstance(function, ast.Name) and function.id in ("setattr", "delattr")
        targets = node.value.args[:1] if sets else [function] if isinstance(function, ast.Attribute) else []
    elif isinstance(node, FUNCTIONS):
        calls = [call for call in node.decorator_list if isinstance(call, ast.Call)]
        targets = [argument for call in calls for argument in (*call.args, *(k.value for k in call.keywords))]
    return filter(None, map(first_name, targets))


def first_name(node):
    """The name at the start of a chain of attributes and indices; None if something else starts it."""
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def field_shape(field):
    """A field of a syntax tree's node: its plain values, with True in place of each child node."""
    _, value = field
    if isinstance(value, list):
        return tuple(isinstance(item, ast.AST) or item for item in value)
    return isinstance(value, ast.AST) or (type(value), value)
