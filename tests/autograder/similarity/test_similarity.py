"""python -m autograder similar shows planted copies, but no independent work."""

from contextlib import suppress
from itertools import combinations
from operator import methodcaller

import pytest

from autograder.publish.solutions import answers as own_answers
from autograder.releases import store
from autograder.similarity.pairs import MAX_HOLDERS, MIN_SHARE, MIN_UNUSUAL, compare, course_pieces
from autograder.submission.pieces import code_pieces
from tests.tools.class_with_copies import class_from, class_of, commented, renamed, reordered, styles

LESSON = "03_self_attention"
LONG = "MultiHeadSelfAttention"


def shown_pairs(work, lesson=LESSON):
    return {pair.students for pair in compare(class_from(work, lesson)).pairs}


# ---- which pairs are shown


@pytest.mark.parametrize("lesson", ["01_masks", "02_split_concat", LESSON, "04_kv_cache"])
def test_independent_right_answers_are_not_shown(lesson):
    for seed in (1, 2):
        assert shown_pairs(class_of(lesson, 14, seed), lesson) == set()


def test_no_two_independent_answers_are_close_enough_to_be_shown():
    """In a class of two nothing counts as common. Only the closest pair comes near the threshold."""
    closest = 0
    for release in store.lessons().values():
        for name in release.exercises:
            for first, second in combinations([set(code_pieces(text)) for text in styles(name)], 2):
                if len(first & second - course_pieces()) >= MIN_UNUSUAL:
                    closest = max(closest, len(first & second) / min(len(first), len(second)))
    assert round(closest, 2) == 0.72 < MIN_SHARE


@pytest.fixture
def work():
    """The answers of a class of twelve."""
    return class_of(LESSON, 12)


@pytest.mark.parametrize("change", [str, renamed, commented, reordered, methodcaller("replace", "/", "*")])
def test_a_copy_is_shown_despite_superficial_changes(change, work):
    for source in [student for student in work if LONG in work[student]]:
        with suppress(ValueError):  # not every answer can be reordered
            work["zoe"] = {LONG: change(work[source][LONG])}
            break
    assert shown_pairs(work) == {(source, "zoe")}


CODE = """
import torch.nn.functional as F
class Net:
    def run(self, x: "B T", *, scale: float = 2.0) -> dict:
        \"\"\"Text.\"\"\"
        self.last: int = F.softmax(x * scale, dim=-1)
        return {"out": self.last, "n": x.shape}
"""
RENAMED_CODE = """
import torch.nn.functional as functional
class Model:
    def go(me, values, *, factor=2.0):
        assert values is not None  # of course
        print(f"here {values}")
        me.rows = functional.softmax(values * factor,
                                     dim=-1)
        return {'result': me.rows, 'm': values.shape}
"""


def test_comparison_ignores_names_texts_and_layout_but_not_calls_and_operators():
    assert code_pieces(CODE).keys() == code_pieces(RENAMED_CODE).keys()
    for old, new in [("softmax", "sigmoid"), ("-1", "-2"), ("x * scale", "x / scale"), ("x.shape", "x.T")]:
        assert code_pieces(CODE).keys() != code_pieces(CODE.replace(old, new)).keys()
    assert set(code_pieces("No Python, but a text!")) == {("no", "python", "but", "a", "text")}


def test_a_student_who_copied_from_two_is_shown_with_both(work):
    most = max(map(len, work.values()))
    first, second = [s for s, texts in work.items() if len(texts) == most][:2]
    names = list(work[first])
    work["zoe"] = {name: renamed(work[first if n % 2 else second][name]) for n, name in enumerate(names)}
    assert shown_pairs(work) == {(first, "zoe"), (second, "zoe")}


def test_a_copy_inside_a_longer_answer_is_shown(work):
    source = max((s for s in work if LONG in work[s]), key=lambda s: len(work[s][LONG]))
    work["zoe"] = {LONG: f"{renamed(work[source][LONG])}\n\n{styles('StaticKVCache')[0]}"}
    assert shown_pairs(work) == {(source, "zoe")}


def test_similar_short_answers_are_shown_only_if_there_are_many():
    work = class_of("01_masks", 12)
    source = max(work, key=lambda s: len(work[s]))
    mask = "create_causal_mask"
    assert shown_pairs(work | {"zoe": {mask: work[source][mask]}}, "01_masks") == set()
    work["zoe"] = {name: commented(text) for name, text in work[source].items()}
    assert shown_pairs(work, "01_masks") == {(source, "zoe")}


def test_an_answer_that_many_students_have_is_not_shown(work):
    work = {student: {LONG: texts[LONG]} for student, texts in work.items() if LONG in texts}
    copies = [min(work)]
    for number in range(MAX_HOLDERS):
        copies.append(f"zoe{number}")
        work[copies[-1]] = {LONG: renamed(work[copies[0]][LONG])}
        assert shown_pairs(work) == set(combinations(sorted(copies), 2) if len(copies) <= MAX_HOLDERS else ())


def test_answers_close_to_the_lessons_own_are_not_shown():
    for lesson, release in store.lessons().items():
        texts = {name: own_answers(lesson)[name] for name in release.exercises}
        work = {"ann": texts, "bob": {name: renamed(text) for name, text in texts.items()}}
        assert shown_pairs(work, lesson) == set()


def test_members_of_a_group_are_not_shown_as_a_pair():
    work = class_of(LESSON, 4)
    work["zoe"] = work["student01"]
    together = {"student01": ["student01", "zoe"]}
    assert compare(class_from(work, LESSON), together).pairs == []
    assert shown_pairs(work) == {("student01", "zoe")}
