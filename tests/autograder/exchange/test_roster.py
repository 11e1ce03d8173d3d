"""A roster is read as Canvas, Moodle, nbgrader or a spreadsheet writes it; ids in the gradebook are kept."""

import pytest

from autograder.exchange.lms import Claim
from autograder.exchange.people import People, Person
from autograder.exchange.roster import merged, read_roster
from autograder.refused import Refused
from tests.autograder.exchange.made_up import table


def read(tmp_path, data):
    file = tmp_path / "roster.csv"
    file.write_bytes(data)
    return read_roster(file)


LOGINS = [
    ["LastName", "FirstName", "ID", "SIS Login ID", "Section", "Masks (1)"],
    ["Points Possible", "", "", "", "", "15"],
    ["Lovelace", "Ada", "101", "ada@uni.edu", "S", ""],
]
PLAIN = ["last_name", "id", "email", "first_name"]
GERMAN_LIST = ["Vorname", "Nachname", "Anmeldename", "E-Mail-Adresse"]
GERMAN_SHEET = ["ID", "Vollständiger Name", "E-Mail-Adresse", "Bewertung"]


@pytest.mark.parametrize(
    ("rows", "form", "person"),
    [
        ([["id", "name"], ["ada", "Ada Lovelace"]], [";", "cp1252"], Person("ada")),
        ([PLAIN, ["Lovelace", "al1", "a@u.de", "Ada"], []], ["\t", "utf-16"], Person("al1", mail="a@u.de")),
        (LOGINS, [], Person("ada@uni.edu", mail="ada@uni.edu", lms_id="101")),
        (  # Moodle's participants
            [["First name", "Last name", "Email address"], ["Ada", "Lovelace", "a@u.de"]],
            [],
            Person("a@u.de", mail="a@u.de"),
        ),
        ([GERMAN_LIST, ["Ada", "Lovelace", "al1", "a@u.de"]], [";"], Person("al1", mail="a@u.de")),
        (  # Moodle's worksheet, in an unknown language
            [["Tunniste", "Full name", "Posti"], ["Osallistuja 77", "Ada Lovelace", "a@u.de"]],
            [],
            Person("a@u.de", mail="a@u.de", participant="77"),
        ),
        (
            [GERMAN_SHEET, ["Teilnehmer/in77", "Ada Lovelace", "a@u.de", ""]],
            [";"],
            Person("a@u.de", mail="a@u.de", participant="77"),
        ),
        (  # the number in a login is not Moodle's participant number
            [["username", "first name", "last name"], ["student1", "Ada", "Lovelace"]],
            [],
            Person("student1"),
        ),
    ],
)
def test_a_roster_of_any_supported_form_gives_ids_addresses_and_numbers(tmp_path, rows, form, person):
    (ada,) = read(tmp_path, table(rows, *form))
    assert ada.name == "Ada Lovelace"
    numbers = [(entry.id, entry.mail, entry.lms_id, entry.participant) for entry in (ada, person)]
    assert numbers[0] == numbers[1]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "not a CSV file"),
        (b"PK\x03\x04\0\0\0", "not a CSV file"),
        (b'id,name\r\n1,"Ada\r\n', "is a damaged CSV file"),
        (b"colour,size\r\nred,3\r\n", "no column of ids"),
        (b"name,email\r\nAda Lovelace,\r\n", "line 2: '' cannot be an id: it is empty"),
        (b"id,name\r\n../x,Ada\r\n", "cannot be an id"),
        (b"id,name\r\n.hidden,Ada\r\n", "cannot be an id"),
        (b"id,name\r\na,Ada\r\na,Bob\r\n", "the id a occurs twice, for Ada and for Bob"),
    ],
)
def test_a_bad_roster_is_refused_in_a_sentence(tmp_path, data, message):
    with pytest.raises(Refused, match=message) as reason:
        read(tmp_path, data)
    assert "\n" not in str(reason.value)


def test_a_second_row_of_the_same_student_adds_its_mail_address(tmp_path):
    rows = b"id,first_name,last_name,email\nal1,Ada,Lovelace,ada@uni.edu\nal1,Ada,Lovelace,ada@home.org\n"
    people = People(read(tmp_path, rows))
    assert list(people.all) == ["al1"]
    for mail in ("ada@uni.edu", "ada@home.org"):
        assert people.find(Claim((mail,)))[0].id == people.find(Claim((f"Ada {mail}",)))[0].id == "al1"


def test_students_already_known_keep_their_ids_when_a_roster_is_merged():
    expected = [Person("ada", mail="ada@uni.edu"), Person("b7", lms_id="102"), Person("gone", "Old", "One")]
    expected += [Person("youngzoe"), Person("John Smith"), Person("mm1", "Max", "Meyer", "max@a.edu")]
    roster = [
        Person("al1", "Ada", "Lovelace", "Ada@uni.edu", "101"),
        Person("bob", "Bob", "B", "", "102"),
        Person("new", "New", "One"),
        Person("zy", "Zoe", "Young"),
        Person("mm2", "Max", "Meyer", "max@b.edu"),  # another mail address, so another person
        *(Person(student, "John", "Smith") for student in ("js1", "js2")),
    ]
    people = merged(roster, expected)
    ids = ["ada", "b7", "new", "youngzoe", "mm2", "js1", "js2", "gone", "John Smith", "mm1"]
    assert [person.id for person in people] == ids
    assert people[0].others == {"roster": "al1"}
    assert (people[0].name, people[0].lms_id) == ("Ada Lovelace", "101")


@pytest.mark.parametrize("mails", [("", ""), ("max@a.edu", ""), ("", "max@b.edu")])
def test_a_roster_with_another_id_for_a_known_name_is_refused_since_nobody_is_entered_twice(mails):
    known, again = (
        Person(student, "Max", "Meyer", mail) for student, mail in zip(("mm1", "mm2"), mails, strict=True)
    )
    with pytest.raises(
        Refused, match=r"mm2 \(Max Meyer\) has the same name as mm1 \(Max Meyer\) in the gradebook"
    ):
        merged([again], [known], "roster.csv")
