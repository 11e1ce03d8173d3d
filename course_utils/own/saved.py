"""Save a passing answer next to the notebook, in .progress/<name>.py, for later lessons."""

import ast
import os
import re
import sys
from pathlib import Path

from ..diagnose.visible import assess_visible
from ..observe.trial import quiet
from ..source import definition, statements

FOLDER = Path(".progress")


def save_answer(name, obj):
    """Save the cell's source with the imports and definitions that it uses, if that file alone passes; return
    its path, or None."""
    source, path = gather_source(name, obj), FOLDER / f"{name}.py"
    if source is None or load(name, source)[0] is None:
        return None
    try:
        write_whole(path, source)
    except OSError:  # a read-only folder: the answer counts, but it is not saved
        return None
    return path


def write_whole(path, text):
    """Write a file so that a crash leaves the old one or the new one, never a part."""
    path = Path(path).resolve()  # follow a link
    path.parent.mkdir(exist_ok=True)
    part = path.with_name(f"{path.name}.part")
    try:
        with part.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError:
        part.unlink(missing_ok=True)
        raise


def gather_source(name, obj):
    """The source of `obj` from the notebook's cells, with all that it needs; None outside a notebook."""
    target = getattr(obj, "__name__", name)
    texts = definition(target, [statement for cell in notebook_cells() for statement in statements(cell)])
    if not texts:
        return None
    source = "\n\n".join(texts) + "\n"
    return source if target == name else source + f"\n{name} = {target}\n"


def notebook_cells():
    """The sources of the cells that were run, oldest first, as typed."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    history = getattr(shell, "history_manager", None)
    return list(history.input_hist_raw) if history else []


def syntax_error_in(name):
    """The SyntaxError of the newest cell that begins a definition of this name; None if it has none, or
    outside a notebook."""
    begins = re.compile(rf"^(?:def|class) {re.escape(str(name))}\b", re.M)
    cell = next((cell for cell in reversed(notebook_cells()) if begins.search(cell)), None)
    if cell is None or cell.lstrip().startswith("%%"):
        return None
    try:
        ast.parse(sys.modules["IPython"].get_ipython().transform_cell(cell))
    except SyntaxError as error:
        return error
    return None


def lesson_folders():
    """This folder, then the neighbouring lesson folders: an answer saved in any lesson is found from all."""
    folder = Path.cwd()
    return [folder, *sorted(p for p in folder.parent.glob("[0-9][0-9]_*") if p != folder)]


def load(name, source):
    """Run a saved file: the object that it defines, and its Result; see `if_accepted`."""
    space = {"__name__": f"kept_{name}"}
    try:
        with quiet():
            exec(compile(source, f"{name}.py", "exec"), space)
    except Exception:  # a saved file that no longer runs counts as missing
        return None, None
    return if_accepted(name, space.get(name))


def if_accepted(name, obj):
    """The object and its Result, if it passes its check or has one thing left; else (None, None)."""
    result = assess_visible(name, obj) if obj is not None else None
    return (obj, result) if result and result.accepted else (None, None)
