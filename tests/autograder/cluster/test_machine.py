"""Two machines grade alike, or one sentence says what differs."""

import pytest

from autograder.cluster.machine import fingerprint, this_machine, why_unfit

OURS = {"course": "abc", "Python": "3.11", "torch": "2.13.0", "releases": {("01_masks", "f00")}}


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"course": "other"}, "has another version of the course"),
        ({"releases": set()}, "has no release f00 of 01_masks"),
        ({"Python": "3.12"}, "has Python 3.12 where this machine has Python 3.11"),
        ({"torch": "2.9.0"}, "has torch 2.9.0 where this machine has torch 2.13.0"),
    ],
)
def test_each_difference_is_named_but_a_release_more(changes, why):
    assert why_unfit(OURS, OURS | changes).startswith(why)
    assert why_unfit(OURS, OURS | {"releases": {("01_masks", "f00"), ("01_masks", "f01")}}) == ""
    assert why_unfit(this_machine(), this_machine()) == ""


READ = "autograder/grading/judge.py", "course_utils/answers/softmax.json", "notebooks/a/a.ipynb"
NOT_READ = "autograder/releases/kept/01_masks/f00.json", "submitted/ada/a.ipynb", "README.md"


@pytest.mark.parametrize("name", READ + NOT_READ)
def test_the_fingerprint_changes_with_what_grading_reads_and_not_with_a_kept_release_or_a_class(
    tmp_path, name
):
    for there in READ + NOT_READ:
        (tmp_path / there).parent.mkdir(parents=True, exist_ok=True)
        if there in READ:
            (tmp_path / there).write_text(there)
    before = fingerprint(tmp_path)
    (tmp_path / name).write_text("something else")
    assert (fingerprint(tmp_path) != before) == (name in READ)
