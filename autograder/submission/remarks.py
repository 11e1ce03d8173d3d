"""Find code in a submission that a person should look at: ready-made answers from libraries, copies of the
course's stand-ins, code that reaches for the grader, cells that cannot be searched. No points change."""

import ast
import re
from functools import cache
from pathlib import Path

import course_utils
from autograder.notes import REMARK, Note
from course_utils.source import first_name, parse, read, tree_of

STAND_INS = Path(course_utils.__file__).parent / "standins.py"
READY_MADE = re.compile(
    r"_?(scaled_)?dot_product_\w*attention\w*|_native_multi_head_attention|multi_head_attention_forward"
    r"|MultiheadAttention|MultiHeadDotProductAttention|flex_attention|_?(flash|efficient)_att\w+"
    r"|Transformer(En|De)coderLayer"
)
# calls that are remarked on inside a definition of softmax
SOFTMAX = {"softmax", "Softmax", "log_softmax", "LogSoftmax", "_softmax", "_log_softmax", "_safe_softmax"}
OWN_OBJECTS, LIBRARIES = {"self", "cls", "super"}, {"F", "nn", "torch", "functional"}
# numbers of fields in a syntax tree: stand-ins below SMALL look like students' own code and are not compared;
# those below LARGE look like it under other names, so names are compared too
SMALL, LARGE, MOST_FIELDS = 30, 60, 500
BUILTINS = {"exec", "eval", "compile", "__import__", "__builtins__"}
MODULES = {"gc", "threading", "ctypes", "builtins", "importlib", "inspect"}
MAGIC = re.compile(r"\A\s*%%.*")  # first line of a cell magic; the code below it may run, now or from a file
INSIDES = {"_getframe", "run_cell", "tb_frame", "f_back", "__globals__", "__subclasses__"}
GRADER_MODULES = re.compile(r"(autograder|course_utils\.(observe|model|compare))\b\S*")
IMPORTS, DEFINITIONS = (ast.Import, ast.ImportFrom), (ast.FunctionDef, ast.ClassDef)
NOT_COMPARED = {"annotation", "returns", "decorator_list", "ctx", "type_comment", "type_params"}
RENAMED = {(ast.Name, "id"), (ast.arg, "arg"), (ast.FunctionDef, "name"), (ast.ClassDef, "name")}
REACHES = "{} is used in cell {} of the notebook, line {}: check why; the points are not affected."
UNREAD = "Cell {} of the notebook cannot be searched for such code: read it; the points are not affected."
COPIED = "Cell {} of the notebook, line {}, holds the course's stand-in for {}; the points are not affected."


def remarks_on(own, cells_used):
    """Return the remarks as Notes. own: the student's cells; cells_used: those that an answer uses."""
    suspects = [cell for cell in cells_used if "def softmax" in cell.source or READY_MADE.search(cell.source)]
    methods = {name for cell in suspects for name in methods_in(cell.source)}
    calls = [(cell, call) for cell in suspects for call in ready_made(cell.source, methods)]
    notes = [note_on(*call, f"cell {cell.number} of the notebook, ") for cell, call in calls]
    numbers = {cell.number for cell in cells_used}
    bound = {name for cell in own for name in cell.defines}
    for cell in own:
        reading = read(MAGIC.sub("", cell.source))
        if not reading.is_all:
            notes.append(UNREAD.format(cell.number))
        suspected = cell.number in numbers or MAGIC.match(cell.source)
        for node in ast.walk(reading.tree):
            name = grader_name(node) or (suspected and suspicious_name(node, bound))
            if name:
                notes.append(REACHES.format(name, cell.number, node.lineno))
            if isinstance(node, DEFINITIONS) and tree_form(node) in stand_ins():
                notes.append(COPIED.format(cell.number, node.lineno, stand_ins()[tree_form(node)]))
    return [Note(REMARK, text) for text in dict.fromkeys(notes)]


# ---- ready-made answers


