"""Write the zip for a class: lessons, course_utils and the environment, without answers."""

import json
import re
import zipfile
from pathlib import Path

import nbformat

from autograder.releases.course_copy import unpack
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


def hand_out(root, file, only=()):
    """Store each lesson's release, then write the zip; LessonError when a lesson may not be handed out.

    only: the lessons to hand out; all if empty.
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
    return write_bundle(root, file, only)


def write_bundle(root, file, only=()):
    """Write the zip and return its number of files; LessonError when a file would give an answer away."""
    files = contents(root, only)
    refuse_all_answers(root, texts(files), "The bundle was not built: ")
    file.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as bundle:
        for name in sorted(files):
            entry = zipfile.ZipInfo(f"{NAME}/{name}", FIXED_DATE)
            entry.external_attr, entry.compress_type = 0o644 << 16, zipfile.ZIP_DEFLATED
            bundle.writestr(entry, files[name])
    return len(files)


def contents(root, only=()):
    """{path inside the bundle: bytes}. only: the lessons of a zip that extends an earlier one."""
    paths = [*root.glob("notebooks/*/*.ipynb"), *(root / name for name in COPIED_FILES)]
    paths += [p for p in root.glob("course_utils/**/*") if p.is_file() and "__pycache__" not in p.parts]
    names = {path.relative_to(root).as_posix(): path for path in paths}
    files = {name: path.read_bytes() for name, path in names.items() if is_in_bundle(name, only)}
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
    """May a class get this file? With `only`, notebooks of other lessons are left out too."""
    is_selected = not only or not name.startswith("notebooks/") or name.split("/")[1] in only
    return is_selected and not any(part in name for part in (INTERVIEW, *WITHHELD))


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
