"""A zip, a folder or a notebook -> [File], each of which can be read, or says why not.

Nothing of a zip is unpacked by its own name, and no more of a notebook is read than a notebook may have.
"""

import os
import re
import zipfile
import zlib
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath

from autograder.gradebook.submitted import SMALL_FILES
from autograder.refused import Refused
from autograder.submission.files import LEFT_OUT, is_notebook, read_regular_file, shown
from autograder.submission.notebook_file import SIZE_LIMIT

DRIVE = re.compile(r"[A-Za-z]:")
DAMAGED = zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError
NO_ZIP = "This zip file is damaged, truncated or encrypted ({}): download it again, or ask for it again."
LARGE = f"This has more than {SIZE_LIMIT // 10**6} MB: have it handed in without outputs."
OUTSIDE = "Its name points outside the zip file: it is left out."
NESTED = "This is a zip file in what was handed in, or a link to one: unpack it, and collect the folder."
NO_PLACE = "{}: there is no such folder, zip file or notebook: look at the spelling."


class Unreadable(Exception):
    """A zip, or a file, cannot be read; the message says why and what to do."""


@dataclass
class File:
    """parts: its folders and its name, below the place. reads: {parts: function that gives the bytes, or
    raises Unreadable} of all that lies in the place."""

    parts: tuple
    reads: dict

    @property
    def label(self):
        return shown("/".join(self.parts))

    @property
    def is_wanted(self):
        """Is it a notebook, or does it hold some?"""
        return is_notebook(self.parts[-1]) or is_zip(self.parts[-1])

    def read(self):
        return self.reads[self.parts]()

    def read_small(self):
        """{name: bytes} of the small files, such as timestamp.txt, that nbgrader keeps beside a notebook."""
        places = {name: (*self.parts[:-1], name) for name in SMALL_FILES}
        return {name: self.reads[parts]() for name, parts in places.items() if parts in self.reads}


def files_in(place):
    """[File] of a place that the instructor named."""
    if place.is_dir():
        reads = in_folder(place)
    elif place.is_file() and is_zip(place.name):
        reads = in_zip(place, ())
    elif place.is_file() and is_notebook(place.name):
        reads = {(place.name,): partial(read_file, place)}
    else:
        raise Refused(NO_PLACE.format(shown(place)))
    return [File(parts, reads) for parts in reads if parts[-1] not in SMALL_FILES]


def in_folder(folder):
    """All files below a folder, those in its zip files too. No link is followed."""
    reads = {}
    for above, folders, names in os.walk(folder):
        folders[:] = visible(folders)
        for path in (Path(above, name) for name in visible(names)):
            parts = path.relative_to(folder).parts
            if not is_zip(path.name):
                reads[parts] = partial(read_file, path)
            elif path.is_file() and not path.is_symlink():
                reads |= in_zip(path, parts)
            else:
                reads[parts] = partial(refuse, NESTED)
    return reads


def in_zip(path, above):
    """above: the path of the zip in the place, with its own name; () where the zip is the place."""
    try:
        archive, reads = open_zip(path), {}
    except (*DAMAGED, OSError) as error:
        return {above or (path.name,): partial(refuse, NO_ZIP.format(shown(str(error))))}
    for entry in archive.infolist():
        name = entry.filename.replace("\\", "/")
        inner = PurePosixPath(name)
        parts = (*above, *inner.parts)
        if inner.is_absolute() or ".." in inner.parts or DRIVE.match(name):
            reads[parts] = partial(refuse, OUTSIDE)
        elif not name.endswith("/") and len(visible(inner.parts)) == len(inner.parts):
            reads[parts] = partial(refuse, NESTED) if is_zip(name) else partial(read_entry, archive, entry)
    return reads


def visible(names):
    """Without what an editor or a system put there."""
    return sorted(name for name in names if not name.startswith(".") and name not in LEFT_OUT)


def is_zip(name):
    return name.lower().endswith(".zip")


def open_zip(path):
    """Some programs write names in UTF-8 and do not say so; zipfile would take that for code page 437."""
    try:
        return zipfile.ZipFile(path, metadata_encoding="utf-8")
    except UnicodeDecodeError:
        return zipfile.ZipFile(path)


def refuse(reason):
    raise Unreadable(reason)


def read_file(path):
    data, reason = read_regular_file(path)
    return refuse(reason) if reason else data


def read_entry(archive, entry):
    """The bytes of an entry; the size that the zip states is not believed."""
    try:
        with archive.open(entry) as file:
            data = file.read(SIZE_LIMIT + 1)
    except DAMAGED as error:
        refuse(NO_ZIP.format(shown(str(error))))
    return data if len(data) <= SIZE_LIMIT else refuse(LARGE)
