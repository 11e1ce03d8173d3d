"""Copies submissions from an LMS into submitted/, and exports scores in the files that an LMS imports.

Everything specific to one LMS is in one module, as a class System that extends lms.Lms. The attributes of
`sentences` are the texts of sentences.toml.
"""

import tomllib
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

# {value of export --to: module}; plain folders come last, because they match any name
SYSTEMS = {"canvas": "canvas", "moodle": "moodle", "csv": "folder"}


def system(name):
    return import_module(f".{SYSTEMS[name]}", __package__).System()


def systems():
    return [system(name) for name in SYSTEMS]


def read_toml(name):
    return tomllib.loads(Path(__file__).with_name(name).read_text("utf-8"))


sentences = SimpleNamespace(**read_toml("sentences.toml"))
