"""Whose file it is, and when it was handed in, is known exactly, or a person is asked."""

import pytest
from nbgrader.coursedir import CourseDirectory

from autograder.csv_file import CsvFile
from autograder.exchange import collect, sentences
from autograder.gradebook.course import settings
from autograder.gradebook.standing import class_list
from autograder.gradebook.submitted import NO_TIME, TIMESTAMP
from autograder.refused import Refused
from tests.autograder.exchange.made_up import LESSON, moodle_folder, notebook, table, zip_of
from tests.tools.school import new_course

NAMES = [["id", "name"], ["ada", "Ada Lovelace"], ["eve", "Eve X"], ["ann", "Ann Lee"], ["12", "Jo Ng"]]
WEEK = "2026-03-0{} 12:00:00.000000 {}"
UTC = WEEK.format(1, "UTC")
FAKE = f"ada+{LESSON}+2030-01-01 00:00:00 UTC+x"  # what a student may call a folder
EARLY = b"2020-01-01 00:00:00 UTC"
ADA, EVE = moodle_folder("Ada", "Lovelace", 60), moodle_folder("Eve", "X", 61)


@pytest.fixture
def gather(course, tmp_path):
    """gather(files, roster) collects {path: bytes, or words of a notebook} as a zip, and returns {student:
    words of the notebook in submitted/}."""

    def run(files, roster=None):
        path = tmp_path / "roster.csv"
        path.write_bytes(table(roster or NAMES))
        data = {name: words if isinstance(words, bytes) else notebook(words) for name, words in files.items()}
        (tmp_path / "x.zip").write_bytes(zip_of(data))
        collect.run(course, [tmp_path / "x.zip"], roster=path if roster else None, yes=True)
        notebooks = (course / "submitted").glob("*/*/*.ipynb")
        return {path.parent.parent.name: words_in(path.read_bytes(), files.values()) for path in notebooks}

    return run


def words_in(data, candidates):
    return next((words for words in candidates if data in (words, notebook(words))), "another file")


def small(course, student, name):
    path = course / "submitted" / student / LESSON / name
    return path.read_text() if path.exists() else None


def reasons(course):
    return (course / "collect.csv").read_text(encoding="utf-8")


def test_nobodys_work_is_replaced_by_a_name_further_in(course, gather):
    before = {f"ada/{LESSON}.ipynb": "ada's", f"eve/{LESSON}.ipynb": "eve's"}
    assert gather(before, NAMES) == {"ada": "ada's", "eve": "eve's"}
    for path in (
        f"eve/{FAKE}/x.ipynb",
        "eve/Ada Lovelace.ipynb",
        f"{EVE}/{ADA}/x.ipynb",
        "ann/../ada/x.ipynb",
    ):
        assert gather(before | {path: "hostile"})["ada"] == "ada's", path
        assert "do not fit exactly one student; likely: ada (Ada Lovelace), " in reasons(course)


@pytest.mark.parametrize(
    "files",
    [{f"eve/{FAKE}/x.ipynb": 1}, {f"eve/{FAKE}/x.ipynb": 1, f"eve/{FAKE.replace('ada', 'bob')}/x.ipynb": 2}],
)
def test_not_even_where_the_folder_of_an_unknown_student_is_the_only_one(course, gather, files):
    assert gather({f"ada/{LESSON}.ipynb": "ada's", f"bob/{LESSON}.ipynb": "bob's"}).keys() == {"ada", "bob"}
    assert set(gather(files).values()) == {"another file"}
    assert small(course, "ada", TIMESTAMP) is None


