"""The code that a sandboxed worker may see, as one zip in memory: course_utils without answers, and the worker itself."""
import io
import zipfile
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
EMPTY = {"autograder/__init__.py": "", "course_utils/standins.py": ""}  # imported there, but with nothing in them
INSIDE = ("__init__", "wire", "limits", "kernel", "seccomp", "usage", "isolate", "keeper", "shell", "runner", "warm", "warm_parent")


@cache
def parcel():
    """The zip's bytes."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, text in sorted(sources().items()):
            archive.writestr(name, text)
    return packed.getvalue()


def sources():
    """{path in the zip: text}. A list of what is let in: a new file is not, until it belongs here."""
    course = sorted((ROOT / "course_utils").rglob("*.py"))
    files = [*course, *(ROOT / "autograder" / "worker" / f"{name}.py" for name in INSIDE)]
    found = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in files}
    return {name: text for name, text in found.items() if "/answers/" not in name} | EMPTY
