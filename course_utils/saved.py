"""Keep a passing answer beside the notebook, in .progress/<name>.py, so that later lessons can build on it."""

import ast
import builtins
import symtable
import sys
from pathlib import Path

from .diagnose.assess import assess_visible
from .observe.trial import quiet

FOLDER = Path(".progress")


def keep(name, obj):
    """Write the cell's text plus the imports and definitions that it uses, if that file alone passes."""
    with quiet():  # Python 3.12 warns of "\sigma" in a cell whenever it reads it
        source = gather(name, obj)
    if source is None or not stands_alone(name, source):
        return None
    try:
        FOLDER.mkdir(exist_ok=True)
        path = FOLDER / f"{name}.py"
        path.write_text(source, encoding="utf-8")
    except OSError:  # a read-only folder: the answer still counts, it is only not remembered
        return None
    return path


def gather(name, obj):
    """The source of `obj` out of the notebook's cells, with all that it needs; None outside a notebook."""
    cells = notebook_cells()
    target = getattr(obj, "__name__", name)
    pieces, seen = [], set()
    if not collect(target, parsed(cells), pieces, seen):
        return None
    source = "\n\n".join(dict.fromkeys(pieces)) + "\n"
    return source if target == name else source + f"\n{name} = {target}\n"


def notebook_cells():
    """The cells that were run, oldest first."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    return list(shell.user_ns.get("In", [])) if shell is not None else []


def parsed(cells):
    """(text, statement) of every top-level statement that parses, the newest cell first."""
    found = []
    for text in reversed(cells):
        try:
            body = ast.parse(text).body
        except (SyntaxError, ValueError):  # a cell with magics
            continue
        found += [(text, node) for node in reversed(body)]
    return found


def collect(target, statements, pieces, seen):
    """Put the newest definition of `target`, after the definitions that it uses, into pieces."""
    if target in seen:
        return True
    seen.add(target)
    for text, node in statements:
        if target in defines(node):
            piece = with_decorators(text, node) if decorated(node) else ast.get_source_segment(text, node)
            for used in sorted(names_in(piece) - {target}):
                if not hasattr(builtins, used):
                    collect(used, statements, pieces, seen)
            pieces.append(piece)
            return True
    return False


def defines(node):
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return {node.name}
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return {(alias.asname or alias.name).split(".")[0] for alias in node.names}
    if isinstance(node, (ast.Assign, ast.AnnAssign)):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        return {n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name)}
    return set()


def names_in(text):
    """The global names that a piece of source reads or defines (a function's own locals are not among them)."""
    tables, found = [symtable.symtable(text, "<cell>", "exec")], set()
    while tables:
        table = tables.pop()
        tables += table.get_children()
        found |= {s.get_name() for s in table.get_symbols() if table.get_type() == "module" or s.is_global()}
    return found


def decorated(node):
    return bool(getattr(node, "decorator_list", None))


def with_decorators(text, node):
    first = min(d.lineno for d in node.decorator_list)
    return "\n".join(text.splitlines()[first - 1 : node.end_lineno])


def stands_alone(name, source):
    """Does the file, run by itself, give an object that passes?"""
    return load(name, source) is not None


def load(name, source):
    """The object that a kept file defines, if it passes its check; else None."""
    space = {"__name__": f"kept_{name}"}
    try:
        with quiet():
            exec(compile(source, f"{name}.py", "exec"), space)
    except Exception:  # a kept file that no longer runs is as good as none
        return None
    obj = space.get(name)
    return obj if obj is not None and assess_visible(name, obj).passed else None
