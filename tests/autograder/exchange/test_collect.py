"""collect: what an LMS gave lies where nbgrader looks for it, the newest of each, and nothing is lost."""

import errno
import itertools
import multiprocessing
import os
import shutil
import signal
import unicodedata
from pathlib import Path

import pytest
from nbgrader.api import Gradebook

from autograder.csv_file import CsvFile
from autograder.exchange import collect, store
from autograder.gradebook.submitted import read_student_folder
from autograder.setup.sample_class import as_bytes, saved_by_colab, solved
from tests.autograder.exchange.made_up import (
    CLASS,
    LESSON,
    SECOND,
    canvas_files,
    canvas_gradebook,
    canvas_name,
    moodle_folder,
    notebook,
    table,
    zip_of,
)
from tests.tools.school import copy_of

ADA, TURING = CLASS[0], CLASS[11]


@pytest.fixture
def place(tmp_path):
    """Writes {name: bytes} as a zip, or bytes as a file, beside the course."""

    def write(content, name="class.zip"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(zip_of(content) if isinstance(content, dict) else content)
        return path

    return write


def submitted(course, student, lesson=LESSON):
    return read_student_folder(student, lesson, course / "submitted" / student / lesson)


def everything(course):
    """{path: bytes} of all that was collected."""
    files = [*(course / "submitted").rglob("*"), *(course / store.BEFORE).rglob("*")]
    return {path.relative_to(course).as_posix(): path.read_bytes() for path in files if path.is_file()}


def notebooks(course):
    """As everything, the notebooks alone."""
    return {path: data for path, data in everything(course).items() if path.endswith(".ipynb")}


def students(course):
    with Gradebook(f"sqlite:///{course}/gradebook.db", "attention") as book:
        return {s.id: (s.first_name, s.last_name, s.email, s.lms_user_id) for s in book.students}


def run(course, *places, **choices):
    return collect.run(course, places, **{"yes": True} | choices)


def test_a_class_from_canvas(course, place, capsys):
    files = canvas_files()
    files[canvas_name(*ADA[:2], "101", 8000, "01_masks-1.ipynb", late=True)] = notebook("resubmitted")
    files[canvas_name(*ADA[:2], "101", 8001, "essay.pdf")] = b"%PDF"
    files["paulpeter_999_8002_01_masks.ipynb"] = notebook("a stranger")
    roster, zipped = place(canvas_gradebook(), "roster.csv"), place(files)
    assert run(course, zipped, roster=roster) == 1, "three wait"
    strange, late = (
        "paulpeter_999_8002_01_masks.ipynb",
        canvas_name(*ADA[:2], "101", 8000, "01_masks-1.ipynb", late=True),
    )
    assert {row["file"] for row in open_rows(course)} == {strange, late, canvas_name(*ADA[:2], "101", 7000)}
    decide(course, {late: "al1"})
    assert run(course, zipped, roster=roster) == 1, "one waits"
    for _, _, login, _ in CLASS[1:]:
        assert submitted(course, login).data == notebook(login)
    assert submitted(course, "al1").data == notebook("resubmitted")
    assert students(course)["al1"] == ("Ada", "Lovelace", None, "101")
    assert len(students(course)) == len(CLASS)
    printed = capsys.readouterr().out
    assert (
        "14 notebooks: 1 new; 11 already there; 1 not copied, as another version counts; 1 doubtful."
        in printed
    )
    assert "new, late, the LMS does not say when" in printed
    assert "1 file, lovelaceada_101_8001_essay.pdf" in printed
    assert strange in printed.rpartition("Doubtful:")[2]


def rows_of(path):
    heading, *rows = CsvFile(path).rows
    return [dict(zip(heading, row, strict=True)) for row in rows]


def all_rows(course):
    return rows_of(course / "collect.csv")


def open_rows(course):
    """The lines of collect.csv that nobody has decided on."""
    return [row for row in all_rows(course) if not row["student"]]


def test_collecting_again_changes_nothing(course, place, capsys):
    roster, files = place(canvas_gradebook(), "roster.csv"), place(canvas_files())
    assert run(course, files, roster=roster) == 0
    before = everything(course)
    assert run(course, files, roster=roster) == 0
    assert everything(course) == before
    assert "12 notebooks: 12 already there." in capsys.readouterr().out


def test_without_a_roster_the_gradebook_knows_the_class(course, place):
    assert run(course, place(canvas_files()), roster=place(canvas_gradebook(), "roster.csv")) == 0
    later = {
        canvas_name(last, first, number, 9000 + int(number), "x.ipynb"): notebook(login, SECOND)
        for last, first, login, number in CLASS
    }
    assert run(course, place(later, "later.zip")) == 0
    assert all(submitted(course, login, SECOND).data == notebook(login, SECOND) for _, _, login, _ in CLASS)


def test_with_nobody_known_all_are_new_and_the_next_lesson_finds_them(course, place):
    assert run(course, place(canvas_files())) == 0
    assert (course / "submitted" / "lovelaceada_101" / LESSON).is_dir()
    assert {"smithjohn_108", "smithjohn_109"} < students(course).keys()
    second = {canvas_name(*ADA[:2], "101", 9000, "x.ipynb"): notebook("second", SECOND)}
    assert run(course, place(second, "second.zip")) == 0
    assert submitted(course, "lovelaceada_101", SECOND).data == notebook("second", SECOND)


@pytest.mark.parametrize("new", [False, True])
def test_a_class_from_moodle(course, place, tmp_path, new):
    heading = ["First name", "Last name", "Username", "Email address"]
    people = [[first, last, login, f"{login}@uni.edu"] for last, first, login, _ in CLASS if login != "js2"]
    roster = table([heading, *people])
    files = {
        f"{moodle_folder(first, last, 5000 + n, new)}/01_masks.ipynb": notebook(login)
        for n, (last, first, login, _) in enumerate(CLASS)
        if login != "js2"
    }
    files[f"{moodle_folder('Ada', 'Lovelace', 5000, new)}/notes.txt"] = b"hello"
    assert run(course, place(files), roster=place(roster, "roster.csv")) == 0
    assert submitted(course, "pob").data == notebook("pob")
    assert students(course)["jm7"] == ("Jürgen", "Müller", "jm7@uni.edu", None)
    unpacked = tmp_path / "unpacked"
    shutil.unpack_archive(tmp_path / "class.zip", unpacked)
    before = everything(course)
    assert run(course, unpacked) == 0
    assert everything(course) == before


def test_the_inbound_folder_of_nbgraders_exchange(course, tmp_path):
    inbound = tmp_path / "inbound"
    for time, note in (("2026-03-01 12:00:00.5", "first"), ("2026-03-02 08:00:00.0", "second")):
        folder = inbound / f"ada+{LESSON}+{time} UTC+a-_{note}"
        folder.mkdir(parents=True)
        (folder / f"{LESSON}.ipynb").write_bytes(notebook(note))
        (folder / "timestamp.txt").write_text(f"{time} UTC")
        (folder / "submission_secret.txt").write_text(f"secret {note}")
    assert run(course, inbound) == 0
    ada = submitted(course, "ada")
    assert ada.data == notebook("second")
    assert f"{ada.time:%Y-%m-%d %H:%M}" == "2026-03-02 08:00"
    assert ada.small_files["submission_secret.txt"] == b"secret second"


def test_what_nbgrader_downloaded_and_a_folder_of_anything(course, tmp_path, place):
    place(
        {canvas_name(*ADA[:2], "101", 700): notebook("ada")}, f"downloaded/{LESSON}/archive/submissions.zip"
    )
    place(notebook("turing"), "downloaded/Alan Turing/solution.ipynb")
    place(notebook("pat"), "downloaded/Pat O'Brien/01_masks (1).ipynb")
    roster = place(canvas_gradebook(), "roster.csv")
    assert run(course, tmp_path / "downloaded", roster=roster) == 0
    assert [submitted(course, s).data for s in ("al1", "at", "pob")] == [
        notebook("ada"),
        notebook("turing"),
        notebook("pat"),
    ]


def test_what_is_replaced_is_kept(course, place):
    files = [place({canvas_name(*ADA[:2], "101", n): notebook(n)}, f"{n}.zip") for n in (700, 701)]
    assert run(course, files[0]) == 0
    own = course / "submitted" / "lovelaceada_101" / LESSON / "remark.txt"
    own.write_text("by hand")
    assert run(course, files[1]) == 0
    assert submitted(course, "lovelaceada_101").data == notebook(701)
    (saved,) = (course / store.BEFORE / "lovelaceada_101" / LESSON).iterdir()
    assert (saved / f"{LESSON}.ipynb").read_bytes() == notebook(700)
    assert (saved / "remark.txt").read_text() == "by hand"


def test_without_numbers_what_was_collected_before_is_older(course, place):
    folder = moodle_folder("Ada", "Lovelace", 5)
    files = [place({f"{folder}/a.ipynb": notebook(n)}, f"{n}.zip") for n in (1, 2)]
    for file in (*files, files[0]):
        assert run(course, file) == 0
    assert submitted(course, "Ada Lovelace").data == notebook(2)


def test_the_notebook_says_which_lesson_it_is(course, place):
    name = canvas_name(*ADA[:2], "101", 700, "01_masks.ipynb")
    assert run(course, place({name: notebook("x", SECOND)})) == 0
    assert submitted(course, "lovelaceada_101", SECOND).data == notebook("x", SECOND)


def test_another_lesson_than_expected_is_doubtful(course, place):
    name = canvas_name(*ADA[:2], "101", 700, "01_masks.ipynb")
    assert run(course, place({name: notebook("x", SECOND)}), lesson=LESSON) == 1
    assert everything(course) == {}
    (row,) = open_rows(course)
    assert row["why"] == "it is a notebook of 02_split_concat"


def test_a_broken_notebook_is_collected_by_its_name(course, place):
    broken = notebook()[:500]
    files = {
        canvas_name(*ADA[:2], "101", 700): broken,
        canvas_name(*TURING[:2], "112", 701, "x.ipynb"): broken,
    }
    assert run(course, place(files)) == 1
    assert submitted(course, "lovelaceada_101").data == broken
    (row,) = open_rows(course)
    assert row["why"] == "it does not say which one lesson it is: give --lesson"
    assert run(course, place(files), lesson=LESSON) == 0


def test_two_lessons_in_the_name_of_a_broken_notebook_are_doubtful(course, place):
    name = canvas_name(*ADA[:2], "101", 700, "01_masks and 02_split_concat.ipynb")
    assert run(course, place({name: b"{"})) == 1
    assert open_rows(course)[0]["why"] == "it does not say which one lesson it is: give --lesson"


def test_two_files_of_which_none_is_newer_are_doubtful(course, place):
    folder = moodle_folder("Ada", "Lovelace", 5)
    files = place({f"{folder}/{name}.ipynb": notebook(name) for name in ("a", "b")})
    assert run(course, files) == 1
    assert everything(course) == {}
    rows = open_rows(course)
    why = "several notebooks of 01_masks for Ada Lovelace: nothing says which counts, or they are of several"
    assert [row["why"] for row in rows] == [f"{why} people"] * 2
    decide(course, {rows[1]["file"]: "Ada Lovelace"}, new=True)
    assert run(course, files) == 0
    assert submitted(course, "Ada Lovelace").data == notebook("b")


def test_the_same_file_twice_is_no_doubt(course, place):
    folder = moodle_folder("Ada", "Lovelace", 5)
    assert run(course, place({f"{folder}/{name}.ipynb": notebook() for name in ("a", "b")})) == 0


def test_two_people_who_look_like_one_are_doubtful(course, place):
    roster = place(table([["id", "name"], ["js", "John Smith"]]), "roster.csv")
    files = {
        canvas_name("Smith", "John", number, 700 + n): notebook(n) for n, number in enumerate(("108", "109"))
    }
    assert run(course, place(files), roster=roster) == 1
    assert everything(course) == {}
    assert "or they are of several people" in open_rows(course)[0]["why"]


def test_a_decision_on_one_of_two_says_nothing_of_the_other(course, place):
    roster = place(table([["id", "name"], ["js", "John Smith"]]), "roster.csv")
    names = [canvas_name("Smith", "John", number, 700 + n) for n, number in enumerate(("108", "109"))]
    files = place({name: notebook(name) for name in names})
    assert run(course, files, roster=roster) == 1
    decide(course, {names[0]: "js"})
    assert run(course, files, roster=roster) == 1
    assert submitted(course, "js").data == notebook(names[0]), "although the other one is newer"
    assert [row["file"] for row in open_rows(course)] == [names[1]]


def test_a_decision_on_one_participant_of_two_lets_the_other_wait(course, place):
    roster = place(table([["id", "name"], ["js", "John Smith"]]), "roster.csv")
    folders = [moodle_folder("John", "Smith", number) for number in (5, 6)]
    files = place({f"{folder}/x.ipynb": notebook(folder) for folder in folders})
    assert run(course, files, roster=roster) == 1
    assert everything(course) == {}
    decide(course, {f"{folders[0]}/x.ipynb": "js"})
    assert run(course, files, roster=roster) == 1
    assert submitted(course, "js").data == notebook(folders[0])
    assert [row["file"] for row in open_rows(course)] == [f"{folders[1]}/x.ipynb"]


def test_what_cannot_be_read_is_listed_and_makes_the_run_fail(course, place, tmp_path, capsys):
    assert run(course, place(canvas_files() | {"ada_1_700_work.zip": b"PK"})) == 1
    assert len(notebooks(course)) == 12
    assert "ada_1_700_work.zip\n    this is a zip file in what was handed in" in capsys.readouterr().out
    decide(course, {"ada_1_700_work.zip": "-"})
    assert run(course, tmp_path / "class.zip") == 0


def decide(course, students, new=False):
    """Fill in collect.csv as an instructor does, in a spreadsheet that writes semicolons."""
    rows = all_rows(course)
    for row in rows:
        student = students.get(row["file"], row["student"])
        row["student"] = f"new: {student}" if new and student else student
    text = table([rows[0], *(row.values() for row in rows)], ";", "utf-8-sig")
    (course / "collect.csv").write_bytes(text)


def test_the_list_is_filled_in_and_the_same_command_goes_on(course, place):
    strangers = {f"person{n}_{n}_70{n}_01_masks.ipynb": notebook(n) for n in range(4)}
    roster, files = place(canvas_gradebook(), "roster.csv"), place(strangers)
    assert run(course, files, roster=roster) == 1
    keys = [row["file"] for row in open_rows(course)]
    decide(course, {keys[0]: "al1", keys[1]: "new: late comer", keys[2]: "-"})
    assert run(course, files, roster=roster) == 1
    assert submitted(course, "al1").data == notebook(0)
    assert submitted(course, "late comer").data == notebook(1)
    assert [row["file"] for row in open_rows(course)] == [keys[3]], "what was left out is no longer asked"


def test_what_was_left_out_is_not_asked_about_again_until_it_changes(course, place, capsys):
    roster, name = place(canvas_gradebook(), "roster.csv"), "person_1_701_01_masks.ipynb"
    files = place({name: notebook(1)})
    assert run(course, files, roster=roster) == 1
    decide(course, {name: "-"})
    downloaded_again = place({name: notebook(1)}, "class (1).zip")
    for again in (files, downloaded_again):
        assert run(course, again, roster=roster) == 0
        assert "left out, as you decided" in capsys.readouterr().out
    assert run(course, place({name: notebook(2)}, "later.zip"), roster=roster) == 1, "another file"
    decide(course, {name: "al1"})
    assert run(course, files, roster=roster) == 0
    assert submitted(course, "al1").data == notebook(1)


def test_canvas_number_is_learnt_from_a_decision(course, place):
    roster = place(table([["id", "name"], ["ada", "Ada King"]]), "roster.csv")
    first = place({canvas_name(*ADA[:2], "101", 700): notebook()})
    assert run(course, first, roster=roster) == 1
    decide(course, {open_rows(course)[0]["file"]: "ada"})
    assert run(course, first, roster=roster) == 0
    second = {canvas_name(*ADA[:2], "101", 900, "x.ipynb"): notebook("", SECOND)}
    assert run(course, place(second, "second.zip")) == 0


@pytest.mark.parametrize(
    ("student", "message"),
    [("nobody", "'nobody' is no known id"), ("new: a/b", "'new: a/b' is no known id")],
)
def test_a_slip_in_the_list_is_said_and_nothing_copied(course, place, capsys, student, message):
    roster, files = place(canvas_gradebook(), "roster.csv"), place({"person_1_700_a.ipynb": notebook()})
    assert run(course, files, roster=roster) == 1
    (row,) = all_rows(course)
    row["student"] = student
    (course / "collect.csv").write_bytes(table([list(row), list(row.values())]))
    assert run(course, files, roster=roster) == 1
    assert f"line 2: {message}" in capsys.readouterr().err
    assert everything(course) == {}


def test_an_empty_folder_with_a_roster_enters_the_class(course, place, tmp_path, capsys):
    empty = tmp_path / "empty"
    empty.mkdir()
    assert run(course, empty) == 1, "nothing to do is rather a slip in the folder's name"
    assert "0 notebooks: there is none here." in capsys.readouterr().out
    assert run(course, empty, roster=place(canvas_gradebook(), "roster.csv")) == 0
    assert "Of the roster's 12, new in the gradebook 12: al1, pob" in capsys.readouterr().out
    assert len(students(course)) == len(CLASS)
    for no_place in (tmp_path / "misspelt", place({"essay.pdf": b"%PDF"}, "essays.zip")):
        assert run(course, no_place, roster=tmp_path / "roster.csv") == 1


def test_who_of_the_roster_handed_nothing_in_is_named(course, place, capsys):
    files = {name: data for name, data in canvas_files().items() if not name.startswith(("turing", "müller"))}
    assert run(course, place(files), roster=place(canvas_gradebook(), "roster.csv")) == 0
    assert "Of 12 on the roster, 2 missing: jm7, at" in capsys.readouterr().out


def test_the_courses_own_folders_are_no_place(course, place, capsys):
    assert run(course, place(canvas_files())) == 0
    before = everything(course)
    for own in (course, course.parent, course / "submitted", course / "submitted" / "turingalan_112"):
        assert run(course, own) == 1
    assert everything(course) == before
    assert capsys.readouterr().err.count("the course's own submitted/") == 4


def test_new_ids_of_the_exchange_are_sure_however_alike(course, tmp_path):
    for student in ("student1", "student12"):
        folder = tmp_path / "inbound" / f"{student}+{LESSON}+2026-03-01 12:00:00 UTC"
        folder.mkdir(parents=True)
        (folder / f"{LESSON}.ipynb").write_bytes(notebook(student))
        assert run(course, tmp_path / "inbound") == 0
    assert submitted(course, "student12").data == notebook("student12")


def test_one_student_has_one_folder_however_the_name_is_encoded(course, place):
    for form, lesson in (("NFD", LESSON), ("NFC", SECOND)):
        name = unicodedata.normalize(form, moodle_folder("Jürgen", "Müller", 5))
        assert run(course, place({f"{name}/x.ipynb": notebook("", lesson)}, f"{form}.zip")) == 0
    (folder,) = (course / "submitted").iterdir()
    assert folder.name == unicodedata.normalize("NFC", "Jürgen Müller")


def test_a_notebook_of_colab_without_the_courses_metadata(course, place):
    colab = as_bytes(saved_by_colab(solved(SECOND)))
    assert run(course, place({canvas_name(*ADA[:2], "101", 700, "copy of untitled.ipynb"): colab})) == 0
    assert submitted(course, "lovelaceada_101", SECOND).data == colab


def test_a_full_disk_is_one_sentence_and_a_second_run_ends_it(course, place, capsys, monkeypatch):
    def full(row, place):
        raise OSError(errno.ENOSPC, "No space left on device", "submitted")

    with monkeypatch.context() as only_here:
        only_here.setattr(store, "files_of", full)
        assert run(course, place(canvas_files())) == 1
    assert "the disk is full" in capsys.readouterr().err
    assert everything(course) == {}
    assert run(course, place(canvas_files())) == 0
    assert len(notebooks(course)) == 12


def test_a_dry_run_changes_nothing(course, place, capsys):
    before = sorted(path for path in course.rglob("*"))
    files = canvas_files() | {"x_1_700_y.ipynb": notebook()}
    assert run(course, place(files), roster=place(canvas_gradebook(), "roster.csv"), dry_run=True) == 0
    assert sorted(path for path in course.rglob("*")) == before
    assert students(course) == {}
    printed = capsys.readouterr().out
    assert "12 new; 1 doubtful" in printed
    assert "Nothing was copied: --dry-run." in printed


def test_without_a_terminal_and_without_yes_nothing_is_copied(course, place, capsys):
    assert run(course, place(canvas_files()), yes=False) == 1
    assert everything(course) == {}
    assert "add --yes" in capsys.readouterr().out


def test_a_name_that_cannot_be_an_id_is_doubtful(course, place):
    files = {f"{moodle_folder('A' * 200, 'B', 5)}/01_masks.ipynb": notebook(), ".hidden/x.ipynb": notebook()}
    files[f"{moodle_folder('Ann <b>', 'C', 6)}/01_masks.ipynb"] = notebook()
    assert run(course, place(files)) == 1
    assert everything(course) == {}
    assert len(open_rows(course)) == 2


def test_a_formula_in_a_name_stays_a_text_in_the_list(course, place):
    place(notebook(), "=in/=cmd()/=x.ipynb")
    place(canvas_gradebook(), "roster.csv")
    choices = {"roster": course.parent / "roster.csv"}
    assert run(course, course.parent / "=in", **choices) == 1
    (row,) = open_rows(course)
    assert all(not text.startswith(("=", "+", "-", "@")) for text in row.values())
    decide(course, {row["file"]: "al1"})
    assert run(course, course.parent / "=in", **choices) == 0
    assert submitted(course, "al1").data == notebook()


def test_a_link_in_submitted_is_not_written_through(course, place, tmp_path, capsys):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (course / "submitted").mkdir()
    (course / "submitted" / "lovelaceada_101").symlink_to(elsewhere)
    assert run(course, place(canvas_files())) == 1
    assert list(elsewhere.iterdir()) == []
    assert "links are not followed" in capsys.readouterr().out
    assert submitted(course, "turingalan_112").data == notebook("at")


@pytest.mark.parametrize("kill_at", range(1, 9))
def test_a_run_that_is_killed_ends_the_same_when_it_is_run_again(course, place, tmp_path, kill_at):
    """Killed at each of the eight steps by which two notebooks take the places of two others."""
    first = {canvas_name(*who[:2], who[3], 700 + n): notebook(n) for n, who in enumerate(CLASS[:2])}
    again = {canvas_name(*who[:2], who[3], 900 + n): notebook(f"new {n}") for n, who in enumerate(CLASS[:2])}
    assert run(course, place(first, "first.zip")) == 0
    other = copy_of(course, tmp_path / "other")
    zipped = place(again, "again.zip")
    assert run(course, zipped) == 0
    child = multiprocessing.get_context("fork").Process(target=run_killed, args=(kill_at, other, zipped))
    child.start()
    child.join()
    assert child.exitcode == -signal.SIGKILL
    assert run(other, zipped) == 0
    assert contents_without_times(other) == contents_without_times(course)
    assert not (other / "submitted" / store.UNFINISHED).exists()


def contents_without_times(course):
    """What lies in submitted/, and all versions of submitted_before/, whatever their times."""
    result = everything(course)
    before = sorted(data for path, data in result.items() if path.startswith(store.BEFORE))
    return {path: data for path, data in result.items() if path.startswith("submitted/")}, before


def run_killed(steps, course, zipped):
    """Collect, and be killed before this step of those that change the disk."""
    left = itertools.count(steps, -1)

    def killing(function):
        def step(*args, **named):
            if next(left) == 1:
                os.kill(os.getpid(), signal.SIGKILL)
            return function(*args, **named)

        return step

    store.os.replace, Path.write_bytes = killing(os.replace), killing(Path.write_bytes)
    run(course, zipped)


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"lesson": "03"}, "03 is no lesson of this course"),
        ({"roster": "none.csv"}, "none.csv: The file cannot be read (No such file or directory).\n"),
    ],
)
def test_refusals_are_one_sentence(course, place, capsys, choices, message):
    assert run(course, place(canvas_files()), **choices) == 1
    error = capsys.readouterr().err
    assert message in error
    assert "Traceback" not in error


