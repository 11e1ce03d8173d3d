"""Programs written from a topic's name alone are accepted or not as the record says, wrong ones never."""

import json

import pytest

from course_utils.practice.interview.judge import check
from course_utils.practice.interview.topics import tables, topic
from tests.tools.interviews import RECORD, follow_ups, programs, submitted_object, summary, try_program

PROGRAMS = {row[0]: row for side in ("right", "wrong") for row in programs(side)}
ROWS = {identity: row for identity, row in json.loads(RECORD.read_text()).items() if identity != "summary"}


def sampled(identity, row):
    """A tenth of the programs runs with every change, the others before a release."""
    marks = () if sum(map(ord, identity)) % 10 == 0 else pytest.mark.release
    return pytest.param(*row, id=identity, marks=marks)


@pytest.mark.parametrize(("identity", "name", "source"), [sampled(*item) for item in PROGRAMS.items()])
def test_a_program_is_accepted_and_its_mistake_named_as_in_the_record(identity, name, source):
    outcome, record = try_program(identity, name, source), ROWS[identity]
    assert bool(outcome["taken"]) == bool(record["taken"])
    assert outcome.get("mistake") == record.get("mistake"), "python -m tests.tools.interviews records it anew"


def test_the_record_accepts_no_wrong_program_and_names_60_percent_of_held_out_mistakes():
    assert set(ROWS) == set(PROGRAMS)
    counts = summary(ROWS)
    assert counts == json.loads(RECORD.read_text())["summary"]
    assert (counts["right"], counts["wrong and taken"]) == (318, 0)
    assert counts["taken without help"] >= 283
    rows = [row for identity, row in ROWS.items() if "held_out" in identity and "/wrong/" in identity]
    assert sum(bool(row.get("mistake")) for row in rows) >= 0.6 * len(rows)


XFAILS = {"followups/mha 4 hides_queries_too": "its outputs at padding, which nobody reads, are compared too"}


def follow_up(row):
    marks = pytest.mark.xfail(reason=XFAILS[row[0]], strict=True) if row[0] in XFAILS else ()
    return pytest.param(*row, id=row[0], marks=marks)


@pytest.mark.parametrize(
    ("identity", "name", "part", "is_right", "source"), [follow_up(row) for row in follow_ups()]
)
def test_a_program_for_a_later_part_is_accepted_only_if_it_is_right(identity, name, part, is_right, source):
    result = check(topic(name), part, submitted_object(identity, source)).result
    assert result.passed == is_right, result.message


ADAPTED = [name for name, table in tables().items() if any("family" in part for part in table["parts"])]


@pytest.mark.parametrize("name", ADAPTED)
def test_every_topic_that_adapts_programs_has_right_and_wrong_ones(name):
    sides = {identity.split("/")[1] for identity, row in PROGRAMS.items() if row[1] == name}
    assert sides == {"right", "wrong"}
