"""Keep a passing answer beside the notebook, in .progress/<name>.py, for later lessons."""

import os
import sys
from pathlib import Path

from ..diagnose.visible import assess_visible
from ..observe.trial import quiet
from ..source import definition, statements

FOLDER = Path(".progress")


def keep(name, obj):
    """Write the cell's text plus the imports and definitions that it uses, if that file alone passes."""
    source, path = gather(name, obj), FOLDER / f"{name}.py"
    if source is None or load(name, source)[0] is None:
        return None
    try:
        write_whole(path, source)
    except OSError:  # a read-only folder: the answer still counts, it is only not remembered
        return None
    return path


def write_whole(path, text):
    """Write a file so that a crash leaves the old one or the new one, and never a part."""
    path = Path(path).resolve()  # where a link leads to
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


def gather(name, obj):
    """The source of `obj` out of the notebook's cells, with all that it needs; None outside a notebook."""
    target = getattr(obj, "__name__", name)
    texts = definition(target, [statement for cell in notebook_cells() for statement in statements(cell)])
    if not texts:
        return None
    source = "\n\n".join(texts) + "\n"
    return source if target == name else source + f"\n{name} = {target}\n"


def notebook_cells():
    """The cells that were run, oldest first, as they were written."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    history = getattr(shell, "history_manager", None)
    return list(history.input_hist_raw) if history else []


def lesson_folders():
    """This folder, then those of the other lessons beside it: an answer saved in any lesson is found from all
    of them."""
    folder = Path.cwd()
    return [folder, *sorted(p for p in folder.parent.glob("[0-9][0-9]_*") if p != folder)]


def load(name, source):
    """The object that a kept file defines, and its Result; see `if_accepted`."""
    space = {"__name__": f"kept_{name}"}
    try:
        with quiet():
            exec(compile(source, f"{name}.py", "exec"), space)
    except Exception:  # a kept file that no longer runs is as good as none
        return None, None
    return if_accepted(name, space.get(name))


def if_accepted(name, obj):
    """The object and its Result, if it passes its check or has one thing left; else (None, None)."""
    result = assess_visible(name, obj) if obj is not None else None
    return (obj, result) if result and result.accepted else (None, None)
