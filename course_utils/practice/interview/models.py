"""Model solutions: a topic and a part's name come in; a program that runs alone goes out. Also the notes of
an interviewer: notes.toml says which function or class of solutions/ solves a part."""

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
    place = notes().get(topic, {}).get("solutions", {}).get(part)
    return source_of(*place.split(".")) if place else ""


@cache
def source_of(file, name):
    """The source of a function or a class after that of its helpers, with the imports."""
    text = (FOLDER / f"{file}.py").read_text(encoding="utf-8")
    body = ast.parse(text).body
    objects = {node.name: node for node in body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    needed, todo = set(), [name]
    while todo:
        needed.add(own := todo.pop())
        names = {node.id for node in ast.walk(objects[own]) if isinstance(node, ast.Name)}
        todo += (names & objects.keys()) - needed
    used = {node.id for own in needed for node in ast.walk(objects[own]) if isinstance(node, ast.Name)}
    imports = [node for node in body if isinstance(node, (ast.Import, ast.ImportFrom))]
    head = [lines_of(text, node) for node in imports if used & {alias.name for alias in node.names}]
    programs = [lines_of(text, node) for own, node in objects.items() if own in needed]
    return "\n\n\n".join(["\n".join(head), *programs])


def lines_of(text, node):
    """The source of a statement, with its decorators."""
    first = min([node.lineno, *(decorator.lineno for decorator in getattr(node, "decorator_list", []))])
    return "\n".join(text.splitlines()[first - 1 : node.end_lineno])
