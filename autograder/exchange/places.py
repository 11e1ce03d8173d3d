"""Lists the files in a zip or a folder. Nothing is unpacked; reading stops at a notebook's size limit."""

import math
import zipfile
import zlib
from functools import partial

from autograder.refused import Refused
from autograder.submission.files import DEEPEST, LEFT_OUT, is_notebook, printable, read_regular_file
from autograder.submission.notebook_file import SIZE_LIMIT

from . import sentences

DAMAGED = zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError, OSError
LONGEST_PATH, MOST_IN_UPLOAD = 1000, (200, 100_000_000)  # characters; files and bytes of a student's zip

TOO_MUCH = sentences.too_much.format(MOST_IN_UPLOAD[0], MOST_IN_UPLOAD[1] // 10**6)


class Doubt(Exception):
    """A file waits for a person; the message says why."""


def files_in(place):
    """{parts: function that returns the bytes, or raises Doubt} for a place that the instructor named, with
    the files in its zip files. parts: a file's folders and its name, relative to the place."""
    if not place.is_dir():
        if not (place.is_file() and (is_notebook(place.name) or is_zip(place.name))):
            raise Refused(sentences.no_place.format(printable(place)))
        return files_in_zip(place, ()) if is_zip(place.name) else {(place.name,): partial(read_file, place)}
    reads = {}
    for path in sorted(place.rglob("*")):
        parts, is_link = path.relative_to(place).parts, path.is_symlink()  # links are listed, not followed
        if not is_hidden(parts) and (is_link or not path.is_dir()):
            is_archive = is_zip(path.name) and not is_link and path.is_file()
            reads |= files_in_zip(path, parts) if is_archive else {parts: partial(read_file, path)}
    return reads


def files_in_zip(path, above):
    """All files in a zip, with names as UTF-8 even if not marked so. above: the zip's path in the place; ()
    if the zip is the place."""
    try:
        archive, reads = zipfile.ZipFile(path, metadata_encoding="utf-8"), {}
    except UnicodeDecodeError:
        archive, reads = zipfile.ZipFile(path), {}
    except DAMAGED as error:
        return {above or (path.name,): partial(refuse, sentences.no_zip.format(printable(str(error))))}
    size, most = 0, MOST_IN_UPLOAD if above else (math.inf, math.inf)
    for entry in archive.infolist():
        parts = tuple(filter(None, entry.filename[:LONGEST_PATH].replace("\\", "/").split("/")))[
            : DEEPEST + 1
        ]
        if entry.is_dir() or not parts or is_hidden(parts):
            continue
        size += entry.file_size
        if len(reads) >= most[0] or size > most[1]:
            return reads | {(*above, "..."): partial(refuse, TOO_MUCH)}
        reasons = [
            (len(entry.filename) > LONGEST_PATH or len(parts) > DEEPEST, sentences.long_name),
            (is_zip(parts[-1]), sentences.nested),
            (above + parts in reads, sentences.same_name),
        ]
        reason = next((reason for applies, reason in reasons if applies), "")
        reads[above + parts] = partial(refuse, reason) if reason else partial(read_entry, archive, entry)
    return reads


def is_hidden(parts):  # by an editor or the operating system
    return any(name[0] == "." and name != ".." or name in LEFT_OUT for name in parts)


def is_zip(name):
    return name.lower().endswith(".zip")


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
        refuse(sentences.no_zip.format(printable(str(error))))
    return data if len(data) <= SIZE_LIMIT else refuse(sentences.large.format(SIZE_LIMIT // 10**6))
