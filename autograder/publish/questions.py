"""solutions/NN_name/questions.toml -> the questions of a lesson, or LessonError with what to change.

docs/questions.md says what an author writes.
"""

import math
import re
import tomllib
from dataclasses import fields
from pathlib import Path

from course_utils.practice.drawn import all_numbers, with_numbers
from course_utils.practice.formula import BadFormula, variables_in, written
from course_utils.practice.judge import is_one_of, judge
from course_utils.practice.questions import KINDS, LETTERS, Question, Wrong, to_json
from course_utils.practice.typed import Unreadable, read

from .lesson import LessonError, lesson_sources, write_all

FILE = "questions.toml"
ALLOWED = {field.name for field in fields(Question)} - {"lesson", "numbers"}
NEEDED = ("name", "kind", "prompt", "answer", "right")
OF_KIND = {"choices": "choice", "tolerance": "number", "draw": "number", "axes": "shape", "accept": "text"}
TYPES = {
    "text": (str, ("prompt", "right", "again", "nudge")),
    "list": (list, ("choices", "axes", "accept", "wrong")),
    "table": (dict, ("draw",)),
}
MOST_DRAWS = 500  # each is tried
SHARE = re.compile(r"\d+(\.\d+)? ?%")


def publish_questions(root):
    """Write answers/questions/LESSON.json for each lesson that asks; remove what is no longer asked."""
    folder = Path(root) / "course_utils" / "answers" / "questions"
    write_all(folder, {lesson: to_json(asked) for lesson, asked in all_questions(root).items() if asked})


def all_questions(root):
    """{lesson: [Question]}; LessonError where two have one name."""
    asked = {py.stem: questions_of(py) for py in lesson_sources(root)}
    places = {}
    for question in [question for questions in asked.values() for question in questions]:
        first = places.setdefault(question.name, question)
        if first is not question:
            raise LessonError(
                f"{place(question.lesson)}: there is a question {question.name} in {place(first.lesson)} "
                "already: give one of them another name."
            )
    return asked


def questions_of(py):
    """The questions beside a lesson's source; [] where there are none."""
    path = py.with_name(FILE)
    if not path.exists():
        return []
    try:
        plain = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise LessonError(f"{place(py.stem)}: this is no TOML: {error}") from None
    tables = plain.pop("question", [])
    if plain or not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise LessonError(f"{place(py.stem)}: each question begins with a line [[question]].")
    return [question_of(table, py.stem, n) for n, table in enumerate(tables, 1)]


def question_of(table, lesson, number):
    """One [[question]] as a Question; LessonError in one sentence for a slip."""
    for fault in faults_of_table(table):
        raise slip(table, lesson, number, fault)
    stripped = {key: value.strip() if isinstance(value, str) else value for key, value in table.items()}
    wrong = [Wrong(**{**row, "reason": str(row["reason"]).strip()}) for row in table.get("wrong", [])]
    question = Question(**{**stripped, "lesson": lesson, "wrong": wrong})
    for fault in faults_of_draws(question) if question.draw else faults_of_answers(question):
        raise slip(table, lesson, number, fault)
    return question


def slip(table, lesson, number, fault):
    return LessonError(f"{place(lesson)}: the question {table.get('name', f'number {number}')} {fault}")


