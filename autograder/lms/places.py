"""A zip or a folder -> Contents: the notebooks in it, and what was left out, with reasons."""

import os
import stat
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path

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

from .archive import Archive, Unreadable

MISSING = "There is no such file or folder: look at the spelling."
NOT_A_PLACE = "This is neither a folder, nor a zip file, nor a notebook."
NESTED_TWICE = "This zip file lies in a zip file that lies in another one: unpack it first."
DEEP = "This folder lies too deep: it is not looked into. Give the folder further down."
MANY = "This zip file holds {} files: only the first {} are looked at."
MOST_NESTED = 200  # files of a student's zip


@dataclass
class File:
    """A notebook. parts: its folders and its name, below the place. read(): its bytes, or Unreadable.
    beside(): {name: bytes} of nbgrader's small files in the same folder."""

    place: str
    parts: tuple
    read: object
    beside: object = dict

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
    """What lies in a place that the instructor gave."""
    place = Path(place)
    reason = unfit(place)
    if reason:
        return Contents(left_out=[(shown(place), reason)])
    if place.is_dir():
        return in_folder(place)
    return in_zip(place, place.name, ()) if is_zip(place.name) else one_file(place)


def unfit(place):
    """Why a place is not looked into; None when it is."""
    if not os.path.lexists(place):
        return MISSING
    link = first_link(place)
    if link is not None:
        return A_LINK.format(shown(link))
    known = place.is_dir() or is_zip(place.name) or is_notebook(place.name)
    return None if known else NOT_A_PLACE


def one_file(path):
    return Contents([File(path.name, (path.name,), partial(read_file, path), partial(small_beside, path))])


def in_folder(folder):
    """All notebooks below a folder, those in zip files too. No link is followed."""
    found = Contents()
    for above, folders, files in os.walk(folder):
        at = Path(above)
        if folders and deep(above, folder):
            folders.clear()
            found.left_out.append((shown(at), DEEP))
        hidden = [name for name in folders if name in LEFT_OUT or name.startswith(".")]
        folders[:] = sorted(name for name in folders if name not in hidden)
        for name in sorted(files):
            sort_in(found, folder, at / name)
    return found


def sort_in(found, folder, path):
    parts = path.relative_to(folder).parts
    if path.name.startswith("."):
        return
    if path.is_symlink() or not stat.S_ISREG(os.lstat(path).st_mode):
        if is_notebook(path.name) or is_zip(path.name):
            found.left_out.append((shown("/".join(parts)), A_LINK.format(shown(path.name))))
    elif is_notebook(path.name):
        found.files.append(File(folder.name, parts, partial(read_file, path), partial(small_beside, path)))
    elif is_zip(path.name):
        found.take(in_zip(path, folder.name, parts))
    elif path.name not in SMALL_FILES:
        found.others.append(shown("/".join(parts)))


def in_zip(path, place, above):
    """above: the path of the zip in the place, with the zip's own name; () where the zip is the place."""
    try:
        entries = opened(path).entries()
    except (Unreadable, OSError) as reason:
        return Contents(left_out=[("/".join(map(shown, above)) or place, str(reason))])
    found, small = Contents(), small_entries(entries)
    for entry in entries:
        parts, name = (*above, *entry.parts), entry.parts[-1] if entry.parts else ""
        if is_hidden(entry):
            continue
        if not is_notebook(name) and not is_zip(name):
            found.others += [] if name in SMALL_FILES else [shown("/".join(parts))]
        elif entry.reason:
            found.left_out.append((shown("/".join(parts)), entry.reason))
        elif is_zip(name):
            found.take(in_nested_zip(path, entry, place, parts))
        else:
            beside = partial(small_in_zip, path, small.get(entry.parts[:-1], []))
            found.files.append(File(place, parts, partial(read_entry, path, entry), beside))
    return found


def in_nested_zip(path, outer, place, above):
    """The notebooks of a zip that a student handed in."""
    try:
        entries = Archive.within(read_entry(path, outer)).entries()
    except Unreadable as reason:
        return Contents(left_out=[(shown("/".join(above)), str(reason))])
    found = Contents()
    if len(entries) > MOST_NESTED:
        found.left_out.append((shown("/".join(above)), MANY.format(len(entries), MOST_NESTED)))
    for entry in entries[:MOST_NESTED]:
        parts, name = (*above, *entry.parts), entry.parts[-1] if entry.parts else ""
        if is_hidden(entry):
            continue
        if is_notebook(name) and not entry.reason:
            found.files.append(File(place, parts, partial(read_nested, path, outer, entry)))
        elif is_notebook(name) or is_zip(name):
            found.left_out.append((shown("/".join(parts)), entry.reason or NESTED_TWICE))
        else:
            found.others.append(shown("/".join(parts)))
    return found


def opened(path):
    """An open zip: its list of entries is read once for many files."""
    about = path.stat()
    return opened_as(path, about.st_mtime_ns, about.st_size)


@lru_cache(maxsize=4)
def opened_as(path, *_):
    return Archive.at(path)


def read_file(path):
    data, reason = read_regular_file(path)
    if reason:
        raise Unreadable(reason)
    return data


def read_entry(path, entry):
    return opened(path).read(entry.info)


def read_nested(path, outer, entry):
    return Archive.within(read_entry(path, outer)).read(entry.info)


def small_entries(entries):
    """{folder: [entries of nbgrader's small files in it]}"""
    found = {}
    for entry in entries:
        if entry.parts and entry.parts[-1] in SMALL_FILES and not entry.reason:
            found.setdefault(entry.parts[:-1], []).append(entry)
    return found


def small_in_zip(path, entries):
    return {entry.parts[-1]: opened(path).read(entry.info, SMALL) for entry in entries}


def small_beside(path):
    read = {name: read_regular_file(path.with_name(name))[0] for name in SMALL_FILES}
    return {name: data for name, data in read.items() if data is not None and len(data) <= SMALL}


def is_hidden(entry):
    """What an editor or a system put there. A name that leads outside is none of these: it is said."""
    parts = entry.parts if entry.reason is None else ()
    return any(part.startswith(".") or part in LEFT_OUT for part in parts)


def is_zip(name):
    return name.lower().endswith(".zip") and not name.startswith("._")
