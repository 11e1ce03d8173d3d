"""Cells of a submission -> notes on stand-ins, on code that reaches for the grader, and on cells that cannot
be read for either: for a person, never points."""

import ast
import re
from functools import cache
from pathlib import Path

import course_utils
from course_utils.source import parse, read, tree_of

STAND_INS = Path(course_utils.__file__).parent / "standins.py"
# fields of a syntax tree: smaller stand-ins are what students write, too; up to LARGE, under other names
SMALL, LARGE, MOST_FIELDS = 30, 60, 500
BUILTINS = {"exec", "eval", "compile", "__import__", "__builtins__"}
MODULES = {"gc", "threading", "ctypes", "builtins", "importlib", "inspect"}
MAGIC = re.compile(r"\A\s*%%.*")  # the line of one; the cell below it may be run, now or as a file
INSIDES = {"_getframe", "run_cell", "tb_frame", "f_back", "__globals__", "__subclasses__"}
OURS = re.compile(r"(autograder|course_utils\.(observe|model|compare))\b\S*")
DEFINITIONS = ast.FunctionDef, ast.ClassDef
NOT_COMPARED = {"annotation", "returns", "decorator_list", "ctx", "type_comment", "type_params"}
RENAMED = {(ast.Name, "id"), (ast.arg, "arg"), (ast.FunctionDef, "name"), (ast.ClassDef, "name")}
REACHES = "{} is used in cell {} of the notebook, line {}: check what for; the points are the same."
UNREAD = "Cell {} of the notebook cannot be searched for such code: read it; the points are the same."
COPIED = "Cell {} of the notebook, line {}, holds the course's stand-in for {}; the points are the same."


def suspicions(own, used):
    """[sentence]. own: the student's cells; used: those of them that an answer uses."""
    numbers = {cell.number for cell in used}
    bound = {name for cell in own for name in cell.defines}
    fields = {name for cell in own for name in fields_in(tree_of(cell.source))}
    notes = []
    for cell in own:
        reading = read(MAGIC.sub("", cell.source))
        if not reading.is_all:
            notes.append(UNREAD.format(cell.number))
        suspected = cell.number in numbers or MAGIC.match(cell.source)
        for node in ast.walk(reading.tree):
            name = of_the_grader(node, fields) or (suspected and unusual(node, bound))
            if name:
                notes.append(REACHES.format(name, cell.number, node.lineno))
            if isinstance(node, DEFINITIONS) and form(node) in stand_ins():
                notes.append(COPIED.format(cell.number, node.lineno, stand_ins()[form(node)]))
    return list(dict.fromkeys(notes))


def of_the_grader(node, fields):
    """What a node names of the grader's own, in an import, an attribute or a text; None for anything else."""
    if isinstance(node, ast.Attribute) and node.attr == "lengths" and "lengths" not in fields:
        return ".lengths"
    names = [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else dotted(node)
    return next((n for n in names if OURS.fullmatch(n) or n.rpartition(".")[2] in INSIDES), None)


def unusual(node, bound):
    """What an answer has no use for: a builtin that runs texts, a module that looks into other code."""
    if isinstance(node, ast.Name) and node.id in BUILTINS - bound:
        return node.id
    modules = set() if isinstance(node, ast.Attribute) else MODULES
    return next((n for n in dotted(node) if n == "sys.modules" or n.partition(".")[0] in modules), None)


def dotted(node):
    """The names in an import, or an attribute with what it belongs to, where that is a name."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        return [f"{node.module}.{alias.name}" for alias in node.names]
    if isinstance(node, ast.Attribute):
        return [f"{node.value.id if isinstance(node.value, ast.Name) else ''}.{node.attr}"]
    return []


def fields_in(tree):
    """The attributes that the code itself sets, and the fields that its classes declare."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id


@cache
def stand_ins():
    """{form: name} of the stand-ins that are long enough to be recognised."""
    body = parse(STAND_INS.read_text(encoding="utf-8")).body
    forms = {form(node): node.name for node in body if isinstance(node, DEFINITIONS)}
    return {shape: name for shape, name in forms.items() if len(shape) >= SMALL}


def form(definition):
    """A definition's syntax tree, with numbers for names and without annotations, decorators and docstrings:
    equal however it is formatted and, of a large one, whatever its names are."""
    shape, names, left = [], {}, [definition]
    for node in left:
        if len(shape) > MOST_FIELDS:
            break
        for field, value in ast.iter_fields(node):
            parts = value if isinstance(value, list) else [value]
            below = [part for part in parts if isinstance(part, ast.AST) and not does_nothing(part)]
            if field in NOT_COMPARED or value in (None, []):
                continue
            of_self = field == "attr" and isinstance(node.value, ast.Name) and node.value.id == "self"
            if (type(node), field) in RENAMED or of_self:
                value = names.setdefault(value, len(names))
            shape.append((type(node), field, len(below), repr(value) if not below else None))
            left += below
    return (*shape, *(names if len(shape) < LARGE else ()))


def does_nothing(node):
    """Is it a docstring, another constant, or pass?"""
    return isinstance(node, ast.Pass) or isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
