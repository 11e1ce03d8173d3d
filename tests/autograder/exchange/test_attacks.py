"""What a student may call a file, a folder or themselves hands in for nobody else, and stops no class."""

import os

import pytest

from autograder.exchange import collect, places
from autograder.exchange.people import People, Person
from autograder.gradebook.submitted import NO_TIME, read_student_folder, waiting_files
from tests.autograder.exchange.made_up import LESSON, canvas_gradebook, moodle_folder, notebook, table, zip_of

CLASS = [
    ["id", "first_name", "last_name", "email"],
    ["al1", "Ada", "Lovelace", "ada@uni.edu"],
    ["bb1", "Ben", "Babbage", "ben@uni.edu"],
]


@pytest.fixture
def gather(course, tmp_path):
    """gather(files, *eve) collects {path: bytes} as a folder, with Eve as in the row `eve` of the roster, and
    returns the students that have the notebook "eve's"."""
    (tmp_path / "roster.csv").write_bytes(table(CLASS))

    def run(files, *eve, within=""):
        folder = tmp_path / f"in{len(list(tmp_path.iterdir()))}"
        for name, data in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(data)
        (tmp_path / "roster.csv").write_bytes(table([*CLASS, *([["em1", *eve]] if eve else [])]))
        collect.run(course, [folder / within], roster=tmp_path / "roster.csv", yes=True)
        notebooks = (course / "submitted").glob("*/*/*.ipynb")
        return [path.parent.parent.name for path in notebooks if path.read_bytes() == notebook("eve's")]

    gather_before = {"al1/x.ipynb": notebook("ada's"), "bb1/x.ipynb": notebook("ben's")}
    run(gather_before)
    return run


@pytest.mark.parametrize("name", ["Submissions", "Archive", "Notebooks", "01 masks"])
def test_a_student_called_as_a_folder_of_nobody_hands_in_for_nobody_and_sets_no_time(course, gather, name):
    eve = "", name, "eve@uni.edu"
    ben = {"Ben Babbage/x.ipynb": notebook("ben's")}
    assert gather(ben | {f"{name}/Ada Lovelace/x.ipynb": notebook("eve's")}, *eve) == []
    outer = {f"HW1/{path}": data for path, data in ben.items()}
    assert gather(outer | {f"HW1/{name}/Ada Lovelace/x.ipynb": notebook("eve's")}, *eve) == []
    own = f"{name}/em1+{LESSON}+2020-01-01 00:00:00 UTC/x.ipynb"
    gather(ben | {own: notebook("eve's")}, *eve)
    assert not (course / "submitted" / "em1" / LESSON / "timestamp.txt").exists()


@pytest.mark.parametrize(
    ("path", "within"),
    [
        ("em1.zip", "em1.zip"),  # the place that is collected
        ("em1.zip", ""),
        ("em1/al1/x.ipynb", "em1"),
        ("Moriarty homework.zip", ""),  # alone in a folder
        ("Eve Moriarty ada@uni.edu/x.ipynb", ""),
        ("eve ada@uni.edu/x.ipynb", ""),
        (f"{moodle_folder('Eve', 'Moriarty ada@uni.edu', 666)}/x.ipynb", ""),
    ],
)
def test_no_name_around_or_beside_another_students_hands_in_for_them(gather, path, within):
    data = zip_of({"al1/x.ipynb": notebook("eve's"), "bb1/x.ipynb": notebook("else")})
    files = {path: data if path.endswith("zip") else notebook("eve's")}
    assert gather(files, "Eve", "Moriarty", "eve@uni.edu", within=within) == []


def test_a_display_name_in_canvas_with_another_students_number_is_a_doubt(course, tmp_path):
    (tmp_path / "roster.csv").write_bytes(canvas_gradebook())
    before = {"lovelaceada_101_5001_01_masks.ipynb": notebook("ada's")}
    later = {"eve_101_666_9001_01_masks.ipynb": notebook("eve's")}
    for number, files in enumerate((before, later)):
        (tmp_path / f"{number}.zip").write_bytes(zip_of(files))
        code = collect.run(course, [tmp_path / f"{number}.zip"], roster=tmp_path / "roster.csv", yes=True)
    assert code == 1
    assert (course / "submitted" / "al1" / LESSON / f"{LESSON}.ipynb").read_bytes() == notebook("ada's")


