"""mock_interview(level): what a learner sees, call by call, from the first card to the page."""

from pathlib import Path

import pytest

from course_utils import bug_hunt, flashcards, interview, mock_interview
from course_utils.practice import log
from course_utils.practice.mock import desk
from course_utils.practice.mock.desk import MockInterview
from course_utils.practice.mock.plan import Part, levels
from tests.course_utils.practice.conftest import mask, own_key_masked

INTERN = [
    Part("spoken", 3, ("what_attention_computes",)),
    Part("spoken", 3, ("shapes_of_a_layer",)),
    Part("program", 20, ("causal_mask",)),
    Part("hunt", 10, ("mean_of_real_tokens", "heads_to_features")),
    Part("cards", 9, ("heads_as_blocks", "what_w_o_does", "residual_stream")),
]


pytestmark = pytest.mark.usefixtures("clock")


@pytest.fixture
def intern(monkeypatch):
    """Give an intern's mock interview fixed parts."""
    monkeypatch.setattr(desk, "compose", lambda *_: INTERN)


# ---- bad input

NONE = 'No mock interview is running: `mock_interview("intern")` starts one.'


@pytest.mark.parametrize(
    ("call", "arguments", "sentence"),
    [
        ("__call__", ("junior",), 'There is no level called "junior". Choose from: intern, new_graduate, '),
        ("__call__", (3,), "There is no level called 3."),
        *((call, (), NONE) for call in ("__call__", "next", "hint", "reveal", "rate", "stop", "page")),
    ],
)
def test_bad_input_and_a_call_without_a_mock_interview_get_one_sentence(
    printed_by, place, call, arguments, sentence
):
    out = printed_by(getattr(mock_interview, call), *arguments)
    assert sentence in out
    assert len(out.splitlines()) == 1
    assert not (place / ".progress").exists()


def test_none_starts_beside_another(printed_by):
    assert "New graduate, part 1 of 5" in printed_by(mock_interview, "New-Graduate ")
    assert printed_by(mock_interview, "senior").startswith("A mock interview is running (New graduate)")
    assert "New graduate, part 1 of 5" in printed_by(mock_interview, "new graduate")


# ---- a whole mock interview


@pytest.mark.usefixtures("intern")
def test_from_the_first_card_to_the_page(printed_by, clock, place):
    out = printed_by(mock_interview, "intern")
    assert out.startswith("Intern, part 1 of 5: Warm-up\n45 minutes left, until ")
    assert "45 minutes: warm-up 3, warm-up 3, write a program 20, find the bug 10, short questions 9." in out
    assert "This part has 3 minutes: until 42 minutes are left." in out
    clock(minutes=2)
    assert printed_by(mock_interview.hint).startswith("Hint 1 of ")
    out = printed_by(mock_interview.reveal)
    for text in ("A model answer:", "To listen for:", "`mock_interview.rate(2, 2, part=1)`, in this order:"):
        assert text in out
    out = printed_by(mock_interview.rate, 2, 1)
    assert out.startswith("Saved for part 1: points 2, answer first 1.\nAnswers first")
    clock(minutes=1)
    assert "part 2 of 5: Warm-up\n42 minutes left" in printed_by(mock_interview.next)
    clock(minutes=4)
    out = printed_by(mock_interview.next)
    assert "part 3 of 5: Write a program\n38 minutes left" in out
    assert "20 minutes left" in out
    clock(minutes=5)
    out = printed_by(MockInterview())  # in a new kernel
    assert "part 3 of 5: Write a program\n33 minutes left" in out
    assert "15 minutes left" in out
    interview.check(own_key_masked)
    assert "Right: mask" in printed_by(interview.check, mask)
    assert "a model solution:\ndef causal_mask(T):" in printed_by(mock_interview.reveal)
    clock(minutes=5)
    out = printed_by(mock_interview.next)
    assert "part 4 of 5: Find the bug\n28 minutes left" in out
    assert "This is program 1 of 2." in out
    assert "No interview is running" in printed_by(interview)
    assert printed_by(bug_hunt.skip).endswith("`mock_interview.next()` goes on.\n")
    assert printed_by(mock_interview).endswith("`mock_interview.next()` goes on.\n")  # nothing has changed
    clock(minutes=8)
    assert "This one is done" not in printed_by(mock_interview.next)
    clock(minutes=1)
    assert "This is number 1 of 3." in printed_by(mock_interview.next)
    for n in range(3):
        flashcards.reveal()
        flashcards.rate("knew" if n else "not")
        clock(seconds=4)
        out = printed_by(mock_interview.next)
    assert "That was the whole interview." in out
    assert ", points 2, answer first 1, 3 of 3 minutes, 1\n" in out
    assert "Not rated yet: parts 2, 3, 4, 5." in out
    assert "Written: " in printed_by(mock_interview.page)
    (path,) = Path().glob("mock_interview_intern_2026-03-01_*.html")
    page = path.read_text()
    outcomes = "1 of 4 steps right", "2 right of 3 answered", "0 right of 1 answered"
    for text in ("A model answer", *outcomes, "01, section 1.5 (The causal mask)"):
        assert text in page
    path.unlink()
    path.mkdir()
    assert "Nothing was written: " in printed_by(mock_interview.page)


