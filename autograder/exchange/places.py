"""Lists the files in a zip or a folder, or a single notebook, each with a function that reads it.

Nothing is unpacked under a name from a zip. Reading stops at the size limit for a notebook.
"""

import zipfile
import zlib
from functools import partial

from autograder.refused import Refused
from autograder.submission.files import LEFT_OUT, is_notebook, printable, read_regular_file
from autograder.submission.notebook_file import SIZE_LIMIT

DAMAGED = zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError, OSError
NO_ZIP = "this zip file is damaged, truncated or encrypted ({}): download it again, or ask for it again"
LARGE = f"this is larger than {SIZE_LIMIT // 10**6} MB: have it handed in without outputs"
NESTED = "this is a zip file inside a submission: unpack it, and collect the folder"
TWICE = "two files in the zip have this name: unpack it, and collect the folder"
NO_PLACE = "{}: there is no such folder, zip file or notebook: check the spelling."


class Doubt(Exception):
    """A file waits for a person; the message says why."""


def files_in(place):
    """{parts: function that returns the bytes, or raises Doubt} for a place that the instructor named. parts:
    a file's folders and its name, relative to the place."""
    if place.is_dir():
        return files_in_folder(place)
    if not (place.is_file() and is_wanted(place.name)):
        raise Refused(NO_PLACE.format(printable(place)))
    return files_in_zip(place, ()) if is_zip(place.name) else {(place.name,): partial(read_file, place)}


def files_in_folder(folder):
    """All files below a folder, including those in its zip files. No link is followed."""
    reads = {}
    for path in sorted(folder.rglob("*")):
        parts = path.relative_to(folder).parts
        if path.is_dir() or is_hidden(parts):
            continue
        is_archive = is_zip(path.name) and not path.is_symlink()
        reads |= files_in_zip(path, parts) if is_archive else {parts: partial(read_file, path)}
    return reads


def files_in_zip(path, above):
    """All files in a zip. above: the zip's own path in the place; () if the zip is the place."""
    try:
        archive, reads = open_zip(path), {}
    except DAMAGED as error:
        return {above or (path.name,): partial(refuse, NO_ZIP.format(printable(str(error))))}
    for entry in archive.infolist():
        parts = tuple(filter(None, entry.filename.replace("\\", "/").split("/")))
        if entry.is_dir() or not parts or is_hidden(parts):
            continue
        reason = NESTED if is_zip(parts[-1]) else TWICE if above + parts in reads else ""
        reads[above + parts] = partial(refuse, reason) if reason else partial(read_entry, archive, entry)
    return reads


def is_hidden(parts):
    """Is this a file that an editor or the operating system creates?"""
    return any(name[0] == "." and name != ".." or name in LEFT_OUT for name in parts)


def is_zip(name):
    return name.lower().endswith(".zip")


def is_wanted(name):
    """Is this a notebook, or a zip file that may hold notebooks?"""
    return is_notebook(name) or is_zip(name)


def open_zip(path):
    """Open a zip file, with names as UTF-8 even if not marked so; zipfile would assume code page 437."""
    try:
        return zipfile.ZipFile(path, metadata_encoding="utf-8")
    except UnicodeDecodeError:
        return zipfile.ZipFile(path)


def refuse(reason):
    raise Doubt(reason)


def read_file(path):
    data, reason = read_regular_file(path)
    return refuse(reason) if reason else data


def read_entry(archive, entry):
    """The bytes of an entry; the size that the zip states is not trusted."""
    try:
        with archive.open(entry) as file:
            data = file.read(SIZE_LIMIT + 1)
    except DAMAGED as error:
        refuse(NO_ZIP.format(printable(str(error))))
    return data if len(data) <= SIZE_LIMIT else refuse(LARGE)
