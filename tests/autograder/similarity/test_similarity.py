"""python -m autograder similar shows planted copies, but no independent work."""

from contextlib import suppress
from itertools import combinations
from operator import methodcaller

import pytest

from autograder.publish.solutions import answers as own_answers
from autograder.releases import store
from autograder.similarity.pairs import ALIKE, ENOUGH, FEW, compare, course_pieces
from autograder.similarity.pieces import code_pieces
from tests.tools.class_with_copies import class_from, class_of, commented, renamed, reordered, styles

LESSON = "03_self_attention"
LONG = "MultiHeadSelfAttention"


def shown(work, lesson=LESSON):
    return {pair.students for pair in compare(class_from(work, lesson)).pairs}


# ---- which pairs are shown


@pytest.mark.parametrize("lesson", ["01_masks", "02_split_concat", LESSON, "04_kv_cache"])
def test_independent_right_answers_are_not_shown(lesson):
    for seed in (1, 2):
        assert shown(class_of(lesson, 14, seed), lesson) == set()


def test_no_two_of_the_collected_right_answers_are_shown_in_a_class_of_two():
    """In a class of two nothing counts as common. Only the closest pair comes near the threshold."""
    closest = 0
    for release in store.lessons().values():
        for name in release.exercises:
            for first, second in combinations([set(code_pieces(text)) for text in styles(name)], 2):
                if len(first & second - course_pieces()) >= ENOUGH:
                    closest = max(closest, len(first & second) / min(len(first), len(second)))
    assert round(closest, 2) == 0.72 < ALIKE


@pytest.fixture
def work():
    """A class of twelve."""
    return class_of(LESSON, 12)


@pytest.mark.parametrize("change", [str, renamed, commented, reordered, methodcaller("replace", "/", "*")])
def test_a_copy_is_shown_whatever_was_changed(change, work):
    for source in [student for student in work if LONG in work[student]]:
        with suppress(ValueError):  # not every answer can be reordered
            work["zoe"] = {LONG: change(work[source][LONG])}
            break
    assert shown(work) == {(source, "zoe")}


SAME = """
import torch.nn.functional as F
class Net:
    def run(self, x: "B T", *, scale: float = 2.0) -> dict:
        \"\"\"Text.\"\"\"
        self.last: int = F.softmax(x * scale, dim=-1)
        return {"out": self.last, "n": x.shape}
"""
OTHER_WORDS = """
import torch.nn.functional as functional
class Model:
    def go(me, values, *, factor=2.0):
        assert values is not None  # of course
        print(f"here {values}")
        me.rows = functional.softmax(values * factor,
                                     dim=-1)
        return {'result': me.rows, 'm': values.shape}
"""


def test_names_texts_annotations_layout_and_asserts_do_not_matter_and_calls_do():
    assert code_pieces(SAME).keys() == code_pieces(OTHER_WORDS).keys()
    for old, new in [("softmax", "sigmoid"), ("-1", "-2"), ("x * scale", "x / scale"), ("x.shape", "x.T")]:
        assert code_pieces(SAME).keys() != code_pieces(SAME.replace(old, new)).keys()
    assert set(code_pieces("No Python, but a text!")) == {("no", "python", "but", "a", "text")}


def test_who_copied_from_two_is_shown_with_both(work):
    most = max(map(len, work.values()))
    item, other = [s for s, texts in work.items() if len(texts) == most][:2]
    names = list(work[item])
    work["zoe"] = {name: renamed(work[item if n % 2 else other][name]) for n, name in enumerate(names)}
    assert shown(work) == {(item, "zoe"), (other, "zoe")}


def test_an_answer_with_much_of_its_own_around_a_copy_is_shown(work):
    source = max((s for s in work if LONG in work[s]), key=lambda s: len(work[s][LONG]))
    work["zoe"] = {LONG: f"{renamed(work[source][LONG])}\n\n{styles('StaticKVCache')[0]}"}
    assert shown(work) == {(source, "zoe")}


def test_short_answers_that_are_alike_count_together():
    work = class_of("01_masks", 12)
    source = max(work, key=lambda s: len(work[s]))
    mask = "create_causal_mask"
    assert shown(work | {"zoe": {mask: work[source][mask]}}, "01_masks") == set()
    work["zoe"] = {name: commented(text) for name, text in work[source].items()}
    assert shown(work, "01_masks") == {(source, "zoe")}


def test_what_more_than_a_few_have_is_not_shown(work):
    work = {student: {LONG: texts[LONG]} for student, texts in work.items() if LONG in texts}
    copies = [min(work)]
    for number in range(FEW):
        copies.append(f"zoe{number}")
        work[copies[-1]] = {LONG: renamed(work[copies[0]][LONG])}
        assert shown(work) == (set(combinations(sorted(copies), 2)) if len(copies) <= FEW else set())


def test_what_is_close_to_the_lessons_answer_is_not_shown():
    for lesson, release in store.lessons().items():
        texts = {name: own_answers(lesson)[name] for name in release.exercises}
        work = {"ann": texts, "bob": {name: renamed(text) for name, text in texts.items()}}
        assert shown(work, lesson) == set()


def test_a_group_hands_in_the_same():
    work = class_of(LESSON, 4)
    work["zoe"] = work["student01"]
    together = {"student01": ["student01", "zoe"]}
    assert compare(class_from(work, LESSON), together).pairs == []
    assert shown(work) == {("student01", "zoe")}
