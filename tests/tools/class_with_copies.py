"""A made-up class with known copiers. All answers are right ones from tests/programs, in a different style
for each student while there are enough; what a copier changes in an answer is a function of its text."""

import ast
from itertools import pairwise
from random import Random

from autograder.releases import store
from autograder.similarity.answers import Answer, Class
from autograder.submission.pieces import code_pieces
from tests.programs import all_programs


def styles(exercise):
    """The right answers to an exercise, each by another author."""
    return [p.source.strip() for p in all_programs() if p.exercise == exercise and p.is_right]


def class_of(lesson, students, seed=1):
    """{student: {exercise: text}}, in different styles; some students have no text where styles run out."""
    random, work = Random(seed), {f"student{n:02d}": {} for n in range(students)}
    for exercise in store.current(lesson).exercises:
        texts = styles(exercise)
        random.shuffle(texts)
        for student, text in zip(random.sample(sorted(work), min(students, len(texts))), texts, strict=False):
            work[student][exercise] = text
    return work


def class_from(work, lesson):
    """The Class of {student: {exercise: text}}, made without notebooks."""
    texts = [(s, name, text) for s, answers in work.items() for name, text in answers.items()]
    answers = [Answer(s, name, text, code_pieces(text)) for s, name, text in texts]
    return Class(lesson, answers, len(work))


# ---- how copiers change a text


def renamed(text):
    """Rename every variable and argument; functions and classes keep their names."""
    tree = ast.parse(text)
    nodes = list(ast.walk(tree))
    bound_names = names(nodes, ast.Store) | {n.arg for n in nodes if isinstance(n, ast.arg)}
    for node in nodes:
        if isinstance(node, ast.arg):
            node.arg = f"my_{node.arg}"
        elif isinstance(node, ast.Name) and node.id in bound_names:
            node.id = f"my_{node.id}"
    return ast.unparse(tree)


def commented(text):
    """Other comments and layout, a docstring and a print."""
    lines = [f"{line}  # step {n}" for n, line in enumerate(ast.unparse(ast.parse(text)).split("\n"))]
    at = next(n for n, line in enumerate(lines) if line.startswith("def ") or "    def " in line)
    inside = " " * (len(lines[at]) - len(lines[at].lstrip()) + 4)
    lines[at + 1 : at + 1] = [f'{inside}"""What I thought of."""', f"{inside}print('here')"]
    return "\n\n".join(lines)


def reordered(text):
    """Swap the first two neighbouring statements of a function that do not depend on each other."""
    tree = ast.parse(text)
    for function in (n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)):
        for n, two in enumerate(pairwise(function.body)):
            if all(isinstance(statement, ast.Assign) for statement in two) and independent(*two):
                function.body[n : n + 2] = reversed(two)
                return ast.unparse(tree)
    raise ValueError("no two statements are independent")


def independent(statement, neighbour):
    first, second = list(ast.walk(statement)), list(ast.walk(neighbour))
    return not names(second, ast.Store) & names(first) and not names(first, ast.Store) & names(second)


def names(nodes, kind=ast.expr_context):
    return {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, kind)}
