"""collect puts an LMS's files where nbgrader looks: one notebook per student and lesson, and none is lost."""

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
from autograder.notes import LOOK, texts_of
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
SMITHS = [canvas_name(person, 700 + n) for n, person in enumerate(CLASS[7:9])]
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
    """A file with Canvas' export of the class."""
    return place(canvas_gradebook(), "roster.csv")


def run(course, *places, **choices):
    return collect.run(course, places, **{"yes": True} | choices)


def refusal(course, *places, **choices):
    """The sentence that explains the refusal."""
    with pytest.raises(Refused) as reason:
        run(course, *places, **choices)
    return str(reason.value)


def collected_files(course):
    """{path: bytes} of all files in submitted/ and of all earlier versions."""
    files = [*(course / "submitted").rglob("*"), *(course / store.BEFORE).rglob("*")]
    return {path.relative_to(course).as_posix(): path.read_bytes() for path in files if path.is_file()}


def notebooks_of(course):
    """{student/lesson: bytes of the notebook} in submitted/."""
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


def test_a_zip_from_canvas_is_collected_with_two_doubts_for_the_instructor(course, place, roster, capsys):
    files = canvas_files()
    ada, late = canvas_name(ADA, 7000), canvas_name(ADA, 8000, "x-1.ipynb", late=True)
    files |= {late: notebook("late"), canvas_name(ADA, 8001, "essay.pdf"): b"%PDF"}
    zipped = place(files | {STRANGER: notebook("a stranger")})
    assert run(course, zipped, roster=roster) == 1
    assert notebooks_of(course) == {f"{login}/{LESSON}": notebook(login) for _, _, login, _ in CLASS[1:]}
    assert open_files(course).keys() == {ada, late, STRANGER}, "nothing says which of Ada's two counts"
    assert students(course)["al1"] == ("Ada", "Lovelace", None, "101")
    assert len(students(course)) == len(CLASS)
    decide(course, {late: "al1", STRANGER: "-"})
    assert run(course, zipped, roster=roster) == 0
    assert notebooks_of(course)[f"al1/{LESSON}"] == notebook("late")
    output = capsys.readouterr().out
    assert "15 files: 11 new; 3 doubtful; 1 not notebooks, from students who handed in one." in output
    counts = (
        "1 new; 11 already there; 1 not copied, as another version counts; 1 left out, as you decided; 1 not"
    )
    assert f"15 files: {counts}" in output
    assert "new, the LMS marks it as late, and does not say when" in output
    before = collected_files(course)
    assert run(course, zipped) == 0, "without a roster the gradebook knows the class"
    assert collected_files(course) == before


def test_without_a_roster_all_students_are_new_and_the_next_lesson_finds_them(course, place):
    assert run(course, place(canvas_files())) == 0
    assert {"smithjohn_108", "smithjohn_109", "lovelaceada_101"} < students(course).keys()
    colab = as_bytes(saved_by_colab(solved(SECOND)))  # has no metadata of the course
    assert run(course, place({canvas_name(ADA, 9000, "copy of untitled.ipynb"): colab})) == 0
    assert notebooks_of(course)[f"lovelaceada_101/{SECOND}"] == colab


def test_a_zip_or_folder_from_moodle_is_collected(course, place, tmp_path):
    people = [person for person in CLASS if person[2] != "js2"]
    files = files_of_the_page(people)
    roster = place(files["participants.csv"], "roster.csv")
    assert run(course, place(files["moodle.zip"], "moodle.zip"), roster=roster) == 0
    assert notebooks_of(course) == {f"{login}/{LESSON}": notebook(login) for _, _, login, _ in people}
    assert students(course)["jm7"] == ("Jürgen", "Müller", "jm7@uni.edu", None)
    shutil.unpack_archive(tmp_path / "moodle.zip", tmp_path / "unpacked")
    before = collected_files(course)
    assert run(course, tmp_path / "unpacked") == 0
    assert collected_files(course) == before


