"""groups.csv: the newest submission of a group counts, and all members get its grade and its page."""

import json

import pytest

from autograder.gradebook.class_files import read_groups
from autograder.refused import Refused
from tests.tools.points import full_marks
from tests.tools.school import LESSON, WRITTEN

EARLY, LATER = "2026-02-28 10:00:00 UTC", "2026-03-01 10:00:00 UTC"
EAST = "group,student", "east,ada", "east,ben", "east,cho"


def scores(outcomes):
    return {student: outcome.score and outcome.score.final for student, outcome in outcomes.items()}


def page(course, student):
    cells = json.loads((course / "autograded" / student / LESSON / f"{LESSON}.ipynb").read_text())["cells"]
    return [("".join(cell["source"]), cell.get("outputs")) for cell in cells]


def test_the_newest_counts_and_all_members_get_its_grade_and_page(course, grade, hand_in, write, ran):
    write("groups.csv", *EAST)
    hand_in("ada", EARLY)
    hand_in("ben", LATER, b"{} half")
    hand_in("dan", EARLY)
    outcomes = grade()
    assert ran == ["ben", "dan"], "once for the whole group"
    half = full_marks() / 2
    assert scores(outcomes) == {"ada": half, "ben": half, "cho": half, "dan": full_marks()}
    assert page(course, "ada") == page(course, "ben") == page(course, "cho")
    handed_in = "Handed in by ben for the group east (ada, ben, cho), who all get the same grade."
    assert handed_in in page(course, "ada")[0][0]
    assert {o.state for o in grade().values()} == {"unchanged"}


def test_a_newer_one_of_any_member_replaces_it(grade, hand_in, write, ran):
    write("groups.csv", *EAST)
    hand_in("ada", EARLY)
    grade()
    hand_in("cho", LATER, b"{} half")
    assert set(scores(grade()).values()) == {full_marks() / 2}
    assert ran == ["ada", "cho"]


def test_the_same_file_of_a_second_member_is_not_late(grade, hand_in, write, due):
    write("groups.csv", *EAST)
    hand_in("cho", "2026-02-27 10:00:00 UTC", b"{} half")
    hand_in("ada", EARLY)
    hand_in("ben", "2026-03-09 10:00:00 UTC")
    assert set(scores(grade()).values()) == {full_marks()}


def test_the_same_file_of_all_members_counts_from_the_first_time_on(grade, hand_in, write, due):
    write("groups.csv", *EAST)
    hand_in("ada", "2026-03-09 10:00:00 UTC")
    hand_in("ben", EARLY)
    assert set(scores(grade()).values()) == {full_marks()}


def test_an_extension_of_one_member_counts_for_the_group(grade, hand_in, write, due):
    write("groups.csv", *EAST)
    write("extensions.csv", "student,lesson,extension,reason", f"cho,{LESSON},3,ill")
    hand_in("ada", "2026-03-03 10:00:00 UTC")
    assert set(scores(grade()).values()) == {full_marks()}


def test_a_choice_that_times_do_not_make_is_left_to_a_person(grade, hand_in, write, ran):
    write("groups.csv", *EAST)
    hand_in("ada", EARLY)
    hand_in("ben", data=b"{} half")
    outcomes = grade()
    assert ran == []
    assert {outcomes[student].state for student in ("ada", "ben", "cho")} == {"left"}
    assert outcomes["cho"].notes == [
        "The group east handed in different notebooks (ada, ben), and their times do not show which is "
        "newest: write the hand-in time of each into a timestamp.txt beside it, such as 2026-03-01 12:00:00 "
        "UTC, and grade again."
    ]
    hand_in("ben", LATER, b"{} half")
    assert set(scores(grade()).values()) == {full_marks() / 2}


def test_an_empty_folder_of_one_member_does_not_count(course, grade, hand_in, write):
    write("groups.csv", *EAST)
    hand_in("ada", EARLY)
    (course / "submitted" / "ben" / LESSON).mkdir(parents=True)
    assert set(scores(grade()).values()) == {full_marks()}


def test_a_group_may_hold_for_one_lesson_alone(course, grade, hand_in, write, ran):
    write("groups.csv", "group,student,lesson", f"east,ada,{WRITTEN}", f"east,ben,{WRITTEN}")
    hand_in("ada", EARLY)
    hand_in("ben", LATER, b"{} half")
    assert scores(grade()) == {"ada": full_marks(), "ben": full_marks() / 2}
    assert read_groups(course).of("ada", WRITTEN) == ["ada", "ben"]


def test_grading_one_member_grades_the_group(grade, hand_in, write, ran):
    write("groups.csv", *EAST)
    hand_in("ada", EARLY)
    hand_in("dan", EARLY)
    assert scores(grade(students=["cho"])) == {
        **dict.fromkeys(("ada", "ben", "cho"), full_marks()),
        "dan": None,
    }


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        (["east,ada,", f"west,ada,{LESSON}"], f"line 3: 'ada' is in the group 'east' already, for {LESSON}"),
        (["east,ada,", "east,ada,"], "line 3: 'ada' is in the group 'east' already"),
        (["east,,"], "line 2: student is empty"),
        ([",ada,"], "line 2: group is empty"),
        (["east,ada,99_no"], "line 2: '99_no' is no lesson of this course"),
    ],
)
def test_a_student_in_two_groups_is_a_sentence(tmp_path, lines, says):
    (tmp_path / "groups.csv").write_text("\n".join(["group,student,lesson", *lines]))
    with pytest.raises(Refused) as refusal:
        read_groups(tmp_path)
    assert says in str(refusal.value)


def test_two_groups_in_different_lessons_are_no_contradiction(tmp_path):
    (tmp_path / "groups.csv").write_text(f"group,student,lesson\neast,ada,{LESSON}\nwest,ada,{WRITTEN}\n")
    groups = read_groups(tmp_path)
    assert (groups.names["ada", LESSON], groups.names["ada", WRITTEN]) == ("east", "west")
