"""A student is found by id, then mail address, then name; what is not sure is left to a person."""

import pytest

from autograder.exchange.claim import Claim, claim_of
from autograder.exchange.people import NOBODY, SEVERAL, People, Person

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


def found(*texts, **numbers):
    match = CLASS.find(Claim("any LMS", list(texts), **numbers))
    return match.person.id if match.person else None, match.how or match.reason


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
    ],
)
def test_sure(text, student, how):
    assert found(text) == (student, how)


@pytest.mark.parametrize(
    ("text", "reason", "likely"),
    [
        ("smithjohn", SEVERAL, ["js1", "js2"]),
        ("Jose Garcia", SEVERAL, ["jg1", "jg2"]),
        ("José García", SEVERAL, ["jg1", "jg2"]),
        ("Ada Lovlace", NOBODY, ["al1"]),
        ("Ada", NOBODY, ["al1"]),
        ("qqqq", NOBODY, []),
        ("García JOSÉ / jose garcia", None, None),
    ],
)
def test_doubtful(text, reason, likely):
    match = CLASS.find(Claim("name", [text]))
    assert match.person is None
    if reason:
        assert match.reason == reason
        candidates = match.candidates or CLASS.likely([text])
        assert [person.id for person in candidates][: len(likely)] == likely


def test_a_near_spelling_never_decides():
    for text in ("Ada Lovelac", "Ada Lovelaces", "adalovelac", "al 1", "ada@uni.ed"):
        assert CLASS.find(Claim("name", [text])).person is None, text


def test_the_number_of_the_lms_comes_first():
    assert found("whoever", lms_id="101") == ("al1", "id")
    assert found("Ada L.", participant="9001") == ("al1", "id")
    assert found("Ada L.", participant="101")[0] is None, "Canvas' number is not Moodle's"
    assert found("smithjohn", lms_id="109") == ("js2", "id")


def test_a_number_and_a_name_that_contradict_are_a_doubt():
    assert found("obrienpat", lms_id="101") == (None, "it names al1 and pob")
    student, reason = found("lovelaceada", lms_id="555")
    assert student is None
    assert reason == "it looks like al1 (Ada Lovelace), but has another number or mail address"


def test_a_mail_address_that_is_somebody_elses_is_a_doubt():
    assert found("other@uni.edu", "Ada Lovelace")[0] is None
    assert found("john@b.edu", "John Smith") == ("js2", "mail")


def test_two_names_in_one_path_are_a_doubt():
    for texts in (("Pat O'Brien", "al1"), ("Pat O'Brien", "Ada Lovelace homework")):
        assert found(*texts) == (None, "it names al1 and pob")


def test_moodle_may_write_a_group_before_the_name():
    assert found("Group A-Anna Meyer-Schmidt") == ("ams", "name")
    assert found("Lab 3-Ada Lovelace")[0] == "al1"


def test_what_canvas_made_anonymous_is_said():
    match = CLASS.find(claim_of(("anon_x7Gq2_67890_01_masks.ipynb",)))
    assert "anonymous grading" in match.reason


def test_what_moodle_made_anonymous_is_said():
    match = CLASS.find(claim_of(("Participant_77_assignsubmission_file_", "01_masks.ipynb")))
    assert match.person is None
    assert "reveal student identities" in match.reason
    expected = People([Person("ada", participant="77")])
    assert expected.find(claim_of(("Participant_77_assignsubmission_file_", "x.ipynb"))).person.id == "ada"