def test_nbgraders_inbound_folder_is_collected_with_the_latest_submission(course, tmp_path):
    for student, day, note in (("ada", 1, "first"), ("ada", 2, "second"), ("ada2", 1, "other")):
        folder = tmp_path / "inbound" / f"{student}+{LESSON}+2026-03-0{day} 08:00:00.5 UTC+a-_{note}"
        folder.mkdir(parents=True)
        (folder / f"{LESSON}.ipynb").write_bytes(notebook(note))
        (folder / "timestamp.txt").write_text(f"2026-03-0{day} 08:00:00.5 UTC")
        (folder / "submission_secret.txt").write_text(f"secret {note}")
    assert run(course, tmp_path / "inbound") == 0
    assert notebooks_of(course) == {f"ada/{LESSON}": notebook("second"), f"ada2/{LESSON}": notebook("other")}
    ada = submitted(course, "ada")
    assert f"{ada.time:%Y-%m-%d %H:%M}" == "2026-03-02 08:00"
    assert ada.small_files["submission_secret.txt"] == b"secret second"
    shutil.rmtree(tmp_path / "inbound" / f"ada+{LESSON}+2026-03-02 08:00:00.5 UTC+a-_second")
    assert run(course, tmp_path / "inbound") == 0
    assert submitted(course, "ada").data == notebook("second"), "an earlier time replaces nothing"


def test_nbgraders_downloaded_folder_with_mixed_files_is_collected(course, tmp_path, place, roster, capsys):
    place({canvas_name(ADA): notebook("ada")}, "archive/submissions.zip")
    place(notebook("turing"), "downloaded/Alan Turing/solution.ipynb")
    place(notebook("pat"), "downloaded/Pat O'Brien/01_masks (1).ipynb")
    assert run(course, tmp_path / "archive", tmp_path / "downloaded", roster=roster) == 0
    assert "Of 12 on the roster, 9 missing: jm7, ams, " in capsys.readouterr().out
    notes = {"al1": "ada", "at": "turing", "pob": "pat"}
    assert notebooks_of(course) == {f"{who}/{LESSON}": notebook(note) for who, note in notes.items()}


# ---- versions and lessons


def test_a_later_download_replaces_a_notebook_and_the_earlier_one_is_kept(course, place):
    """There is one folder per student, however the name is encoded."""
    names = [unicodedata.normalize(form, "Jürgen Müller") for form in ("NFD", "NFC")]
    folders = [f"{name}_5_assignsubmission_file_" for name in names]
    files = [place({f"{path}/a.ipynb": notebook(n)}, f"{n}.zip") for n, path in enumerate(folders)]
    assert run(course, files[0]) == 0
    (course / "submitted" / names[1] / LESSON / "remark.txt").write_text("by hand")
    assert run(course, files[1]) == 0
    assert notebooks_of(course) == {f"{names[1]}/{LESSON}": notebook(1)}
    (earlier,) = (course / store.BEFORE / names[1] / LESSON).iterdir()
    assert (earlier / f"{LESSON}.ipynb").read_bytes() == notebook(0)
    assert (earlier / "remark.txt").read_text() == "by hand"
    before = collected_files(course)
    for repeated_file in files:
        assert run(course, repeated_file) == 0
    assert collected_files(course) == before, "what was replaced once replaces nothing"


def test_the_lesson_is_read_from_the_notebook_or_from_a_broken_ones_file_name(course, place):
    both_names = "01_masks or 02_split_concat.ipynb"
    rests = {ADA: "01_masks.ipynb", TURING: "x.ipynb", CLASS[1]: both_names, CLASS[4]: "01_masks.ipynb"}
    names = [canvas_name(person, rest=rest) for person, rest in rests.items()]
    broken, second = notebook()[:500], notebook("x", SECOND)
    files = place(dict(zip(names, (b"", broken, broken, second), strict=True)))
    assert run(course, files) == 1
    before = collected_files(course)
    assert set(notebooks_of(course).values()) == {b"", second}
    reason = "it does not say which lesson it is: give --lesson"
    assert open_files(course) == dict.fromkeys(names[1:3], reason)
    assert run(course, files) == 1
    assert collected_files(course) == before
    assert run(course, files, lesson=LESSON) == 1
    assert open_files(course)[names[3]] == "it is a notebook of 02_split_concat"
    assert set(notebooks_of(course).values()) == {b"", second, broken}


# ---- doubts and decisions


