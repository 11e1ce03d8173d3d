"""schedule.csv keeps a lesson from being handed out before its date; a bundle of some lessons holds only
these."""

import re
import zipfile
from datetime import datetime

import pytest
from typer.testing import CliRunner

from autograder import __main__ as command_line
from autograder.publish import bundle
from autograder.publish.bundle import contents, hand_out
from autograder.publish.lesson import LessonError
from autograder.refused import Refused
from autograder.releases import store
from autograder.term.schedule import refuse_early
from tests.conftest import ROOT
from tests.tools.school import LESSON, WRITTEN

BEFORE, AFTER = datetime(2026, 3, 5, 10, 59), datetime(2026, 3, 5, 11, 1)


@pytest.fixture
def dated(tmp_path):
    """folder_with(line) returns a folder with this line in schedule.csv."""
    return lambda line: (tmp_path / "schedule.csv").write_text(f"lesson,from\n{line}\n") and tmp_path


def test_a_lesson_before_its_date_is_refused_and_others_are_not(dated):
    root = dated(f"{WRITTEN},2026-03-05 12:00 Europe/Berlin")
    refuse_early(root, [LESSON], BEFORE)
    refuse_early(root, [LESSON, WRITTEN], AFTER)
    why = "No zip was made: 05_visualization is scheduled for later .2026-03-05 11:00 UTC.. Name the other"
    with pytest.raises(Refused, match=why):
        refuse_early(root, [LESSON, WRITTEN], BEFORE)
    for line, says in (
        ("01_masks,tomorrow", "schedule.csv, line 2: 'tomorrow' is not a date with a time zone"),
        ("99_no,2026-03-05 12:00 UTC", "schedule.csv, line 2: '99_no' is not a lesson of this course"),
    ):
        with pytest.raises(Refused, match=says):
            refuse_early(dated(line), [LESSON])


def test_the_command_refuses_and_with_a_flag_does_not(dated, monkeypatch):
    new, two = [], [LESSON, "00_start_here"]
    monkeypatch.setattr(command_line, "ROOT", dated(f"{WRITTEN},2999-01-01 12:00 UTC"))
    monkeypatch.setattr(bundle, "hand_out", lambda root, file, only: new.append(list(only)) or 3)
    for options, code, made in (
        ([], 1, []),
        (["--even-before"], 0, [[]]),
        (["--lesson", two[0], "--lesson", two[1]], 0, [[], two]),
    ):
        done = CliRunner().invoke(command_line.app, ["bundle", *options])
        assert (done.exit_code, new) == (code, made)


def test_a_bundle_of_some_lessons_holds_these_and_what_they_need(tmp_path, monkeypatch):
    monkeypatch.setattr(store, "KEPT", tmp_path / "kept")
    hand_out(ROOT, tmp_path / "course.zip", [LESSON, "02_split_concat"])
    with zipfile.ZipFile(tmp_path / "course.zip") as file:
        held = {name.partition("/")[2]: file.read(name) for name in file.namelist()}
    there = {name.split("/")[1] for name in held if name.startswith("notebooks/")}
    assert there == {lesson for lesson, _ in store.kept_files()} == {LESSON, "02_split_concat"}
    assert {name for name in contents(ROOT) if not name.startswith("notebooks/")} <= set(held)
    answers, readme = held["ANSWERS.md"].decode(), held["README.md"].decode()
    assert "## 02_split_concat" in answers
    assert "## 03_self_attention" not in answers
    assert all(path in held for path in re.findall(r"notebooks/[\w/.]*\.ipynb", readme))
    assert "Begin with `01_masks`" in readme
    assert "over this folder" in readme
    assert bundle.NEWER not in readme
    with pytest.raises(LessonError, match="99_no is not a lesson of this course"):
        hand_out(ROOT, tmp_path / "none.zip", ["99_no"])
    assert not (tmp_path / "none.zip").exists()
