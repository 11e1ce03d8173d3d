"""Model solutions: a topic and a part's name come in; a program goes out. Also the interviewer's notes.
notes.toml says which functions of solutions/ belong to a part."""

import ast
import tomllib
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).with_name("solutions")
NOTES = Path(__file__).with_name("notes.toml")


@cache
def notes():
    """{topic: the interviewer's notes on it}."""
    return tomllib.loads(NOTES.read_text(encoding="utf-8"))


def solution(topic, part):
    """The program for a part, "" if there is none."""
    places = notes().get(topic, {}).get("solutions", {}).get(part, [])
    return "\n\n\n".join(source_of(*place.split(".")) for place in places)


@cache
def source_of(file, name):
    """The source of a function or a class, with its decorators."""
    text = (FOLDER / f"{file}.py").read_text(encoding="utf-8")
    node = next(node for node in ast.parse(text).body if getattr(node, "name", "") == name)
    first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    return "\n".join(text.splitlines()[first - 1 : node.end_lineno])