@pytest.mark.parametrize("note", ["same", None])
@pytest.mark.parametrize(("names", "choice"), [(SMITHS, 0), (SMITHS, 1), (TWINS, 0)])
def test_two_students_who_look_like_one_wait_and_are_decided_separately(course, place, names, choice, note):
    roster, files = place(SMITH, "roster.csv"), place({name: notebook(note or name) for name in names})
    assert run(course, files, roster=roster) == 1
    assert collected_files(course) == {}
    assert "or they belong to several people" in open_files(course)[names[0]]
    decide(course, {names[choice]: "js"})
    for _ in range(2):
        assert run(course, files, roster=roster) == 1
        assert notebooks_of(course) == {f"js/{LESSON}": notebook(note or names[choice])}
        assert open_files(course).keys() == {names[1 - choice]}
    decide(course, {names[1 - choice]: "-"})
    assert run(course, files, roster=roster) == 0


def test_canvas_numbers_are_remembered_and_a_different_one_is_a_doubt(course, place):
    roster = place(SMITH, "roster.csv")
    name = "johnny_108_700_x.ipynb"
    assert run(course, place({name: notebook(1)}), roster=roster) == 1
    decide(course, {name: "js"})
    assert run(course, place({name: notebook(1)}), roster=roster) == 0
    assert students(course)["js"][3] == "108"
    assert run(course, place({"jo_108_9000_x.ipynb": notebook("", SECOND)})) == 0
    assert run(course, place({SMITHS[1]: notebook(2)}), roster=roster) == 1
    assert notebooks_of(course) == {f"js/{LESSON}": notebook(1), f"js/{SECOND}": notebook("", SECOND)}


def test_of_two_files_from_one_student_the_instructor_chooses_one(course, place):
    names = [f"{moodle_folder('Ada', 'Lovelace')}/{name}.ipynb" for name in ("a", "b")]
    files = place({name: notebook(name) for name in names})
    assert run(course, files) == 1
    assert collected_files(course) == {}
    why = "several notebooks of 01_masks for Ada Lovelace: it is unclear which one counts, or they belong to"
    assert open_files(course) == dict.fromkeys(names, f"{why} several people")
    decide(course, dict.fromkeys(names, "new: Ada Lovelace"))
    assert run(course, files) == 1, "only one can count"
    decide(course, {names[0]: "-"})
    assert run(course, files) == 0
    assert notebooks_of(course) == {f"Ada Lovelace/{LESSON}": notebook(names[1])}
    assert run(course, place(dict.fromkeys(names, notebook()), "equal.zip")) == 0, "equal files are no doubt"


def test_a_decision_holds_until_the_file_changes_and_bad_decisions_are_reported(course, place, roster):
    files = place({STRANGER: notebook(1)})
    assert run(course, files, roster=roster) == 1
    for slip in ("nobody", "new: a/b"):
        decide(course, {STRANGER: slip})
        assert f"line 2: '{slip}' is not a known id" in refusal(course, files, roster=roster)
    decide(course, {STRANGER: "-"})
    for archive in (files, place({STRANGER: notebook(1)}, "class (1).zip")):
        assert run(course, archive, roster=roster) == 0
    assert run(course, place({STRANGER: notebook(2)}, "later.zip"), roster=roster) == 1
    decide(course, {STRANGER: "al1"})
    assert run(course, files, roster=roster) == 0
    assert notebooks_of(course) == {f"al1/{LESSON}": notebook(1)}


def test_unreadable_files_and_impossible_ids_wait_until_they_are_left_out(course, place, capsys):
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
    assert collected_files(course) == {}


@pytest.mark.parametrize("change", [lambda path: path.write_bytes(b"other"), lambda path: path.unlink()])
def test_a_file_that_changes_before_the_yes_is_not_copied(course, place, roster, monkeypatch, change):
    file = place(notebook(), "01_masks Ada Lovelace.ipynb")
    monkeypatch.setattr(collect, "agreed", lambda yes, question: change(file) or True)
    assert refusal(course, file, roster=roster).startswith("01_masks Ada Lovelace.ipynb: ")
    assert notebooks_of(course) == {}


def test_a_formula_in_a_file_name_stays_text_in_collect_csv(course, place, roster):
    place(notebook(), "=in/=cmd()/=x.ipynb")
    assert run(course, course.parent / "=in", roster=roster) == 1
    (line,) = lines(course)
    assert all(not text.startswith(("=", "+", "-", "@")) for text in line.values())
    decide(course, {line["file"]: "al1"})
    assert run(course, course.parent / "=in", roster=roster) == 0
    assert notebooks_of(course) == {f"al1/{LESSON}": notebook()}


