"""make grade grades what is new in submitted/; what it cannot grade gets the reason in one sentence."""

import csv
import re
import unicodedata
from datetime import datetime

import pytest

from autograder.gradebook import class_run, command, submitted, writer
from autograder.gradebook.class_run import grade_class
from autograder.gradebook.class_table import write_class
from autograder.gradebook.standing import outcomes_now
from autograder.gradebook.submitted import TIME_UNKNOWN
from autograder.notes import LOOK, texts_of
from autograder.refused import Refused
from autograder.releases import store
from tests.autograder.conftest import InPickles, pretended
from tests.tools.points import full_marks
from tests.tools.school import LESSON, WRITTEN, new_course


def looks(outcome):
    return texts_of(outcome.notes, LOOK)


def test_a_submission_is_graded_once_and_again_after_a_change(course, hand_in, grade, ran, book):
    hand_in("ada")
    hand_in("ben", words="half")
    scores = {student: outcome.score.final for student, outcome in grade().items()}
    assert scores == {"ada": full_marks(), "ben": full_marks() / 2}
    outcomes = grade()
    assert ran == ["ada", "ben"]
    assert {o.state for o in outcomes.values()} == {"unchanged"}
    assert texts_of(outcomes["ben"].notes) == ["A note."]
    hand_in("ben")
    grade()
    assert ran[2:] == ["ben"]
    grade(regrade=True)
    assert ran[3:] == ["ada", "ben"]
    with book() as gradebook:
        assert len(gradebook.assignment_submissions(LESSON)) == 2
    hand_in("ada", lesson=WRITTEN)
    outcomes = grade(lessons=[WRITTEN], regrade=True)
    assert ran[5:] == ["ada"]
    assert outcomes["ada"].state == "unchanged"
    (course / "gradebook.db").unlink()
    grade()
    assert sorted(ran[6:]) == ["ada", "ada", "ben"], "a deleted gradebook is made anew"


def test_a_hand_in_time_written_later_counts_and_one_taken_away_waits(hand_in, grade, ran, book):
    def recorded_time():
        with book() as gradebook:
            return gradebook.find_submission(LESSON, "ada").timestamp

    file = hand_in("ada")
    grade()
    hand_in("ada", time="2026-03-01 13:00:00 UTC")
    assert grade()["ada"].state == "unchanged"
    assert recorded_time() == datetime(2026, 3, 1, 13)
    assert ran == ["ada"], "the notebook is the same"
    file.with_name("timestamp.txt").unlink()
    for _ in range(2):
        known = looks(grade()["ada"])
        assert known == [TIME_UNKNOWN.format("an earlier file was handed in at 2026-03-01 13:00:00 UTC")]
        assert recorded_time() is None
    assert ran == ["ada", "ada"]


@pytest.mark.parametrize(
    ("text", "is_time"),
    [
        ("2026-03-01 13:00:00 UTC", True),
        ("2026-03-01 13:00", True),
        *((text, False) for text in ("2026-03-01", "\0", "2" * 2000, "2026-03-01 13:00:00 /etc/localtime")),
    ],
)
def test_an_unreadable_hand_in_time_is_reported_to_a_person(course, hand_in, grade, text, is_time):
    """nbgrader, which reads the page's copy of the time, would open a path given as a time zone."""
    hand_in("ada", time=text)
    assert ("not a full date" in " ".join(looks(grade()["ada"]))) is not is_time
    assert (course / "autograded" / "ada" / LESSON / "timestamp.txt").exists() is is_time


def test_a_failed_write_of_scores_leaves_every_page_unchanged(course, hand_in, grade, monkeypatch):
    hand_in("ada", "ben")
    grade()
    pages = sorted((course / "autograded").rglob("*.ipynb"))
    last = pages[1].read_bytes()
    real, tries = writer.record, []

    def second_fails(*arguments):
        tries.append(arguments)
        if len(tries) == 2:
            raise OSError(28, "No space left on device", "a page")
        real(*arguments)

    monkeypatch.setattr(writer, "record", second_fails)
    why = r"^a page cannot be written: No space left on device\. Everything graded so far is kept"
    with pytest.raises(Refused, match=why):
        grade(regrade=True)
    assert sorted((course / "autograded").rglob("*.ipynb")) == pages
    assert pages[1].read_bytes() == last
    assert not (course / ".autograded.new").exists()


COMPOSED, DECOMPOSED = unicodedata.normalize("NFC", "josé ñuñez"), unicodedata.normalize("NFD", "zoë")


