"""What grades: the version of the course, and a fingerprint of all that decides a lesson's scores.

By the fingerprint, grading is refused after edits without a build. It covers the points of the lesson's
cells, the files of its exercises (which import no other exercise), all files of the packages that draw
cases, observe and compare, and the test cells with their hidden tests.
"""

import hashlib
import re
import subprocess
import tomllib
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@cache
def version():
    """Return the course's version, with git's commit if this is a clone, such as "0.1.0, commit 1a2b3c4d"."""
    number = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    command = ["git", "-C", str(ROOT), "describe", "--always", "--dirty=, with edits", "--exclude", "*"]
    try:
        commit = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):  # no git, or no clone
        return number
    return f"{number}, commit {commit}"


ROOMS = "autograder/authoring", "course_utils/model", "course_utils/observe", "course_utils/compare"
CELL = re.compile(r"^(?=# %%)", re.M)


def built_from(points, modules, tests):
    """Return the fingerprint. points: {grade_id: points}; modules: of exercises; tests: see graded_cells."""
    files = {ROOT.joinpath(*module.split(".")).with_suffix(".py") for module in modules}
    files |= {path for room in ROOMS for path in (ROOT / room).rglob("*.py")}
    texts = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in files}
    decides = sorted(points.items()), sorted(texts.items()), tests
    return hashlib.sha256(repr(decides).encode()).hexdigest()[:12]


def graded_cells(lesson, root):
    """Return the graded cells of a lesson's source, with their metadata."""
    path = root / "solutions" / lesson / f"{lesson}.py"
    cells = CELL.split(path.read_text(encoding="utf-8")) if path.exists() else []
    return [cell.strip() for cell in cells if '"grade": true' in cell.partition("\n")[0]]
