"""new-class makes a folder for a class, in which formgrader shows the lessons."""

import subprocess
from datetime import datetime

import pytest
from nbgrader.api import Gradebook

from autograder.gradebook.course import find_programs
from autograder.refused import Refused
from autograder.releases import store
from autograder.setup.class_folder import make_class_folder
from tests.tools.school import LESSON, buttons, submit


def test_formgrader_shows_lessons_due_dates_and_submissions_of_a_class_folder(tmp_path):
    folder = tmp_path / "term"
    assert f"{folder} is the class's folder" in make_class_folder(folder)
    submit(folder, "ada")
    find_programs()
    with Gradebook(f"sqlite:///{folder}/gradebook.db", "attention") as book:
        book.update_or_create_assignment(LESSON, duedate="2027-03-01 12:00:00 UTC")
    rows = {row["name"]: row for row in buttons(folder).get_assignments()}
    assert set(store.lessons()) <= set(rows)
    assert rows[LESSON]["num_submissions"] == 1
    assert rows[LESSON]["duedate_notimezone"] == datetime(2027, 3, 1, 12).isoformat()


def test_the_command_of_a_class_folder_works_on_that_class_from_anywhere(tmp_path):
    folder, roster = tmp_path / "my term", tmp_path / "roster.csv"
    make_class_folder(folder)
    roster.write_text("id,name\nada,Ada Lovelace\n")
    (tmp_path / "empty").mkdir()
    command = [folder / "course", "collect", "empty", "--roster", "roster.csv", "--yes"]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert (result.returncode, result.stderr) == (0, "")
    with Gradebook(f"sqlite:///{folder}/gradebook.db", "attention") as book:
        assert [student.id for student in book.students] == ["ada"]


def test_settings_are_kept_and_a_foreign_folder_is_refused(tmp_path):
    settings, thesis = tmp_path / "term" / "nbgrader_config.py", tmp_path / "thesis.tex"
    make_class_folder(settings.parent)
    settings.write_text(settings.read_text() + "# mine\n")
    make_class_folder(settings.parent)
    assert settings.read_text().endswith("# mine\n")
    thesis.touch()
    with pytest.raises(Refused, match="is not empty and is not a class folder"):
        make_class_folder(tmp_path)
    assert {*tmp_path.iterdir()} == {settings.parent, thesis}
