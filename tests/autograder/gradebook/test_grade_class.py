"""make grade: it grades what is new in submitted/, and says in one sentence what it cannot grade."""

import csv
import functools
import pickle
import re
import unicodedata
from concurrent.futures import Executor, Future, ThreadPoolExecutor

import pytest

from autograder.gradebook import class_run, command, submitted, writer
from autograder.gradebook.class_run import grade_class
from autograder.gradebook.class_table import write_class
from autograder.gradebook.standing import outcomes_now
from autograder.gradebook.submitted import read_student_folder, small_files, time_in
from autograder.gradebook.threads import map_ahead
from autograder.grading.graded import GradedSubmission
from autograder.refused import Refused
from autograder.releases import store
from autograder.sandbox.host.warm_process import SandboxUnavailable
from tests.tools.points import full_marks
from tests.tools.school import LESSON, WRITTEN, gradebook, graded, new_course, submit


class InPickles(Executor):
    """Runs at once, but all that goes in and comes out travels as bytes: as to another machine."""

    def __init__(self):
        self.seen = []

    def submit(self, action, item):
        future = Future()
        try:
            action, item = pickle.loads(pickle.dumps((action, item)))
            self.seen.append(item.student)
            future.set_result(pickle.loads(pickle.dumps(action(item))))
        except Exception as error:
            future.set_exception(error)
        return future


def pretended(submitted, seed, no_sandbox):
    """In the place of the grader."""
    if submitted.reason:
        return GradedSubmission.rejected(submitted.reason, seed)
    if submitted.student == "breaks":
        raise ZeroDivisionError("division\nby zero")
    if submitted.student == "nobox":
        raise SandboxUnavailable("The sandbox needs bubblewrap: apt install bubblewrap.")
    if submitted.student == "again":
        return GradedSubmission.rejected("The sandbox broke: grade it again.", seed, retry=True)
    share = 0.5 if submitted.student == "half" or submitted.data.endswith(b" ") else 1.0
    return graded(submitted.lesson, share, {"what_may_one_conclude": "This."}, notes=["A note."])


@pytest.fixture(autouse=True)
def no_worker(monkeypatch):
    monkeypatch.setattr(class_run, "grade_one", pretended)


def grade(course, **choices):
    executor = InPickles()
    return {(o.student, o.lesson): o for o in grade_class(course, executor, **choices)}, executor.seen


def test_each_is_graded_once_and_a_changed_one_again(course):
    for student in ("ada", "half"):
        submit(course, student)
    outcomes, seen = grade(course)
    assert seen == ["ada", "half"]
    assert {student: o.score.final for (student, _), o in outcomes.items()} == {
        "ada": full_marks(),
        "half": full_marks() / 2,
    }
    outcomes, seen = grade(course)
    assert seen == []
    assert {o.state for o in outcomes.values()} == {"unchanged"}
    assert outcomes["half", LESSON].notes == ["A note."]
    submit(course, "half", data=b"{}")
    assert grade(course)[1] == ["half"]
    assert grade(course, regrade=True)[1] == ["ada", "half"]
    with gradebook(course) as book:
        assert len(book.assignment_submissions(LESSON)) == 2
    (course / "gradebook.db").unlink()
    assert grade(course)[1] == ["ada", "half"], "a deleted gradebook is made anew"


def test_one_that_turns_out_to_be_late_or_in_time_is_graded_again(course):
    beside = submit(course, "ada").with_name("timestamp.txt")
    grade(course)
    beside.write_text("2026-03-01 13:00:00 UTC")
    assert grade(course)[1] == ["ada"]
    assert grade(course)[1] == []
    beside.unlink()
    assert grade(course)[1] == ["ada"]
    with gradebook(course) as book:
        assert book.find_submission(LESSON, "ada").timestamp is None