@pytest.mark.parametrize("level", levels())
def test_each_level_runs_through_with_anything_that_is_drawn(printed_by, clock, level):
    for _ in range(3):
        mock_interview(level)
        while not mock_interview.newest().closed:
            clock(seconds=20)
            mock_interview.next()
        assert "Written: " in printed_by(mock_interview.page)


@pytest.mark.parametrize("call", ["__call__", "next", "hint", "stop"])
def test_when_the_time_is_over_every_call_says_so(printed_by, clock, call):
    mock_interview("intern")
    clock(minutes=45)
    out = printed_by(getattr(mock_interview, call))
    for text in ("Intern: the mock interview is over", ", not reached, – of ", "Time is up."):
        assert text in out
    assert mock_interview.newest().closed
    assert "Senior inference engineer, part 1 of 6" in printed_by(mock_interview, "senior")


@pytest.mark.usefixtures("intern")
def test_the_programs_interview_has_no_more_time_than_the_whole_and_is_not_ended_by_another(
    printed_by, clock
):
    interview("causal_mask")
    interview.stop()
    clock(seconds=20)
    interview("mha")
    mock_interview("intern")
    mock_interview.next()
    clock(seconds=20)
    running = "An interview on mha is running: `interview()` shows it, `interview.stop()` ends it"
    assert running in printed_by(mock_interview.next)
    interview.stop()
    clock(minutes=39, seconds=40)
    assert "\n5 minutes left" in printed_by(mock_interview).split("part 1 of")[-1]
    interview.stop()
    assert "This program is done, and its sheet was shown" in printed_by(mock_interview)


# ---- marks


@pytest.mark.parametrize(
    ("marks", "named", "sentence"),
    [
        ((), {}, "Part 1 is rated by 2 marks of 0, 1 or 2, in this order: points, answer first."),
        ((3, 1), {}, "Part 1 is rated by 2 marks"),
        ((2, 2), {"part": 1.0}, "Say which part, from 1 to 5: `mock_interview.rate(2, 2, part=1)`."),
        ((2, 2), {"part": 9}, "Say which part, from 1 to 5: `mock_interview.rate(2, 2, part=1)`."),
    ],
)
def test_marks_that_are_none_are_not_kept(printed_by, marks, named, sentence):
    mock_interview("intern")
    assert sentence in printed_by(mock_interview.rate, *marks, **named)
    assert not mock_interview.newest().of("mark")


def test_marks_are_kept_by_part_also_when_it_is_over(printed_by):
    mock_interview("intern")
    mock_interview.rate(1, 0)
    mock_interview.rate(2, 2, part=2)
    assert "Its page is written when it is over" in printed_by(mock_interview.page)
    mock_interview.stop()
    assert printed_by(mock_interview.rate, 2, 2).startswith("Say which part, from 1 to 5: ")
    mock_interview.rate(1, 1, part=1)
    marks = [list(mock_interview.newest().marks(n).values()) for n in (0, 1, 2)]
    assert marks == [[1, 1], [2, 2], []]


def test_what_was_asked_or_answered_the_same_day_is_not_asked(clock):
    for name in ("future_hidden", "row_shares"):
        bug_hunt(name)
    log.remember(log.Fact("card:stable_softmax", log.now(), True))
    interview("mha")
    interview.stop()
    asked = {"future_hidden", "row_shares", "stable_softmax", "mha"}
    for _ in range(2):
        clock(minutes=50)
        mock_interview("intern")
        names = {name for part in mock_interview.newest().parts for name in part.names}
        assert not asked & names
        asked |= names
        mock_interview.stop()
