"""A folder imports only folders that come before it in ORDER, so there are no cycles."""

import ast

from tests.conftest import ROOT
from tests.tools.imports import imported_by

COURSE = (
    "shapes source former model models standins world tiny_models observe compare diagnose show figures "
    "touch own yours practice wild hint check predict due progress"
)
GRADER = (
    "notes refused tables yes authoring exercises forms releases sandbox submission grading new publish "
    "cluster csv_file gradebook exchange report similarity setup author __main__"
)
ORDER = [*(f"course_utils.{name}" for name in COURSE.split()), "course_utils", "autograder"]
ORDER += [f"autograder.{name}" for name in GRADER.split()]
# the package exports `grade`
ORDER.insert(ORDER.index("autograder.new"), ORDER.pop(ORDER.index("autograder")))
FILES = [
    file
    for package in ("course_utils", "autograder")
    for file in sorted((ROOT / package).rglob("*.py"))
    if not {"kept", "templates"} & set(file.parts)  # stored releases, and templates for authors
]


def room_of(name):
    """`autograder.report` of `autograder.report.loose.run`; "" for a name from outside the course."""
    package, *rest = name.split(".")
    room = ".".join([package, *rest[:1]])
    return room if room in ORDER else package if package in ORDER else ""


def module_of(file):
    return ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def upward(module, text):
    """The folders that a program imports, even inside functions, but that come after its own in ORDER."""
    module_room, names = room_of(module), []
    for node in ast.walk(ast.parse(text)):
        package_first = isinstance(node, ast.ImportFrom)  # its first name is the package itself
        names += imported_by(node, module)[package_first:]
    rooms = {*map(room_of, names)} - {"", module_room}
    return [room for room in rooms if ORDER.index(room) > ORDER.index(module_room)]


def test_every_module_imports_only_earlier_folders():
    texts = {module_of(file): file.read_text(encoding="utf-8") for file in FILES}
    assert {name: upward(name, text) for name, text in texts.items() if upward(name, text)} == {}
    assert {".".join(name.split(".")[:2]) for name in texts} == set(ORDER), "every folder has a place"
