"""The bundle's ANSWERS.md: all questions of the lessons with their answers, for students to look up."""

from course_utils.practice.drawn import example
from course_utils.practice.questions import read, say

from .questions import all_questions

HEAD = """# The questions of the lessons, with their answers

`predict("name")` asks these in the lessons. None of it is graded. Decide on an answer, then look here.
"""


def answers_page(root, until=None):
    """The page's text, for all lessons or those up to `until`; "" when they have no questions."""
    parts = [
        f"## {lesson}\n\n" + "\n".join(map(section, questions))
        for lesson, questions in all_questions(root).items()
        if questions and (until is None or lesson <= until)
    ]
    return "\n".join([HEAD, *parts]) if parts else ""


def section(question):
    """One question with its answer and the reply to each wrong answer; drawn numbers are an example."""
    template, question = question, example(question)
    wrong = "\n".join(
        f"- *Not {answer_text(question, entry.answer)}:* {flat(entry.reason)}" for entry in question.wrong
    )
    formula = f" For other numbers: `{template.answer}`." if template.draw else ""
    answer = f"**Answer: {answer_text(question, question.answer)}.** {question.right}{formula}"
    return f"### `{question.name}`\n\n{question.as_markdown()}\n\n{answer}\n\n{wrong}\n"


def answer_text(question, answer):
    """An answer in words; a text answer stays as its author wrote it."""
    return answer if question.kind == "text" else say(question, read(question, answer))


def flat(text):
    """Put a text on one line, for a list."""
    return " ".join(text.split())
