"""What decides how this machine grades: the course's files, the kept releases, Python and its libraries."""

import hashlib
import sys
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FILES = (  # all that grading reads, but the kept releases: grading adds to them
    "autograder/**/*.py",
    "course_utils/**/*.py",
    "course_utils/answers/*.json",
    "course_utils/models/**/*.npz",
    "notebooks/*/*.ipynb",
    "solutions/*/*.py",
)
LIBRARIES = "torch", "numpy"

OTHER_COURSE = "has another version of the course: bring both to the same commit, and start the worker anew"
OTHER_PYTHON = "has {} where this machine has {}: install the same"
NOT_KEPT = "has no release {} of {}: copy autograder/releases/kept/ there, and start the worker anew"


@dataclass(frozen=True)
class Machine:
    """course: fingerprint of FILES. releases: {(lesson, id of a release)}. programs: ("Python 3.11", ...)."""

    course: str
    releases: frozenset
    programs: tuple

    def lacks(self, other):
        """Why `other` would not grade as this one does, as the rest of a sentence; "" when it would."""
        if other.course != self.course:
            return OTHER_COURSE
        for ours, theirs in zip(self.programs, other.programs, strict=True):
            if ours != theirs:
                return OTHER_PYTHON.format(theirs, ours)
        missing = sorted(self.releases - other.releases)
        return NOT_KEPT.format(missing[0][1], missing[0][0]) if missing else ""


@cache
def this_machine():
    from autograder.releases import store  # it imports nbformat and all exercises

    now = {(lesson, release.id) for lesson, release in store.lessons().items()}
    python = f"Python {sys.version_info[0]}.{sys.version_info[1]}"
    libraries = [
        f"{name} {version(name).partition('+')[0]}" for name in LIBRARIES
    ]  # +cpu is no other release
    return Machine(fingerprint(ROOT), frozenset(store.kept_files().keys() - now), (python, *libraries))


def fingerprint(root):
    """Of the names and the bytes of FILES, in a fixed order."""
    paths, digest = {path for pattern in FILES for path in root.glob(pattern)}, hashlib.sha256()
    for path in sorted(paths):
        digest.update(f"{path.relative_to(root).as_posix()}\0{path.stat().st_size}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]
