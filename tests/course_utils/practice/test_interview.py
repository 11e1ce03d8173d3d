"""interview(topic): what a learner sees, call by call, and what is kept of it."""

import json
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
import torch

from course_utils import interview
from course_utils.practice.interview import desk, events, record
from course_utils.practice.interview.topics import REVISE, TOPICS

START = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def clock(tmp_path, monkeypatch):
    """A lesson's folder, a kernel that was just started, and a clock that stands still until it is set."""
    folder = tmp_path / "01_first"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setattr(record, "_not_kept", [])
    time = {"now": START}
    monkeypatch.setattr(desk, "now", lambda: time["now"])
    monkeypatch.setattr(events, "now", lambda: time["now"])

    def later(**by):
        time["now"] += timedelta(**by)

    later.file = folder / ".progress" / "interviews.jsonl"
    return later


@pytest.fixture
def said(capsys):
    """What a call prints; it returns nothing."""

    def said(action, *given, **named):
        assert action(*given, **named) is None
        return capsys.readouterr().out

    return said


def mask(n, total=None):
    total = total or n
    return torch.ones(n, total).triu(total - n + 1).bool()


def own_key_masked(n):
    return np.triu(np.ones((n, n))).astype(bool)


def padded(lengths, T):
    real = torch.arange(T)[None] < torch.as_tensor(lengths)[:, None]
    return real[:, None] & torch.ones(T, T).tril().bool()


# ---- what is refused


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (("mask",), "There is no topic called mask. There are: "),
        (("rop",), "Did you mean rope?"),
        (("",), "There is no topic called "),
        (("mha", 0), "`minutes` is a number above 0 and at most 600, and 0 came: nothing was started."),
        (("mha", -5), "and -5 came"),
        (("mha", "20"), 'and "20" came'),
        (("mha", True), "and True came"),
        (("mha", float("nan")), "and nan came"),
        (("mha", None), "and None came"),
        ((), "No interview is running"),
    ],
)
def test_bad_input_gets_one_sentence(said, clock, given, sentence):
    out = said(interview, *given)
    assert sentence in out
    assert len(out.splitlines()) == 1
    assert not clock.file.exists()


@pytest.mark.parametrize("call", ["check", "answer", "skip", "stop"])
def test_without_an_interview_a_call_says_how_one_starts(said, call):
    assert said(getattr(interview, call)).startswith(
        'No interview is running: `interview("mha")` starts one.'
    )


@pytest.mark.parametrize("obj", [None, 3, "mask", [1], torch.ones(2), np.ones(2)])
def test_what_cannot_be_called_is_no_try(said, obj):
    interview("causal_mask")
    out = said(interview.check, obj).splitlines()[-1]
    assert "interview.check(" in out
    assert record.interviews()[0][0].events == []


def test_a_word_that_is_not_used_is_named(said):
    interview("causal_mask")
    assert "`foo` is no word that is used here" in said(interview.check, mask, foo="n")


# ---- the way through


def test_from_the_first_card_to_the_sheet(said, clock):
    out = said(interview, "causal_mask", 10)
    assert out.startswith("The causal mask, part 1 of 4: the mask\n10 minutes left, until ")
    assert "def " not in out
    clock(minutes=2)
    assert said(interview.check, own_key_masked).startswith(
        "Not yet: own_key_masked\nThe diagonal is on the wrong"
    )
    out = said(interview.check, mask)
    assert out.startswith("Right: mask\nThe causal mask, part 2 of 4: a question\n8 minutes left")
    assert "Here a question is asked" in said(interview.check, mask)
    assert "type `interview.answer(7)`" in said(interview.answer, "many")
    assert said(interview.answer, 10).startswith("Not yet  (you said 10)\nThat counts the diagonal too")
    assert "part 3 of 4: with a cache" in said(interview.answer, 6)
    assert "part 4 of 4: with padding" in said(interview.check, mask)
    clock(minutes=3)
    out = said(interview.check, padded)
    assert "The causal mask: 5 minutes of 10 minutes" in out
    assert "  the mask: right, 2 tries (own key masked)" in out
    assert "Revise: 01, section 1.5 (The causal mask); 04, section 4.3" in out
    assert said(interview.sheets).splitlines()[:3] == out.splitlines()[1:4]
    assert "No interview is running" in said(interview)


