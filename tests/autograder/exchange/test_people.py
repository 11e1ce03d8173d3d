"""A student is identified by an id, mail address or full name; a part of a name is only suggested."""

import pytest

from autograder.exchange import sentences
from autograder.exchange.lms import Claim
from autograder.exchange.people import People, Person

ADA = Person("al1", "Ada", "Lovelace", "ada@uni.edu", "101", "9001", {"sis": "S101"})
PAT = Person("pob", "Pat", "O'Brien")
JUERGEN = Person("jm7", "Jürgen", "Müller")
ANNA = Person("ams", "Anna", "Meyer-Schmidt")
JOSE, JOSÉ = Person("jg1", "Jose", "Garcia"), Person("jg2", "José", "García")
MING = Person("wxm", "小明", "王")
JO = Person("jab", "Jo", "Anna")
MARIA = Person("mjc", "María José", "de la Cruz")
SMITHS = Person("js1", "John", "Smith", "john@a.edu"), Person("js2", "John", "Smith", "john@b.edu", "109")
SOREN = Person("soe", "Søren", "Øster")
CLASS = People([ADA, PAT, JUERGEN, ANNA, JOSE, JOSÉ, MING, MARIA, *SMITHS, SOREN, JO])
NOBODY, ADA_OR_PAT = sentences.nobody, "likely: al1 (Ada Lovelace), pob (Pat O'Brien)"

OTHER_ADA = sentences.other_number.format("al1 (Ada Lovelace)")

NEAR = ["Joan Na", "Ada Lovelac", "Ada Lovelaces", "adalovelac", "Ada Lovlace", "al 1", "ada@uni.ed", "q"]
NAMES = {
    "al1": [
        "Ada Lovelace",
        "Lovelace, Ada",
        "LOVELACE_ada",
        "lovelaceada",
        "Ada Lovelace (AL1)",
        "S101_lovelace_ada",
    ],
    "pob": ["obrienpat", "Pat O’Brien"],
    "jm7": ["müllerjürgen", "Mu\u0308ller Ju\u0308rgen", "Muller Jurgen", "Mueller Juergen"],
    "ams": ["meyerschmidtanna", "Anna Meyer Schmidt"],
    "jab": ["joanna", "annajo"],
    "wxm": ["王小明", "小明 王"],
    "mjc": ["delacruzmaríajosé"],
    "soe": ["Soren Oster"],
}
PARTS = {
    "al1 (Ada Lovelace)": ["Ada King Lovelace", "Lab 3-Ada Lovelace", "Ada", "al1 homework"],
    "ams (Anna Meyer-Schmidt)": ["Group A-Anna Meyer-Schmidt"],
    "mjc (María José de la Cruz)": ["Maria de la Cruz"],
    "jg1 (Jose Garcia), jg2 (José García)": ["María José García"],
}


@pytest.mark.parametrize(
    ("method", "texts"),
    [
        ("id", {"al1": ["al1", "AL1", "S101"]}),
        ("mail", {"al1": ["ada@uni.edu", "Lovelace, Ada <ada@uni.edu>"]}),
        ("name", NAMES),
    ],
)
def test_an_id_address_or_name_that_fits_only_one_student_identifies_them(method, texts):
    for student, examples in texts.items():
        for text in examples:
            person, reason = CLASS.find(Claim((text,)))
            assert (person and person.id, reason) == (student, method), text


@pytest.mark.parametrize(
    ("texts", "numbers", "student", "method"),
    [
        (["whoever"], {"lms_id": "101"}, "al1", "number"),
        (["Ada L."], {"participant": "9001"}, "al1", "participant"),
        (["Ada L."], {"participant": "101"}, None, NOBODY),  # a Canvas number, not one of Moodle's
        (["Ada Lovelace"], {"participant": "9002"}, None, OTHER_ADA),
        (["smithjohn"], {"lms_id": "109"}, "js2", "number"),
        (["john@b.edu", "John Smith"], {}, "js2", "mail"),
        ([], {"participant": "77"}, None, "if the LMS hid the names, turn that off and download again"),
        ([], {"id": "AL1"}, "al1", "id"),
        ([], {"id": "Ada Lovelace"}, None, "likely: al1 (Ada Lovelace)"),
        *(([text], {}, None, NOBODY) for text in NEAR),
        (["smithjohn"], {}, None, "likely: js1 (John Smith), js2 (John Smith)"),
        (["Jose Garcia"], {}, None, "likely: jg1 (Jose Garcia), jg2 (José García)"),
        (["José García"], {}, None, "likely: jg1 (Jose Garcia), jg2 (José García)"),
        (["obrienpat"], {"lms_id": "101"}, None, ADA_OR_PAT),
        (["lovelaceada"], {"lms_id": "555"}, None, OTHER_ADA),
        (["other@uni.edu", "Ada Lovelace"], {}, None, "likely: al1 (Ada Lovelace)"),
        (["Pat O'Brien al1"], {}, None, ADA_OR_PAT),
    ],
)
def test_numbers_and_addresses_decide_before_names_and_ambiguity_is_a_doubt(texts, numbers, student, method):
    person, reason = CLASS.find(Claim(tuple(texts), **numbers))
    assert (person and person.id) == student
    assert reason.endswith(method)


@pytest.mark.parametrize(("suggestion", "texts"), PARTS.items())
def test_a_part_of_a_name_or_more_words_are_only_a_suggestion(suggestion, texts):
    for text in texts:
        person, reason = CLASS.find(Claim((text,)))
        assert person is None
        assert reason.endswith(f"likely: {suggestion}"), text
