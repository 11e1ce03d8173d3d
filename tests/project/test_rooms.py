"""Each folder imports only folders that stand before it here: no circles, nothing upwards. A file beside the
folders counts as one of them."""

import ast
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COURSE = (
    "shapes source model models standins tiny_models observe compare diagnose show figures touch own yours "
    "practice wild hint check predict due progress"
)
GRADER = (
    "refused tables yes authoring exercises releases sandbox submission grading new publish cluster csv_file "
    "gradebook term exchange report similarity setup __main__"
)
ORDER = [*(f"course_utils.{name}" for name in COURSE.split()), "course_utils", "autograder"]
ORDER += [f"autograder.{name}" for name in GRADER.split()]
ORDER.insert(ORDER.index("autograder.new"), ORDER.pop(ORDER.index("autograder")))  # it offers `grade`
FILES = [
    file
    for package in ("course_utils", "autograder")
    for file in sorted((ROOT / package).rglob("*.py"))
    if not {"kept", "templates"} & set(file.parts)  # releases, and text for authors
]


def imported_by(file):
    """The names that a file imports, within functions too: `autograder.report.loose.run`."""
    package = file.relative_to(ROOT).parts[:-1]
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            start = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join([*start, *filter(None, [node.module])])
            yield from (f"{module}.{alias.name}" for alias in node.names)


def room_of(name):
    """`autograder.report` of `autograder.report.loose.run`; "" where a name is not ours."""
    package, *rest = name.split(".")
    room = ".".join([package, *rest[:1]])
    return room if room in ORDER else package if package in ORDER else ""


def upward(file):
    """The folders that a file imports, and that do not stand below its own."""
    own = room_of(".".join(file.relative_to(ROOT).with_suffix("").parts))
    rooms = {room_of(name) for name in imported_by(file)} - {"", own}
    return [room for room in rooms if ORDER.index(room) > ORDER.index(own)]


def test_every_file_imports_downwards():
    assert {file: upward(file) for file in FILES if upward(file)} == {}


def test_every_folder_has_a_place():
    folders = {
        room for file in FILES for room in [".".join(file.relative_to(ROOT).with_suffix("").parts[:2])]
    }
    assert {folder.removesuffix(".__init__") for folder in folders} == set(ORDER)


def test_an_import_upwards_is_found_within_a_function_too(tmp_path, monkeypatch):
    file = tmp_path / "autograder/report/page.py"
    file.parent.mkdir(parents=True)
    file.write_text(
        "def f():\n    from ..setup import demo\n    from . import plots\n    import autograder.tables\n"
    )
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    assert upward(file) == ["autograder.setup"]