def test_a_folder_without_a_course_is_said(tmp_path, place, capsys):
    assert run(tmp_path, place(canvas_files())) == 1
    assert "There is no nbgrader_config.py" in capsys.readouterr().err


def for_a_person(course, student):
    return " ".join(submitted(course, student).for_a_person)


def test_what_canvas_calls_late_without_a_time_is_asked_for(course, place):
    assert run(course, place({canvas_name(*ADA[:2], "101", 700, late=True): notebook(1)})) == 0
    assert 'Its timestamp.txt says "LATE", not a full date' in for_a_person(course, "lovelaceada_101")


def test_a_time_that_a_new_version_does_not_have_is_asked_for(course, place):
    files = [place({canvas_name(*ADA[:2], "101", n): notebook(n)}, f"{n}.zip") for n in (700, 701)]
    assert run(course, files[0]) == 0
    time = "2026-03-02 08:00:00 UTC"
    (course / "submitted" / "lovelaceada_101" / LESSON / "timestamp.txt").write_text(time)
    assert run(course, files[1]) == 0
    assert submitted(course, "lovelaceada_101").data == notebook(701)
    assert f'says "unknown; an earlier file: {time}"' in for_a_person(course, "lovelaceada_101")


def test_a_roster_with_new_people_needs_a_yes(course, place, tmp_path, capsys):
    nothing = tmp_path / "nothing"
    nothing.mkdir()
    first = place(table([["id", "name"], ["ada", "Ada King"]]), "first.csv")
    other = place(table([["id", "name"], ["al1", "Ada Lovelace"], ["at", "Alan Turing"]]), "other.csv")
    assert run(course, nothing, roster=first) == 0
    assert run(course, nothing, roster=other, yes=False) == 1
    assert "new in the gradebook 2: al1, at. If it has them under other ids" in capsys.readouterr().out
    assert students(course).keys() == {"ada"}
    assert run(course, nothing, roster=other) == 0
    assert students(course).keys() == {"ada", "al1", "at"}
