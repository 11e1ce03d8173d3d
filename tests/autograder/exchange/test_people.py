"""A student is found by id, then mail address, then name; what is not sure is left to a person."""

import pytest

from autograder.exchange.lms import Claim, claim_of
from autograder.exchange.people import NOBODY, People, Person

ADA = Person("al1", "Ada", "Lovelace", "ada@uni.edu", "101", "9001", {"sis": "S101"})
PAT = Person("pob", "Pat", "O'Brien")
JUERGEN = Person("jm7", "Jürgen", "Müller")
ANNA = Person("ams", "Anna", "Meyer-Schmidt")
JOSE, JOSÉ = Person("jg1", "Jose", "Garcia"), Person("jg2", "José", "García")
MING = Person("wxm", "小明", "王")
MARIA = Person("mjc", "María José", "de la Cruz")
SMITHS = Person("js1", "John", "Smith", "john@a.edu"), Person("js2", "John", "Smith", "john@b.edu", "109")
SOREN = Person("soe", "Søren", "Øster")
CLASS = People([ADA, PAT, JUERGEN, ANNA, JOSE, JOSÉ, MING, MARIA, *SMITHS, SOREN])
ADA_OR_PAT = "likely: al1 (Ada Lovelace), pob (Pat O'Brien)"


def match(*texts, **numbers):
    person, how = CLASS.find(Claim(list(texts), **numbers))
    return person and person.id, how


@pytest.mark.parametrize(
    ("text", "student", "how"),
    [
        ("al1", "al1", "id"),
        ("AL1", "al1", "id"),
        ("S101", "al1", "id"),
        ("sent by ada@uni.edu", "al1", "mail"),
        ("Ada Lovelace", "al1", "name"),
        ("Lovelace, Ada", "al1", "name"),
        ("LOVELACE_ada", "al1", "name"),
        ("lovelaceada", "al1", "name"),
        ("obrienpat", "pob", "name"),
        ("Pat O’Brien", "pob", "name"),
        ("müllerjürgen", "jm7", "name"),
        ("Mu\u0308ller Ju\u0308rgen", "jm7", "name"),
        ("Muller Jurgen", "jm7", "name"),
        ("Mueller Juergen", "jm7", "name"),
        ("meyerschmidtanna", "ams", "name"),
        ("Anna Meyer Schmidt", "ams", "name"),
        ("王小明", "wxm", "name"),
        ("小明 王", "wxm", "name"),
        ("delacruzmaríajosé", "mjc", "name"),
        ("Soren Oster", "soe", "name"),
        ("Ada King Lovelace", "al1", "part of name"),
        ("Maria de la Cruz", "mjc", "part of name"),
        ("Group A-Anna Meyer-Schmidt", "ams", "part of name"),
        ("Lab 3-Ada Lovelace", "al1", "part of name"),
    ],
)
def test_sure(text, student, how):
    assert match(text) == (student, how)


@pytest.mark.parametrize(
    "text",
    ["Ada Lovelac", "Ada Lovelaces", "adalovelac", "Ada Lovlace", "al 1", "ada@uni.ed", "Ada", "qqqq", ""],
)
def test_a_near_spelling_never_decides(text):
    assert match(text) == (None, NOBODY)


@pytest.mark.parametrize(
    ("texts", "numbers", "expected"),
    [
        (["whoever"], {"lms_id": "101"}, ("al1", "number")),
        (["Ada L."], {"participant": "9001"}, ("al1", "participant")),
        (["Ada L."], {"participant": "101"}, (None, NOBODY)),  # Canvas' number is not Moodle's
        (["smithjohn"], {"lms_id": "109"}, ("js2", "number")),
        (["john@b.edu", "John Smith"], {}, ("js2", "mail")),
        ([], {"id": "AL1"}, ("al1", "id")),
        ([], {"id": "Ada Lovelace"}, (None, NOBODY)),
    ],
)
def test_numbers_and_addresses_come_before_names(texts, numbers, expected):
    assert match(*texts, **numbers) == expected


@pytest.mark.parametrize(
    ("texts", "numbers", "likely"),
    [
        (["smithjohn"], {}, "likely: js1 (John Smith), js2 (John Smith)"),
        (["Jose Garcia"], {}, "likely: jg1 (Jose Garcia), jg2 (José García)"),
        (["José García"], {}, "likely: jg1 (Jose Garcia), jg2 (José García)"),
        (["obrienpat"], {"lms_id": "101"}, ADA_OR_PAT),
        (["lovelaceada"], {"lms_id": "555"}, "likely: al1 (Ada Lovelace)"),
        (["other@uni.edu", "Ada Lovelace"], {}, "likely: al1 (Ada Lovelace)"),
        (["Pat O'Brien", "al1"], {}, ADA_OR_PAT),
        (["Pat O'Brien", "Ada Lovelace homework"], {}, ADA_OR_PAT),
    ],
)
def test_what_does_not_fit_one_student_alone_is_a_doubt(texts, numbers, likely):
    person, reason = match(*texts, **numbers)
    assert person is None
    assert reason.endswith(likely)


def test_names_that_the_lms_hid_are_a_doubt_unless_the_number_is_known():
    person, reason = CLASS.find(claim_of(("anon_x7Gq2_67890_01_masks.ipynb",)))
    assert person is None
    assert "if the LMS hid the names, turn that off" in reason
    hidden = claim_of(("Participant_77_assignsubmission_file_", "01_masks.ipynb"))
    assert CLASS.find(hidden) == (None, reason)
    assert People([Person("ada", participant="77")]).find(hidden)[0].id == "ada"
