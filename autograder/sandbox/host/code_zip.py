"""What a sandboxed worker may see, as one zip in memory: course_utils with its models and without answers, and the worker itself."""

import io
import zipfile
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
EMPTY = {
    "autograder/__init__.py": "",
    "course_utils/standins.py": "",
}  # imported there, but with nothing in them
SANDBOX = ("__init__.py", "shared/*.py", "inside/*.py")


@cache
def parcel():
    """The zip's bytes."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in sorted(contents().items()):
            archive.writestr(name, content)
    return packed.getvalue()


def contents():
    """{path in the zip: bytes}. A list of what is let in: a new file is not, until it belongs here."""
    course = ROOT / "course_utils"
    files = [
        *course.rglob("*.py"),
        *course.glob("models/*.npz"),
        *(path for pattern in SANDBOX for path in (ROOT / "autograder" / "sandbox").glob(pattern)),
    ]
    found = {path.relative_to(ROOT).as_posix(): path.read_bytes() for path in files}
    return {name: content for name, content in found.items() if "/answers/" not in name} | EMPTY
