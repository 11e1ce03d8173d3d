"""Pack the code that the sandbox sees into a zip: inside, shared, and course_utils without its answers."""

import io
import zipfile
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
COURSE = (
    "course_utils/**/*.py",
    "course_utils/models/*.npz",
    "course_utils/world/*.npz",
    "course_utils/diagnose/sentences.toml",
)
SANDBOX = tuple(f"autograder/sandbox/{name}" for name in ("__init__.py", "shared/*.py", "inside/*.py"))
EMPTIED = "autograder/__init__.py", "course_utils/standins.py"  # imported inside, so packed as empty files
LEFT_OUT = "/answers/", "/interview", "/bugs/", "/mock/"  # references and right programs are nearly answers


@cache
def code_zip():
    """Return the zip's bytes."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in sorted(contents().items()):
            archive.writestr(name, content)
    return packed.getvalue()


def contents():
    """Return {path in the zip: bytes} of the files that match COURSE or SANDBOX; no other file gets in."""
    files = {
        path.relative_to(ROOT).as_posix(): path for part in (*COURSE, *SANDBOX) for path in ROOT.glob(part)
    }
    names = [name for name in files if not any(part in name for part in LEFT_OUT)]
    return {name: files[name].read_bytes() for name in names} | dict.fromkeys(EMPTIED, b"")
