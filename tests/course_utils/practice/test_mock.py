"""mock_interview(level): what a learner sees, call by call, from the first card to the page."""

from pathlib import Path

import pytest
import torch

from course_utils import bug_hunt, flashcards, interview, mock_interview
from course_utils.practice import log
from course_utils.practice.mock.desk import MockInterview, level_of
from course_utils.practice.mock.plan import compose, levels


@pytest.fixture(autouse=True)
def still(clock):
    """The clock stands still, and moves a little at each step."""
    return clock


@pytest.fixture
def newest():
    return lambda: mock_interview.sessions()[0][-1]


def mask(n):
    return torch.ones(n, n).tril().bool()


def own_key_masked(n):
    return torch.ones(n, n).tril(-1).bool()


def go_to(kind, clock):
    """Go on until a part of this kind."""
    while mock_interview.sessions()[0][-1].part.kind != kind:
        clock(seconds=10)
        mock_interview.next()
    clock(seconds=10)


def seed_with(level, name):
    return next(n for n in range(500) if any(name in part.names for part in compose(level, n)))


# ---- what is refused


@pytest.mark.parametrize(
    ("arguments", "named", "sentence"),
    [
        (("junior",), {}, 'There is no level called "junior". There are: intern, new_graduate, senior.'),
        (("senoir",), {}, "Did you mean senior?"),
        ((3,), {}, "There is no level called 3."),
        (("intern",), {"people": 2}, 'runs `mock_interview.interviewer("intern")` first'),
        ((), {}, 'No mock interview is running: `mock_interview("intern")` starts one.'),
    ],
)
def test_bad_input_gets_one_sentence(printed_by, place, arguments, named, sentence):
    out = printed_by(mock_interview, *arguments, **named)
    assert sentence in out
    assert len(out.splitlines()) == 1
    assert not (place / ".progress").exists()


def test_without_a_mock_interview_every_call_says_how_one_starts(printed_by):
    for call in ("next", "hint", "reveal", "rate", "stop", "page"):
        assert '`mock_interview("intern")` starts one.' in printed_by(getattr(mock_interview, call))
    assert level_of("new graduate") == level_of("New-Graduate ") == "new_graduate"


def test_another_one_does_not_start_beside_it(printed_by):
    mock_interview("intern", seed=1)
    assert printed_by(mock_interview, "senior").startswith("A mock interview is running (Intern)")
    assert "part 1 of 5" in printed_by(mock_interview, "intern", seed=2)


# ---- the way through


def test_from_the_first_card_to_the_page(printed_by, clock, newest):
    out = printed_by(mock_interview, "intern", seed=seed_with("intern", "causal_mask"))
    assert out.startswith("Intern, part 1 of 5: Warm-up\n45 minutes left, until ")
    assert "45 minutes: warm-up 3, warm-up 3, write a program 20, find the bug 10, short questions 9." in out
    assert "This part has 3 minutes: until 42 minutes are left." in out
    clock(minutes=2)
    assert printed_by(mock_interview.hint).startswith("Hint 1 of ")
    out = printed_by(mock_interview.reveal)
    for text in ("A model answer:", "To listen for:", "`mock_interview.rate(2, 2, part=1)`, in this order:"):
        assert text in out
    assert printed_by(mock_interview.rate, 2, 1).startswith(
        "Kept for part 1: points 2, answer_first 1.\nAnswers first"
    )
    clock(minutes=1)
    assert "part 2 of 5: Warm-up\n42 minutes left" in printed_by(mock_interview.next)
    clock(minutes=4)
    out = printed_by(mock_interview.next)
    assert "part 3 of 5: Write a program\n38 minutes left" in out
    assert "20 minutes left" in out
    clock(minutes=5)
    interview.check(own_key_masked)
    assert "Right: mask" in printed_by(interview.check, mask)
    assert "a model solution:\ndef causal_mask(T):" in printed_by(mock_interview.reveal)
    clock(minutes=5)
    out = printed_by(mock_interview.next)
    assert "part 4 of 5: Find the bug\n28 minutes left" in out
    assert "This is program 1 of 2." in out
    bug_hunt.skip()
    clock(minutes=8)
    mock_interview.next()
    clock(minutes=1)
    assert "This is number 1 of 9." in printed_by(mock_interview.next)
    for n in range(9):
        flashcards.reveal()
        flashcards.rate("knew" if n > 1 else "not")
        clock(seconds=4)
        out = printed_by(mock_interview.next)
    assert "That was all of it." in out
    assert "3 of 4, 3 of 3 minutes, 1\n" in out
    assert "Not rated yet: parts 2, 3, 4, 5." in out
    assert "Written: " in printed_by(mock_interview.page)
    page = next(Path().glob("mock_interview_intern_2026-03-01_*.html")).read_text()
    outcomes = "1 of 4 steps right", "7 of 9 right", "0 of 2 found, 1 not answered"
    for text in ("Mock interview: Intern", *outcomes, "01, section 1.5 (The causal mask)"):
        assert text in page


@pytest.mark.parametrize("level", levels())
def test_each_level_runs_through_with_any_seed(printed_by, clock, newest, level):
    for seed in range(3):
        mock_interview(level, seed=seed)
        while not newest().closed:
            clock(seconds=20)
            mock_interview.next()
        assert "Written: " in printed_by(mock_interview.page)


