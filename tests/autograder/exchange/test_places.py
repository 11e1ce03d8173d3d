"""A zip cannot write anywhere, cannot name anything outside, and is read no further than its bounds."""

import struct

import pytest

from autograder.exchange import places
from autograder.exchange.places import files_in
from autograder.refused import Refused
from autograder.submission.files import NOT_A_FILE
from tests.autograder.exchange.made_up import notebook, zip_of


def contents(tmp_path, data, name="class.zip"):
    (tmp_path / name).write_bytes(data)
    return files_in(tmp_path / name)


def readable(files):
    """({path: bytes}, {path: why it cannot be read})"""
    data, reasons = {}, {}
    for parts, read in files.items():
        try:
            data["/".join(parts)] = read()
        except places.Doubt as reason:
            reasons["/".join(parts)] = str(reason)
    return data, reasons


def reasons(files):
    return readable(files)[1]


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
def test_names_in_a_zip_are_texts_wherever_they_lead(tmp_path, name, parts):
    files = contents(tmp_path, zip_of({name: b"{}"}))
    assert list(files) == [parts]
    assert files[parts]() == b"{}"
    assert [path.name for path in tmp_path.iterdir()] == ["class.zip"]


def test_names_in_utf8_without_a_mark(tmp_path):
    data = zip_of({"J__rgen.ipynb": b"{}"}).replace(b"J__rgen", "Jürgen".encode())
    assert list(contents(tmp_path, data)) == [("Jürgen.ipynb",)]


def test_a_notebook_that_unpacks_to_too_much_is_read_no_further(tmp_path, monkeypatch):
    monkeypatch.setattr(places, "SIZE_LIMIT", 1000)
    result = contents(tmp_path, zip_of({"big.ipynb": b" " * 100_000, "ok.ipynb": b" " * 1000}))
    assert reasons(result) == {"big.ipynb": places.LARGE}


def test_stated_sizes_are_not_believed(tmp_path):
    data = bytearray(zip_of({"x.ipynb": b" " * 50_000}))
    at = data.index(b"PK\x01\x02")
    struct.pack_into("<L", data, at + 24, 10)  # the size that the zip's list states
    assert "damaged" in reasons(contents(tmp_path, bytes(data)))["x.ipynb"]


def test_a_locked_file_is_said(tmp_path):
    data = bytearray(zip_of({"x.ipynb": b"{}"}))
    struct.pack_into("<H", data, data.index(b"PK\x01\x02") + 8, 1)
    assert "encrypted" in reasons(contents(tmp_path, bytes(data)))["x.ipynb"]


@pytest.mark.parametrize("data", [b"", b"PK", b"PK\x03\x04 and no more", b"<html>log in</html>"])
def test_what_is_no_zip_is_said(tmp_path, data):
    result = contents(tmp_path, data)
    ((label, reason),) = reasons(result).items()
    assert label == "class.zip"
    assert "damaged, truncated or encrypted" in reason


def test_a_zip_that_is_cut_off_is_said(tmp_path):
    data = zip_of({"x.ipynb": notebook()})
    (reason,) = reasons(contents(tmp_path, data[: len(data) // 2])).values()
    assert "damaged, truncated or encrypted" in reason


def test_a_damaged_notebook_spoils_no_other(tmp_path):
    data = bytearray(zip_of({"a.ipynb": b"a" * 100, "b.ipynb": b"b" * 100}))
    data[data.index(b"a.ipynb") + 8] ^= 0xFF
    result = contents(tmp_path, bytes(data))
    assert list(reasons(result)) == ["a.ipynb"]
    assert result["b.ipynb",]() == b"b" * 100


def test_a_zip_within_a_zip_is_left_to_a_person(tmp_path):
    result = contents(tmp_path, zip_of({"ada_1_700_work.zip": zip_of({"01_masks.ipynb": b"[1]"})}))
    assert readable(result) == ({}, {"ada_1_700_work.zip": places.NESTED})


def test_no_link_in_a_folder_is_followed(tmp_path):
    (tmp_path / "secret.ipynb").write_bytes(b"{}")
    (tmp_path / "class.zip").write_bytes(zip_of({"secret.ipynb": b"{}"}))
    place = tmp_path / "place"
    place.mkdir()
    (place / "x.ipynb").symlink_to(tmp_path / "secret.ipynb")
    (place / "ada").symlink_to(tmp_path)
    (place / "y.zip").symlink_to(tmp_path / "class.zip")
    assert readable(files_in(place)) == ({}, {"x.ipynb": NOT_A_FILE, "y.zip": NOT_A_FILE})


def test_places_that_are_none(tmp_path):
    (tmp_path / "essay.pdf").write_bytes(b"")
    for name in ("none", "none.zip", "none.ipynb", "essay.pdf"):
        with pytest.raises(Refused, match="there is no such folder, zip file or notebook"):
            files_in(tmp_path / name)
