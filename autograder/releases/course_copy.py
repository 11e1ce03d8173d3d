"""Write and read the cell in which a released notebook carries its own copy of course_utils."""

import base64
import bz2
import inspect
import json
import re

TITLE, LAST_LINE = "#@title Set-up (run this first)", "del load_course"


def is_course_copy(source):
    """Is this the source of a cell with a copy of course_utils? Leading white space does not matter."""
    return source.lstrip().startswith(TITLE)


def without_copy(cells):
    """Return the cells of a notebook without the one with the copy of course_utils."""
    return [cell for cell in cells if not is_course_copy(cell.source)]


def without_course_copy(source):
    """Return a cell's source without the copy of course_utils, if an editor merged that with other cells."""
    before, title, copy = source.partition(TITLE)
    _, ended, after = copy.partition("\n" + LAST_LINE)
    return before + after if title and ended else source


def pack(lines):
    """Return the source of the cell with a copy of these files, [{path: bytes}], one line for each dict."""
    copies = "".join(f'    "{packed(files)}",\n' for files in lines)
    return f"{TITLE}\n{inspect.getsource(load_course)}\n\nload_course(\n{copies})\n{LAST_LINE}"


def packed(files):
    """Return a line of the copy. bzip2 gives the same bytes with any library."""
    texts = {path: data.decode("latin-1") for path, data in files.items()}
    plain = json.dumps(texts, sort_keys=True, ensure_ascii=False)
    return base64.b85encode(bz2.compress(plain.encode())).decode()  # holds no quotes and no backslash


def unpack(nb):
    """Return {path: bytes} of the copy in a released notebook; {} if it has none."""
    lines = [line for cell in nb.cells if is_course_copy(cell.source) for line in lines_of(cell.source)]
    return {path: data for line in lines for path, data in line.items()}


def lines_of(source):
    """Return [{path: bytes}], the files in each line of a copy: what `pack` made its source from."""
    packed_lines = re.findall(r'^    "(.*)",$', source, re.M)
    lines = [json.loads(bz2.decompress(base64.b85decode(line))) for line in packed_lines]
    return [{path: text.encode("latin-1") for path, text in line.items()} for line in lines]


# ---- the source of this function is part of the cell


def load_course(*copies):
    """Make `import course_utils` work; where it is not installed (Colab, one file alone), from `copies`."""
    import atexit
    import base64
    import bz2
    import hashlib
    import importlib
    import json
    import pathlib
    import shutil
    import sys
    import tempfile

    try:
        importlib.import_module("course_utils")
        return
    except ModuleNotFoundError as missing:
        if missing.name != "course_utils":
            raise
    folder = pathlib.Path(".course-" + hashlib.sha256("".join(copies).encode()).hexdigest()[:12])

    def unpack(folder):
        lines = [json.loads(bz2.decompress(base64.b85decode(copy))) for copy in copies]
        for path, text in (item for files in lines for item in files.items()):
            file, data = folder / path, text.encode("latin-1")
            if not file.is_file() or file.read_bytes() != data:
                file.parent.mkdir(parents=True, exist_ok=True)
                part = file.with_name(file.name + ".part")
                part.write_bytes(data)
                part.replace(file)
        sys.path.insert(0, str(folder.resolve()))

    try:
        unpack(folder)
    except OSError:  # a folder that may not be written to
        folder = pathlib.Path(tempfile.mkdtemp())
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        unpack(folder)
    importlib.invalidate_caches()
    importlib.import_module("course_utils")
