"""Submissions from an LMS -> submitted/; the gradebook's scores -> the files that an LMS takes.

What is special to an LMS stands in one file, which is named here. It has `claim_of` for the names of its
downloads, `adapt` for the columns of its CSV files, `is_student` for their rows and, where it takes grades
back, a `Template`.
"""

from importlib import import_module

# {the word for export --to: its file}; plain folders stay last
SYSTEMS = {"canvas": "canvas", "moodle": "moodle", "csv": "folder"}


def system(name):
    return import_module(f".{SYSTEMS[name]}", __package__)


def systems():
    """All of them; plain folders last, as any name fits them."""
    return [system(name) for name in SYSTEMS]