@pytest.mark.parametrize(
    "text", ["2026-03-01 13:00:00 UTC", "2026-03-01 13:00", "2026-03-01", "\0", "2" * 2000]
)
def test_a_time_that_cannot_be_read_is_told_to_a_person(course, text):
    beside = submit(course, "ada").with_name("timestamp.txt")
    beside.write_text(text)
    is_time = text.startswith("2026-03-01 ")
    sentences = " ".join(read_student_folder("ada", LESSON, beside.parent).for_a_person)
    assert ("not a full date" in sentences) is not is_time
    assert bool(small_files(beside.parent)) is is_time


@pytest.mark.parametrize(
    "zone", ["{file}", ":{file}", "/proc/self/cwd/zone", "../../../..{file}", "Europe/../../../../..{file}"]
)
def test_a_time_zone_opens_no_file(course, monkeypatch, zone):
    """nbgrader's own way to read a time opens a zone that is a path, whatever lies there."""
    beside = submit(course, "ada").with_name("timestamp.txt")
    file = beside.with_name("zone")
    file.touch()
    monkeypatch.chdir(file.parent)
    time = f"2026-03-01 13:00:00 {zone.format(file=file)}"
    opened = []
    monkeypatch.setattr("dateutil.tz.tz.tzfile", lambda path, *rest: opened.append(path))
    assert time_in(time.encode()) is None
    assert opened == []


def test_scores_that_cannot_be_written_leave_every_page_where_it_was(course, monkeypatch):
    submit(course, "ada")
    submit(course, "ben")
    grade(course)
    pages = sorted((course / "autograded").rglob("*.ipynb"))
    last = pages[1].read_bytes()
    real, tries = writer.record, []

    def second_fails(*arguments):
        tries.append(arguments)
        if len(tries) == 2:
            raise OSError(28, "No space left on device")
        real(*arguments)

    monkeypatch.setattr(writer, "record", second_fails)
    with pytest.raises(Refused, match="No space left"):
        grade(course, regrade=True)
    assert sorted((course / "autograded").rglob("*.ipynb")) == pages
    assert pages[1].read_bytes() == last


def test_only_the_lessons_that_are_asked_for(course):
    submit(course, "ada")
    submit(course, "ada", WRITTEN)
    outcomes, seen = grade(course, lessons=[WRITTEN])
    assert seen == ["ada"]
    assert {lesson: outcome.state for (_, lesson), outcome in outcomes.items()} == {
        LESSON: "left",
        WRITTEN: "new",
    }


def test_what_lies_elsewhere_is_told_in_a_sentence(course):
    submit(course, "ada")
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
    outcomes, seen = grade(course)
    assert seen == ["ada"]
    left_out = {place: o.notes[0] for (place, lesson), o in outcomes.items() if not lesson}
    assert left_out == {name.replace("\t", "?"): why for name, why in (files | folders | links).items()}


def test_folders_in_folders_without_end_are_not_gone_through(course):
    submit(course, "ada")
    (submit(course, "zoe").parent / "/".join("a" * 25)).mkdir(parents=True)
    (submit(course, "zz").parent / "a" / "b").mkdir(parents=True)
    outcomes, seen = grade(course)
    assert seen == ["ada", "zz"]
    assert outcomes[f"zoe/{LESSON}", ""].notes == [submitted.TOO_DEEP]


def test_what_can_be_printed_is_a_name_whichever_machine_wrote_it(course):
    names = {
        unicodedata.normalize("NFC", "josé ñuñez"),
        unicodedata.normalize("NFD", "zoë"),
        "o'brien",
        "李 (2), {0}",
    }
    for name in names:
        submit(course, name)
    outcomes = grade_class(course, ThreadPoolExecutor(1))
    assert {(outcome.student, outcome.state) for outcome in outcomes} == {(name, "new") for name in names}


BESIDE = f"There are other notebooks beside {LESSON}.ipynb that were not graded: a copy.ipynb."
TWO = f"There are 2 notebooks and none is called {LESSON}.ipynb (a.ipynb, b.ipynb): keep the one that counts."
CHOICES = {
    "link": ([], [], "This is not a regular file: hand in the notebook itself."),
    "nothing": ([], [], f"There is no notebook in the folder: {LESSON}.ipynb is missing."),
    "renamed": (["my work"], [], f"The file is called my work.ipynb: taken as {LESSON}.ipynb."),
    "two": (["a", "b"], [], TWO),
    "beside": ([LESSON, "a copy"], [BESIDE], ""),
}


