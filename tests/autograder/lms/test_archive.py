"""A zip cannot write anywhere, cannot name anything outside, and is read no further than its bounds."""

import io
import stat
import struct
import time
import zipfile

import pytest

from autograder.lms import archive, places
from autograder.lms.places import contents_of
from tests.autograder.lms.made_up import notebook, zip_of


def contents(tmp_path, data, name="class.zip"):
    (tmp_path / name).write_bytes(data)
    return contents_of(tmp_path / name)


def reasons(found):
    """{label: the sentence}, also of what fails only when it is read."""
    said = dict(found.left_out)
    for file in found.files:
        try:
            file.read()
        except archive.Unreadable as reason:
            said[file.label] = str(reason)
    return said


@pytest.mark.parametrize(
    "name",
    [
        "../x.ipynb",
        "a/../../x.ipynb",
        "/etc/x.ipynb",
        "C:\\x.ipynb",
        "c:x.ipynb",
        "..\\..\\x.ipynb",
        "\\\\host\\x.ipynb",
    ],
)
def test_names_that_lead_outside_are_left_out(tmp_path, name):
    found = contents(tmp_path, zip_of({name: b"{}", "ok.ipynb": b"{}"}))
    assert [file.parts for file in found.files] == [("ok.ipynb",)]
    assert set(reasons(found).values()) == {archive.OUTSIDE}


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR])
def test_links_and_devices_are_left_out(tmp_path, kind):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as made:
        entry = zipfile.ZipInfo("x.ipynb")
        entry.external_attr = (kind | 0o777) << 16
        made.writestr(entry, "/etc/passwd")
    assert reasons(contents(tmp_path, data.getvalue())) == {"x.ipynb": archive.LINK}


def test_names_of_windows_are_read_as_folders(tmp_path):
    found = contents(tmp_path, zip_of({"ada\\01_masks.ipynb": b"{}"}))
    assert [file.parts for file in found.files] == [("ada", "01_masks.ipynb")]


def test_names_in_utf8_without_a_mark(tmp_path):
    data = zip_of({"J__rgen.ipynb": b"{}"}).replace(b"J__rgen", "Jürgen".encode())
    assert [file.label for file in contents(tmp_path, data).files] == ["Jürgen.ipynb"]


def test_a_notebook_that_unpacks_to_too_much_is_read_no_further(tmp_path, monkeypatch):
    monkeypatch.setattr(archive, "SIZE_LIMIT", 1000)
    monkeypatch.setattr(archive.Archive.read, "__defaults__", (1000,))
    found = contents(tmp_path, zip_of({"big.ipynb": b" " * 100_000, "ok.ipynb": b" " * 1000}))
    assert reasons(found) == {"big.ipynb": archive.LARGE}


def test_a_zip_of_many_that_unpack_to_too_much_is_read_no_further(tmp_path, monkeypatch):
    monkeypatch.setattr(archive, "LEAST", 10_000)
    monkeypatch.setattr(archive, "TIMES", 0)
    found = contents(tmp_path, zip_of({f"{n}.ipynb": b" " * 4000 for n in range(5)}))
    assert reasons(found) == dict.fromkeys(("2.ipynb", "3.ipynb", "4.ipynb"), archive.BOMB)


def test_stated_sizes_are_not_believed(tmp_path):
    data = bytearray(zip_of({"x.ipynb": b" " * 50_000}))
    at = data.index(b"PK\x01\x02")
    struct.pack_into("<L", data, at + 24, 10)  # the size that the zip's list states
    assert "damaged" in reasons(contents(tmp_path, bytes(data)))["x.ipynb"]


def test_entries_that_share_their_bytes_are_bounded(tmp_path, monkeypatch):
    """A bomb that holds one block of bytes, and lists it a thousand times."""
    one = zip_of({"0000.ipynb": b" " * 1_000_000})
    at = one.index(b"PK\x01\x02")
    end = one.index(b"PK\x05\x06")
    entry, many = one[at:end], 1000
    listed = b"".join(entry.replace(b"0000", b"%04d" % n) for n in range(many))
    closing = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, many, many, len(listed), at, 0)
    monkeypatch.setattr(archive, "LEAST", 5_000_000)
    begun = time.process_time()
    said = reasons(contents(tmp_path, one[:at] + listed + closing))
    assert len(said) >= many - 5
    assert time.process_time() - begun < 5


