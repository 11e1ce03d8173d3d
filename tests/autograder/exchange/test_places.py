"""Names in a zip are only texts, links are not followed, and nothing is read beyond its limits."""

import struct
import warnings
import zipfile

import pytest

from autograder.exchange import places, sentences
from autograder.exchange.places import files_in
from autograder.refused import Refused
from autograder.submission.files import NOT_A_FILE
from tests.autograder.exchange.made_up import notebook, zip_of

NO_ZIP = "damaged, truncated or encrypted"


def read_all(place):
    """({path: bytes}, {path: why it cannot be read})"""
    data, reasons = {}, {}
    for parts, read in files_in(place).items():
        try:
            data["/".join(parts)] = read()
        except places.Doubt as reason:
            reasons["/".join(parts)] = str(reason)
    return data, reasons


def write_zip(tmp_path, data):
    """Write these bytes as a zip file."""
    (tmp_path / "class.zip").write_bytes(data)
    return tmp_path / "class.zip"


def with_number(data, mark, offset, form, value):
    """The bytes with the number at an offset from a marker replaced."""
    data = bytearray(data)
    struct.pack_into(form, data, data.index(mark) + offset, value)
    return bytes(data)


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("../../x.ipynb", ("..", "..", "x.ipynb")),
        ("/etc/x.ipynb", ("etc", "x.ipynb")),
        ("..\\x.ipynb", ("..", "x.ipynb")),
        ("\\\\host\\x.ipynb", ("host", "x.ipynb")),
        ("ada\\01_masks.ipynb", ("ada", "01_masks.ipynb")),
    ],
)
def test_paths_in_a_zip_never_lead_outside(tmp_path, name, parts):
    files = files_in(write_zip(tmp_path, zip_of({name: b"{}", "\\": b"", ".git/x.ipynb": b"{}"})))
    assert list(files) == [parts]
    assert files[parts]() == b"{}"
    assert [path.name for path in tmp_path.iterdir()] == ["class.zip"]


def test_utf8_names_without_the_utf8_flag_are_read(tmp_path):
    data = zip_of({"J__rgen.ipynb": b"{}"}).replace(b"J__rgen", "Jürgen".encode())
    assert list(files_in(write_zip(tmp_path, data))) == [("Jürgen.ipynb",)]


LARGE, X = zip_of({"x.ipynb": b" " * 50_000}), zip_of({"x.ipynb": b"{}"})
TWO = zip_of({"a.ipynb": b"a" * 100, "ok.ipynb": b"ok"})


@pytest.mark.parametrize(
    ("data", "name", "reason"),
    [
        *((data, "class.zip", NO_ZIP) for data in (b"", b"PK", b"PK\x03\x04 and no more", b"<html>log in")),
        (zip_of({"x.ipynb": notebook()})[:5000], "class.zip", NO_ZIP),
        (with_number(LARGE, b"PK\x01\x02", 24, "<L", 10), "x.ipynb", "damaged"),  # the stated size
        (with_number(X, b"PK\x01\x02", 8, "<H", 1), "x.ipynb", "encrypted"),
        (with_number(TWO, b"a.ipynb", 8, "<B", 0), "a.ipynb", "damaged"),
        (zip_of({"ada_1_700_work.zip": TWO}), "ada_1_700_work.zip", sentences.nested),
        (zip_of({"big.ipynb": b" " * 100_000, "ok.ipynb": b"ok"}), "big.ipynb", "larger than 0 MB"),
    ],
)
def test_an_unreadable_zip_entry_has_a_reason_and_affects_no_other(tmp_path, monkeypatch, data, name, reason):
    monkeypatch.setattr(places, "SIZE_LIMIT", 60_000)
    contents, reasons = read_all(write_zip(tmp_path, data))
    assert reasons.keys() == {name}
    assert reason in reasons[name]
    assert contents == ({"ok.ipynb": b"ok"} if b"ok.ipynb" in data and name != "ada_1_700_work.zip" else {})


def test_two_zip_entries_of_the_same_name_are_both_refused(tmp_path):
    with warnings.catch_warnings(action="ignore"), zipfile.ZipFile(tmp_path / "x.zip", "w") as new:
        new.writestr("x.ipynb", b"1")
        new.writestr("x.ipynb", b"2")
    assert read_all(tmp_path / "x.zip") == ({}, {"x.ipynb": sentences.same_name})


def test_no_link_in_a_folder_is_followed(tmp_path):
    (tmp_path / "secret.ipynb").write_bytes(b"{}")
    (tmp_path / "class.zip").write_bytes(zip_of({"secret.ipynb": b"{}"}))
    place = tmp_path / "place"
    place.mkdir()
    (place / "x.ipynb").symlink_to(tmp_path / "secret.ipynb")
    (place / "ada").symlink_to(tmp_path)
    (place / "y.zip").symlink_to(tmp_path / "class.zip")
    assert read_all(place) == ({}, dict.fromkeys(["ada", "x.ipynb", "y.zip"], NOT_A_FILE))


def test_a_missing_place_is_refused(tmp_path):
    (tmp_path / "essay.pdf").write_bytes(b"")
    for name in ("none", "none.zip", "none.ipynb", "essay.pdf"):
        with pytest.raises(Refused, match="there is no such folder, zip file or notebook"):
            files_in(tmp_path / name)