def ready_made(source, methods):
    """Return [(line number, library's name)] for the ready-made functions that a cell uses: attributes
    (F.softmax) and imported names, also under an alias.

    methods: method names of the notebook's own classes; an attribute with such a name counts only if it
    belongs to a module or an imported name.
    """
    nodes = list(ast.walk(tree_of(source)))
    aliases = [(node, alias) for node in nodes if isinstance(node, IMPORTS) for alias in node.names]
    imported = {a.asname or a.name: a.name for node, a in aliases if isinstance(node, ast.ImportFrom)}
    libraries = LIBRARIES | {(alias.asname or alias.name).split(".")[0] for _, alias in aliases}
    softmaxes = [node for node in nodes if isinstance(node, ast.FunctionDef) and node.name == "softmax"]
    inside = {id(node) for function in softmaxes for node in ast.walk(function)}
    calls = ((node, library_name(node, imported, libraries, methods)) for node in nodes)
    return sorted(
        {
            (node.lineno, name)
            for node, name in calls
            if name and (READY_MADE.fullmatch(name) or (name in SOFTMAX and id(node) in inside))
        }
    )


def methods_in(source):
    """Return the names of the methods of all classes in the source."""
    inside = [node for cls in ast.walk(tree_of(source)) if isinstance(cls, ast.ClassDef) for node in cls.body]
    return {node.name for node in inside if isinstance(node, ast.FunctionDef)}


def library_name(node, imported, libraries, methods):
    """Return the library's name that this node uses, or None. imported: {name in the cell: original name}."""
    if isinstance(node, ast.Attribute):
        of = first_name(node)
        own = isinstance(node.value, ast.Name) and of in OWN_OBJECTS
        is_library = of in libraries if node.attr in methods else not own
        return node.attr if is_library else None
    is_read = isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    return imported.get(node.id) if is_read else None


def note_on(line, name, place=""):
    """Return the sentence for one call. place: where the line is, such as "cell 3 of the notebook, "."""
    kind = "softmax" if name in SOFTMAX else "attention"
    return f"Ready-made {kind} ({name}) is called in {place}line {line}; the points are not affected."


# ---- code that reaches for the grader


def grader_name(node):
    """Return the grader's internal name in an import, an attribute or a string; None for other nodes."""
    is_string = isinstance(node, ast.Constant) and isinstance(node.value, str)
    names = [node.value] if is_string else full_names(node)
    return next((n for n in names if GRADER_MODULES.fullmatch(n) or n.rpartition(".")[2] in INSIDES), None)


def suspicious_name(node, bound):
    """Return a name that no answer needs, of a builtin that runs strings or a module that inspects code."""
    if isinstance(node, ast.Name) and node.id in BUILTINS - bound:
        return node.id
    modules = set() if isinstance(node, ast.Attribute) else MODULES
    return next((n for n in full_names(node) if n == "sys.modules" or n.partition(".")[0] in modules), None)


def full_names(node):
    """Return the full names in an import, or [owner.attribute], where owner is "" unless it is a name."""
    if isinstance(node, IMPORTS):
        module = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
        return [f"{module}{alias.name}" for alias in node.names]
    if isinstance(node, ast.Attribute):
        return [f"{node.value.id if isinstance(node.value, ast.Name) else ''}.{node.attr}"]
    return []


# ---- stand-ins


@cache
def stand_ins():
    """Return {form: name} of the course's stand-ins that are long enough to be recognised."""
    body = parse(STAND_INS.read_text(encoding="utf-8")).body
    forms = {tree_form(node): node.name for node in body if isinstance(node, DEFINITIONS)}
    return {shape: name for shape, name in forms.items() if len(shape) >= SMALL}


def tree_form(definition):
    """Return a definition's syntax tree as a tuple that is equal for copies: without annotations, decorators
    and docstrings, and with numbers for names; a small one has its names, too."""
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
    """Is the statement a docstring, another constant, or pass?"""
    return isinstance(node, ast.Pass) or isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
