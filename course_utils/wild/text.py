"""Code of Python's standard library as text: some modules for training, others held out."""

import ast
import re
import sysconfig
from pathlib import Path

from ..former import former_names

__getattr__ = former_names(__name__, {"2026-11-24": "prose"})
TRAINING = (
    "argparse ast asyncio bdb calendar cmd code codecs collections concurrent configparser contextlib "
    "dataclasses difflib email enum fileinput fnmatch ftplib functools gettext glob gzip html http imaplib "
    "inspect ipaddress json logging mailbox optparse os pathlib pickle platform plistlib poplib pprint "
    "random selectors shelve shlex shutil smtplib socket socketserver statistics string subprocess tarfile "
    "tempfile threading trace typing urllib weakref webbrowser xmlrpc zipfile"
)
HELD_OUT = (
    "bisect copy csv filecmp getopt graphlib heapq netrc operator queue sched textwrap tracemalloc uuid"
)
LIBRARY = Path(sysconfig.get_path("stdlib"))
DEFINITIONS = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
LONGEST_LINE = 120  # longer lines are usually tables


def python_code():
    """Return (training text, held-out text): functions and classes, without comments and docstrings."""
    return tuple("".join(map(definitions, names.split())) for names in (TRAINING, HELD_OUT))


def definitions(name):
    """Return the functions and classes of a module, or of all modules of a package, as one text."""
    files = sorted(LIBRARY.glob(f"{name}.py")) + sorted((LIBRARY / name).rglob("[a-z_]*.py"))
    return "".join(
        f"{code}\n\n"
        for file in files
        if "test" not in file.relative_to(LIBRARY).as_posix()
        for node in ast.parse(file.read_bytes()).body
        if isinstance(node, DEFINITIONS) and is_plain(code := indented(ast.unparse(without_docstrings(node))))
    )


def without_docstrings(node):
    for inner in ast.walk(node):
        if isinstance(inner, DEFINITIONS) and ast.get_docstring(inner):
            inner.body = inner.body[1:] or [ast.Pass()]
    return node


def indented(code):
    return re.sub(r"(?m)^(    )+", lambda spaces: "\t" * (len(spaces[0]) // 4), code)


def is_plain(code):
    return code.isascii() and max(map(len, code.splitlines())) <= LONGEST_LINE