def test_a_part_of_a_name_replaces_nothing_and_is_suggested(course, gather):
    roster = [["id", "first_name", "last_name"], ["u1", "Ann", "Lee"], ["u2", "José", "García"]]
    jose = moodle_folder("José", "García", 52)
    assert gather({f"{jose}/x.ipynb": "his"}, roster) == {"u2": "his"}
    others = moodle_folder("María José", "García", 51), moodle_folder("Lee-Ann", "Wong", 50)
    assert gather({f"{other}/x.ipynb": other for other in others}) == {"u2": "another file"}
    assert "likely: u2 (José García)" in reasons(course)
    assert "likely: u1 (Ann Lee)" in reasons(course)
    gather({f"{moodle_folder('José', 'García', 77)}/x.ipynb": "of another with that name"})
    assert gather({f"{jose}/x.ipynb": "his"}) == {"u2": "his"}, "another number is another student's"


def test_ids_in_file_names_are_whole_words_and_whole_names(gather):
    names = ["12_hw", "1", "012", "12 3", "12-copy", "Ann", "Lee-Ann Wong", "Annalee", "Joan G", "аda"]
    assert (
        gather({f"{name}.ipynb": name for name in names}, NAMES[:3] + [["a7", "Ann Lee"], *NAMES[4:]]) == {}
    )
    odd = {"12 (1).ipynb": "his", "Lee, Ann/x.ipynb": "hers", "A\u0301da Lovelace (ADA)/x.ipynb": "ada's"}
    assert gather(odd) == {"12": "his", "a7": "hers", "ada": "ada's"}


@pytest.mark.parametrize("word", ["Participante", "Participant ", "Teilnehmer/in", "参加者"])
def test_moodles_participants_are_read_in_any_language_and_with_groups(gather, word):
    heading = ["Identificador", "Nombre completo", "Correo", "Estado", "Calificación", "Calificación máxima"]
    rows = [
        [f"{word}{n}", name, f"{n}@uni.edu", "-", "", "12"]
        for n, name in ((60, "Ada Lovelace"), (61, "Eve X"))
    ]
    files = {f"{ADA}/x.ipynb": "ada's", f"Grupo 1-{EVE}/x.ipynb": "eve's"}
    assert gather(files, [heading, *rows]) == {"60@uni.edu": "ada's", "61@uni.edu": "eve's"}


def test_an_own_roster_may_have_ids_of_letters_and_digits(gather):
    assert gather({"student1.ipynb": "1"}, [["id", "name"], ["student1", "Ada"], ["student2", "Eve"]]) == {
        "student1": "1"
    }


@pytest.mark.parametrize(
    "heading",
    [
        "Förnamn Efternamn E-post",
        "Imię Nazwisko Poczta",
        "Имя Фамилия Почта",
        "名 姓 メール",
        "Vorname 姓 Mail",
    ],
)
def test_a_roster_whose_name_columns_are_not_known_stops_with_the_headings_to_use(course, gather, heading):
    with pytest.raises(Refused, match=r"call them first_name and last_name, or name; or keep only"):
        gather({f"{ADA}/x.ipynb": "ada's"}, [heading.split(), ["Ada", "Lovelace", "ada@uni.edu"]])
    assert not (course / "submitted").exists()


def test_nobody_is_entered_twice_after_a_roster_of_ids_alone(course, gather):
    for roster in ([["id"], ["al1"], ["ex2"]], None):
        assert gather({f"{ADA}/x.ipynb": "ada's"}, roster) == {}
    sheet = [["LastName", "FirstName", "ID", "SIS Login ID", "Section"], ["Lovelace", "Ada", "1", "al1", "S"]]
    assert gather({f"{ADA}/x.ipynb": "ada's"}, [*sheet, ["Student", "Test", "9", "t", "S"]]) == {
        "al1": "ada's"
    }
    assert class_of(course) == {"al1", "ex2"}, "Canvas' test student is nobody"


def class_of(course):
    return class_list(CourseDirectory(config=settings(course))).keys()