def test_which_file_of_a_folder_counts(course):
    for student, (names, *_) in CHOICES.items():
        submit(course, student).unlink()
        for name in names:
            submit(course, student, name=f"{name}.ipynb")
    folder = course / "submitted" / "link" / LESSON
    (folder / f"{LESSON}.ipynb").symlink_to(course / "nbgrader_config.py")
    (course / "submitted" / "renamed" / LESSON / "data.txt").symlink_to(course / "nbgrader_config.py")
    outcomes, _ = grade(course)
    for student, (_, for_a_person, note) in CHOICES.items():
        outcome = outcomes[student, LESSON]
        assert outcome.memory["for_a_person"] == for_a_person
        assert note in [*outcome.notes, ""]
        rejected = student not in ("renamed", "beside")
        assert (outcome.memory["status"] == "rejected") is rejected
    page = course / "autograded" / "renamed" / LESSON
    assert [path.name for path in page.iterdir()] == [f"{LESSON}.ipynb"], "files beside it go nowhere"


def test_an_unknown_student_is_entered_and_told_about(course, monkeypatch):
    submit(course, "ada")
    assert grade(course)[0]["ada", LESSON].memory["for_a_person"] == []
    submit(course, "adda")
    with monkeypatch.context() as unbuilt:
        unbuilt.setattr(store, "refusal", lambda lesson: "Run `make notebooks`.")
        assert grade(course)[0]["adda", LESSON].state == "left"
    (note,) = grade(course)[0]["adda", LESSON].memory["for_a_person"]
    assert note.startswith("adda was not in the gradebook and was added")


