"""schedule.csv keeps a lesson from being handed out early; a bundle of some lessons holds only these."""

import re
import zipfile
from datetime import datetime

import pytest
from typer.testing import CliRunner

from autograder import __main__ as command_line
from autograder.gradebook.class_files import refuse_early
from autograder.publish import bundle
from autograder.publish.bundle import SHEETS, contents, hand_out
from autograder.publish.lesson import LessonError
from autograder.refused import Refused
from autograder.releases import store
from tests.conftest import ROOT
from tests.tools.school import LESSON, WRITTEN

BEFORE, AFTER = datetime(2026, 3, 5, 10, 59), datetime(2026, 3, 5, 11, 1)


@pytest.fixture
def folder_with(tmp_path):
    """folder_with(line) returns a folder with this line in schedule.csv."""
    return lambda line: (tmp_path / "schedule.csv").write_text(f"lesson,from\n{line}\n") and tmp_path


def test_only_a_lesson_before_its_date_is_refused(folder_with):
    root = folder_with(f"{WRITTEN},2026-03-05 12:00 Europe/Berlin")
    refuse_early(root, [LESSON], BEFORE)
    refuse_early(root, [LESSON, WRITTEN], AFTER)
    why = "No zip was made: 05_visualization is scheduled for later .2026-03-05 11:00 UTC.. Name the other"
    with pytest.raises(Refused, match=why):
        refuse_early(root, [LESSON, WRITTEN], BEFORE)
    for line, reason in (
        ("01_masks,tomorrow", 'schedule.csv, line 2: "tomorrow" is not a date with a time zone'),
        ("99_no,2026-03-05 12:00 UTC", 'schedule.csv, line 2: "99_no" is not a lesson of this course'),
    ):
        with pytest.raises(Refused, match=reason):
            refuse_early(folder_with(line), [LESSON])


def test_make_bundle_refuses_a_lesson_before_its_date_without_even_before(folder_with, monkeypatch):
    made_bundles, two = [], [LESSON, "00_start_here"]
    monkeypatch.setattr(command_line, "ROOT", folder_with(f"{WRITTEN},2999-01-01 12:00 UTC"))
    monkeypatch.setattr(
        bundle, "hand_out", lambda root, file, only, hints: made_bundles.append(list(only)) or 3
    )
    for options, code, calls in (
        ([], 1, []),
        (["--even-before"], 0, [[]]),
        (["--lesson", two[0], "--lesson", two[1]], 0, [[], two]),
    ):
        result = CliRunner().invoke(command_line.app, ["bundle", *options])
        assert (result.exit_code, made_bundles) == (code, calls)


def test_a_bundle_of_some_lessons_holds_them_and_what_they_need(tmp_path, monkeypatch):
    monkeypatch.setattr(store, "KEPT", tmp_path / "kept")
    hand_out(ROOT, tmp_path / "course.zip", [LESSON, "02_split_concat"])
    with zipfile.ZipFile(tmp_path / "course.zip") as file:
        files = {name.partition("/")[2]: file.read(name) for name in file.namelist()}
    lesson_names = {name.split("/")[1] for name in files if name.startswith("notebooks/")}
    assert lesson_names == {lesson for lesson, _ in store.kept_files()} == {LESSON, "02_split_concat"}
    assert {name for name in contents(ROOT) if not name.startswith(("notebooks/", SHEETS))} <= set(files)
    answers, readme = files["ANSWERS.md"].decode(), files["README.md"].decode()
    assert "## 02_split_concat" in answers
    assert "## 03_self_attention" not in answers
    assert all(path in files for path in re.findall(r"notebooks/[\w/.]*\.ipynb", readme))
    assert "Begin with `01_masks`" in readme
    assert "over this folder" in readme
    assert bundle.NEWER_ZIP not in readme
    with pytest.raises(LessonError, match="99_no is not a lesson of this course"):
        hand_out(ROOT, tmp_path / "none.zip", ["99_no"])
    assert not (tmp_path / "none.zip").exists()
