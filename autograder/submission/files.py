"""Find and read submitted files, without following links, opening devices or reading beyond a limit."""

import os
import stat
from pathlib import Path

SIZE_LIMIT = 20_000_000  # bytes
LEFT_OUT = {".ipynb_checkpoints", "__MACOSX", ".git", ".venv", "node_modules"}
DEEPEST = 20  # levels of folders; several hundred more would crash the grader
TOO_DEEP = (
    f"This folder lies {DEEPEST} levels deep: the folders in it are not searched. "
    "Hand in the notebook further up."
)
NO_NOTEBOOK = "There is no notebook (*.ipynb) in this folder: give the folder that holds the submissions."
A_ZIP = "Zip files are not opened: unzip it and pass the folder."
A_LINK = "{} is a link, and links are not followed: give the real path."
NOT_A_FILE = "This is not a regular file: hand in the notebook itself."
FLAGS = os.O_RDONLY | sum(
    getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_NOCTTY", "O_BINARY")
)


def notebooks_in(path):
    """Return (path, None) for each notebook to read, and (path, reason) for each path that cannot be read."""
    link = first_link(path)
    if link is not None:
        return [(path, A_LINK.format(printable(link)))]
    try:
        kind = os.lstat(path).st_mode
    except (OSError, ValueError):
        return [(path, "There is no such file or folder: check the spelling.")]
    if stat.S_ISDIR(kind):
        return sorted(walk(path), key=lambda item: item[0]) or [(path, NO_NOTEBOOK)]
    return [(path, A_ZIP if path.suffix.lower() == ".zip" else None)]


def walk(folder):
    """Yield (path, None) for every *.ipynb below the folder, even if it is no file, and (path, reason) for
    folders that are unreadable or too deep, and for links directly in the folder."""
    closed = []
    for above, folders, files in os.walk(folder, onerror=closed.append):
        notebooks = [name for name in folders if is_notebook(name)]
        students = (
            [Path(above, name) for name in folders if name not in (*LEFT_OUT, *notebooks)]
            if above == os.fspath(folder)
            else []
        )
        yield from ((path, A_LINK.format(printable(path))) for path in students if path.is_symlink())
        folders[:] = sorted(name for name in folders if name not in LEFT_OUT and name not in notebooks)
        if folders and deep(above, folder):
            folders.clear()
            yield Path(above), TOO_DEEP
        yield from ((Path(above, name), None) for name in (*files, *notebooks) if is_notebook(name))
    yield from ((Path(error.filename), f"This folder cannot be read ({error.strerror}).") for error in closed)


def deep(path, folder):
    """Is the path so many levels below the folder that its own subfolders are not searched?"""
    return len(Path(path).relative_to(folder).parts) >= DEEPEST


def is_notebook(name):
    return name.lower().endswith(".ipynb") and not name.startswith("._")


def first_link(path):
    """Return the first part of the path that is a link, or None; links directly below / are the system's."""
    path = Path(path)
    for part in [*reversed(path.parents), path]:
        if os.path.islink(part) and not (part.is_absolute() and len(part.parts) == 2):
            return part
    return None


def read_regular_file(path):
    """Return (bytes, None), or (None, the reason why the file is not read)."""
    try:
        if not stat.S_ISREG(os.lstat(path).st_mode):  # opening a device can have effects
            return None, NOT_A_FILE
        with open(os.open(path, FLAGS), "rb") as file:
            about = os.fstat(file.fileno())
            if not stat.S_ISREG(about.st_mode):
                return None, NOT_A_FILE
            if about.st_size > SIZE_LIMIT:
                return (
                    None,
                    f"The file has {about.st_size / 1e6:.0f} MB, more than {SIZE_LIMIT // 10**6}: "
                    "clear the outputs and hand it in again.",
                )
            return file.read(SIZE_LIMIT + 1), None
    except (OSError, ValueError) as error:
        return None, f"The file cannot be read ({getattr(error, 'strerror', None) or error})."


def printable(path):
    """Return a path as text that can be printed anywhere, whatever bytes its name has."""
    text = os.fsencode(path).decode("utf-8", "replace")
    return "".join(c if c.isprintable() else "?" for c in text)
