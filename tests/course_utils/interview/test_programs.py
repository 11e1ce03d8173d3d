"""The programs in tests/answers/interview, by people who knew a topic's name only: right ones are
taken, and wrong ones are not, as the record says."""

import json

import pytest

from tests.tools.interviews import RECORD, TOPICS, programs, summary, tried

PROGRAMS = {row[0]: row for side in ("right", "wrong") for row in programs(side)}
KEPT = {identity: row for identity, row in json.loads(RECORD.read_text()).items() if identity != "summary"}


def daily(identity, row):
    """A tenth of the programs is tried every day, the others on the day of a release."""
    marks = () if sum(map(ord, identity)) % 10 == 0 else pytest.mark.release
    return pytest.param(*row, id=identity, marks=marks)


@pytest.mark.parametrize(("identity", "name", "source"), [daily(*one) for one in PROGRAMS.items()])
def test_a_program_is_taken_if_the_record_says_so(identity, name, source):
    assert bool(tried(identity, name, source)["taken"]) == bool(KEPT[identity]["taken"])


def test_the_record_has_every_program():
    assert set(KEPT) == set(PROGRAMS)
    assert summary(KEPT) == json.loads(RECORD.read_text())["summary"]


def test_right_programs_are_taken():
    counts = summary(KEPT)
    assert counts["right"] == 318
    assert counts["taken without help"] >= 283


TAKEN = {  # wrong in an option or an axis that the first part does not ask for, or by a comment alone
    "first_met/wrong/causal_mask/causal_mask_04",
    "first_met/wrong/gqa/gqa_07",
    "first_met/wrong/rope/rope_06",
    "first_met/wrong/stable_softmax/stable_softmax_06",
    "first_met/wrong/stable_softmax/stable_softmax_07",
    "held_out/wrong/generate_loop/generate_loop_15",
    "held_out/wrong/rope/rope_13",
    "held_out/wrong/stable_softmax/stable_softmax_04",
    "held_out/wrong/stable_softmax/stable_softmax_05",
    "held_out/wrong/stable_softmax/stable_softmax_10",
    "held_out_later/wrong/rope/rope_04",
    "held_out_later/wrong/stable_softmax/stable_softmax_02",
    "held_out_later/wrong/stable_softmax/stable_softmax_04",
    "own/wrong/generate_loop/top_k_zeros",
    "own/wrong/stable_softmax/axis_unused",
    "own/wrong/stable_softmax/sum_along_the_last_axis",
}


def test_no_wrong_program_is_taken_but_those_that_are_listed():
    taken = {identity for identity, row in KEPT.items() if "/wrong/" in identity and row["taken"]}
    assert taken == TAKEN


def test_most_wrong_programs_that_nobody_tuned_to_are_named():
    rows = [row for identity, row in KEPT.items() if "held_out" in identity and "/wrong/" in identity]
    assert sum(bool(row.get("mistake")) for row in rows) >= 0.6 * len(rows)


@pytest.mark.parametrize("name", TOPICS)
def test_every_topic_has_programs_of_both_kinds(name):
    sides = {identity.split("/")[1] for identity, row in PROGRAMS.items() if row[1] == name}
    assert sides == {"right", "wrong"}
