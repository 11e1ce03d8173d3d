"""Two machines grade alike, or one sentence says what differs."""

from pathlib import Path

import pytest

from autograder.cluster.machine import Machine, fingerprint, this_machine

OURS = Machine("abc", frozenset({("01_masks", "f00")}), ("Python 3.11", "torch 2.13.0"))


def test_a_machine_lacks_nothing_of_itself():
    assert this_machine().lacks(this_machine()) == ""


@pytest.mark.parametrize(
    ("theirs", "why"),
    [
        (Machine("other", OURS.releases, OURS.programs), "has another version of the course"),
        (Machine("abc", frozenset(), OURS.programs), "has no release f00 of 01_masks"),
        (
            Machine("abc", OURS.releases, ("Python 3.12", "torch 2.13.0")),
            "has Python 3.12 where this machine has Python 3.11",
        ),
        (
            Machine("abc", OURS.releases, ("Python 3.11", "torch 2.9.0")),
            "has torch 2.9.0 where this machine has torch 2.13.0",
        ),
    ],
)
def test_each_difference_is_named(theirs, why):
    assert OURS.lacks(theirs).startswith(why)


def test_a_release_more_is_no_difference():
    assert OURS.lacks(Machine("abc", OURS.releases | {("01_masks", "f01")}, OURS.programs)) == ""


@pytest.fixture
def course(tmp_path):
    for name in ("autograder/grading/judge.py", "course_utils/answers/softmax.json", "notebooks/a/a.ipynb"):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text(name)
    return tmp_path


@pytest.mark.parametrize(
    "name", ["autograder/grading/judge.py", "course_utils/answers/softmax.json", "notebooks/a/a.ipynb"]
)
def test_the_fingerprint_changes_with_what_grading_reads(course, name):
    before = fingerprint(course)
    Path(course, name).write_text("something else")
    assert fingerprint(course) != before


@pytest.mark.parametrize(
    "name", ["autograder/releases/kept/01_masks/f00.json", "submitted/ada/a.ipynb", "README.md"]
)
def test_the_fingerprint_does_not_change_with_a_kept_release_or_a_class(course, name):
    before = fingerprint(course)
    Path(course, name).parent.mkdir(parents=True, exist_ok=True)
    Path(course, name).write_text("{}")
    assert fingerprint(course) == before
