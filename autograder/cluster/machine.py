"""Tells whether two machines grade alike: the same course files, kept releases, Python and libraries."""

import hashlib
import sys
from functools import cache
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FILES = (  # all that grading reads, except the kept releases, which grading adds to
    "autograder/**/*.py",
    "course_utils/**/*.py",
    "course_utils/answers/*.json",
    "course_utils/**/*.npz",
    "notebooks/*/*.ipynb",
    "solutions/*/*.py",
)
COURSE, RELEASES = "course", "releases"
OTHER_COURSE = "has another version of the course: bring both to the same commit, and restart the worker"
OTHER_PROGRAM = "has {0} {2} where this machine has {0} {1}: install the same"
NOT_KEPT = "has no release {1} of {0}: copy autograder/releases/kept/ there, and restart the worker"


@cache
def this_machine():
    """{name: version} of the course (a fingerprint), Python and libraries. Under RELEASES, the kept earlier
    releases as {(lesson, id)}."""
    from autograder.releases import store  # it imports nbformat and all exercises

    programs = {"Python": f"{sys.version_info[0]}.{sys.version_info[1]}"}
    for name in ("torch", "numpy"):
        programs[name] = version(name).partition("+")[0]  # +cpu is not another version
    now = {(lesson, release.id) for lesson, release in store.lessons().items()}
    return {COURSE: fingerprint(ROOT), **programs, RELEASES: store.kept_files().keys() - now}


def why_unfit(own_facts, other_facts):
    """Why the other machine would grade differently, as the rest of a sentence; "" if it would not."""
    for name, own in own_facts.items():
        if name == RELEASES and own - other_facts[name]:
            return NOT_KEPT.format(*min(own - other_facts[name]))
        if name != RELEASES and own != other_facts[name]:
            return OTHER_COURSE if name == COURSE else OTHER_PROGRAM.format(name, own, other_facts[name])
    return ""


def fingerprint(root):
    """A hash of the names and contents of FILES, in a fixed order."""
    paths, digest = {path for pattern in FILES for path in root.glob(pattern)}, hashlib.sha256()
    for path in sorted(paths):
        digest.update(f"{path.relative_to(root).as_posix()}\0{path.stat().st_size}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]
