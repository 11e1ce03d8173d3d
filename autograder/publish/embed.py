"""Embed in a lesson's notebook the part of course_utils that it needs: the files listed in
solutions/carries.toml, the exercises' sheets and the lesson's questions. Comments are removed, and so are
docstrings, a sixth of all bytes, except in the modules that a learner calls.
"""

import ast
import io
import json
import re
import tokenize
import tomllib
from pathlib import Path

import nbformat

from autograder.exercises import names
from autograder.releases.course_copy import pack, without_copy
from autograder.releases.release import SETUP, grade_id
from autograder.submission.read import reach
from course_utils.practice.questions import to_json

from .lesson import LessonError
from .questions import questions_of
from .topic_sheets import topic_sheets

FORM = {"cellView": "form", "jupyter": {"source_hidden": True}, "editable": False, "deletable": False}
LISTS, LESSONS = "solutions/carries.toml", "lessons.json"  # LESSONS: the exercises of each lesson
# modules that a learner calls
CALLED = {"check", "due", "hint", "predict", "progress", "shapes", "standins", "yours"}
STAND_INS = "course_utils/standins.py"  # imported, but needless where there is no exercise
TOPICS = "course_utils/practice/interview/topics.toml"  # with it come its topics' sheets


def add_copy(nb, root, lesson):
    """Insert a hidden cell with the lesson's copy of course_utils before the cell tagged "setup", replacing
    an older one."""
    nb.cells = without_copy(nb.cells)
    place = next((i for i, cell in enumerate(nb.cells) if SETUP in cell.metadata.get("tags", [])), None)
    if place is None:
        raise LessonError(
            'The lesson has no code cell tagged "setup": tag the one that imports course_utils.'
        )
    source = pack(lines_for(nb, Path(root), lesson))
    nb.cells.insert(place, nbformat.v4.new_code_cell(source, id="course-copy", metadata=FORM))


def lines_for(nb, root, lesson):
    """[{path from root: bytes}]: the files in each line of the lesson's copy."""
    lists = lists_for(root, lesson)
    answers = root / "course_utils" / "answers"
    own = {grade_id(cell) for cell in nb.cells} & {*names()}
    exercises = add_used({*own, *lists.pop("exercises", [])}, answers)
    parts = [files_of(entries, root / "course_utils") for entries in lists.values()]
    parts += [[answers / f"{name}.json"] for name in sorted(exercises)]
    lines = [{path.relative_to(root).as_posix(): embedded_bytes(path) for path in paths} for paths in parts]
    for files in lines:
        files.update({} if exercises else dict.fromkeys({STAND_INS} & files.keys(), b""))
    if any(TOPICS in files for files in lines):
        sheets = topic_sheets(answers).items()
        lines.append({f"course_utils/answers/{name}.json": sheet for name, sheet in sheets})
    return [*lines, about_lesson(root, lesson, exercises)]


def lists_for(root, lesson):
    """{line: its entries} from carries.toml: those of the lesson and those of every lesson."""
    lists = tomllib.loads((root / LISTS).read_text(encoding="utf-8"))
    shared, own = lists["every"], lists.get(lesson, {})
    lines = {line: [*shared.get(line, []), *own.get(line, [])] for line in {**shared, **own}}
    left_out = lines.pop("without", [])
    return {line: entries for line, entries in lines.items() if line not in left_out}


def files_of(entries, package):
    """The files of course_utils that the entries of a list name (files, folders or patterns)."""
    patterns = (f"{entry}/**/*" if (package / entry).is_dir() else entry for entry in entries)
    paths = {path for pattern in patterns for path in package.glob(pattern)}
    return sorted(path for path in paths if path.is_file() and "__pycache__" not in path.parts)


def embedded_bytes(path):
    """The bytes of a file as they are embedded in a notebook."""
    if path.suffix == ".js":
        return re.sub(rb"(?m)^ *//.*\n", b"", path.read_bytes())
    if path.suffix not in (".py", ".toml") or "programs" in path.parts:  # a program's docstring is its task
        return path.read_bytes()
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".toml":
        return without_lines_of_comment(text).encode()
    text = without_comments(text)
    is_called = path.parent.name == "course_utils" and path.stem in CALLED
    return (text if is_called else without_docstrings(text)).encode()


def without_lines_of_comment(text):
    """Remove a TOML file's lines of comment, unless one of them is part of a value."""
    short = re.sub(r"(?m)^#.*\n", "", text)
    return short if tomllib.loads(short) == tomllib.loads(text) else text


def without_comments(text):
    """Remove comments and keep the line numbers."""
    lines = text.splitlines(keepends=True)
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            lines[row - 1] = lines[row - 1][:column].rstrip() + "\n"
    return "".join(lines)


def without_docstrings(text):
    """Remove docstrings and keep the line numbers. What is decorated with `for_learners` keeps its docstring,
    and so do its class, and a body that is nothing else."""
    lines = text.splitlines(keepends=True)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node):
            docstring = node.body[0]
            first, last = docstring.lineno - 1, docstring.end_lineno or docstring.lineno
            if len(node.body) > 1 and not is_for_learners(node):
                lines[first:last] = ["\n"] * (last - first)
    return "".join(lines)


def is_for_learners(node):
    """Is a function decorated with `for_learners`, or a method of a class?"""
    nodes = [node, *node.body] if isinstance(node, ast.ClassDef) else [node]
    decorators = [name for item in nodes for name in getattr(item, "decorator_list", [])]
    return any(isinstance(name, ast.Name) and name.id == "for_learners" for name in decorators)


def add_used(exercises, answers):
    """These exercises and all that their sheets list under `uses`, directly or indirectly."""

    def uses(name):
        sheet = answers / f"{name}.json"
        if not sheet.exists():
            raise LessonError(f"{sheet.name} is not in course_utils/answers: `make notebooks` publishes it.")
        return json.loads(sheet.read_text(encoding="utf-8")).get("uses", [])

    return {*reach(exercises, uses)}


def about_lesson(root, lesson, exercises):
    """The lesson's questions, and lessons.json with only the lessons whose exercises are all in the copy, so
    that a new lesson changes no other notebook."""
    folder = "course_utils/answers"
    lessons = json.loads((root / folder / LESSONS).read_text(encoding="utf-8"))
    order = {name: entries for name, entries in lessons.items() if entries and exercises.issuperset(entries)}
    questions = questions_of(root / "solutions" / lesson / f"{lesson}.py")  # they may not be published yet
    files = {f"{folder}/{LESSONS}": (json.dumps(order, indent=1) + "\n").encode()}
    return files | ({f"{folder}/questions/{lesson}.json": to_json(questions).encode()} if questions else {})
