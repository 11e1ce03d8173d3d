"""Where the programs go: into a notebook that uses the bug hunt, and nowhere that a class gets."""

from pathlib import Path

import course_utils
from autograder.publish.bundle import contents as bundled
from autograder.publish.embed import modules_for
from autograder.sandbox.host.code_zip import contents as sandboxed
from course_utils.practice.interview.hunt.files import names
from tests.lessons.conftest import ROOT


def test_a_notebook_that_uses_the_bug_hunt_carries_the_programs():
    package = Path(course_utils.__file__).parent
    with_it = modules_for("from course_utils import bug_hunt", package)
    assert set(names()) <= {path.stem for path in with_it if path.parent.name == "programs"}
    without = modules_for("from course_utils import check", package)
    assert not [path for path in without if path.parent.name == "programs"]


def test_neither_the_class_nor_the_sandbox_gets_them():
    for files in (bundled(ROOT), sandboxed()):
        assert "course_utils/check.py" in files
        assert not [name for name in files if "hunt" in name]
