"""A sheet is made when what it is made from changed; a damaged release is named."""

import pytest

from autograder.publish import sheets
from autograder.refused import AuthorError
from autograder.releases import store


@pytest.fixture
def shelf(tmp_path, monkeypatch):
    """An exercise's file, and a list of the exercises whose sheets were made."""
    file, new = tmp_path / "softmax.py", []
    file.write_text("first")
    monkeypatch.setattr(sheets, "ROOT", tmp_path)
    monkeypatch.setattr(sheets, "SAVED", tmp_path / ".sheets")
    monkeypatch.setattr(sheets, "file_of", lambda name: file)
    monkeypatch.setattr(sheets, "shared_fingerprint", lambda: "the code")
    monkeypatch.setattr(sheets, "sheet_text", lambda name: new.append(name) or f"sheet {len(new)}")
    return file, new


def test_a_sheet_is_made_again_only_when_its_file_or_the_code_changed(shelf, monkeypatch):
    file, new = shelf
    assert sheets.sheet_texts(["softmax"]) == sheets.sheet_texts(["softmax"]) == {"softmax": "sheet 1"}
    file.write_text("second")
    assert sheets.sheet_texts(["softmax"]) == {"softmax": "sheet 2"}
    monkeypatch.setattr(sheets, "shared_fingerprint", lambda: "other code")
    assert sheets.sheet_texts(["softmax"]) == {"softmax": "sheet 3"}
    assert len(list(sheets.SAVED.iterdir())) == 1, "older ones are removed"
    assert new == ["softmax"] * 3


def test_the_fingerprint_covers_what_sheets_are_made_with():
    files = {path.relative_to(sheets.ROOT).as_posix() for p in sheets.SHARED for path in sheets.ROOT.glob(p)}
    assert {
        "course_utils/observe/trial.py",
        "course_utils/models/jobs.npz",
        "autograder/authoring/exercise.py",
        "autograder/exercises/__init__.py",
    } <= files


def test_a_damaged_release_is_named(tmp_path):
    damaged = tmp_path / "abc.json"
    damaged.write_text('{"notebook": ')
    with pytest.raises(AuthorError, match=r"abc\.json: this release is damaged: JSONDecodeError: "):
        store.read_kept(damaged)
    with pytest.raises(AuthorError, match=r"abc\.json: this release is damaged: NotJSONError: "):
        store.read_current(damaged)
