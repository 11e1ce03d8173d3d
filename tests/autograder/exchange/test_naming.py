"""File names by Canvas, Moodle, nbgrader and students are read as they are meant."""

import subprocess
import sys

import pytest

from autograder.exchange.lms import Claim, claim_of

MOODLE = Claim(("Ada Lovelace",), participant="123456")
GROUP, MING = (Claim((name,), participant="123456") for name in ("Group A-Ada Lovelace", "小明 王"))


def canvas(name="lovelaceada", number="12345", late=False):
    return Claim((name,), lms_id=number, late=late)


def either(name, number, other):
    return Claim((name,), lms_id=number, or_number=(other,))


def text(words):
    return Claim((words,))


def exchange(time):
    return Claim(id="ada", time=time)


@pytest.mark.parametrize(
    ("path", "claims"),
    [
        ("lovelaceada_12345_67890_01_masks.ipynb", {0: canvas()}),
        ("lovelaceada_12345_67890_01_masks-2.ipynb", {0: canvas()}),
        ("lovelaceada_LATE_12345_67890_01_masks.ipynb", {0: canvas(late=True)}),
        ("müllerjürgen_7_67890_my_work_1_2.ipynb", {0: canvas("müllerjürgen", "7")}),
        ("de_la_cruz_12_67890_work.zip/a/01_masks.ipynb", {0: canvas("de_la_cruz", "12"), 1: text("a")}),
        ("submissions/lovelaceada_12345_67890_a.ipynb", {1: canvas()}),
        ("eve_101_666_9001_a.ipynb", {0: either("eve", "101", "666")}),  # or Eve_101
        ("eve_101_x_666_9001_a.ipynb", {0: canvas("eve_101_x", "666")}),
        ("eve_666_777_LATE_666_9001_a.ipynb", {0: canvas("eve", "666", late=True)}),
        ("lovelaceada_12345_link.html", {0: canvas()}),
        ("lovelaceada_LATE_12345_text.html", {0: canvas(late=True)}),
        ("anon_x7Gq2_67890_123_masks.ipynb", {}),  # from anonymous grading
        ("Ada Lovelace_123456_assignsubmission_file_/01_masks.ipynb", {0: MOODLE}),
        ("Ada Lovelace_123456_assignsubmission_file/01_masks.ipynb", {0: MOODLE}),
        ("Ada Lovelace_123456_assignsubmission_file_01_masks.ipynb", {0: MOODLE}),
        (
            "Week 1/Group A-Ada Lovelace_123456_assignsubmission_file_/deep/x.ipynb",
            {0: text("Week 1"), 1: GROUP, 2: text("deep"), 3: text("x")},
        ),
        ("小明 王_123456_assignsubmission_file_/x.zip/01_masks.ipynb", {0: MING, 1: text("x")}),
        ("Participant_77_assignsubmission_file_/x.ipynb", {0: Claim(participant="77"), 1: text("x")}),
        (
            "ada+01_masks+2026-03-01 12:00:00.00 UTC+aB3-_x/work.ipynb",
            {0: exchange("2026-03-01 12:00:00.00 UTC"), 1: text("work")},
        ),
        ("ada+01_masks+2026-03-01 12:00:00 UTC/01_masks.ipynb", {0: exchange("2026-03-01 12:00:00 UTC")}),
        (
            "ada+01_masks+2026-03-01 12:00:00 +0100+aB3-_x/01_masks.ipynb",
            {0: text("ada+ +2026-03-01 12:00:00 +0100+aB3-_x")},
        ),
        ("ada.ipynb", {0: text("ada")}),
        ("Ada Lovelace - 01 Masks (2).ipynb", {0: text("Ada Lovelace")}),
        ("01_masks_Ada_Lovelace_final.ipynb", {0: text("Ada_Lovelace_final")}),
        ("01_masks_ada1.ipynb", {0: text("ada1")}),  # not ada
        ("ada/01_masks.ipynb", {0: text("ada")}),
        ("submitted/ada/01_masks/01_masks.ipynb", {1: text("ada")}),
        ("downloaded/01_masks/extracted/ada/01-masks-copy.ipynb", {3: text("ada"), 4: text("copy")}),
        ("mail ada.l@uni.edu/solution.ipynb", {0: text("mail ada.l@uni.edu"), 1: text("solution")}),
        ("01_masks.ipynb", {}),
    ],
)
def test_each_part_of_a_path_gives_the_students_name_number_and_time(path, claims):
    of_parts = map(claim_of, path.split("/"))
    assert {n: claim for n, claim in enumerate(of_parts) if claim != Claim()} == claims


def test_no_file_name_takes_exponential_time_to_read():
    """A pattern that backtracks over every way to split one of these names would need years."""
    names = ["1" * 200 + "x", "_1" * 120 + "x", "1_111_" * 40, "a.b@" * 60, "(1)" * 70, "1-" * 90 + "+"]
    claims = f"for name in {names}: claim_of(f'01_masks {{name}}.ipynb')"
    code = f"from autograder.exchange.lms import claim_of\n{claims}"
    assert subprocess.run([sys.executable, "-c", code], timeout=300).returncode == 0
