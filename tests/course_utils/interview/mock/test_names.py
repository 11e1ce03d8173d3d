"""The names of part 8, as a learner imports them, in any order."""

import subprocess
import sys

NAMES = """
from course_utils import mock_interview
from course_utils import interview
print(type(interview).__name__, type(mock_interview).__name__)
"""


def test_one_name_does_not_hide_another_one():
    """`interview` is a module too: importing it for one name must not put it in the place of the function."""
    done = subprocess.run([sys.executable, "-c", NAMES], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["Interviewer", "MockInterview"]
