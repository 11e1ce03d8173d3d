"""Where the programs go: into a notebook that uses the bug hunt, and nowhere that a class gets."""

from autograder.publish.bundle import contents as bundled
from autograder.sandbox.host.code_zip import contents as sandboxed
from tests.lessons.conftest import ROOT


def test_neither_the_class_nor_the_sandbox_gets_them():
    for files in (bundled(ROOT), sandboxed()):
        assert "course_utils/check.py" in files
        assert not [name for name in files if "hunt" in name]