@pytest.mark.parametrize("late", [True, False])
def test_no_file_in_an_upload_and_no_name_that_a_student_chooses_sets_a_time(course, gather, late):
    folder = f"lovelaceada_{'LATE_' if late else ''}101_7001_work"
    fakes = {
        f"{folder}/{TIMESTAMP}": EARLY,
        f"{folder}/{NO_TIME}": b"",
        f"{folder}/{FAKE}/{TIMESTAMP}": EARLY,
    }
    assert gather({f"{folder}/x.ipynb": "ada's", **fakes}, NAMES) == {"ada": "ada's"}
    assert small(course, "ada", TIMESTAMP) is None
    assert small(course, "ada", NO_TIME) == (
        "the LMS marks it as late, and does not say when" if late else None
    )
    gather({f"ann+{LESSON}+2020-01-01 00:00:00 UTC.ipynb": "ann's"})
    assert small(course, "ann", TIMESTAMP) is None


@pytest.mark.parametrize(
    ("text", "setting", "written"),
    [
        (UTC, "", UTC),
        (WEEK.format(1, "CET"), "", WEEK.format(1, "CET")),
        (WEEK.format(1, "CEST"), "", "2026-03-01 10:00:00.000000 UTC"),  # nbgrader would read it as UTC
        (WEEK.format(1, "PST"), "", None),  # in Manila, too
        (WEEK.format(1, "PST"), "America/Los_Angeles", "2026-03-01 20:00:00.000000 UTC"),
        (WEEK.format(1, "CST"), "", None),
        (WEEK.format(1, "CST"), "Asia/Shanghai", "2026-03-01 04:00:00.000000 UTC"),
        ("2026-03-01 12:00", "", "2026-03-01 12:00"),  # as nbgrader reads it
        ("2026-03-01 12:00", "Asia/Kolkata", None),
        ("2026-03-01 soon", "", None),
    ],
)
def test_a_time_of_the_exchange_is_read_if_it_is_certain_and_kept_as_it_is_if_not(
    course, gather, text, setting, written
):
    new_course(course, f"c.Exchange.timezone = {setting!r}" if setting else "")
    folder = f"ada+{LESSON}+{text}+aB3-_x"
    files = {f"{folder}/x.ipynb": "ada's", f"{folder}/{TIMESTAMP}": text.encode()}
    gather({**files, f"{folder}/deeper/{TIMESTAMP}": EARLY}, NAMES)
    assert small(course, "ada", TIMESTAMP) == written
    assert small(course, "ada", NO_TIME) == (None if written else f"the exchange says {text}")


def test_two_times_of_one_hand_in_contradict_each_other(course, gather):
    folder = f"ada+{LESSON}+{UTC}+x"
    gather({f"{folder}/x.ipynb": "ada's", f"{folder}/{TIMESTAMP}": EARLY}, NAMES)
    assert small(course, "ada", NO_TIME) == f"the exchange says {EARLY.decode()}, {UTC}"


def test_everything_handed_in_is_listed_with_student_and_reason_once(course, gather, capsys):
    others = {"leeann_107_link.html": "ann", "lovelaceada_101_9010_x.ipynb.txt": "ada"}
    others |= {"xeve_108_9011_hw.rar": "eve"}
    files = {**dict.fromkeys(others, b"?"), "ngjo_12_9012_x.ipynb": "jo's", "ngjo_12_9013_figure.png": b"?"}
    assert gather(files, NAMES) == {"12": "jo's"}
    _, *lines = CsvFile(course / "collect.csv").rows
    assert {(file, who) for file, _, _, who, *_ in lines} == others.items()
    assert {why for _, why, *_ in lines} == {sentences.no_notebook}
    assert " missing: " not in capsys.readouterr().out, "everybody handed in something"
    later = {"lovelaceada_101_9020_x.ipynb": "ada's", "lovelaceada_101_9010_x.ipynb.txt": b"?"}
    assert gather(later) == {"ada": "ada's", "12": "another file"}
    assert "1 not notebooks, from students who handed in one" in capsys.readouterr().out


def test_everybody_in_a_zip_with_one_folder_around_all_is_known(gather):
    files = {f"hw2/Ada Lovelace/{LESSON}.ipynb": "ada's", f"hw2/Eve X/{LESSON}.ipynb": "eve's"}
    assert gather(files, NAMES) == {"ada": "ada's", "eve": "eve's"}