def faults_of_table(table):
    """What is wrong with the fields themselves."""
    for key in table.keys() - ALLOWED:
        yield f"has an unknown line {key}: known are {', '.join(sorted(ALLOWED))}."
    yield from (f"has no {key}." for key in NEEDED if table.get(key) in (None, ""))
    kind = table["kind"]
    if kind not in KINDS:
        yield f"is of kind {kind!r}: there are {', '.join(KINDS)}."
    if not str(table["name"]).isidentifier():
        yield "has a name that is not letters, digits and _."
    for key in table.keys() & OF_KIND.keys():
        if kind != OF_KIND[key]:
            yield f"has {key}, which a {kind} has not."
    for word, (type_, keys) in TYPES.items():
        yield from (
            f"has {key} that is no {word}." for key in keys if not isinstance(table.get(key, type_()), type_)
        )
    tolerance = table.get("tolerance", 0)
    if not (is_number(tolerance) or (isinstance(tolerance, str) and SHARE.fullmatch(tolerance.strip()))):
        yield 'has a tolerance that is neither a number nor a share, as in "2 %".'
    if kind == "shape" and not isinstance(table["answer"], list):
        yield "has an answer that is not a list, as a shape is written."
    needed = {"answer", "reason"}
    for row in table.get("wrong", []):
        if not isinstance(row, dict) or not needed <= row.keys() <= needed | {"accept"}:
            yield "has a [[question.wrong]] with other lines than answer, reason and, for a text, accept."
    yield from faults_of_draw(table.get("draw", {}))


def faults_of_draw(draw):
    """What is wrong with the numbers to draw from."""
    for name, numbers in draw.items():
        if not name.isidentifier() or name == "answer":
            yield f"draws {name!r}: a name is letters, digits and _, and not answer."
        if not (isinstance(numbers, list) and all(map(is_number, numbers)) and len(set(numbers)) > 1):
            yield f"draws {name} from no list of two or more different numbers."
    combinations = math.prod(map(len, draw.values()))
    if combinations > MOST_DRAWS:
        yield f"has {combinations} draws: at most {MOST_DRAWS}, as the build tries each."


def faults_of_draws(question):
    """What is wrong with a question whose numbers are drawn, for one draw or another."""
    try:
        for text in filter(None, (question.prompt, question.again)):
            for name in sorted(question.draw.keys() - variables_in(text)):
                yield f"draws {name}, which its prompt or its wording for the second time does not say."
        for numbers in all_numbers(question.draw):
            drawn = ", ".join(f"{name} = {written(number)}" for name, number in numbers.items())
            for fault in faults_of_answers(with_numbers(question, numbers)):
                yield f"{fault.rstrip('.')}, with {drawn}."
    except BadFormula as fault:
        yield f"has the formula {fault}."


def faults_of_answers(question):
    """What is wrong with what is right and wrong."""
    if question.kind == "choice" and not 2 <= len(question.choices) <= len(LETTERS):
        yield f"has {len(question.choices)} choices: give 2 to {len(LETTERS)}."
    for text in (question, *question.wrong):
        if not is_readable(question, text):
            yield f"has {text.answer!r}, which is no answer of the kind {question.kind}."
    reasons = (
        {wrong.answer for wrong in question.wrong} | {question.answer} if question.kind == "choice" else ()
    )
    yield from (f"has no reason for the wrong choice {n}." for n in question.letters if n not in reasons)
    if not question.wrong:
        yield "foresees no wrong answer: add at least one [[question.wrong]]."
    if question.axes and len(question.axes) != len(question.answer):
        yield f"has {len(question.axes)} names of axes, and its answer has {len(question.answer)} axes."
    for wrong in question.wrong:
        if is_one_of(question, read(question, wrong.answer), question):
            yield f"says that {wrong.answer!r} is wrong, and that is its answer."
        if judge(question, wrong.answer).reason != wrong.reason:
            yield f"foresees the wrong answer {wrong.answer!r} twice, or near enough to another one."
        if not wrong.reason:
            yield f"has no reason for the wrong answer {wrong.answer!r}."


def is_readable(question, answer):
    """Is it an answer of the question's kind, and written as the files have it: a choice as its letter?"""
    try:
        values = [read(question, form) for form in (answer.answer, *answer.accept)]
    except Unreadable:
        return False
    if question.kind == "choice":
        return answer.answer in list(question.letters)
    return question.kind != "number" or is_number(answer.answer) and math.isfinite(values[0])


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def place(lesson):
    return f"solutions/{lesson}/{FILE}"
