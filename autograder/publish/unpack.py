"""The first code of a student's notebook: find course_utils, or unpack the copy that travels in the notebook.

The build puts this function's source into every notebook, before a call with that notebook's copy.
"""


def load_course(copy):
    """Make `import course_utils` work; where it is not installed (Colab, one file alone), from `copy`."""
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
    files = json.loads(bz2.decompress(base64.b64decode(copy)))
    folder = pathlib.Path(".course-" + hashlib.sha256(copy.encode()).hexdigest()[:12])

    def unpack(folder):
        for path, text in files.items():
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