def test_misplaced_files_and_folders_are_reported_in_a_sentence(course, hand_in, grade, ran):
    names = ["ada", COMPOSED, DECOMPOSED, "o'brien", "李 (2), {0}"]
    hand_in(*names)
    (hand_in("zoe").parent / "/".join("a" * 25)).mkdir(parents=True)
    (hand_in("zz").parent / "a" / "b").mkdir(parents=True)
    folder = course / "submitted"
    files = {
        "loose.ipynb": submitted.OUTSIDE,
        "ben.rar": submitted.OUTSIDE,
        "ada/mine.ipynb": submitted.OUTSIDE,
        "class.zip": submitted.ZIP,
    }
    for name in ("ada/extra.txt", *files):
        (folder / name).write_text("{}")
    folders = {
        "no<b>name": submitted.NO_NAME,
        "a\tb": submitted.NO_NAME,
        "ada/99_unknown": submitted.NO_LESSON,
    }
    for name in folders:
        (folder / name / LESSON).mkdir(parents=True)
    links = {"link": submitted.IS_LINK, f"ada/{WRITTEN}": submitted.IS_LINK}
    for name in links:
        (folder / name).symlink_to("/etc")
    reasons = {place[0]: outcome.notes[0].text for place, outcome in grade().items() if place[1:] == ("",)}
    wanted = files | folders | links | {f"zoe/{LESSON}": submitted.TOO_DEEP}
    assert reasons == {name.replace("\t", "?"): why for name, why in wanted.items()}
    assert sorted(ran) == sorted([*names, "zz"]), "what can be printed is a name, whichever machine wrote it"


BESIDE = f'There are other notebooks next to {LESSON}.ipynb that were not graded: "a copy.ipynb".'
TWO = f'There are 2 notebooks and none is called {LESSON}.ipynb ("a.ipynb", "b.ipynb"): keep the one that '
TWO += "counts."
CHOICES = {
    "link": ([], [], "This is not a regular file: hand in the notebook itself."),
    "nothing": ([], [], f"There is no notebook in the folder: {LESSON}.ipynb is missing."),
    "renamed": (["my work"], [], f'The file is called "my work.ipynb": taken as {LESSON}.ipynb.'),
    "two": (["a", "b"], [], TWO),
    "beside": ([LESSON, "a copy"], [BESIDE], "A note."),
}


def test_the_notebook_that_counts_in_a_folder_is_chosen_or_the_doubt_is_reported(course, hand_in, grade):
    for student, (names, *_) in CHOICES.items():
        hand_in(student).unlink()
        for name in names:
            hand_in(student, name=f"{name}.ipynb")
    folder = course / "submitted" / "link" / LESSON
    (folder / f"{LESSON}.ipynb").symlink_to(course / "nbgrader_config.py")
    (course / "submitted" / "renamed" / LESSON / "data.txt").symlink_to(course / "nbgrader_config.py")
    outcomes = grade()
    for student, (_, for_a_person, note) in CHOICES.items():
        memory = outcomes[student].memory
        assert looks(outcomes[student]) == for_a_person
        assert note in texts_of(outcomes[student].notes)
        assert (memory["status"] == "rejected") is (student not in ("renamed", "beside"))
    page = course / "autograded" / "renamed" / LESSON
    assert [path.name for path in page.iterdir()] == [f"{LESSON}.ipynb"], "files beside it go nowhere"


def test_an_unknown_student_is_added_with_a_note_or_left_out_by_the_settings(
    course, hand_in, grade, ran, monkeypatch
):
    hand_in("ada")
    assert looks(grade()["ada"]) == []
    hand_in("adda")
    hand_in("ada", lesson=WRITTEN)
    with monkeypatch.context() as patch:
        patch.setattr(store, "refusal", lambda lesson: "Build it." if lesson == LESSON else "")
        outcomes = grade()
        assert (outcomes["adda"].state, texts_of(outcomes["adda"].notes)) == ("left", ["Build it."])
        assert outcomes["ada", WRITTEN].state == "new", "a lesson that was not built blocks no other"
    (note,) = looks(grade()["adda"])
    assert note.startswith("adda was not in the gradebook and was added")
    hand_in("eve")
    new_course(course, "c.Autograde.create_student = False")
    why = "The gradebook knows no student eve: `nbgrader db student add eve`, or rename the folder."
    assert texts_of(grade()["eve"].notes) == [why]
    assert "eve" not in ran