def test_a_list_of_entries_without_end_is_not_read(tmp_path):
    data = zip_of({"x.ipynb": b"{}"})
    at, end = data.index(b"PK\x01\x02"), data.index(b"PK\x05\x06")
    listed = data[at:end] * (archive.NESTED_DIRECTORY // (end - at) + 1)
    closing = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 1, 1, len(listed), at, 0)
    inner = data[:at] + listed + closing
    found = contents(tmp_path, zip_of({"ada/work.zip": inner}))
    assert found.left_out == [("ada/work.zip", archive.LONG_LIST)]


def test_locked_and_odd_compression(tmp_path):
    data = bytearray(zip_of({"x.ipynb": b"{}"}))
    struct.pack_into("<H", data, data.index(b"PK\x01\x02") + 8, 1)
    assert reasons(contents(tmp_path, bytes(data))) == {"x.ipynb": archive.PASSWORD}
    odd = io.BytesIO()
    with zipfile.ZipFile(odd, "w", zipfile.ZIP_LZMA) as made:
        made.writestr("x.ipynb", b"{}")
    assert reasons(contents(tmp_path, odd.getvalue(), "odd.zip")) == {"x.ipynb": archive.METHOD}


@pytest.mark.parametrize("data", [b"", b"PK", b"PK\x03\x04 and no more", b"<html>log in</html>"])
def test_what_is_no_zip_is_said(tmp_path, data):
    found = contents(tmp_path, data)
    ((label, reason),) = found.left_out
    assert (label, found.files) == ("class.zip", [])
    assert "damaged or cut off" in reason


def test_a_zip_that_is_cut_off_is_said(tmp_path):
    data = zip_of({"x.ipynb": notebook()})
    assert "damaged or cut off" in contents(tmp_path, data[: len(data) // 2]).left_out[0][1]


def test_a_damaged_notebook_spoils_no_other(tmp_path):
    data = bytearray(zip_of({"a.ipynb": b"a" * 100, "b.ipynb": b"b" * 100}))
    data[data.index(b"a.ipynb") + 8] ^= 0xFF
    found = contents(tmp_path, bytes(data))
    assert list(reasons(found)) == ["a.ipynb"]
    assert found.files[1].read() == b"b" * 100


def test_a_zip_within_a_zip_is_read_and_no_deeper(tmp_path):
    deepest = zip_of({"01_masks.ipynb": b"{}"})
    inner = zip_of({"a/01_masks.ipynb": b"[1]", "b.zip": deepest, "__MACOSX/._x.ipynb": b"", "note.txt": b""})
    found = contents(tmp_path, zip_of({"ada_1_700_work.zip": inner}))
    assert [(file.parts, file.read()) for file in found.files] == [
        (("ada_1_700_work.zip", "a", "01_masks.ipynb"), b"[1]")
    ]
    assert found.left_out == [("ada_1_700_work.zip/b.zip", places.NESTED_TWICE)]
    assert found.others == ["ada_1_700_work.zip/note.txt"]


def test_names_that_no_file_can_have_are_left_out(tmp_path):
    found = contents(tmp_path, zip_of({"a" * 300 + ".ipynb": b"", "a/" * 30 + "x.ipynb": b""}))
    assert [reason for _, reason in found.left_out] == [archive.LONG_NAME] * 2


def test_hostile_names_cannot_be_printed_wrongly(tmp_path):
    found = contents(tmp_path, zip_of({"a\x1b[31mb.ipynb": b"{}"}))
    assert found.files[0].label == "a?[31mb.ipynb"


def test_no_link_in_a_folder_is_followed(tmp_path):
    (tmp_path / "secret.ipynb").write_bytes(b"{}")
    place = tmp_path / "place"
    place.mkdir()
    (place / "x.ipynb").symlink_to(tmp_path / "secret.ipynb")
    (place / "ada").symlink_to(tmp_path)
    found = contents_of(place)
    assert found.files == []
    assert [label for label, _ in found.left_out] == ["x.ipynb"]


def test_places_that_are_none(tmp_path):
    (tmp_path / "essay.pdf").write_bytes(b"")
    assert contents_of(tmp_path / "none").left_out[0][1] == places.MISSING
    assert contents_of(tmp_path / "essay.pdf").left_out[0][1] == places.NOT_A_PLACE