# ---- the roster


def test_a_roster_alone_enters_the_class_and_new_people_need_a_yes(course, place, roster, tmp_path, capsys):
    empty = tmp_path / "empty"
    empty.mkdir()
    assert run(course, empty) == 1, "nothing to do is rather a slip in the folder's name"
    assert run(course, empty, roster=place(table([["id", "name"], ["ada", "Ada King"]]), "first.csv")) == 0
    assert run(course, empty, roster=roster, yes=False) == 1
    output = capsys.readouterr().out
    assert "0 files: there is none here." in output
    assert "Of the roster's 12, new in the gradebook 12: al1, pob" in output
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
    output = capsys.readouterr().out
    for text in ("12 new; 1 doubtful", "Nothing was copied: --dry-run.", "add --yes"):
        assert text in output


def test_bad_folders_lessons_rosters_and_courses_are_refused_in_a_sentence(course, place, tmp_path):
    files = place(canvas_files())
    assert run(course, files) == 0
    before = collected_files(course)
    for folder in (course, course.parent, course / "submitted", course / "submitted" / "turingalan_112"):
        assert "the course's own submitted/" in refusal(course, folder)
    assert refusal(course, files, lesson="03").startswith("03 is not a lesson of this course")
    missing = "none.csv: The file cannot be read (No such file or directory)."
    assert refusal(course, files, roster="none.csv") == missing
    assert "There is no nbgrader_config.py" in refusal(tmp_path, files)
    assert collected_files(course) == before


@pytest.mark.parametrize("name", ["lovelaceada_101", f"lovelaceada_101/{LESSON}"])
def test_a_link_in_submitted_is_not_written_through(course, place, tmp_path, name):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    link = course / "submitted" / name
    link.parent.mkdir(parents=True)
    link.symlink_to(elsewhere)
    assert "links are not followed" in refusal(course, place(canvas_files()))
    assert list(elsewhere.iterdir()) == []


@pytest.mark.parametrize("kill_at", range(1, 9))
def test_a_killed_collect_gives_the_same_result_when_it_is_run_again(course, place, tmp_path, kill_at):
    """Killed at each of the steps that replace two notebooks by new ones."""
    first = {canvas_name(person, 700): notebook(person[2]) for person in CLASS[:2]}
    second = {canvas_name(person, 900): notebook(f"new {person[2]}") for person in CLASS[:2]}
    assert run(course, place(first, "first.zip")) == 0
    copy = copy_of(course, tmp_path / "other")
    zipped = place(second, "again.zip")
    assert run(course, zipped) == 0
    child = multiprocessing.get_context("fork").Process(target=run_killed, args=(kill_at, copy, zipped))
    child.start()
    child.join()
    assert child.exitcode == -signal.SIGKILL
    assert run(copy, zipped) == 0
    assert notebooks_of(copy) == notebooks_of(course)
    assert sorted(collected_files(copy).values()) == sorted(collected_files(course).values())
    assert not (copy / "submitted" / store.UNFINISHED).exists()


def run_killed(steps, course, zipped):
    """Collect, and be killed at this step of those that change the disk."""
    countdown = itertools.count(steps, -1)

    def killing(function):
        def step(*args, **keywords):
            if next(countdown) == 1:
                os.kill(os.getpid(), signal.SIGKILL)
            return function(*args, **keywords)

        return step

    store.os.replace, Path.write_bytes = killing(os.replace), killing(Path.write_bytes)
    run(course, zipped)


def test_an_unknown_hand_in_time_is_reported_to_a_person(course, place):
    def for_a_person():
        return " ".join(texts_of(submitted(course, "lovelaceada_101").notes, LOOK))

    names = [canvas_name(ADA, n, late=n == 700) for n in (700, 701)]
    files = [place({name: notebook(name)}, f"{name}.zip") for name in names]
    assert run(course, files[0]) == 0
    assert 'time is not known ("the LMS marks it as late, and does not say when"): write it' in for_a_person()
    time = "2026-03-02 08:00:00 UTC"
    (course / "submitted" / "lovelaceada_101" / LESSON / "timestamp.txt").write_text(time)
    assert run(course, files[1]) == 0
    assert notebooks_of(course) == {f"lovelaceada_101/{LESSON}": notebook(names[1])}
    assert f'time is not known ("an earlier file was handed in at {time}")' in for_a_person()
