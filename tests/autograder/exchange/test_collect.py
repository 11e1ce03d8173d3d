"""collect puts an LMS's files where nbgrader looks for them, one notebook per student and lesson, and loses
none."""

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
from autograder.refused import Refused
from autograder.setup.sample_class import as_bytes, saved_by_colab, solved
from tests.autograder.exchange.made_up import (
    CLASS,
    LESSON,
    SECOND,
    canvas_files,
    canvas_gradebook,
    canvas_name,
    files_of_the_page,
    moodle_folder,
    notebook,
    table,
    zip_of,
)
from tests.tools.school import copy_of, submitted

ADA, TURING = CLASS[0], CLASS[11]
SMITH = table([["id", "name"], ["js", "John Smith"]])
SMITHS = [canvas_name(who, 700 + n) for n, who in enumerate(CLASS[7:9])]
TWINS = [f"{moodle_folder('John', 'Smith', number)}/x.ipynb" for number in (5, 6)]
STRANGER = "person_1_701_01_masks.ipynb"


@pytest.fixture
def place(tmp_path):
    """place(content, name) writes {name: bytes} as a zip, or bytes as a file, next to the course."""

    def write(content, name="class.zip"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(zip_of(content) if isinstance(content, dict) else content)
        return path

    return write


@pytest.fixture
def roster(place):
    """Canvas' export of the class, as a file."""
    return place(canvas_gradebook(), "roster.csv")


def run(course, *places, **choices):
    return collect.run(course, places, **{"yes": True} | choices)


def refused(course, *places, **choices):
    """The sentence that explains the refusal."""
    with pytest.raises(Refused) as reason:
        run(course, *places, **choices)
    return str(reason.value)


def everything(course):
    """{path: bytes} of all files in submitted/ and of all earlier versions."""
    files = [*(course / "submitted").rglob("*"), *(course / store.BEFORE).rglob("*")]
    return {path.relative_to(course).as_posix(): path.read_bytes() for path in files if path.is_file()}


def collected(course):
    """{student/lesson: bytes of the notebook}"""
    paths = (course / "submitted").glob("*/*/*.ipynb")
    return {f"{path.parent.parent.name}/{path.stem}": path.read_bytes() for path in paths}


def students(course):
    with Gradebook(f"sqlite:///{course}/gradebook.db", "attention") as book:
        return {s.id: (s.first_name, s.last_name, s.email, s.lms_user_id) for s in book.students}


def lines(course):
    """The rows of collect.csv, as [{column: text}]."""
    heading, *rows = CsvFile(course / "collect.csv").rows
    return [dict(zip(heading, row, strict=True)) for row in rows]


def open_files(course):
    """{file: reason} for the files that still need a decision."""
    return {line["file"]: line["why"] for line in lines(course) if not line["student"]}


def decide(course, decisions):
    """Fill in collect.csv as an instructor does, with a spreadsheet that writes semicolons."""
    rows = [line | {"student": decisions.get(line["file"], line["student"])} for line in lines(course)]
    text = table([rows[0], *(row.values() for row in rows)], ";", "utf-8-sig")
    (course / "collect.csv").write_bytes(text)


# ---- a class from each source


def test_a_class_from_canvas(course, place, roster, capsys):
    files = canvas_files()
    ada, late = canvas_name(ADA, 7000), canvas_name(ADA, 8000, "x-1.ipynb", late=True)
    files |= {late: notebook("late"), canvas_name(ADA, 8001, "essay.pdf"): b"%PDF"}
    zipped = place(files | {STRANGER: notebook("a stranger")})
    assert run(course, zipped, roster=roster) == 1
    assert collected(course) == {f"{login}/{LESSON}": notebook(login) for _, _, login, _ in CLASS[1:]}
    assert open_files(course).keys() == {ada, late, STRANGER}, "nothing says which of Ada's two counts"
    assert students(course)["al1"] == ("Ada", "Lovelace", None, "101")
    assert len(students(course)) == len(CLASS)
    decide(course, {late: "al1", STRANGER: "-"})
    assert run(course, zipped, roster=roster) == 0
    assert collected(course)[f"al1/{LESSON}"] == notebook("late")
    printed = capsys.readouterr().out
    assert "14 notebooks: 11 new; 3 doubtful." in printed
    counts = "1 new; 11 already there; 1 not copied, as another version counts; 1 left out, as you decided."
    assert f"14 notebooks: {counts}" in printed
    assert "new, late, the LMS does not say when" in printed
    assert "1 file, lovelaceada_101_8001_essay.pdf" in printed
    before = everything(course)
    assert run(course, zipped) == 0, "without a roster the gradebook knows the class"
    assert everything(course) == before


def test_with_nobody_known_all_are_new_and_the_next_lesson_finds_them(course, place):
    assert run(course, place(canvas_files())) == 0
    assert {"smithjohn_108", "smithjohn_109", "lovelaceada_101"} < students(course).keys()
    colab = as_bytes(saved_by_colab(solved(SECOND)))  # without the course's metadata
    assert run(course, place({canvas_name(ADA, 9000, "copy of untitled.ipynb"): colab})) == 0
    assert collected(course)[f"lovelaceada_101/{SECOND}"] == colab


def test_a_class_from_moodle(course, place, tmp_path):
    people = [who for who in CLASS if who[2] != "js2"]
    files = files_of_the_page(people)
    roster = place(files["participants.csv"], "roster.csv")
    assert run(course, place(files["moodle.zip"], "moodle.zip"), roster=roster) == 0
    assert collected(course) == {f"{login}/{LESSON}": notebook(login) for _, _, login, _ in people}
    assert students(course)["jm7"] == ("Jürgen", "Müller", "jm7@uni.edu", None)
    shutil.unpack_archive(tmp_path / "moodle.zip", tmp_path / "unpacked")
    before = everything(course)
    assert run(course, tmp_path / "unpacked") == 0
    assert everything(course) == before


def test_the_inbound_folder_of_nbgraders_exchange(course, tmp_path):
    for student, day, note in (("ada", 1, "first"), ("ada", 2, "second"), ("ada2", 1, "other")):
        folder = tmp_path / "inbound" / f"{student}+{LESSON}+2026-03-0{day} 08:00:00.5 UTC+a-_{note}"
        folder.mkdir(parents=True)
        (folder / f"{LESSON}.ipynb").write_bytes(notebook(note))
        (folder / "timestamp.txt").write_text(f"2026-03-0{day} 08:00:00.5 UTC")
        (folder / "submission_secret.txt").write_text(f"secret {note}")
    assert run(course, tmp_path / "inbound") == 0
    assert collected(course) == {f"ada/{LESSON}": notebook("second"), f"ada2/{LESSON}": notebook("other")}
    ada = submitted(course, "ada")
    assert f"{ada.time:%Y-%m-%d %H:%M}" == "2026-03-02 08:00"
    assert ada.small_files["submission_secret.txt"] == b"secret second"
    shutil.rmtree(tmp_path / "inbound" / f"ada+{LESSON}+2026-03-02 08:00:00.5 UTC+a-_second")
    assert run(course, tmp_path / "inbound") == 0
    assert submitted(course, "ada").data == notebook("second"), "an earlier time replaces nothing"


def test_what_nbgrader_downloaded_and_a_folder_of_anything(course, tmp_path, place, roster, capsys):
    place({canvas_name(ADA): notebook("ada")}, f"downloaded/{LESSON}/archive/submissions.zip")
    place(notebook("turing"), "downloaded/Alan Turing/solution.ipynb")
    place(notebook("pat"), "downloaded/Pat O'Brien/01_masks (1).ipynb")
    assert run(course, tmp_path / "downloaded", roster=roster) == 0
    assert "Of 12 on the roster, 9 missing: jm7, ams, " in capsys.readouterr().out
    expected = {"al1": "ada", "at": "turing", "pob": "pat"}
    assert collected(course) == {f"{student}/{LESSON}": notebook(note) for student, note in expected.items()}


# ---- versions and lessons


def test_a_later_download_replaces_and_what_was_there_is_kept(course, place):
    """There is one folder per student, however the name is encoded."""
    names = [unicodedata.normalize(form, "Jürgen Müller") for form in ("NFD", "NFC")]
    folders = [f"{name}_5_assignsubmission_file_" for name in names]
    files = [place({f"{path}/a.ipynb": notebook(n)}, f"{n}.zip") for n, path in enumerate(folders)]
    assert run(course, files[0]) == 0
    (course / "submitted" / names[1] / LESSON / "remark.txt").write_text("by hand")
    assert run(course, files[1]) == 0
    assert collected(course) == {f"{names[1]}/{LESSON}": notebook(1)}
    (saved,) = (course / store.BEFORE / names[1] / LESSON).iterdir()
    assert (saved / f"{LESSON}.ipynb").read_bytes() == notebook(0)
    assert (saved / "remark.txt").read_text() == "by hand"
    before = everything(course)
    for again in files:
        assert run(course, again) == 0
    assert everything(course) == before, "what was replaced once replaces nothing"


def test_the_notebook_says_which_lesson_it_is_and_a_broken_ones_name(course, place):
    either = "01_masks or 02_split_concat.ipynb"
    rests = {ADA: "01_masks.ipynb", TURING: "x.ipynb", CLASS[1]: either, CLASS[4]: "01_masks.ipynb"}
    names = [canvas_name(who, rest=rest) for who, rest in rests.items()]
    broken, second = notebook()[:500], notebook("x", SECOND)
    files = place(dict(zip(names, (b"", broken, broken, second), strict=True)))
    assert run(course, files) == 1
    before = everything(course)
    assert set(collected(course).values()) == {b"", second}
    which = "it does not say which lesson it is: give --lesson"
    assert open_files(course) == dict.fromkeys(names[1:3], which)
    assert run(course, files) == 1
    assert everything(course) == before
    shutil.rmtree(course / "submitted")
    assert run(course, files, lesson=LESSON) == 1
    assert open_files(course)[names[3]] == "it is a notebook of 02_split_concat"
    assert set(collected(course).values()) == {b"", broken}


# ---- doubts and decisions


@pytest.mark.parametrize("note", ["same", None])
@pytest.mark.parametrize(("names", "decided"), [(SMITHS, 0), (SMITHS, 1), (TWINS, 0)])
def test_two_people_who_look_like_one_wait_and_a_decision_on_one_says_nothing_of_the_other(
    course, place, names, decided, note
):
    roster, files = place(SMITH, "roster.csv"), place({name: notebook(note or name) for name in names})
    assert run(course, files, roster=roster) == 1
    assert everything(course) == {}
    assert "or they belong to several people" in open_files(course)[names[0]]
    decide(course, {names[decided]: "js"})
    for _ in range(2):
        assert run(course, files, roster=roster) == 1
        assert collected(course) == {f"js/{LESSON}": notebook(note or names[decided])}
        assert open_files(course).keys() == {names[1 - decided]}
    decide(course, {names[1 - decided]: "-"})
    assert run(course, files, roster=roster) == 0


def test_canvas_number_is_learnt_and_somebody_elses_is_a_doubt_from_then_on(course, place):
    roster = place(SMITH, "roster.csv")
    name = "johnny_108_700_x.ipynb"
    assert run(course, place({name: notebook(1)}), roster=roster) == 1
    decide(course, {name: "js"})
    assert run(course, place({name: notebook(1)}), roster=roster) == 0
    assert students(course)["js"][3] == "108"
    assert run(course, place({"jo_108_9000_x.ipynb": notebook("", SECOND)})) == 0
    assert run(course, place({SMITHS[1]: notebook(2)}), roster=roster) == 1
    assert collected(course) == {f"js/{LESSON}": notebook(1), f"js/{SECOND}": notebook("", SECOND)}


def test_of_two_files_from_one_student_the_decision_names_the_one_that_counts(course, place):
    names = [f"{moodle_folder('Ada', 'Lovelace')}/{name}.ipynb" for name in ("a", "b")]
    files = place({name: notebook(name) for name in names})
    assert run(course, files) == 1
    assert everything(course) == {}
    why = "several notebooks of 01_masks for Ada Lovelace: nothing says which one counts, or they belong to"
    assert open_files(course) == dict.fromkeys(names, f"{why} several people")
    decide(course, dict.fromkeys(names, "new: Ada Lovelace"))
    assert run(course, files) == 1, "only one can count"
    decide(course, {names[0]: "-"})
    assert run(course, files) == 0
    assert collected(course) == {f"Ada Lovelace/{LESSON}": notebook(names[1])}
    assert run(course, place(dict.fromkeys(names, notebook()), "equal.zip")) == 0, "equal files are no doubt"


def test_a_decision_holds_until_the_file_changes_and_a_slip_in_it_is_named(course, place, roster):
    files = place({STRANGER: notebook(1)})
    assert run(course, files, roster=roster) == 1
    for slip in ("nobody", "new: a/b"):
        decide(course, {STRANGER: slip})
        assert f"line 2: '{slip}' is not a known id" in refused(course, files, roster=roster)
    decide(course, {STRANGER: "-"})
    for again in (files, place({STRANGER: notebook(1)}, "class (1).zip")):
        assert run(course, again, roster=roster) == 0
    assert run(course, place({STRANGER: notebook(2)}, "later.zip"), roster=roster) == 1
    decide(course, {STRANGER: "al1"})
    assert run(course, files, roster=roster) == 0
    assert collected(course) == {f"al1/{LESSON}": notebook(1)}


def test_what_cannot_be_read_and_who_cannot_be_an_id_wait_until_they_are_left_out(course, place, capsys):
    folders = moodle_folder("A" * 200, "B"), moodle_folder("Ann <b>", "C"), ".."
    archive, names = "ada_1_700_work.zip", [f"{folder}/01_masks.ipynb" for folder in folders]
    files = place(dict.fromkeys([*names, ".hidden/x.ipynb"], notebook()) | {archive: b"PK"})
    assert run(course, files) == 1
    assert open_files(course).keys() == {archive, *names}
    assert f"{archive}\n    this is a zip file inside a submission" in capsys.readouterr().out
    decide(course, {archive: "new: ada"})
    assert run(course, files) == 1
    decide(course, dict.fromkeys([archive, *names], "-"))
    assert run(course, files) == 0
    assert everything(course) == {}


@pytest.mark.parametrize("change", [lambda path: path.write_bytes(b"other"), lambda path: path.unlink()])
def test_a_file_that_changes_while_it_is_shown_is_not_copied(course, place, roster, monkeypatch, change):
    file = place(notebook(), "01_masks Ada Lovelace.ipynb")
    monkeypatch.setattr(collect, "agreed", lambda yes, question: change(file) or True)
    assert refused(course, file, roster=roster).startswith("01_masks Ada Lovelace.ipynb: ")
    assert collected(course) == {}


def test_a_formula_in_a_name_stays_a_text_in_the_list(course, place, roster):
    place(notebook(), "=in/=cmd()/=x.ipynb")
    assert run(course, course.parent / "=in", roster=roster) == 1
    (line,) = lines(course)
    assert all(not text.startswith(("=", "+", "-", "@")) for text in line.values())
    decide(course, {line["file"]: "al1"})
    assert run(course, course.parent / "=in", roster=roster) == 0
    assert collected(course) == {f"al1/{LESSON}": notebook()}


# ---- the roster


def test_a_roster_alone_enters_the_class_and_new_people_need_a_yes(course, place, roster, tmp_path, capsys):
    empty = tmp_path / "empty"
    empty.mkdir()
    assert run(course, empty) == 1, "nothing to do is rather a slip in the folder's name"
    assert run(course, empty, roster=place(table([["id", "name"], ["ada", "Ada King"]]), "first.csv")) == 0
    assert run(course, empty, roster=roster, yes=False) == 1
    printed = capsys.readouterr().out
    assert "0 notebooks: there is none here." in printed
    assert "Of the roster's 12, new in the gradebook 12: al1, pob" in printed
    assert students(course).keys() == {"ada"}
    assert run(course, empty, roster=roster) == 0
    assert len(students(course)) == 1 + len(CLASS)
    assert run(course, place({"essay.pdf": b"%PDF"}, "essays.zip"), roster=roster) == 1


# ---- nothing is lost, and nothing happens without a yes


def test_a_dry_run_changes_nothing_and_without_a_terminal_yes_is_needed(course, place, roster, capsys):
    before = sorted(course.rglob("*"))
    files = place(canvas_files() | {"x_1_700_y.ipynb": notebook()})
    assert run(course, files, roster=roster, dry_run=True) == 0
    assert run(course, files, roster=roster, yes=False) == 1
    assert sorted(course.rglob("*")) == before
    assert students(course) == {}
    printed = capsys.readouterr().out
    for text in ("12 new; 1 doubtful", "Nothing was copied: --dry-run.", "add --yes"):
        assert text in printed


def test_what_is_no_place_no_lesson_and_no_course_is_refused_in_a_sentence(course, place, tmp_path):
    files = place(canvas_files())
    assert run(course, files) == 0
    before = everything(course)
    for own in (course, course.parent, course / "submitted", course / "submitted" / "turingalan_112"):
        assert "the course's own submitted/" in refused(course, own)
    assert refused(course, files, lesson="03").startswith("03 is not a lesson of this course")
    missing = "none.csv: The file cannot be read (No such file or directory)."
    assert refused(course, files, roster="none.csv") == missing
    assert "There is no nbgrader_config.py" in refused(tmp_path, files)
    assert everything(course) == before


@pytest.mark.parametrize("name", ["lovelaceada_101", f"lovelaceada_101/{LESSON}"])
def test_a_link_in_submitted_is_not_written_through(course, place, tmp_path, name):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    link = course / "submitted" / name
    link.parent.mkdir(parents=True)
    link.symlink_to(elsewhere)
    assert "links are not followed" in refused(course, place(canvas_files()))
    assert list(elsewhere.iterdir()) == []


@pytest.mark.parametrize("kill_at", range(1, 9))
def test_a_run_that_is_killed_ends_the_same_when_it_is_run_again(course, place, tmp_path, kill_at):
    """Killed at each of the steps that replace two notebooks by new ones."""
    first = {canvas_name(who, 700): notebook(who[2]) for who in CLASS[:2]}
    again = {canvas_name(who, 900): notebook(f"new {who[2]}") for who in CLASS[:2]}
    assert run(course, place(first, "first.zip")) == 0
    other = copy_of(course, tmp_path / "other")
    zipped = place(again, "again.zip")
    assert run(course, zipped) == 0
    child = multiprocessing.get_context("fork").Process(target=run_killed, args=(kill_at, other, zipped))
    child.start()
    child.join()
    assert child.exitcode == -signal.SIGKILL
    assert run(other, zipped) == 0
    assert collected(other) == collected(course)
    assert sorted(everything(other).values()) == sorted(everything(course).values())
    assert not (other / "submitted" / store.UNFINISHED).exists()


def run_killed(steps, course, zipped):
    """Collect, and be killed at this step of those that change the disk."""
    left = itertools.count(steps, -1)

    def killing(function):
        def step(*args, **named):
            if next(left) == 1:
                os.kill(os.getpid(), signal.SIGKILL)
            return function(*args, **named)

        return step

    store.os.replace, Path.write_bytes = killing(os.replace), killing(Path.write_bytes)
    run(course, zipped)


def test_a_time_that_is_not_known_is_asked_for(course, place):
    def for_a_person():
        return " ".join(submitted(course, "lovelaceada_101").for_a_person)

    names = [canvas_name(ADA, n, late=n == 700) for n in (700, 701)]
    files = [place({name: notebook(name)}, f"{name}.zip") for name in names]
    assert run(course, files[0]) == 0
    assert 'Its timestamp.txt says "LATE", not a full date' in for_a_person()
    time = "2026-03-02 08:00:00 UTC"
    (course / "submitted" / "lovelaceada_101" / LESSON / "timestamp.txt").write_text(time)
    assert run(course, files[1]) == 0
    assert collected(course) == {f"lovelaceada_101/{LESSON}": notebook(names[1])}
    assert f'says "unknown; an earlier file: {time}"' in for_a_person()
