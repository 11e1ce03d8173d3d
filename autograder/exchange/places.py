"""A zip, a folder or a notebook -> Contents: the notebooks in it, and what was left out, with reasons.

Nothing of a zip is unpacked by its own name, and no more of a notebook is read than a notebook may have.
"""

import os
import re
import zipfile
import zlib
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path, PurePosixPath

from autograder.gradebook.submitted import SMALL_FILES
from autograder.submission.files import LEFT_OUT, is_notebook, read_regular_file, shown
from autograder.submission.notebook_file import SIZE_LIMIT

DRIVE = re.compile(r"[A-Za-z]:")
DAMAGED = zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError
NO_ZIP = "This zip file is damaged, cut off or locked ({}): download it again, or have it handed in again."
LARGE = f"This has more than {SIZE_LIMIT // 10**6} MB: have it handed in without outputs."
OUTSIDE = "Its name points outside the zip file: it is left out."
NESTED = "This is a zip file in what was handed in, or a link to one: unpack it, and collect the folder."
NO_PLACE = "There is no such folder, zip file or notebook: look at the spelling."


class Unreadable(Exception):
    """A zip, or a file, cannot be read; the message says why and what to do."""


@dataclass
class File:
    """A notebook. parts: its folders and its name, below the place. read(): its bytes; Unreadable when that
    fails. small: {name: read} of nbgrader's small files beside it."""

    parts: tuple
    read: object
    small: dict

    @property
    def label(self):
        return shown("/".join(self.parts))


@dataclass
class Contents:
    """left_out: [(label, sentence)]. others: labels of files that are no notebooks."""

    files: list = field(default_factory=list)
    left_out: list = field(default_factory=list)
    others: list = field(default_factory=list)

    def take(self, place):
        """What lies in a place that the instructor named."""
        if place.is_dir():
            self.take_folder(place)
        elif place.is_file() and is_zip(place.name):
            self.take_zip(place, ())
        elif place.is_file() and is_notebook(place.name):
            self.take_files({(place.name,): partial(read_file, place)})
        else:
            self.leave_out(place, NO_PLACE)

    def leave_out(self, path, reason):
        self.left_out.append((shown(path), reason))

    def take_folder(self, folder):
        """All notebooks below a folder, those in its zip files too. No link is followed."""
        files = {}
        for above, folders, names in os.walk(folder):
            folders[:] = visible(folders)
            for path in (Path(above, name) for name in visible(names)):
                parts = path.relative_to(folder).parts
                if is_zip(path.name) and path.is_file() and not path.is_symlink():
                    self.take_zip(path, parts)
                else:
                    files[parts] = partial(read_file, path)
        self.take_files(files)

    def take_zip(self, path, above):
        """above: the path of the zip in the place, with its own name; () where the zip is the place."""
        try:
            archive, files = open_zip(path), {}
        except (*DAMAGED, OSError) as error:
            self.leave_out("/".join(above) or path.name, NO_ZIP.format(shown(str(error))))
            return
        for entry in archive.infolist():
            name = entry.filename.replace("\\", "/")
            inner = PurePosixPath(name)
            parts = (*above, *inner.parts)
            if inner.is_absolute() or ".." in inner.parts or DRIVE.match(name):
                self.leave_out("/".join((*above, name)), OUTSIDE)
            elif not name.endswith("/") and len(visible(inner.parts)) == len(inner.parts):
                files[parts] = partial(read_entry, archive, entry)
        self.take_files(files)

    def take_files(self, files):
        """files: {parts: read}."""
        for parts, read in files.items():
            *folders, name = parts
            if is_notebook(name):
                beside = {small: files.get((*folders, small)) for small in SMALL_FILES}
                self.files.append(File(parts, read, {s: beside[s] for s in beside if beside[s]}))
            elif is_zip(name):
                self.leave_out("/".join(parts), NESTED)
            elif name not in SMALL_FILES:
                self.others.append(shown("/".join(parts)))


def visible(names):
    """Without what an editor or a system put there."""
    return sorted(name for name in names if not name.startswith(".") and name not in LEFT_OUT)


def read_file(path):
    data, reason = read_regular_file(path)
    if reason:
        raise Unreadable(reason)
    return data


def open_zip(path):
    """Some programs write names in UTF-8 and do not say so; zipfile would take that for code page 437."""
    try:
        return zipfile.ZipFile(path, metadata_encoding="utf-8")
    except UnicodeDecodeError:
        return zipfile.ZipFile(path)


def read_entry(archive, entry):
    """The bytes of an entry; the size that the zip states is not believed."""
    try:
        with archive.open(entry) as file:
            data = file.read(SIZE_LIMIT + 1)
    except DAMAGED as error:
        raise Unreadable(NO_ZIP.format(shown(str(error)))) from None
    if len(data) > SIZE_LIMIT:
        raise Unreadable(LARGE)
    return data


def is_zip(name):
    return name.lower().endswith(".zip")
