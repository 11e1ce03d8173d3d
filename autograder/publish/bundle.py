"""Write the zip for a class: lessons, course_utils and the environment, without answers.

Of the published sheets and questions it holds those that its lessons' notebooks carry, and of each exercise's
hints only the first ones.
"""

import json
import re
import zipfile
from pathlib import Path

import nbformat

from autograder.releases.course_copy import is_course_copy, lines_of, pack, unpack
from autograder.releases.store import NO_LESSON, keep, lessons, refusal

from .answers_page import answers_page
from .leaks import refuse_all_answers
from .lesson import LessonError

NAME = "attention-course"
README = Path(__file__).with_name("bundle_readme.md")
COPIED_FILES = ("LICENSE", "constraints.txt")
INTERVIEW = "interview"  # paths with this word are for self-study only: their references are nearly answers
WITHHELD = ("practice/bugs/", "practice/mock/")  # correct programs, and model answers
NOT_FOR_A_CLASS = "{} is for self-study: it contains near-answers, so it is never put into a zip."
SHEETS, ALL_LESSONS = "course_utils/answers/", "course_utils/answers/lessons.json"
HINTS = 2  # of each exercise, a question and a fact; the third names the calls, the fourth is the worked line
FIRST_LESSON = "00_start_here"  # named in the README; a bundle of some lessons names its own first one
NEWER_ZIP = (
    "Unpack a newer zip into a folder of its own: unpacked over this one, it would replace your notebooks."
)
NEXT_ZIP = (
    "Unpack the zip of the next lessons over this folder: it brings their notebooks, and yours stay. A zip\n"
    "with a lesson that you have begun goes into a folder of its own: here it would replace your notebook."
)
FIXED_DATE = (2026, 1, 1, 0, 0, 0)  # so that equal contents make equal zips
SECTIONS = ("build-system", "project", "tool.setuptools.packages.find", "tool.setuptools.package-data")


def hand_out(root, file, only=(), hints=HINTS):
    """Store each lesson's release, then write the zip; LessonError when a lesson may not be handed out.

    only: the lessons to hand out; all if empty. hints: how many of each exercise the zip holds.
    """
    for lesson in only or lessons():
        if INTERVIEW in lesson:
            raise LessonError(NOT_FOR_A_CLASS.format(lesson))
        if lesson not in lessons():
            raise LessonError(NO_LESSON.format(lesson))
        if refusal(lesson):
            raise LessonError(refusal(lesson))
    for lesson in only or lessons():
        keep(lesson)
    return write_bundle(root, file, only, hints)


def write_bundle(root, file, only=(), hints=HINTS):
    """Write the zip and return its number of files; LessonError when a file would give an answer away."""
    files = contents(root, only, hints)
    refuse_all_answers(root, texts(files), "The bundle was not built: ")
    file.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as bundle:
        for name in sorted(files):
            entry = zipfile.ZipInfo(f"{NAME}/{name}", FIXED_DATE)
            entry.external_attr, entry.compress_type = 0o644 << 16, zipfile.ZIP_DEFLATED
            bundle.writestr(entry, files[name])
    return len(files)


def contents(root, only=(), hints=HINTS):
    """{path inside the bundle: bytes}. only: the lessons of a zip that extends an earlier one."""
    paths = [*root.glob("notebooks/*/*.ipynb"), *(root / name for name in COPIED_FILES)]
    paths += [p for p in root.glob("course_utils/**/*") if p.is_file() and "__pycache__" not in p.parts]
    names = {path.relative_to(root).as_posix(): path for path in paths}
    files = {name: path.read_bytes() for name, path in names.items() if is_in_bundle(name, only)}
    for name in [name for name in files if name.endswith(".ipynb")]:
        files[name], sheets = notebook_with_hints(files[name], hints)
        files |= {path: data for path, data in sheets.items() if path != ALL_LESSONS}
    readme, project, environment = (
        path.read_text(encoding="utf-8")
        for path in (README, root / "pyproject.toml", root / "environment.yml")
    )
    pages = {
        "README.md": readme.replace(FIRST_LESSON, min(only)).replace(NEWER_ZIP, NEXT_ZIP) if only else readme,
        "pyproject.toml": student_project(project),
        "environment.yml": student_environment(environment),
        "ANSWERS.md": answers_page(root, until=max(only, default=None)),
    }
    return files | {name: text.encode() for name, text in pages.items() if text}


def is_in_bundle(name, only):
    """May a class get this file? Notebooks of other lessons are left out, and so are all sheets: those of the
    zip's lessons come from the notebooks."""
    if name.startswith("notebooks/") and only and name.split("/")[1] not in only:
        return False
    is_sheet = name.startswith(SHEETS) and name != ALL_LESSONS
    return not is_sheet and not any(part in name for part in (INTERVIEW, *WITHHELD))


def notebook_with_hints(data, hints):
    """A notebook's bytes with only the first hints of each exercise, and {path: bytes} of the sheets and
    questions in it."""
    nb, sheets = nbformat.reads(data.decode(), as_version=4), {}
    for cell in filter(lambda cell: is_course_copy(cell.source), nb.cells):
        lines = [
            {
                path: first_hints(text, hints) if path.startswith(SHEETS) else text
                for path, text in line.items()
            }
            for line in lines_of(cell.source)
        ]
        sheets |= {path: text for line in lines for path, text in line.items() if path.startswith(SHEETS)}
        cell.source = pack(lines)
    return (nbformat.writes(nb) + "\n").encode(), sheets


def first_hints(data, number):
    """The bytes of a sheet without its hints after the first ones; other JSON stays as it is."""
    sheet = json.loads(data)
    if "hints" not in sheet or len(sheet["hints"]) <= number:
        return data
    sheet["hints"] = sheet["hints"][:number]
    return (json.dumps(sheet, separators=(",", ":")) + "\n").encode()


def student_project(text):
    """pyproject.toml without the instructor's package, the extras and the tool settings."""
    sections = re.split(r"^(?=\[)", text, flags=re.M)
    text = "".join(section for section in sections if section[1:].split("]")[0] in SECTIONS)
    return text.replace('"course_utils*", "autograder*"', '"course_utils*"').strip() + "\n"


def student_environment(text):
    """environment.yml with the dependencies and comments for students only."""
    lines = text.splitlines()
    comments = [line for line in lines if line.startswith("#")]
    result_lines = [comments[0], comments[-1], *(line for line in lines if not line.startswith("#"))]
    return "\n".join(result_lines).replace("-e .[grading]", "-e .") + "\n"


def texts(files):
    """{place: text} of every file and of the files packed in notebooks; of JSON files, only the strings."""
    texts = {}
    for name, data in files.items():
        texts[name] = text = data.decode("utf-8", "replace")
        if name.endswith(("json", "ipynb")):
            texts[name] = "\n".join(strings(json.loads(text)))
        if name.endswith("ipynb"):
            for path, packed in unpack(nbformat.reads(text, as_version=4)).items():
                texts[f"{name}, inside it {path}"] = packed.decode("utf-8", "replace")
    return texts


def strings(value):
    """Every string inside a JSON value."""
    if isinstance(value, str):
        return [value]
    inner = [*value, *value.values()] if isinstance(value, dict) else value if isinstance(value, list) else []
    return [text for part in inner for text in strings(part)]
