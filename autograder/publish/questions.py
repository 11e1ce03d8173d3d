"""Read and check solutions/NN_name/questions.toml, publish the questions, and add their texts to the lesson.

A mistake in the file is a LessonError that says what to change. docs/questions.md describes the file.
"""

import math
import re
import tomllib
from pathlib import Path

import nbformat

from course_utils.practice.card import Refusal
from course_utils.practice.drawn import all_numbers, example, with_numbers
from course_utils.practice.formula import BadFormula, variables_in, written
from course_utils.practice.questions import LETTERS, READERS, Question, Wrong, is_one_of, judge, read, to_json

from .lesson import LessonError, lesson_sources, write_all

FILE = "questions.toml"
PREDICT_CALL = re.compile(r"""\bpredict\(\s*["']([^"']*)["']""")
MARKER = re.compile(PREDICT_CALL.pattern + r"\s*\)")
EXAMPLE = "*Example numbers: the cell below draws its own.*"
MOST_DRAWS = 500  # the build checks every combination


def publish_questions(root):
    """Write answers/questions/LESSON.json for each lesson with questions; remove all others."""
    folder = Path(root) / "course_utils" / "answers" / "questions"
    write_all(folder, {lesson: to_json(items) for lesson, items in all_questions(root).items() if items})


def all_questions(root):
    """{lesson: [Question]}; LessonError when two questions have the same name."""
    items = {py.stem: questions_of(py) for py in lesson_sources(root)}
    places = {}
    for question in [question for questions in items.values() for question in questions]:
        first = places.setdefault(question.name, question)
        if first is not question:
            raise LessonError(
                f"{place(question.lesson)}: there is a question {question.name} in {place(first.lesson)} "
                "already: give one of them another name."
            )
    return items


def questions_of(py):
    """The questions in the questions.toml next to a lesson's source; [] without such a file."""
    path = py.with_name(FILE)
    if not path.exists():
        return []
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8")).get("question")
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise LessonError(f"{place(py.stem)}: this is not TOML: {error}") from None
    if not isinstance(tables, list):
        raise LessonError(f"{place(py.stem)}: each question begins with a line [[question]].")
    return [question_of(table, py.stem, number) for number, table in enumerate(tables, 1)]


def question_of(table, lesson, number):
    """Convert one [[question]] table to a Question; LessonError when it has a fault."""
    try:
        texts = {key: value.strip() if isinstance(value, str) else value for key, value in table.items()}
        wrong = [Wrong(**{**row, "reason": str(row["reason"]).strip()}) for row in table.get("wrong", [])]
        question = Question(**{**texts, "lesson": lesson, "wrong": wrong})
        fault = next(faults(question), None)
    except BadFormula as error:
        fault = f"has the formula {error}."
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        fault = f"cannot be used: {error}."
    if fault:
        name = table.get("name", f"number {number}")
        raise LessonError(f"{place(lesson)}: the question {name} {fault}")
    return question


def faults(question):
    """Yield a question's faults as predicates ('has no prompt.'); drawn numbers are checked for every
    draw."""
    if question.kind not in READERS:
        yield f"is of kind {question.kind!r}: the kinds are {', '.join(READERS)}."
    if not (question.prompt and question.right):
        yield "has no prompt, or no text for a right answer."
    if isinstance(question.choices, str) or isinstance(question.accept, str):
        yield "has choices or accept that is not a list."
    if not question.draw:
        yield from faults_of_answers(question)
        return
    for name, numbers in question.draw.items():
        if len({*numbers}) < 2 or not all(isinstance(number, (int, float)) for number in numbers):
            yield f"has to draw {name} from a list of two or more different numbers."
        for text in filter(None, (question.prompt, question.again)):
            if name not in variables_in(text):
                yield f"draws {name}, which neither its prompt nor its second wording mentions."
    combinations = math.prod(map(len, question.draw.values()))
    if combinations > MOST_DRAWS:
        yield f"has {combinations} draws: at most {MOST_DRAWS}, as the build tries each."
    for numbers in all_numbers(question.draw):
        values = ", ".join(f"{name} = {written(number)}" for name, number in numbers.items())
        for fault in faults_of_answers(with_numbers(question, numbers)):
            yield f"{fault.rstrip('.')}, with {values}."


def faults_of_answers(question):
    """Yield the faults of a question's choices, its right answer and its wrong answers."""
    if question.kind == "choice" and not 2 <= len(question.choices) <= len(LETTERS):
        yield f"has {len(question.choices)} choices: give 2 to {len(LETTERS)}."
    for text in (question, *question.wrong):
        if not is_readable(question, text):
            yield f"has {text.answer!r}, which is not an answer of the kind {question.kind}."
    answers = {question.answer, *(w.answer for w in question.wrong)} if question.kind == "choice" else ()
    yield from (f"has no reason for the wrong choice {n}." for n in question.letters if n not in answers)
    if not question.wrong:
        yield "has no wrong answer: add at least one [[question.wrong]]."
    if question.axes and len(question.axes) != len(question.answer):
        yield f"has {len(question.axes)} axis names, but its answer has {len(question.answer)} axes."
    for wrong in question.wrong:
        if is_one_of(question, read(question, wrong.answer), question):
            yield f"says that {wrong.answer!r} is wrong, but that is its answer."
        if judge(question, wrong.answer).reason != wrong.reason:
            yield f"foresees the wrong answer {wrong.answer!r} twice, or near enough to another one."
        if not wrong.reason:
            yield f"has no reason for the wrong answer {wrong.answer!r}."


def is_readable(question, answer):
    """Has an answer the question's kind and the type used in the files (a choice is its letter)?"""
    try:
        values = [read(question, form) for form in (answer.answer, *answer.accept)]
    except Refusal:
        return False
    if question.kind == "choice":
        return answer.answer in list(question.letters)
    as_written = {"number": (int, float), "shape": list}.get(question.kind, object)
    return isinstance(answer.answer, as_written) and (question.kind != "number" or math.isfinite(values[0]))


def place(lesson):
    return f"solutions/{lesson}/{FILE}"


def add_questions(nb, py):
    """Insert each question's text above its `predict("name")` cell; LessonError for an unknown question."""
    questions, cells = {question.name: question for question in questions_of(py)}, []
    for cell in nb.cells:
        source = cell.source.strip() if cell.cell_type == "code" else ""
        for name in PREDICT_CALL.findall(source):
            if name not in questions:
                raise LessonError(f"{py.name}: predict asks {name!r}, which is not in {place(py.stem)}.")
        if match := MARKER.fullmatch(source):
            cells.append(nbformat.v4.new_markdown_cell(text_of(questions[match[1]])))
        cells.append(cell)
    nb.cells = cells


def text_of(question):
    """The question's markdown, without the choices, which predict shows; drawn numbers are an example."""
    text = example(question).prompt.strip()
    return f"{text}\n\n{EXAMPLE}" if question.draw else text
