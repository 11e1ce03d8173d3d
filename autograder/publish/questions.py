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
OF_KIND = {
    "choices": ("choice",),
    "tolerance": ("number",),
    "draw": ("number",),
    "axes": ("shape",),
    "accept": ("text",),
}  # in which kinds a field means something
MOST_DRAWS = 500  # each is tried
SHARE = re.compile(r"\d+(\.\d+)? ?%")
TEXTS, LISTS = ("prompt", "right", "again", "nudge"), ("choices", "axes", "accept", "wrong")


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

    def refuse(sentence):
        name = table.get("name", f"number {number}")
        raise LessonError(f"{place(lesson)}: the question {name} {sentence}")

    for fault in faults_of_table(table):
        refuse(fault)
    wrong = []
    for row in table.get("wrong", []):
        needed = {"answer", "reason"}
        if not isinstance(row, dict) or not needed <= row.keys() <= needed | {"accept"}:
            refuse("has a [[question.wrong]] with other lines than answer, reason and, for a text, accept.")
        wrong.append(Wrong(**{**row, "reason": str(row["reason"]).strip()}))
    stripped = {key: value.strip() if isinstance(value, str) else value for key, value in table.items()}
    question = Question(**{**stripped, "lesson": lesson, "wrong": wrong})
    for fault in faults_of_draws(question) if question.draw else faults_of_answers(question):
        refuse(fault)
    return question


def faults_of_table(table):
    """What is wrong with the fields themselves."""
    yield from (
        f"has an unknown line {key}: known are {', '.join(sorted(ALLOWED))}."
        for key in table.keys() - ALLOWED
    )
    yield from (f"has no {key}." for key in NEEDED if table.get(key) in (None, ""))
    kind = table["kind"]
    if kind not in KINDS:
        yield f"is of kind {kind!r}: there are {', '.join(KINDS)}."
    if not str(table["name"]).isidentifier():
        yield "has a name that is not letters, digits and _."
    for key, kinds in OF_KIND.items():
        if key in table and kind not in kinds:
            yield f"has {key}, which a {kind} has not."
    yield from (f"has {key} that is not a text." for key in TEXTS if not isinstance(table.get(key, ""), str))
    yield from (f"has {key} that is not a list." for key in LISTS if not isinstance(table.get(key, []), list))
    tolerance = table.get("tolerance", 0)
    if not (is_number(tolerance) or (isinstance(tolerance, str) and SHARE.fullmatch(tolerance.strip()))):
        yield 'has a tolerance that is neither a number nor a share, as in "2 %".'
    if "draw" in table:
        yield from faults_of_draw(table["draw"])
    if kind == "shape" and not isinstance(table["answer"], list):
        yield "has an answer that is not a list, as a shape is written."


def faults_of_draw(draw):
    """What is wrong with the numbers to draw from."""
    if not (isinstance(draw, dict) and draw):
        yield "has a draw that is no table of names, as in draw = { layers = [24, 32] }."
        return
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
            unsaid = sorted(question.draw.keys() - variables_in(text))
            if unsaid:
                yield f"draws {unsaid[0]}, which its prompt or its wording for the second time does not say."
        for numbers in all_numbers(question.draw):
            drawn = ", ".join(f"{name} = {written(number)}" for name, number in numbers.items())
            yield from (
                f"{fault.rstrip('.')}, with {drawn}."
                for fault in faults_of_answers(with_numbers(question, numbers))
            )
    except BadFormula as fault:
        yield f"has the formula {fault}."


def faults_of_answers(question):
    """What is wrong with what is right and wrong."""
    if question.kind == "choice" and not 2 <= len(question.choices) <= len(LETTERS):
        yield f"has {len(question.choices)} choices: give 2 to {len(LETTERS)}."
    if question.kind == "choice" and not is_letter(question, question.answer):
        letters = ", ".join(question.letters)
        yield f"has the answer {question.answer!r}, which is not among its choices: {letters}."
    for text in (question, *question.wrong):
        yield from faults_of_answer(question, text)
    if question.kind == "choice":
        reasons = {wrong.answer for wrong in question.wrong} | {question.answer}
        yield from (f"has no reason for the wrong choice {n}." for n in question.letters if n not in reasons)
    elif not question.wrong:
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


def faults_of_answer(question, answer):
    """What is wrong with one answer, the right one or a foreseen one."""
    try:
        for form in (answer.answer, *answer.accept):
            value = read(question, form)
    except Unreadable:
        yield f"has {answer.answer!r}, which is no answer of the kind {question.kind}."
        return
    if question.kind == "choice" and not is_letter(question, answer.answer):
        yield f"gives a reason for {answer.answer!r}: write its letter, one of {', '.join(question.letters)}."
    if question.kind == "number" and not (math.isfinite(value) and isinstance(answer.answer, (int, float))):
        yield f"has {answer.answer!r}, which is no number."


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_letter(question, answer):
    return isinstance(answer, str) and len(answer) == 1 and answer in question.letters


def place(lesson):
    return f"solutions/{lesson}/{FILE}"
