"""groups.csv: the newest submission of a group counts, and all members get its grade and page."""

import json

import pytest

from autograder.gradebook.class_files import read_groups
from autograder.notes import texts_of
from autograder.refused import Refused
from tests.tools.points import full_marks
from tests.tools.school import LESSON, WRITTEN

EARLY, LATER = "2026-02-28 10:00:00 UTC", "2026-03-01 10:00:00 UTC"


@pytest.fixture
def east(write):
    """Make a group of ada, ben and cho."""
    write("groups.csv", "group,student", "east,ada", "east,ben", "east,cho")


def scores(outcomes):
    return {student: outcome.score and outcome.score.final for student, outcome in outcomes.items()}


def page(course, student):
    cells = json.loads((course / "autograded" / student / LESSON / f"{LESSON}.ipynb").read_text())["cells"]
    return [("".join(cell["source"]), cell.get("outputs")) for cell in cells]


def test_all_members_get_grade_and_page_of_the_newest_submission(course, grade, hand_in, east, ran):
    hand_in("ada", time=EARLY)
    hand_in("ben", time=LATER, words="half")
    hand_in("dan", time=EARLY)
    outcomes = grade()
    assert ran == ["ben", "dan"], "once for the whole group"
    half = full_marks() / 2
    assert scores(outcomes) == {"ada": half, "ben": half, "cho": half, "dan": full_marks()}
    assert page(course, "ada") == page(course, "ben") == page(course, "cho")
    sentence = "Handed in by ben for the group east (ada, ben, cho), who all get the same grade."
    assert sentence in page(course, "ada")[0][0]
    assert {o.state for o in grade().values()} == {"unchanged"}


def test_a_newer_submission_of_any_member_counts_but_not_an_empty_folder(course, grade, hand_in, east, ran):
    hand_in("ada", time=EARLY)
    (course / "submitted" / "ben" / LESSON).mkdir(parents=True)
    assert set(scores(grade()).values()) == {full_marks()}
    hand_in("cho", time=LATER, words="half")
    assert set(scores(grade()).values()) == {full_marks() / 2}
    assert ran == ["ada", "cho"]


def test_the_same_file_from_several_members_counts_at_its_first_time(grade, hand_in, east, due):
    hand_in("ada", time=EARLY)
    hand_in("ben", time="2026-03-09 10:00:00 UTC")
    assert set(scores(grade()).values()) == {full_marks()}
    hand_in("cho", words="half", time="2026-02-27 10:00:00 UTC")
    assert set(scores(grade()).values()) == {full_marks()}


def test_an_extension_or_a_choice_of_one_member_counts_for_the_group(grade, hand_in, east, extend, due):
    extend(f"cho,{LESSON},3,ill")
    hand_in("ada", "dan", time="2026-03-03 10:00:00 UTC")
    graded = dict.fromkeys(("ada", "ben", "cho"), full_marks())
    assert scores(grade(students=["cho"])) == {**graded, "dan": None}


def test_without_hand_in_times_a_person_chooses_the_groups_submission(grade, hand_in, east, ran):
    hand_in("ada", time=EARLY)
    hand_in("ben", words="half")
    outcomes = grade()
    assert ran == []
    assert {outcomes[student].state for student in ("ada", "ben", "cho")} == {"left"}
    assert texts_of(outcomes["cho"].notes) == [
        "The group east handed in different notebooks (ada, ben), and their times do not show which is "
        "newest: write the hand-in time of each into a timestamp.txt next to it, such as 2026-03-01 12:00:00 "
        "UTC, and grade again."
    ]
    hand_in("ben", time=LATER, words="half")
    assert set(scores(grade()).values()) == {full_marks() / 2}


def test_a_group_may_be_limited_to_one_lesson(grade, hand_in, write):
    lines = f"east,ada,{WRITTEN}", f"east,ben,{WRITTEN}", f"west,ada,{LESSON}"
    write("groups.csv", "group,student,lesson", *lines)
    hand_in("ada", time=EARLY)
    hand_in("ben", time=LATER, words="half")
    assert scores(grade()) == {"ada": full_marks(), "ben": full_marks() / 2}


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (["east,ada,", f"west,ada,{LESSON}"], f'line 3: "ada" is in the group "east" already, for {LESSON}'),
        (["east,ada,", "east,ada,"], 'line 3: "ada" is in the group "east" already'),
        (["east,,"], "line 2: student is empty"),
        ([",ada,"], "line 2: group is empty"),
        (["east,ada,99_no"], 'line 2: "99_no" is not a lesson of this course'),
    ],
)
def test_a_wrong_line_in_groups_csv_is_refused_in_a_sentence(tmp_path, lines, reason):
    (tmp_path / "groups.csv").write_text("\n".join(["group,student,lesson", *lines]))
    with pytest.raises(Refused, match=reason):
        read_groups(tmp_path)
