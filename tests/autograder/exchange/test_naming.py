"""File names by Canvas, Moodle, nbgrader and students are read as they are meant."""

import subprocess
import sys
from datetime import datetime

import pytest

from autograder.exchange.lms import Claim, claim_of

MOODLE = Claim(["Ada Lovelace"], participant="123456")
GROUP, MING = (Claim([name], participant="123456") for name in ("Group A-Ada Lovelace", "小明 王"))
TIME = datetime(2026, 3, 1, 12, 0, 0)


def canvas(name="lovelaceada", number="12345", late=False):
    return Claim([name], lms_id=number, late=late)


@pytest.mark.parametrize(
    ("path", "claim"),
    [
        ("lovelaceada_12345_67890_01_masks.ipynb", canvas()),
        ("lovelaceada_12345_67890_01_masks-2.ipynb", canvas()),
        ("lovelaceada_LATE_12345_67890_01_masks.ipynb", canvas(late=True)),
        ("müllerjürgen_7_67890_my_work_1_2.ipynb", canvas("müllerjürgen", "7")),
        ("de_la_cruz_12_67890_work.zip/a/01_masks.ipynb", canvas("de_la_cruz", "12")),
        ("submissions/lovelaceada_12345_67890_a.ipynb", canvas()),
        ("anon_x7Gq2_67890_123_masks.ipynb", Claim()),  # from anonymous grading
        ("Ada Lovelace_123456_assignsubmission_file_/01_masks.ipynb", MOODLE),
        ("Ada Lovelace_123456_assignsubmission_file/01_masks.ipynb", MOODLE),
        ("Ada Lovelace_123456_assignsubmission_file_01_masks.ipynb", MOODLE),
        ("Week 1/Group A-Ada Lovelace_123456_assignsubmission_file_/deep/x.ipynb", GROUP),
        ("小明 王_123456_assignsubmission_file_/x.zip/01_masks.ipynb", MING),
        ("Participant_77_assignsubmission_file_/x.ipynb", Claim(participant="77")),
        ("ada+01_masks+2026-03-01 12:00:00.000000 UTC+aB3-_x/work.ipynb", Claim(id="ada", time=TIME)),
        ("ada+01_masks+2026-03-01 12:00:00 UTC/x.ipynb", Claim(id="ada", time=TIME)),
        ("ada.ipynb", Claim(["ada"])),
        ("Ada Lovelace - 01 Masks (2).ipynb", Claim(["Ada Lovelace"])),
        ("01_masks_Ada_Lovelace_final.ipynb", Claim(["Ada_Lovelace"])),
        ("ada/01_masks.ipynb", Claim(["ada"])),
        ("submitted/ada/01_masks/01_masks.ipynb", Claim(["ada"])),
        ("downloaded/01_masks/extracted/ada/01-masks-copy.ipynb", Claim(["ada"])),
        ("mail ada.l@uni.edu/solution.ipynb", Claim(["mail ada.l@uni.edu", "solution"])),
        ("01_masks.ipynb", Claim()),
    ],
)
def test_a_path_gives_the_students_names_numbers_and_time(path, claim):
    assert claim_of(tuple(path.split("/"))) == claim


def test_no_file_name_takes_exponential_time_to_read():
    """A pattern that backtracks over every way to split one of these names would need years."""
    names = ["1" * 200 + "x", "_1" * 120 + "x", "1_111_" * 40, "a.b@" * 60, "(1)" * 70]
    claims = f"for name in {names}: claim_of((f'01_masks {{name}}.ipynb',))"
    code = f"from autograder.exchange.lms import claim_of\n{claims}"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=300)