def test_bytes_that_are_no_text_stop_nothing(course):
    folder = course / "submitted" / "ada" / LESSON
    folder.mkdir(parents=True)
    (folder / f"{LESSON}.ipynb").write_bytes(notebook("ada's"))
    for name in (NO_TIME, "collected_from.txt"):
        (folder / name).write_bytes(b"no). Full marks. \xff\x1b[2J")
    sentence = read_student_folder("ada", LESSON, folder).unknown_time
    assert sentence.startswith('Its hand-in time is not known ("no). Full marks. \ufffd [2J"): write it')


def test_a_name_of_too_many_bytes_waits_and_the_others_are_collected(course, tmp_path):
    files = {f"{moodle_folder('李' * 50, '王' * 50, 5)}/x.ipynb": notebook("long")}
    files[f"{moodle_folder('Zoe', 'Young', 6)}/x.ipynb"] = notebook("zoe's")
    (tmp_path / "moodle.zip").write_bytes(zip_of(files))
    assert collect.run(course, [tmp_path / "moodle.zip"], yes=True) == 1
    assert os.listdir(course / "submitted") == ["Zoe Young"]


def test_what_a_students_zip_may_hold_is_limited_and_long_names_are_not_read(tmp_path):
    names = [f"{n}.ipynb" for n in range(places.MOST_IN_UPLOAD[0] + 5)]
    (tmp_path / "eve.zip").write_bytes(zip_of(dict.fromkeys(names, b"{}")))
    (tmp_path / "long.zip").write_bytes(zip_of({f"{'a' * 65_000}.ipynb": b"{}", "a/" * 30_000 + "x": b"{}"}))
    reads = places.files_in(tmp_path)
    of_eve, long = ([parts for parts in reads if parts[0] == name] for name in ("eve.zip", "long.zip"))
    assert len(of_eve) == places.MOST_IN_UPLOAD[0] + 1
    assert max(len("/".join(parts)) for parts in long) < 1100
    for parts, why in (
        (of_eve[-1], "holds more than"),
        *((parts, "too long, or its folders") for parts in long),
    ):
        with pytest.raises(places.Doubt, match=why):
            reads[parts]()


def test_names_are_printed_on_one_line_without_control_characters():
    eve = Person("em1", "Eve\x1b[2J\u202e", "Moriarty\nNothing is doubtful.")
    assert eve.label == "em1 (Eve [2J Moriarty Nothing is doubtful.)"
    assert People([eve]).labels(["em1"]) == eve.label


def test_many_waiting_files_are_a_few_lines_and_their_names_are_quoted(course):
    name = "Full marks were given by a person. Ignore this.txt"
    lines = [f"{name},why {n},,em1,,{n}" for n in range(1000)]
    (course / "collect.csv").write_text("\n".join(["file,why,student,from,lesson,content", *lines]))
    waiting = waiting_files(course)
    assert len(waiting) == 201
    assert waiting[0] == (("em1", ""), f'"{name}": why 0.')
    assert waiting[-1] == (("", ""), "And 800 more in collect.csv.")


def test_a_pipe_called_zip_is_not_opened(tmp_path):
    os.mkfifo(tmp_path / "x.zip")
    ((_, read),) = places.files_in(tmp_path).items()
    with pytest.raises(places.Doubt, match="regular file"):
        read()


def test_moodles_online_texts_lie_beside_the_notebooks(course, tmp_path):
    folder = moodle_folder("Ada", "Lovelace", 5)
    files = {f"{folder}/x.ipynb": notebook("ada's"), f"{folder.replace('file', 'onlinetext')}/t.html": b"Hi"}
    (tmp_path / "moodle.zip").write_bytes(zip_of(files))
    assert collect.run(course, [tmp_path / "moodle.zip"], yes=True) == 0
