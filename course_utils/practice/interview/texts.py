"""The texts of an interview: its sentences, its questions about costs, which are judged like those of
`predict`, an interviewer's notes, and the model solutions, each a program that runs alone."""

import ast
import tomllib
from functools import cache
from pathlib import Path

from ..card import sentences
from ..questions import question_from

HERE = Path(__file__).parent
QUESTIONS = {
    name: question_from(name, table)
    for name, table in tomllib.loads((HERE / "questions.toml").read_text(encoding="utf-8")).items()
}
text = sentences(HERE / "sentences.toml")


@cache
def notes():
    """{topic: the interviewer's notes on it}; `solutions` says which function or class solves a part."""
    return tomllib.loads((HERE / "notes.toml").read_text(encoding="utf-8"))


def solution(topic, part):
    """The program for a part, "" if there is none."""
    place = notes().get(topic, {}).get("solutions", {}).get(part)
    return source_of(*place.split(".")) if place else ""


@cache
def source_of(file, name):
    """The source of a function or a class after that of its helpers, with the imports."""
    program = (HERE / "solutions" / f"{file}.py").read_text(encoding="utf-8")
    body = ast.parse(program).body
    objects = {node.name: node for node in body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    needed, todo = set(), [name]
    while todo:
        needed.add(own := todo.pop())
        names = {node.id for node in ast.walk(objects[own]) if isinstance(node, ast.Name)}
        todo += (names & objects.keys()) - needed
    used = {node.id for own in needed for node in ast.walk(objects[own]) if isinstance(node, ast.Name)}
    imports = [node for node in body if isinstance(node, (ast.Import, ast.ImportFrom))]
    head = [lines_of(program, node) for node in imports if used & {alias.name for alias in node.names}]
    programs = [lines_of(program, node) for own, node in objects.items() if own in needed]
    return "\n\n\n".join(filter(None, ["\n".join(head), *programs]))


def lines_of(program, node):
    """The source of a statement, with its decorators."""
    first = min([node.lineno, *(decorator.lineno for decorator in getattr(node, "decorator_list", []))])
    return "\n".join(program.splitlines()[first - 1 : node.end_lineno])