def test_interrupting_the_first_grading_makes_no_student_unknown(hand_in, grade, ran):
    hand_in("ada", "ben", "eve")

    def stop(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        grade(step=stop)
    before = len(ran)
    outcomes = grade()
    assert before < len(ran) < before + 3
    assert [*map(looks, outcomes.values())] == [[], [], []]


def test_a_submission_that_breaks_the_grader_does_not_stop_the_next(hand_in, grade, ran):
    for student, words in {"ada": "again", "ben": "breaks", "zoe": ""}.items():
        hand_in(student, words=words)
    outcomes = grade()
    assert outcomes["zoe"].score.final == full_marks()
    reason = '(ZeroDivisionError: "division by zero"), not the submission'
    assert reason in outcomes["ben"].notes[0].text
    assert {outcomes[student].state for student in ("ada", "ben")} == {"left"}
    grade()
    assert ran[3:] == ["ada", "ben"], "they are tried again"


def test_a_missing_sandbox_stops_grading_and_keeps_finished_scores(hand_in, grade, book):
    hand_in("ada")
    hand_in("ben", words="nobox")
    with pytest.raises(Refused, match="needs bubblewrap"):
        grade()
    with book() as gradebook:
        assert gradebook.find_submission(LESSON, "ada").score == full_marks()


def test_a_course_without_submissions_or_without_settings_is_refused(course, tmp_path, grade):
    with pytest.raises(Refused, match="There is nothing to grade in"):
        grade()
    with pytest.raises(Refused, match=r"There is no nbgrader_config\.py in"):
        grade_class(tmp_path, None)


def test_only_a_limited_number_of_submissions_is_queued_at_a_time(hand_in, grade, ran):
    backlog = []
    hand_in(*(f"student{number}" for number in range(9)))
    grade(room=lambda: 4, step=lambda done, total: backlog.append(len(ran) - done))
    assert max(backlog) == 3


def test_all_submissions_of_a_class_are_graded_with_one_seed(hand_in, grade):
    """All runs use the same seed, also with --regrade, until --seed sets another one, which then stays."""
    seeds, agree = [], lambda rows: True
    for choices in ({}, {"regrade": True}, {"regrade": True, "seed": 5, "consent": agree}, {"regrade": True}):
        hand_in("ada", "ben")
        seeds += [outcome.memory["seed"] for outcome in grade(**choices).values()]
    assert len(set(seeds[:4])) == 1
    assert seeds[4:] == [5] * 4 != seeds[:4]


def grade_mixed(submitted_file, seed, no_sandbox):
    """A fake grader that lets three exercises of one submission fail in different ways."""
    result = pretended(submitted_file, seed, no_sandbox)
    if submitted_file.student == "mixed":
        first, second, *_, last = result.exercises.values()
        first.ended, second.mistake, last.status = "took too long", None, "not_started"
    return result


def test_make_grade_prints_a_table_and_writes_grades_csv_in_every_run(
    course, hand_in, ran, monkeypatch, capsys
):
    monkeypatch.setattr(class_run, "grade_one", grade_mixed)
    monkeypatch.setattr(command, "ThreadPoolExecutor", lambda jobs: InPickles(ran))
    hand_in("ada", lesson=WRITTEN)
    hand_in("bad").unlink()
    hand_in("half", "mixed", words="half")
    assert command.run(course, 1, seed=7) == 0
    output, table = capsys.readouterr().out, (course / "grades.csv").read_text()
    half = re.escape(f"{full_marks() / 2:g} of {full_marks():g}")
    for line in (
        rf"half +01_masks +graded +{half} +softmax, create_causal_mask, .*: scale_missing *\n",
        r"bad +01_masks +rejected +- +There is no",
        r"ada +05_visualization +needs a person",
        r"half +05_visualization +not handed in +- ",
        "2 things wait for a person:",
        "4 graded in",
        f"The scores are in {course}/gradebook.db and grades.csv.",
        "drawn from seed 7;",
    ):
        assert re.search(line, output), output
    rows = {(row["student_id"], row["assignment"]): row for row in csv.DictReader(table.splitlines())}
    half, bad, absent = rows["half", LESSON], rows["bad", LESSON], rows["half", WRITTEN]
    assert float(half["score"]) == full_marks() / 2
    assert (half["softmax"], half["what_to_know"]) == ("1.0", "A note.")
    empty = dict.fromkeys(("score", "max_score", "raw_score", "softmax", "head_entropy"), "")
    assert bad.items() >= {**empty, "status": "rejected"}.items()
    assert absent.items() >= {**empty, "status": "not handed in"}.items()
    fates = rows["mixed", LESSON]["what_happened"].split("; ")
    wanted = ["not started", "took too long", "scale_missing", "wrong"]
    assert [fate.partition(": ")[2] for fate in fates] == wanted
    assert command.run(course, 1) == 0
    assert (course / "grades.csv").read_text() == table
    write_class(course / "grades.csv", outcomes_now(course))
    assert (course / "grades.csv").read_text() == table