def test_a_new_kernel_in_the_middle_shows_the_part_and_the_time(printed_by, clock):
    mock_interview("senior", seed=seed_with("senior", "gqa"))
    go_to("program", clock)
    clock(minutes=7)
    out = printed_by(MockInterview())
    assert "part 3 of 6: Write a program\n38 minutes left" in out
    assert "9 minutes left" in out.split("part 1 of")[-1]


@pytest.mark.parametrize("call", ["__call__", "next", "hint", "stop"])
def test_when_the_time_is_over_every_call_says_so(printed_by, clock, newest, call):
    mock_interview("intern", seed=1)
    clock(minutes=45)
    out = printed_by(getattr(mock_interview, call))
    for text in ("Intern: the mock interview is over", ", not reached, – of ", "The time is over."):
        assert text in out
    assert newest().closed
    assert "Senior inference engineer, part 1 of 6" in printed_by(mock_interview, "senior", seed=2)


def test_the_programs_interview_has_no_more_time_than_the_whole_and_is_not_ended_by_another(
    printed_by, clock
):
    interview("mha")
    mock_interview("intern", seed=1)
    clock(seconds=10)
    mock_interview.next()
    clock(seconds=10)
    assert "An interview on mha is running: `interview()` shows it, `interview.stop()` ends it" in printed_by(
        mock_interview.next
    )
    interview.stop()
    clock(minutes=39, seconds=40)
    assert "\n5 minutes left" in printed_by(mock_interview).split("part 1 of")[-1]
    interview.stop()
    assert "This program is done, and its sheet was shown" in printed_by(mock_interview)


# ---- marks


@pytest.mark.parametrize(
    ("marks", "named", "sentence"),
    [
        ((), {}, "Part 1 is rated by 2 marks of 0, 1 or 2, in this order: points, answer_first."),
        ((3, 1), {}, "Part 1 is rated by 2 marks"),
        ((2, True), {}, "Part 1 is rated by 2 marks"),
        ((2, 2), {"part": 9}, "Say which part, from 1 to 5: `mock_interview.rate(2, 2, part=1)`."),
        (("22",), {}, "one text has a group of marks for each part, such as "),
    ],
)
def test_marks_that_are_none_are_not_kept(printed_by, newest, marks, named, sentence):
    mock_interview("intern", seed=1)
    assert sentence in printed_by(mock_interview.rate, *marks, **named)
    assert not newest().of("mark")


def test_marks_by_part_and_for_all_at_once(printed_by, newest):
    mock_interview("intern", seed=seed_with("intern", "causal_mask"))
    mock_interview.rate(1, 0)
    mock_interview.rate(2, 2, part=2)
    assert newest().marks(0) == {"points": 1, "answer_first": 0}
    assert newest().marks(1) == {"points": 2, "answer_first": 2}
    mock_interview.rate("-2 01 210- 2 1")
    assert [sum(newest().marks(n).values()) for n in range(5)] == [3, 1, 3, 2, 1]
    mock_interview.stop()
    sentence = "Say which part, from 1 to 5: `mock_interview.rate(2, 2, part=1)`"
    assert printed_by(mock_interview.rate, 2, 2).startswith(sentence)


# ---- for two


def test_for_two_the_candidate_sees_questions_and_nothing_else(printed_by, clock):
    out = printed_by(mock_interview, "new_graduate", seed=5, people=2)
    assert "Answer your interviewer." in out
    assert "reveal" not in out
    assert "hint" not in out
    for call in (mock_interview.hint, mock_interview.reveal):
        assert printed_by(call).startswith("Your interviewer has the hints and the answers.")
    go_to("cards", clock)
    assert "Your interviewer asks 7 short questions. Answer aloud." in printed_by(mock_interview)
    assert flashcards.round is None
    assert "That was all of it." in printed_by(mock_interview.next)
    assert "A model answer" in printed_by(mock_interview.reveal, part=1)


def test_the_sheet_asks_what_the_candidates_notebook_asks(printed_by):
    out = printed_by(mock_interview.interviewer, "senior", seed=12)
    assert 'starts with `mock_interview("senior", seed=12, people=2)`' in out
    sheet = Path("interviewer_sheet_senior_12.html").read_text()
    mock_interview("senior", seed=12, people=2)
    for part in mock_interview.sessions()[0][-1].parts:
        assert part.notes["title"].split(";")[0].replace("'", "&#x27;") in sheet
    assert "http" not in sheet


def test_where_a_page_cannot_be_written_it_is_said(printed_by, place):
    mock_interview("intern", seed=1)
    assert "Its page is written when it is over" in printed_by(mock_interview.page)
    mock_interview.stop()
    (place / f"mock_interview_intern_{log.now().astimezone():%Y-%m-%d_%H%M}.html").mkdir()
    assert "Nothing was written: " in printed_by(mock_interview.page)


def test_what_was_asked_or_answered_the_same_day_is_not_asked(clock, newest):
    asked = {"mha"}
    for seed in range(4):
        parts = compose("intern", seed)
        bug_hunt(parts[3].names[0])
        log.remember(log.Fact(f"card:{parts[4].names[0]}", log.now(), True))
        asked |= {parts[3].names[0], parts[4].names[0]}
    interview("mha")
    interview.stop()
    for _ in range(2):
        clock(minutes=50)
        mock_interview("intern")
        names = {name for part in newest().parts for name in part.names}
        assert not asked & names
        asked |= names
        mock_interview.stop()
