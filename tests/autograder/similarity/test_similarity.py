"""python -m autograder similar: planted copies are found, independent work is not."""

from itertools import combinations

import pytest

from autograder.publish.solutions import answers as own_answers
from autograder.releases import store
from autograder.similarity.answers import COMMON, LESSONS
from autograder.similarity.normal import code_lines
from autograder.similarity.pairs import ALIKE, ENOUGH, FEW, alike, compare, given_pieces, pieces_of
from tests.tools.class_with_copies import class_from, class_of, commented, renamed, reordered, styles

LESSON = "03_self_attention"
LONG = "MultiHeadSelfAttention"
CHANGES = {"verbatim": str, "renamed": renamed, "commented": commented, "reordered": reordered}


def shown(work, lesson=LESSON):
    return {pair.students for pair in compare(class_from(work, lesson)).pairs}


# ---- who is shown


@pytest.mark.parametrize("lesson", ["01_masks", "02_split_concat", LESSON, "04_kv_cache"])
def test_independent_right_answers_are_not_shown(lesson):
    for seed in (1, 2):
        assert shown(class_of(lesson, 14, seed), lesson) == set()


def test_no_two_of_the_collected_right_answers_are_shown_in_a_class_of_two():
    """Where nothing is common, as nobody else is there."""
    close = []
    for release in store.lessons().values():
        for name in release.exercises:
            pieces = {text: pieces_of(code_lines(text)) - given_pieces() for text in styles(name)}
            for item, other in combinations(pieces, 2):
                if len(pieces[item] & pieces[other]) < ENOUGH:
                    continue  # too little for any pair, and quickly seen
                two = class_from({"ada": {name: item}, "ben": {name: other}}, release.lesson)
                close += [(name, pair.students) for pair in compare(two).pairs]
    assert close == []


@pytest.fixture
def work():
    """A class of twelve."""
    return class_of(LESSON, 12)


@pytest.mark.parametrize("change", CHANGES)
def test_a_copy_is_found_whatever_was_changed(change, work):
    source = next(s for s, texts in work.items() if LONG in texts and reorders(texts[LONG]))
    work["zoe"] = {LONG: CHANGES[change](work[source][LONG])}
    assert shown(work) == {(source, "zoe")}


def reorders(text):
    try:
        return reordered(text) != text
    except ValueError:
        return False


def test_the_order_of_statements_does_not_matter():
    lines = ["a = x.sum(0)", "b = x.exp().log()", "c = torch.zeros(4, 5)", "d = {1: x.T, 2: a}"]
    item, other = ("\n".join(order) for order in (lines, lines[::-1]))
    assert alike(code_lines(item), code_lines(other)) == 1
    assert alike(code_lines(item), code_lines(item.replace("exp", "sqrt"))) < 1


def test_who_copied_from_two_is_shown_with_both(work):
    most = max(map(len, work.values()))
    item, other = [s for s, texts in work.items() if len(texts) == most][:2]
    names = list(work[item])
    work["zoe"] = {name: renamed(work[item if n % 2 else other][name]) for n, name in enumerate(names)}
    assert shown(work) == {(item, "zoe"), (other, "zoe")}


def test_an_answer_with_much_of_its_own_around_a_copy_is_shown(work):
    source = max((s for s in work if LONG in work[s]), key=lambda s: len(work[s][LONG]))
    work["zoe"] = {LONG: f"{renamed(work[source][LONG])}\n\n{styles('StaticKVCache')[0]}"}
    (pair,) = compare(class_from(work, LESSON)).pairs
    assert pair.students == (source, "zoe")
    assert pair.matches[0].alike < ALIKE


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
    fates = compare(class_from(work, LESSON)).fates[LONG]
    assert (fates[COMMON], sum(fates.values())) == (FEW + 1, len(work))


def test_what_is_close_to_the_lessons_answer_is_not_shown():
    for lesson, release in store.lessons().items():
        for name in release.exercises:
            text = own_answers(lesson)[name]
            work = {"ann": {name: text}, "bob": {name: renamed(text)}}
            result = compare(class_from(work, lesson))
            assert result.pairs == []
            assert result.fates[name] == {LESSONS: 2}, name


def test_a_group_hands_in_the_same():
    work = class_of(LESSON, 4)
    work["zoe"] = work["student01"]
    result = compare(class_from(work, LESSON), lambda item, other: {item, other} == {"student01", "zoe"})
    assert (result.pairs, result.in_groups) == ([], 1)
