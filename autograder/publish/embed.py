"""A lesson's own copy of course_utils: the parts that it uses, as one line of text in its first code cell."""

import base64
import bz2
import inspect
import json
import re
from pathlib import Path

import nbformat

from autograder.exercises import names

from .imports import modules_for
from .lesson import LessonError
from .unpack import load_course

TITLE, LAST_LINE = "#@title Set-up (run this first)", "del load_course"
TAG = "setup"
LOOKS = {"cellView": "form", "jupyter": {"source_hidden": True}, "editable": False, "deletable": False}


def add_copy(nb, root):
    """Put a hidden cell with the lesson's copy before the cell tagged "setup", in place of an older one."""
    nb.cells = [cell for cell in nb.cells if not is_copy(cell)]
    place = next((i for i, cell in enumerate(nb.cells) if TAG in cell.metadata.get("tags", [])), None)
    if place is None:
        raise LessonError(
            'The lesson has no code cell tagged "setup": tag the one that imports course_utils.'
        )
    source = cell_source(pack(files_for(nb, root)))
    nb.cells.insert(place, nbformat.v4.new_code_cell(source, id="course-copy", metadata=LOOKS))


def is_copy(cell):
    return cell.source.startswith(TITLE)


def cell_source(packed):
    return f'{TITLE}\n{inspect.getsource(load_course)}\n\nload_course("{packed}")\n{LAST_LINE}'


def pack(files):
    """{path: bytes} as one line. bzip2, because its bytes do not depend on which library made them."""
    plain = json.dumps({path: data.decode("latin-1") for path, data in files.items()}, sort_keys=True)
    return base64.b64encode(bz2.compress(plain.encode())).decode()


def unpack(nb):
    """{path: bytes} of the copy in a student's notebook; {} when it has none."""
    for cell in nb.cells:
        if is_copy(cell):
            packed = re.search(r'^load_course\("(.*)"\)$', cell.source, re.M)[1]
            plain = json.loads(bz2.decompress(base64.b64decode(packed)))
            return {path: text.encode("latin-1") for path, text in plain.items()}
    return {}


def files_for(nb, root):
    """{path: bytes}: what this lesson needs of course_utils: modules, their data, answers."""
    package = Path(root) / "course_utils"
    code = "\n".join(plain(cell.source) for cell in nb.cells if cell.cell_type == "code")
    modules = modules_for(code, package)
    paths = modules | data_for(modules, package) | answers_for(code, package / "answers")
    return {p.relative_to(root).as_posix(): p.read_bytes() for p in sorted(paths)}


def plain(source):
    """A cell's Python, without IPython's magics."""
    return "\n".join(line for line in source.splitlines() if not line.lstrip().startswith(("%", "!")))


def data_for(modules, package):
    """The files, not Python's, in folders that one of these modules names in quotes."""
    told = "\n".join(module.read_text(encoding="utf-8") for module in modules)
    files = [p for p in package.glob("*/*") if p.is_file() and p.suffix not in (".py", ".json")]
    return {p for p in files if f'"{p.parent.name}"' in told}


def answers_for(code, folder):
    """The answers of the exercises that the lesson names and of those they use; and what is no exercise's."""
    wanted, named = set(), re.findall(r"""["'](\w+)["']""", code)
    while named:
        name = named.pop()
        if name in names() and name not in wanted:
            wanted.add(name)
            named += uses(folder / f"{name}.json")
    return {p for p in folder.glob("*.json") if p.stem in wanted or p.stem not in names()}


def uses(answers):
    if not answers.exists():
        raise LessonError(f"{answers.name} is not in course_utils/answers: `make notebooks` publishes it.")
    return json.loads(answers.read_text(encoding="utf-8")).get("uses", [])
