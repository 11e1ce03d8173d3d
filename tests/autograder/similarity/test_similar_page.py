"""The page of similar answers is right, and students' texts do no harm."""

import re

import pytest

from autograder.publish.solutions import answers as own_answers
from autograder.refused import Refused
from autograder.releases import store
from autograder.similarity.answers import Answer, Class
from autograder.similarity.command import compare_classes, page_of, run
from autograder.similarity.pairs import compare
from autograder.submission.pieces import LONGEST, code_pieces, text_pieces
from tests.tools.class_with_copies import class_of, renamed
from tests.tools.school import WRITTEN as WITH_WRITTEN
from tests.tools.school import new_course, notebook, submit

LESSON = "03_self_attention"
LONG = "MultiHeadSelfAttention"
ESSAY = (
    "The second head looks at the token before, whatever it is. I removed it and the loss rose by two "
    "thirds, while removing the fourth one changed nothing. So the induction head reads what the second one "
    "wrote down. Without it the copy has nothing to go by, and it guesses among all that it saw so far."
)
UNRELATED_ESSAY = (
    "My picture shows a diagonal in layer 0. That is a previous token head. Layer 1 has a stripe further "
    "below, which is where the pattern began last time. When I switch off layer 0, the stripe is gone too."
)
ATTACK = "<script>alert(1)</script></pre><img src=x onerror=alert(1)>\u202e{{ 7*7 }}\0"


@pytest.fixture(scope="module")
def work():
    """Eight students' answers; ben has ada's with other names, and two are hostile."""
    work = class_of(LESSON, 5)
    work["eve"] = {LONG: f"class {LONG}:\n    x = r'''{ATTACK}'''\n" + "    y = 1\n" * 10_000}
    work["pat"] = {LONG: "(" * 300_000}
    work["ada"] = work.pop("student03")
    return work | {"ben": {name: renamed(text) for name, text in work["ada"].items()}}


@pytest.fixture
def course(tmp_path, work):
    """A course with their notebooks; gus wrote nothing, and ivo's file is broken."""
    root = new_course(tmp_path)
    for student, texts in work.items():
        submit(root, student, LESSON, notebook(LESSON, texts))
    submit(root, "ivo", LESSON, b"{ broken")
    submit(root, "gus", LESSON)
    return root


def test_the_page_shows_the_planted_pair_and_every_answer_is_read(course, work, capsys):
    run(course)
    assert "1 pair to look at" in capsys.readouterr().out
    page = (course / "report_with_names" / "similar.html").read_text(encoding="utf-8")
    for words in ("ada and ben", "my_", "9 submissions read, 1 that cannot be read", f"<code>{LONG}</code>"):
        assert words in page
    # nothing is written next to grades and feedback
    assert {p.name for p in course.iterdir()} == {"nbgrader_config.py", "submitted", "report_with_names"}
    (result,) = compare_classes(course, LESSON)
    assert len(result.answers) == sum(map(len, work.values()))
    for lesson, why in (("02_split_concat", "Nothing was handed in for 02_split"), ("nope", "not a lesson")):
        with pytest.raises(Refused, match=why):
            run(course, lesson)


# ---- written answers


QUESTION = next(iter(store.current(WITH_WRITTEN).by_hand))


def essays(**texts):
    answers = [Answer(student, QUESTION, text, text_pieces(text)) for student, text in texts.items()]
    return compare(Class(WITH_WRITTEN, answers, len(texts)))


def test_a_copied_essay_is_found_but_no_unrelated_one_and_no_copied_rubric():
    reordered = " ".join(reversed(ESSAY.upper().split(". ")))
    result = essays(ada=ESSAY, ben=f"- {reordered}", cho=UNRELATED_ESSAY)
    assert [pair.students for pair in result.pairs] == [("ada", "ben")]
    rubric = own_answers(WITH_WRITTEN)[QUESTION]
    assert essays(ada=rubric, ben=rubric).pairs == []


# ---- hostile submissions


def test_students_texts_on_the_page_are_escaped():
    text = f"{ESSAY} {ATTACK}"
    page = page_of([essays(ada=text, ben=text)])
    assert "ada and ben" in page
    assert not re.search("<script|<img|\u202e|\0", page)
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page


HOSTILE_TEXTS = [
    "x = " + "(" * 5000,
    "x = y" + ".a" * 9_000,
    "def f():\n" + "".join(" " * n + "if x:\n" for n in range(1, 90)) + " " * 90 + "pass",
    "if x: pass\n" + "elif x: pass\n" * 1200,
    "a;" * 30_000,
    "\n" * 1_000_000,
    "a " * 500_000,
    "x = '" + "\u0301" * 100_000 + "'",
    "\ud800 = 1",
    "",
]


@pytest.mark.parametrize("text", HOSTILE_TEXTS, ids=lambda text: f"{text[:6]!r} {len(text)}")
def test_a_hostile_text_is_cut_to_a_limited_size(text):
    for pieces in (code_pieces(text), text_pieces(text)):
        assert sum(map(len, pieces.values())) <= LONGEST
    answers = [Answer(student, "x", text, code_pieces(text)) for student in ("ada", "ben")]
    assert page_of([compare(Class(LESSON, answers, 2))])
