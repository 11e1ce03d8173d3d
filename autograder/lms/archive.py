"""A zip file -> its entries; neither its names nor the sizes that it states are trusted."""

import io
import re
import stat
import struct
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import PurePosixPath

from autograder.submission.files import DEEPEST, shown
from autograder.submission.notebook_file import SIZE_LIMIT

DIRECTORY, NESTED_DIRECTORY = 20_000_000, 1_000_000  # bytes of a zip's own list of its entries
LEAST, TIMES = 200_000_000, 100  # bytes that may be unpacked of one zip: these, or so many times its size
NESTED = 2 * SIZE_LIMIT
LONGEST_NAME = 255  # characters
METHODS = zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED
UTF8, ENCRYPTED = 0x800, 0x1  # flags of an entry
DRIVE = re.compile(r"[A-Za-z]:")
DAMAGED = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    struct.error,
    NotImplementedError,
    RuntimeError,
    ValueError,
)

NO_ZIP = "This zip file is damaged or cut off ({}): download it, or have it handed in, again."
LONG_LIST = "This zip file lists more entries than a class hands in: it is not read."
BOMB = "This zip file unpacks to far more than it holds: it is not read any further."
PASSWORD = "This is locked with a password: have it handed in without one."
METHOD = "This is compressed in a way that is not read here: unpack it, and zip it in the ordinary way."
LARGE = f"This has more than {SIZE_LIMIT // 10**6} MB: have it handed in without outputs."
OUTSIDE = "Its name leads out of the zip file: it is left out."
LONG_NAME = "Its name is longer than a name of a file can be: it is left out."
LINK = "This is a link or a device, and no file: it is left out."


class Unreadable(Exception):
    """A zip, or a file in one, cannot be read; the message says why and what to do."""


@dataclass
class Entry:
    """parts: its folders and its name. reason: why it cannot be read, if that is known already."""

    info: zipfile.ZipInfo
    parts: tuple
    reason: str | None = None


class Limited:
    """A file whose single reads are bounded: zipfile reads a zip's list of entries in one piece."""

    def __init__(self, file, most):
        self.file, self.most = file, most
        self.seek, self.tell, self.close, self.seekable = file.seek, file.tell, file.close, file.seekable

    def read(self, size=-1):
        if size > self.most:
            raise Unreadable(LONG_LIST)
        return self.file.read(size)


class Archive:
    """An open zip. file: opened, for reading bytes. most: bytes that may be unpacked of it in all."""

    def __init__(self, file, most, directory=DIRECTORY):
        self.left = most
        try:
            self.zip = zipfile.ZipFile(Limited(file, directory))
        except DAMAGED as error:
            raise Unreadable(NO_ZIP.format(shown(str(error)))) from None

    @classmethod
    def at(cls, path):
        """The zip at a path; what may be unpacked depends on its size."""
        return cls(open(path, "rb"), max(LEAST, TIMES * path.stat().st_size))

    @classmethod
    def within(cls, data):
        """A zip that a student handed in."""
        return cls(io.BytesIO(data), NESTED, NESTED_DIRECTORY)

    def entries(self):
        """[Entry] of its files, in the order of the zip."""
        return [entry_of(info) for info in self.zip.infolist() if not info.is_dir()]

    def read(self, info, most=SIZE_LIMIT):
        """The bytes of an entry; Unreadable when that fails, or when there are more than may be."""
        if info.flag_bits & ENCRYPTED:
            raise Unreadable(PASSWORD)
        if info.compress_type not in METHODS:
            raise Unreadable(METHOD)
        try:
            with self.zip.open(info) as file:
                data = file.read(min(most, self.left) + 1)
        except DAMAGED as error:
            raise Unreadable(NO_ZIP.format(shown(str(error)))) from None
        if len(data) > most:
            raise Unreadable(LARGE)
        self.left -= len(data)
        if self.left < 0:
            raise Unreadable(BOMB)
        return data


def entry_of(info):
    """An Entry; one that is no plain file inside the zip has a reason."""
    name = name_of(info).replace("\\", "/")
    path = PurePosixPath(name)
    if len(path.parts) > DEEPEST or any(len(part) > LONGEST_NAME for part in path.parts):
        return Entry(info, (shown(name[-LONGEST_NAME:]),), LONG_NAME)
    kind = stat.S_IFMT(info.external_attr >> 16)
    if path.is_absolute() or ".." in path.parts or DRIVE.match(name):
        return Entry(info, (shown(name),), OUTSIDE)
    if kind not in (0, stat.S_IFREG):
        return Entry(info, path.parts, LINK)
    return Entry(info, path.parts)


def name_of(info):
    """The entry's name. Some programs write UTF-8 and do not say so; zipfile takes that for code page 437."""
    if info.flag_bits & UTF8:
        return info.filename
    try:
        return info.filename.encode("cp437").decode("utf-8")
    except UnicodeError:
        return info.filename