def test_a_new_course_that_is_stopped_and_started_again_has_no_unknown_students(course):
    for student in ("ada", "ben", "eve"):
        submit(course, student)

    def stop(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        grade(course, step=stop)
    outcomes, seen = grade(course)
    assert 0 < len(seen) < 3
    assert [outcome.memory["for_a_person"] for outcome in outcomes.values()] == [[], [], []]


def test_an_unknown_student_is_left_out_when_the_course_says_so(course):
    submit(course, "ada")
    new_course(course, "c.Autograde.create_student = False")
    outcomes, seen = grade(course)
    assert seen == []
    assert outcomes["ada", LESSON].notes == [
        "The gradebook knows no student ada: `nbgrader db student add ada`, or rename the folder."
    ]


def test_one_that_breaks_the_grader_does_not_stop_the_next(course):
    for student in ("again", "breaks", "zoe"):
        submit(course, student)
    outcomes, _ = grade(course)
    assert outcomes["zoe", LESSON].score.final == full_marks()
    says = "(ZeroDivisionError: division?by zero), which says nothing about the submission"
    assert says in outcomes["breaks", LESSON].notes[0]
    assert {outcomes[s, LESSON].state for s in ("again", "breaks")} == {"left"}
    assert grade(course)[1] == ["again", "breaks"], "they are tried again"


def test_without_a_sandbox_it_says_why_and_keeps_what_was_graded(course):
    for student in ("ada", "nobox"):
        submit(course, student)
    with pytest.raises(Refused, match="needs bubblewrap"):
        grade(course)
    with gradebook(course) as book:
        assert book.find_submission(LESSON, "ada").score == full_marks()


def test_nothing_to_grade_and_no_course_are_told(course, tmp_path):
    with pytest.raises(Refused, match="There is nothing to grade in"):
        grade(course)
    with pytest.raises(Refused, match=r"There is no nbgrader_config\.py in"):
        grade(tmp_path)


def test_only_so_many_are_handed_over_at_a_time():
    class Slow(Executor):
        def submit(self, action, item):
            waiting.append(item)
            future = Future()
            future.set_result(action(item))
            return future

    waiting, most = [], []
    for item, result in map_ahead(Slow(), lambda n: n * n, iter(range(1, 100)), room=lambda: 4):
        assert result == item * item
        waiting.remove(item)
        most.append(len(waiting))
    assert max(most) == 3


def test_a_class_is_graded_with_one_seed(course, monkeypatch):
    """In every run, also in one with --regrade, unless --seed gives another one, which then stays."""
    drawn = []
    monkeypatch.setattr(class_run, "grade_one", functools.partial(noting, drawn))
    for choices in ({}, {"regrade": True}, {"regrade": True, "seed": 5}, {"regrade": True}):
        for student in ("ada", "ben"):
            submit(course, student)
        grade_class(course, ThreadPoolExecutor(1), **choices)
    assert len(set(drawn[:4])) == 1
    assert drawn[4:] == [5] * 4


def noting(drawn, handed, seed, no_sandbox):
    drawn.append(seed)
    return pretended(handed, seed, no_sandbox)


@pytest.fixture
def in_this_process(monkeypatch):
    monkeypatch.setattr(command, "ThreadPoolExecutor", lambda jobs: InPickles())


@pytest.mark.usefixtures("in_this_process")
def test_the_command_prints_a_table_a_list_and_writes_grades(course, capsys):
    for student in ("ada", "half"):
        submit(course, student)
    submit(course, "ada", WRITTEN)
    submit(course, "bad", data=b"")
    (course / "submitted" / "bad" / LESSON / f"{LESSON}.ipynb").unlink()
    assert command.run(course, 1, seed=7) == 0
    printed = capsys.readouterr().out
    full, half = f"{full_marks():g}", re.escape(f"{full_marks() / 2:g}")
    assert re.search(
        rf"half +01_masks +graded +{half} of {full} +softmax, create_causal_mask, .*: scale_missing\n",
        printed,
    )
    assert re.search(r"bad +01_masks +rejected +- +There is no", printed)
    assert re.search(r"ada +05_visualization +needs a person", printed)
    assert re.search(r"half +05_visualization +not handed in +- ", printed)
    assert "2 things wait for a person:" in printed
    assert "4 graded in" in printed
    assert f"The scores are in {course}/gradebook.db and grades.csv." in printed
    assert "drawn from seed 7;" in printed
    with open(course / "grades.csv", newline="") as file:
        rows = {(row["student_id"], row["assignment"]): row for row in csv.DictReader(file)}
    half, bad, absent = rows["half", LESSON], rows["bad", LESSON], rows["half", WRITTEN]
    assert float(half["score"]) == full_marks() / 2
    assert (half["softmax"], half["what_to_know"]) == ("1.0", "A note.")
    assert half["what_happened"].endswith(": scale_missing")
    for row, status in ((bad, "rejected"), (absent, "not handed in")):
        assert row["status"] == status
        empty = ("score", "max_score", "raw_score", "softmax", "head_entropy")
        assert {row[name] for name in empty} == {""}


def mixed(submitted, seed, no_sandbox):
    """In the place of the grader: something else goes wrong in each exercise."""
    result = graded(share=0.5)
    first, second, *_, last = result.exercises.values()
    first.ended, second.mistake, last.status = "took too long", None, "not_started"
    return result


@pytest.mark.usefixtures("in_this_process")
def test_a_second_run_writes_the_same_table(course, monkeypatch):
    monkeypatch.setattr(class_run, "grade_one", mixed)
    submit(course, "ada")
    written = []
    for _ in range(2):
        assert command.run(course, 1) == 0
        written.append((course / "grades.csv").read_text())
    write_class(course / "grades.csv", outcomes_now(course))
    assert written == [(course / "grades.csv").read_text()] * 2
    (row,) = csv.DictReader(written[0].splitlines())
    fates = [what.partition(": ")[2] for what in row["what_happened"].split("; ")]
    assert fates == ["not started", "took too long", "scale_missing", "wrong"]
