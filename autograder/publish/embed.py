"""The part of course_utils that a lesson uses, put into its notebook: modules, their data, answers."""

import ast
import json
import re
from functools import cache
from pathlib import Path

import nbformat

from autograder.exercises import names
from autograder.releases.course_copy import is_course_copy, pack
from autograder.releases.release import SETUP
from course_utils import PART_8
from course_utils.practice.questions import to_json

from .lesson import LessonError
from .questions import questions_of

FORM = {"cellView": "form", "jupyter": {"source_hidden": True}, "editable": False, "deletable": False}
LESSONS = "lessons.json"  # which exercises belong to which lesson


def add_copy(nb, root, lesson):
    """Put a hidden cell with the lesson's copy before the cell tagged "setup", in place of an older one."""
    nb.cells = [cell for cell in nb.cells if not is_course_copy(cell.source)]
    place = next((i for i, cell in enumerate(nb.cells) if SETUP in cell.metadata.get("tags", [])), None)
    if place is None:
        raise LessonError(
            'The lesson has no code cell tagged "setup": tag the one that imports course_utils.'
        )
    source = pack(files_for(nb, Path(root), lesson))
    nb.cells.insert(place, nbformat.v4.new_code_cell(source, id="course-copy", metadata=FORM))


def files_for(nb, root, lesson):
    """{path from root: bytes} of what this lesson needs of course_utils."""
    package = root / "course_utils"
    code = "\n".join(plain(cell.source) for cell in nb.cells if cell.cell_type == "code")
    modules = modules_for(code, package)
    exercises = exercises_for(code, package / "answers")
    paths = (
        modules | data_for(modules, package) | {package / "answers" / f"{name}.json" for name in exercises}
    )
    files = {path.relative_to(root).as_posix(): path.read_bytes() for path in sorted(paths)}
    files |= {f"course_utils/answers/{LESSONS}": whole_lessons(package / "answers" / LESSONS, exercises)}
    return files | questions_for(root, lesson)


def plain(source):
    """A cell's Python, without IPython's magics."""
    return "\n".join(line for line in source.splitlines() if not line.lstrip().startswith(("%", "!")))


def data_for(modules, package):
    """The files, not Python's, that one of these modules names in quotes. Of a folder that is named, all but
    the scripts of pictures, which are named one by one."""
    code = "\n".join(module.read_text(encoding="utf-8") for module in modules)
    paths = [*package.glob("*/*"), *package.glob("practice/flashcards/decks/*")]
    files = [p for p in paths if p.is_file() and p.suffix not in (".py", ".json")]
    return {p for p in files if f'"{p.name}"' in code or (f'"{p.parent.name}"' in code and p.suffix != ".js")}


# ---- answers


def exercises_for(code, answers):
    """The exercises that the lesson names in quotes, and those that these use."""
    found, named = set(), re.findall(r"""["'](\w+)["']""", code)
    while named:
        name = named.pop()
        if name in names() and name not in found:
            found.add(name)
            named += uses(answers / f"{name}.json")
    return found


def uses(sheet):
    if not sheet.exists():
        raise LessonError(f"{sheet.name} is not in course_utils/answers: `make notebooks` publishes it.")
    return json.loads(sheet.read_text(encoding="utf-8")).get("uses", [])


def whole_lessons(file, exercises):
    """The list of lessons, without those of which exercises are missing: so a new lesson changes no other."""
    lessons = json.loads(file.read_text(encoding="utf-8"))
    kept = {lesson: listed for lesson, listed in lessons.items() if listed and exercises.issuperset(listed)}
    return (json.dumps(kept, indent=1) + "\n").encode()


def questions_for(root, lesson):
    """The lesson's questions, from its source: they may not be published yet."""
    questions = questions_of(root / "solutions" / lesson / f"{lesson}.py")
    path = f"course_utils/answers/questions/{lesson}.json"
    return {path: to_json(questions).encode()} if questions else {}


# ---- modules


def modules_for(code, package):
    """The files of `package` (a folder) that `code` imports, and all that they import in turn."""
    found, texts = set(), [(code, package.name)]
    while texts:
        named = {PART_8.get(name.removeprefix(f"{package.name}."), name) for name in imported(*texts.pop())}
        new = {file for name in named for file in files_of(name, package)} - found
        found |= new
        dotted = (".".join(file.parent.relative_to(package.parent).parts) for file in new)
        texts += [(file.read_text(encoding="utf-8"), place) for file, place in zip(new, dotted, strict=True)]
    return found


@cache  # six lessons import the same modules
def imported(text, place):
    """The names in import statements and in texts like ".figures.masks", written in the package `place`."""
    return set(names_imported(text, place))


def names_imported(text, place):
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = absolute("." * node.level + (node.module or ""), place)
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.startswith("."):
            yield absolute(node.value, place)


def absolute(name, place):
    """The full name of `..module` written in the package `place`."""
    rest = name.lstrip(".")
    level = len(name) - len(rest)
    parents = place.split(".")[: len(place.split(".")) + 1 - level] if level else []
    return ".".join([*parents, rest] if rest else parents)


def files_of(name, package):
    """The module called `name`, if it is one of this package, and the packages around it."""
    top, *inner = name.split(".")
    place = package
    if top != package.name:
        return
    yield package / "__init__.py"
    for part in inner:
        place = place / part
        file = place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
        if not file.is_file():
            return
        yield file
