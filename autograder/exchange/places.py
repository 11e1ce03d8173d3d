"""A zip, a folder or a notebook -> Contents: the notebooks in it, and what was left out, with reasons.

Nothing of a zip is unpacked by its own name, and no more of a notebook is read than a notebook may have.
"""

import os
import re
import stat
import zipfile
import zlib
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path, PurePosixPath

from autograder.gradebook.submitted import SMALL, SMALL_FILES
from autograder.submission.files import (
    A_LINK,
    LEFT_OUT,
    deep,
    first_link,
    is_notebook,
    read_regular_file,
    shown,
)
from autograder.submission.notebook_file import SIZE_LIMIT

DRIVE = re.compile(r"[A-Za-z]:")
UTF8 = 0x800  # flag of an entry whose name is UTF-8
DAMAGED = zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError
NO_ZIP = "This zip file is damaged, cut off or locked ({}): download it again, or have it handed in again."
LARGE = f"This has more than {SIZE_LIMIT // 10**6} MB: have it handed in without outputs."
OUTSIDE = "Its name points outside the zip file: it is left out."
NESTED = "This is a zip file in what was handed in: unpack it, and collect the folder."
MISSING = "There is no such file or folder: look at the spelling."
NOT_A_PLACE = "This is neither a folder, nor a zip file, nor a notebook."
DEEP = "This folder lies too deep, and is not searched: name a folder further down."


class Unreadable(Exception):
    """A zip, or a file, cannot be read; the message says why and what to do."""


@dataclass
class File:
    """A notebook. parts: its folders and its name, below the place. read(name): the bytes of the notebook, or
    of a small file of nbgrader's beside it; Unreadable when that fails."""

    place: str
    parts: tuple
    read: object
    small: tuple = ()

    @property
    def label(self):
        return shown("/".join(self.parts))


@dataclass
class Contents:
    """left_out: [(label, sentence)]. others: labels of files that are no notebooks."""

    files: list = field(default_factory=list)
    left_out: list = field(default_factory=list)
    others: list = field(default_factory=list)

    def take(self, other):
        self.files += other.files
        self.left_out += other.left_out
        self.others += other.others


def contents_of(place):
    """What lies in a place that the instructor named."""
    place = Path(place)
    link = first_link(place)
    if not os.path.lexists(place):
        reason = MISSING
    elif link is not None:
        reason = A_LINK.format(shown(link))
    elif place.is_dir():
        return in_folder(place)
    elif is_zip(place.name):
        return in_zip(place, place.name, ())
    elif is_notebook(place.name):
        return Contents([file_at(place, place.name, (place.name,))])
    else:
        reason = NOT_A_PLACE
    return Contents(left_out=[(shown(place), reason)])


def in_folder(folder):
    """All notebooks below a folder, those in its zip files too. No link is followed."""
    contents = Contents()
    for above, folders, names in os.walk(folder):
        if folders and deep(above, folder):
            folders.clear()
            contents.left_out.append((shown(above), DEEP))
        folders[:] = sorted(name for name in folders if not is_hidden((name,)))
        for name in sorted(names):
            path = Path(above, name)
            parts = path.relative_to(folder).parts
            if is_hidden((name,)) or name in SMALL_FILES:
                continue
            if not (is_notebook(name) or is_zip(name)):
                contents.others.append(shown("/".join(parts)))
            elif not stat.S_ISREG(os.lstat(path).st_mode):
                contents.left_out.append((shown("/".join(parts)), A_LINK.format(shown(name))))
            elif is_zip(name):
                contents.take(in_zip(path, folder.name, parts))
            else:
                contents.files.append(file_at(path, folder.name, parts))
    return contents


def file_at(path, place, parts):
    small = tuple(name for name in SMALL_FILES if path.with_name(name).exists())
    return File(place, parts, partial(read_file, path), small)


def read_file(path, name=None):
    data, reason = read_regular_file(path.with_name(name) if name else path)
    if reason:
        raise Unreadable(reason)
    return data


def in_zip(path, place, above):
    """above: the path of the zip in the place, with the zip's own name; () where the zip is the place."""
    contents = Contents()
    try:
        archive = zipfile.ZipFile(path)
    except (*DAMAGED, OSError) as error:
        contents.left_out.append((shown("/".join(above) or place), NO_ZIP.format(shown(str(error)))))
        return contents
    entries = {name_of(info): info for info in archive.infolist() if not info.is_dir()}
    for name, info in entries.items():
        inner = PurePosixPath(name)
        label, parts = shown("/".join((*above, name))), (*above, *inner.parts)
        if inner.is_absolute() or ".." in inner.parts or DRIVE.match(name):
            contents.left_out.append((label, OUTSIDE))
        elif is_hidden(inner.parts) or inner.name in SMALL_FILES:
            continue
        elif is_notebook(inner.name):
            beside = {small: entries[str(inner.with_name(small))] for small in SMALL_FILES
                      if str(inner.with_name(small)) in entries}  # fmt: skip
            read = partial(read_entry, archive, {None: info, **beside})
            contents.files.append(File(place, parts, read, tuple(beside)))
        elif is_zip(inner.name):
            contents.left_out.append((label, NESTED))
        else:
            contents.others.append(label)
    return contents


def read_entry(archive, infos, name=None):
    """The bytes of an entry; the size that the zip states is not believed."""
    try:
        with archive.open(infos[name]) as file:
            data = file.read(SIZE_LIMIT + 1)
    except DAMAGED as error:
        raise Unreadable(NO_ZIP.format(shown(str(error)))) from None
    if len(data) > (SMALL if name else SIZE_LIMIT):
        raise Unreadable(LARGE)
    return data


def name_of(info):
    """The entry's name. Some programs write UTF-8 and do not say so; zipfile takes that for code page 437."""
    name = info.filename
    if not info.flag_bits & UTF8:
        try:
            name = name.encode("cp437").decode("utf-8")
        except UnicodeError:
            pass
    return name.replace("\\", "/")


def is_hidden(parts):
    """What an editor or a system put there."""
    return any(part.startswith(".") or part in LEFT_OUT for part in parts)


def is_zip(name):
    return name.lower().endswith(".zip") and not name.startswith("._")
