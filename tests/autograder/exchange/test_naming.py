"""What Canvas, Moodle, nbgrader and students write into names of files is read as they mean it."""

import subprocess
import sys
from datetime import datetime

import pytest

from autograder.exchange.lms import Claim, claim_of, lessons_named


def parts(path):
    return tuple(path.split("/"))


@pytest.mark.parametrize(
    ("path", "names", "number", "late"),
    [
        ("lovelaceada_12345_67890_01_masks.ipynb", ["lovelaceada"], "12345", False),
        ("lovelaceada_12345_67890_01_masks-2.ipynb", ["lovelaceada"], "12345", False),
        ("lovelaceada_LATE_12345_67890_01_masks.ipynb", ["lovelaceada"], "12345", True),
        ("müllerjürgen_7_67890_my_work_1_2.ipynb", ["müllerjürgen"], "7", False),
        ("de_la_cruz_12_67890_work.zip/a/01_masks.ipynb", ["de_la_cruz"], "12", False),
        ("submissions/lovelaceada_12345_67890_a.ipynb", ["lovelaceada"], "12345", False),
    ],
)
def test_canvas(path, names, number, late):
    claim = claim_of(parts(path))
    assert (claim.texts, claim.lms_id, claim.late) == (names, number, late)


def test_an_anonymous_submission_in_canvas_names_nobody():
    assert claim_of(parts("anon_x7Gq2_67890_123_masks.ipynb")) == Claim()


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("Ada Lovelace_123456_assignsubmission_file_/01_masks.ipynb", "Ada Lovelace"),
        ("Ada Lovelace_123456_assignsubmission_file/01_masks.ipynb", "Ada Lovelace"),
        ("Ada Lovelace_123456_assignsubmission_file_01_masks.ipynb", "Ada Lovelace"),
        ("Week 1/Group A-Ada Lovelace_123456_assignsubmission_file_/deep/x.ipynb", "Group A-Ada Lovelace"),
        ("小明 王_123456_assignsubmission_file_/x.zip/01_masks.ipynb", "小明 王"),
    ],
)
def test_moodle(path, name):
    assert claim_of(parts(path)) == Claim([name], participant="123456")


def test_the_exchange_of_nbgrader():
    path = "ada+01_masks+2026-03-01 12:00:00.250000 UTC+aB3-_x/work.ipynb"
    assert claim_of(parts(path)) == Claim(id="ada", time=datetime(2026, 3, 1, 12, 0, 0, 250000))
    assert lessons_named(path) == ["01_masks"]
    assert claim_of(parts("ada+01_masks+2026-03-01 12:00:00 UTC/x.ipynb")).id == "ada"


@pytest.mark.parametrize(
    ("path", "names"),
    [
        ("ada.ipynb", ["ada"]),
        ("Ada Lovelace - 01 Masks (2).ipynb", ["Ada Lovelace"]),
        ("01_masks_Ada_Lovelace_final.ipynb", ["Ada_Lovelace"]),
        ("ada/01_masks.ipynb", ["ada"]),
        ("submitted/ada/01_masks/01_masks.ipynb", ["ada"]),
        ("downloaded/01_masks/extracted/ada/01-masks-copy.ipynb", ["ada"]),
        ("mail ada.l@uni.edu/solution.ipynb", ["mail ada.l@uni.edu", "solution"]),
        ("01_masks.ipynb", []),
    ],
)
def test_loose_files(path, names):
    assert claim_of(parts(path)).texts == names


def test_no_name_is_read_without_end():
    """A pattern that tries every way to split one of these would need years."""
    names = ["1" * 200 + "x", "_1" * 120 + "x", "1_111_" * 40, "a.b@" * 60, "(1)" * 70]
    claims = f"for name in {names}: claim_of((f'01_masks {{name}}.ipynb',))"
    code = f"from autograder.exchange.lms import claim_of\n{claims}"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=300)


@pytest.mark.parametrize(
    ("text", "lessons"),
    [
        ("01_masks", ["01_masks"]),
        ("Homework: 01 Masks (5501)", ["01_masks"]),
        ("01-masks and 02_split_concat", ["01_masks", "02_split_concat"]),
        ("Masks", []),
        ("101_masks", []),
    ],
)
def test_lessons_in_a_text(text, lessons):
    assert lessons_named(text) == lessons
