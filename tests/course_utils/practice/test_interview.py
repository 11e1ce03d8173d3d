"""interview(topic): what a learner sees, call by call, and what is recorded."""

import json
from importlib import import_module

import numpy as np
import pytest
import torch

from course_utils import interview
from course_utils.practice import log
from course_utils.practice.interview import judge, models, topics
from course_utils.practice.interview.desk import Interviewer
from course_utils.practice.interview.solutions import masks
from tests.course_utils.practice.conftest import mask, own_key_masked

CALLS = ["__call__", "check", "answer", "skip", "stop", "hint"]
PROGRAMS = [
    (name, number)
    for name in topics.tables()
    for number, part in enumerate(topics.topic(name).parts)
    if not part.question
]


@pytest.fixture(autouse=True)
def file(clock, place):
    """The interviews' file; the clock stands still until a test sets it."""
    return place / ".progress" / "interviews.jsonl"


@pytest.mark.parametrize(
    ("call", "arguments", "sentence"),
    [
        ("__call__", ("rop",), 'There is no topic called "rop".'),
        ("__call__", ("",), "There is no topic called "),
        ("__call__", ("mha", 0), "at most 600, but got 0: nothing was started."),
        ("__call__", ("mha", "20"), 'but got "20"'),
        ("__call__", ("mha", True), "but got True"),
        *((name, (), 'No interview is running: `interview("mha")` starts one.') for name in CALLS),
    ],
)
def test_bad_input_and_a_call_without_an_interview_get_one_sentence(
    output_of, file, call, arguments, sentence
):
    out = output_of(getattr(interview, call), *arguments)
    assert sentence in out
    assert len(out.splitlines()) == 1
    assert not file.exists()


@pytest.mark.parametrize("obj", [None, 3, "mask", [1], torch.ones(2), np.ones(2)])
def test_an_object_that_is_not_callable_does_not_count_as_a_try(output_of, obj):
    interview("causal_mask")
    assert "interview.check(" in output_of(interview.check, obj)
    assert interview.newest().events == []


# ---- a whole interview


def test_a_whole_interview_from_the_first_card_to_the_sheet(output_of, clock):
    out = output_of(interview, "Causal mask", 10)
    assert out.startswith("The causal mask, part 1 of 4: the mask\n10 minutes left, until ")
    clock(minutes=2)
    assert output_of(interview.check, own_key_masked).startswith("Not yet: own_key_masked\n")
    out = output_of(interview.check, mask)
    assert out.startswith("Right: mask\n")
    assert "The causal mask, part 2 of 4: a question\n8 minutes left" in out
    assert "This part is a question" in output_of(interview.check, mask)
    assert "count on paper" in output_of(interview.hint)
    assert "type `interview.answer(7)`" in output_of(interview.answer, "many")
    assert output_of(interview.answer, 10).startswith("Not yet  (you said 10)\nThat counts the diagonal too")
    assert "part 3 of 4: with a cache" in output_of(interview.answer, 6)
    assert "This part asks for code" in output_of(interview.answer, 6)
    assert "Write the slowest loop that is obviously right" in output_of(interview.hint)
    assert "part 4 of 4: with padding" in output_of(interview.check, mask)
    clock(minutes=3)
    out = output_of(interview.skip)
    assert "The causal mask: 5 minutes of 10 minutes" in out
    assert "  the mask, right, 2 tries, " in out
    assert "  with padding, skipped" in out
    assert "Revise: 01, section 1.5 (The causal mask)" in out
    assert "The causal mask: 5 minutes of 10 minutes" in output_of(interview.sheets)
    assert [(fact.name, fact.right) for fact in log.recall()[0]] == [("interview:causal_mask", False)]
    assert "No interview is running" in output_of(interview)


def test_an_interview_is_right_if_every_part_is_solved(output_of):
    interview("causal_mask")
    for call, answer in (("check", mask), ("answer", 6), ("check", mask), ("check", masks.padded_mask)):
        out = output_of(getattr(interview, call), answer)
    assert "That was the whole interview." in out
    assert [fact.right for fact in log.recall()[0]] == [True]


def test_repeating_a_program_with_the_same_verdict_is_one_try(output_of, clock):
    def own_key_masked_too(n):
        return own_key_masked(n)

    interview("causal_mask")
    for obj in (own_key_masked, own_key_masked, own_key_masked_too, own_key_masked):
        clock(seconds=20)
        assert "Not yet" in output_of(interview, obj)
    assert len(interview.newest().events_of("try")) == 3


def test_a_skipped_part_shows_a_model_solution_next_to_the_learners_program(output_of):
    interview("causal_mask")
    interview.check(own_key_masked)
    out = output_of(interview.skip)
    assert "yours:\ndef own_key_masked(n):" in out
    assert "a model solution:\ndef causal_mask(T):" in out
    assert "What an interviewer listens for:" in out
    assert "The answer: 6. Of the 4 new tokens" in output_of(interview.skip)
    out = output_of(interview.stop)
    assert "a model solution:\ndef padded_mask(lengths, T):" in out


# ---- the clock


def test_a_new_kernel_continues_the_interview_with_the_remaining_time(output_of, clock):
    interview("rope", 20)
    clock(minutes=7)
    interviewer = Interviewer()
    assert "13 minutes left" in output_of(interviewer)
    out = output_of(interviewer, "rope", 30)
    assert "13 minutes left" in out
    assert "Its clock keeps running, with 20 minutes: for a different time" in out
    assert output_of(interviewer, "mha").startswith("An interview on rope is running")
    clock(days=-1)
    assert "20 minutes left" in output_of(interview)  # setting the clock back gives no more time


@pytest.mark.parametrize("call", CALLS)
def test_after_the_time_every_call_shows_the_sheet(output_of, clock, call):
    interview("causal_mask", 5)
    clock(minutes=5)
    out = output_of(getattr(interview, call), *([mask] if call == "check" else []))
    assert "Time is up.\nThis is your sheet" in out
    assert "the mask, not reached" in out
    assert ("so it does not count. The verdict: it does what" in out) == (call == "check")
    assert interview.newest().closed
    assert not interview.newest().events_of("try")


# ---- what is recorded


def test_events_are_saved_as_json_lines_without_code_next_to_the_notebook(output_of, file):
    interview("causal_mask", 5)
    interview.check(own_key_masked)
    start, attempt = (json.loads(line) for line in file.read_text().splitlines())
    assert (start["event"], attempt["event"]) == ("start", "try")
    assert attempt["mistake"]
    assert "np.tri" not in file.read_text()
    with file.open("a") as lines:
        lines.write('{"v": 2, "event": "thought"}\n')
    assert "damaged or written by a newer version of the course: 1 line of" in output_of(interview)


# ---- model solutions


@pytest.mark.parametrize(("name", "number"), PROGRAMS)
def test_each_part_has_a_right_model_solution_with_shape_comments(name, number):
    topic = topics.topic(name)
    file, main = models.notes()[name]["solutions"][topic.parts[number].name][0].split(".")
    solutions = import_module(f"course_utils.practice.interview.solutions.{file}")
    result = judge.check(topic, number, getattr(solutions, main)).result
    assert result.passed, result.message
    program = models.solution(name, topic.parts[number].name)
    assert program.count("# (") >= 1 or name in ("stable_softmax", "online_softmax")
    assert max(map(len, program.splitlines())) <= 110
