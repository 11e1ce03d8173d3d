"""Submissions from an LMS -> submitted/; the gradebook's scores -> the files that an LMS takes.

What is special to an LMS stands in one file, which is named here: its class System, a kind of lms.Lms.
"""

from importlib import import_module

# {the word for export --to: its file}; plain folders stay last, as any name fits them
SYSTEMS = {"canvas": "canvas", "moodle": "moodle", "csv": "folder"}


def system(name):
    return import_module(f".{SYSTEMS[name]}", __package__).System()


def systems():
    return [system(name) for name in SYSTEMS]