def test_what_does_the_next_part_already_is_not_asked_for_again(said):
    def layer(q, k, v, heads):
        B, T, D = q.shape
        q, k, v = (one.view(B, T, heads, -1).transpose(1, 2) for one in (q, k, v))
        s = (q @ k.mT / (D // heads) ** 0.5).masked_fill(torch.ones(T, T).triu(1).bool(), -torch.inf)
        return (s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D)

    interview("mha")
    interview.check(layer)
    out = said(interview.answer, 4 * 512**2)
    assert "part 3 of 7: causal" in out
    assert "part 4 of 7: a question" in said(interview.check, layer)


def test_the_same_program_with_the_same_verdict_is_one_try(said, clock):
    def too_strict(n):
        return np.triu(np.ones((n, n))).astype(bool)

    interview("causal_mask")
    for obj in (own_key_masked, own_key_masked, too_strict, own_key_masked):
        clock(seconds=20)
        assert "Not yet" in said(interview.check, obj)
    assert "the mask: not yet right, 3 tries (own key masked)" in said(interview.stop)


def test_a_call_with_the_object_itself_checks_it(said):
    interview("causal_mask")
    assert "Right: mask" in said(interview, mask)


def test_a_question_is_asked_at_most_once_for_a_part(said):
    def softmax(x):
        e = np.exp(x - np.max(x))
        return e / np.sum(e)

    interview("stable_softmax")
    assert said(interview.check, softmax).splitlines()[-1].startswith("For a table of rows it does not")
    assert "interview.check(softmax, vector=True)" in said(interview.check, softmax)
    assert "Right: softmax" in said(interview.check, softmax, vector=True)


def test_an_argument_that_says_nothing_is_asked_for(said):
    def attention(x, foo, bar, baz, qux, quux, corge):
        raise TypeError

    interview("mha")
    out = said(interview.check, attention).splitlines()[-1]
    assert out.startswith(
        "It cannot be seen what `foo` stands for. Say it once: `interview.check(attention, heads="
    )


# ---- the clock


def test_a_new_kernel_shows_the_time_that_is_left(said, clock):
    interview("rope", 20)
    clock(minutes=7)
    desk_again = desk.Interviewer()
    assert "13 minutes left" in said(desk_again).split("Rotary positions")[-1]
    assert "13 minutes left" in said(desk_again, "rope")
    assert said(desk_again, "mha").startswith("An interview on rope is running")


@pytest.mark.parametrize("call", ["check", "answer", "skip", "__call__"])
def test_when_the_time_is_over_every_call_shows_the_sheet(said, clock, call):
    interview("causal_mask", 5)
    clock(minutes=5)
    given = [mask] if call == "check" else []
    out = said(getattr(interview, call), *given)
    assert "The time is over. This is your sheet" in out
    assert "the mask: not reached" in out
    assert record.interviews()[0][0].closed


@pytest.mark.parametrize(("minutes", "noted"), [((10,), True), ((30,), False), ((), False)])
def test_other_minutes_for_an_interview_that_is_running_are_not_passed_over(said, minutes, noted):
    interview("causal_mask", 30)
    out = said(interview, "causal_mask", *minutes)
    assert "30 minutes left" in out
    assert ("Its clock goes on, with 30 minutes: to begin again" in out) == noted


def test_a_clock_that_is_set_back_gives_no_more_time(said, clock):
    interview("causal_mask", 5)
    clock(days=-1)
    assert "5 minutes left" in said(interview).split("1 of 4")[-1]


# ---- what is kept


def test_what_is_kept_is_plain_lines_beside_the_notebook(clock):
    interview("causal_mask", 5)
    interview.check(own_key_masked)
    lines = [json.loads(line) for line in clock.file.read_text().splitlines()]
    assert [line["event"] for line in lines] == ["start", "try"]
    assert lines[1]["mistake"] == "own_key_masked"
    assert "np.triu" not in clock.file.read_text()


@pytest.mark.parametrize(
    "line", ["{", "[]", "null", '{"v": 1}', "\x00", "[" * 100_000, '{"v":1,"key":"a","event":"start"']
)
def test_a_broken_line_costs_nothing_but_itself(said, clock, line):
    interview("causal_mask", 5)
    with clock.file.open("a") as file:
        file.write(line + "\n")
    before = clock.file.read_bytes()
    out = said(interview)
    assert "part 1 of 4" in out
    assert "1 line of .progress/interviews.jsonl cannot be read; nothing is changed there, and all" in out
    interview.check(mask)
    assert clock.file.read_bytes().startswith(before)
    assert "part 2 of 4" in said(interview)


def test_a_line_of_a_newer_version_is_kept_and_said(said, clock):
    interview("causal_mask", 5)
    with clock.file.open("a") as file:
        file.write('{"v": 2, "event": "thought"}\n')
    assert "1 line of .progress/interviews.jsonl from a newer version" in said(interview)


def test_where_nothing_can_be_written_the_kernel_remembers(said, clock):
    clock.file.parent.write_text("a file where the folder should be")
    out = said(interview, "causal_mask", 5)
    assert (
        ".progress/interviews.jsonl cannot be written to: this interview is remembered until the kernel"
        in out
    )
    assert "part 2 of 4" in said(interview.check, mask)
    assert "the mask: right" in said(interview.stop)
    assert "the mask: right" in said(interview.sheets)


def test_files_of_two_machines_may_be_put_together_in_any_order(clock):
    interview("causal_mask", 5)
    clock(minutes=1)
    interview.check(mask)
    lines = clock.file.read_text().splitlines()
    wanted = record.interviews()
    clock.file.write_text("\n".join([*lines[::-1], *lines]))
    assert record.interviews() == wanted


class Masks:
    def mask(self, n):
        return mask(n)


def test_a_method_is_not_the_class(said):
    interview("causal_mask")
    assert said(interview.check, Masks.mask).endswith(
        "\nGive the class itself, not one of its methods: `interview.check(Masks)`.\n"
    )


def test_there_are_no_hints_and_it_is_said_what_to_do_instead(said, clock):
    assert "No interview is running" in said(interview.hint)
    interview("causal_mask")
    assert "Write the slowest loop that is certainly right" in said(interview.hint)
    interview.check(mask)
    assert "count on paper" in said(interview.hint)
    clock(minutes=20)
    assert "The time is over." in said(interview.hint)


def test_a_question_that_is_skipped_says_its_answer(said):
    interview("causal_mask")
    assert "The answer" not in said(interview.skip)
    assert "The answer: 6. Of the 4 new tokens" in said(interview.skip)
    interview.stop()
    interview("rope")
    interview.skip()
    assert "The answer: a · none. The angles follow" in said(interview.skip)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (mask, "What is said of it: it does what this part asks for."),
        (own_key_masked, "What is said of it: The diagonal is on the wrong side"),
        ("mask", None),
    ],
)
def test_a_program_that_comes_too_late_is_judged_and_does_not_count(said, clock, given, sentence):
    interview("causal_mask", 5)
    clock(minutes=6)
    out = said(interview.check, given)
    assert "the mask: not reached" in out
    assert ("so it does not count. " + sentence in out) if sentence else ("does not count" not in out)
    assert "try" not in clock.file.read_text()


# ---- the whole


def test_every_topic_says_where_to_read_again():
    for topic in TOPICS.values():
        assert all(stage.text and (stage.problem or stage.question) for stage in topic.stages)
        assert all(stage.revise for stage in topic.stages)
        assert all(stage.text.count(". ") <= 2 for stage in topic.stages if stage.problem), topic.name


def test_every_mistake_with_a_place_is_one_that_a_check_names():
    stages = [stage for topic in TOPICS.values() for stage in topic.stages if stage.problem]
    named = {name for one in stages for problem in (one.problem, *one.others) for name in problem().wrongs}
    assert set(REVISE) <= named
