"""mock_interview(level): what a learner sees, call by call, from the first card to the page."""

from datetime import timedelta
from pathlib import Path

import pytest
import torch
from course_utils.practice.interview.mock import mock_interview
from course_utils.practice.interview.mock.desk import MockInterview
from course_utils.practice.interview.mock.levels import LEVELS
from course_utils.practice.interview.mock.record import mocks

from course_utils.practice.interview import interview
from course_utils.practice.log import Fact, remember

from .conftest import START

pytestmark = pytest.mark.usefixtures("clock", "kinds")


def mask(n):
    return torch.ones(n, n).triu(1).bool()


def own_key_masked(n):
    return torch.ones(n, n).triu().bool()


def go_to(kind):
    """Go on until a part of this kind."""
    while mocks()[0][-1].parts[mocks()[0][-1].part()].kind != kind:
        mock_interview.next()


def seed_with(level, name):
    from course_utils.practice.interview.mock.compose import compose

    return next(n for n in range(500) if any(name in part.names for part in compose(LEVELS[level], n)[0]))


# ---- what is refused


@pytest.mark.parametrize(
    ("given", "named", "sentence"),
    [
        (("junior",), {}, "There is no level called"),
        ((3,), {}, "There is no level called 3."),
        (("intern",), {"seed": "7"}, "`seed` is a whole number, or left out, and '7' came: nothing was"),
        (("intern",), {"seed": True}, "and True came"),
        (("intern",), {"people": 3}, "`people` is 1 or 2, and 3 came: nothing was started."),
        (("intern",), {"people": 2}, 'runs `mock_interview.interviewer("intern")` first'),
        ((), {}, 'No mock interview is running: `mock_interview("intern")` starts one.'),
    ],
)
def test_bad_input_gets_one_sentence(said, clock, given, named, sentence):
    out = said(mock_interview, *given, **named)
    assert sentence in out
    assert len(out.splitlines()) == 1
    assert not clock.file.exists()


@pytest.mark.parametrize("call", ["next", "hint", "reveal", "rate", "stop", "page"])
def test_without_a_mock_interview_a_call_says_how_one_starts(said, call):
    assert '`mock_interview("intern")` starts one.' in said(getattr(mock_interview, call))


def test_another_one_does_not_start_beside_it(said):
    mock_interview("intern", seed=1)
    assert said(mock_interview, "senior").startswith("A mock interview is running (Intern)")
    assert "part 1 of 5" in said(mock_interview, "intern", seed=2)
    assert len(mocks()[0]) == 1


# ---- the way through


def test_from_the_first_card_to_the_page(said, clock, kinds):
    out = said(mock_interview, "intern", seed=seed_with("intern", "causal_mask"))
    assert out.startswith("Intern, part 1 of 5: Warm-up\n45 minutes left, until ")
    assert "45 minutes: warm-up 3, warm-up 3, write a program 20, find the bug 10, short questions 9." in out
    assert "This part has 3 minutes: until 42 minutes are left." in out
    clock(minutes=2)
    assert said(mock_interview.hint).startswith("Hint 1 of ")
    out = said(mock_interview.reveal)
    assert "A model answer:" in out
    assert "To listen for:" in out
    assert "`mock_interview.rate(2, 2, part=1)`, in this order:\n  Says what matters\n    0: " in out
    out = said(mock_interview.rate, 2, 1)
    assert out.startswith("Kept for part 1: points 2, answer_first 1.\nAnswers first, then explains: 2 is")
    clock(minutes=1)
    assert "part 2 of 5: Warm-up\n42 minutes left" in said(mock_interview.next)
    clock(minutes=4)
    out = said(mock_interview.next)
    assert "part 3 of 5: Write a program\n38 minutes left" in out
    assert "The causal mask, part 1 of 4: the mask\n20 minutes left" in out
    clock(minutes=5)
    interview.check(own_key_masked)
    assert "Right: mask" in said(interview.check, mask)
    clock(minutes=5)
    out = said(mock_interview.next)
    assert "The causal mask: 10 minutes of 20 minutes" in out
    assert "part 4 of 5: Find the bug\n28 minutes left" in out
    assert "This is program 1 of 2." in out
    assert f"asked {kinds.hunt.asked[0]}, then `mock_interview.next()` goes on." in out
    remember(Fact(f"hunt:{kinds.hunt.asked[0]}", START + timedelta(minutes=20), True))
    clock(minutes=4)
    assert "This is program 2 of 2." in said(mock_interview.next)
    remember(Fact(f"hunt:{kinds.hunt.asked[1]}", START + timedelta(minutes=24), False))
    clock(minutes=4)
    out = said(mock_interview.next)
    assert "This is number 1 of 9." in out
    for n in range(9):
        right = n > 1
        remember(Fact(f"card:{kinds.cards.asked[-1]}", START + timedelta(minutes=26, seconds=n), right))
        out = said(mock_interview.next)
    assert len(kinds.cards.asked) == 9
    assert "That was all of it." in out
    assert "1. Warm-up: " in out
    assert "3 of 3 minutes, rated 3 of 4" in out
    assert "Not rated yet: parts 2, 3, 4, 5." in out
    assert "Kept for part 2" in said(mock_interview.rate, 0, 0, part=2)
    out = said(mock_interview.page)
    page = next(Path().glob("mock_interview_intern_2026-03-01_*.html")).read_text()
    assert "Written: " in out
    for text in (
        "Mock interview: Intern",
        "1 of 4 steps right",
        "own key masked",
        "one ahead",
        "7 of 9 right",
        "01, section 1.5 (The causal mask)",
        "1 of 2 found",
    ):
        assert text in page


def test_each_level_runs_through_with_any_seed(said, clock):
    for level in LEVELS:
        for seed in range(3):
            mock_interview(level, seed=seed)
            for _ in range(60):
                clock(seconds=20)
                if mocks()[0][-1].closed:
                    break
                mock_interview.next()
            assert mocks()[0][-1].closed
            assert "Written: " in said(mock_interview.page)
            assert f"Mock interview: {LEVELS[level].title}" in newest_page()


def test_a_bug_and_a_flashcard_say_that_the_mock_interview_goes_on(kinds, clock):
    mock_interview("intern", seed=1)
    for kind, asked in (("hunt", kinds.hunt), ("cards", kinds.cards)):
        clock(minutes=1)
        go_to(kind)
        assert asked.then == "`mock_interview.next()` goes on."
        assert asked.since == mocks()[0][-1].part_start() > START


def newest_page():
    return max(Path().glob("mock_interview_*.html"), key=lambda path: path.stat().st_mtime_ns).read_text()


# ---- the clock


def test_a_new_kernel_in_the_middle_shows_the_part_and_the_time(said, clock):
    mock_interview("senior", seed=seed_with("senior", "gqa"))
    go_to("program")
    clock(minutes=7)
    again = MockInterview()
    out = said(again).split("Senior inference engineer, ")[-1]
    assert out.startswith("part 3 of 6: Write a program\n38 minutes left")
    assert "Grouped-query attention, part 1 of 3: the function\n9 minutes left" in out
    assert "part 4 of 6" in said(again.next)


@pytest.mark.parametrize("call", ["__call__", "next", "hint", "stop"])
def test_when_the_time_is_over_every_call_says_so(said, clock, call):
    mock_interview("intern", seed=1)
    clock(minutes=45)
    out = said(getattr(mock_interview, call))
    assert "Intern: the mock interview is over" in out
    assert ", not reached\n" in out
    assert "The time is over." in out
    assert mocks()[0][0].closed


def test_a_new_one_starts_when_the_time_of_the_old_one_is_over(said, clock):
    mock_interview("intern", seed=1)
    clock(hours=3)
    out = said(mock_interview, "senior", seed=2)
    assert "Intern: the mock interview is over" in out
    assert "Senior inference engineer, part 1 of 6" in out


def test_a_clock_that_is_set_back_gives_no_more_time(said, clock):
    mock_interview("intern", seed=1)
    clock(days=-1)
    assert "45 minutes left" in said(mock_interview)


def test_the_programs_interview_has_no_more_time_than_the_whole(said, clock):
    mock_interview("intern", seed=1)
    mock_interview.next()
    clock(minutes=40)
    assert "\n5 minutes left" in said(mock_interview.next).split("part 1 of")[-1]


def test_a_program_that_was_ended_early_is_not_said_to_be_out_of_time(said):
    mock_interview("intern", seed=1)
    go_to("program")
    interview.stop()
    out = said(mock_interview)
    assert "The program is over, and its sheet was shown: `mock_interview.next()` goes on." in out
    assert "time is over" not in out


def test_an_interview_that_runs_already_is_not_ended_by_it(said):
    interview("mha")
    mock_interview("intern", seed=1)
    mock_interview.next()
    out = said(mock_interview.next)
    assert "An interview on mha is running: `interview.stop()` ends it, and then `mock_interview()`" in out
    interview.stop()
    assert "20 minutes left" in said(mock_interview)


# ---- marks


@pytest.mark.parametrize(
    ("marks", "named", "sentence"),
    [
        ((), {}, "Part 1 is rated by 2 marks of 0, 1 or 2, in this order: points, answer_first."),
        ((3, 1), {}, "Part 1 is rated by 2 marks"),
        ((2, True), {}, "Part 1 is rated by 2 marks"),
        ((2,), {}, "Part 1 is rated by 2 marks"),
        ((), {"shape": 2}, "Part 1 is rated by 2 marks"),
        ((2, 2), {"part": 9}, "There are parts 1 to 5, and 9 came: nothing is kept."),
        ((2, 2), {"part": "1"}, "There are parts 1 to 5, and '1' came"),
        (("22",), {}, "one text has a group of marks for each part, such as "),
        (("22 22 22 2 2 2",), {}, "one text has a group of marks"),
    ],
)
def test_marks_that_are_none_are_not_kept(said, marks, named, sentence):
    mock_interview("intern", seed=1)
    out = said(mock_interview.rate, *marks, **named)
    assert sentence in out
    assert not mocks()[0][0].of("mark")


def test_marks_by_name_by_part_and_for_all_at_once():
    mock_interview("intern", seed=seed_with("intern", "causal_mask"))
    mock_interview.rate(points=1)
    mock_interview.rate(2, 2, part=2)
    assert [mocks()[0][0].marks(n) for n in (0, 1)] == [{"points": 1}, {"points": 2, "answer_first": 2}]
    mock_interview.rate("-2 01 210- 2 1")
    assert [list(mocks()[0][0].marks(n).values()) for n in range(5)] == [[1, 2], [0, 1], [2, 1, 0], [2], [1]]


def test_after_the_end_a_mark_says_its_part(said):
    mock_interview("intern", seed=1)
    mock_interview.stop()
    assert said(mock_interview.rate, 2, 2).startswith(
        "Say which part is rated: `mock_interview.rate(2, 2, part=1)`"
    )
    assert "Kept for part 1" in said(mock_interview.rate, 2, 2, part=1)


# ---- for two


def test_for_two_the_candidate_sees_questions_and_nothing_else(said, kinds):
    out = said(mock_interview, "new_graduate", seed=5, people=2)
    assert "Answer your interviewer." in out
    assert "mock_interview.reveal" not in out
    assert "hint" not in out
    for call in (mock_interview.hint, mock_interview.reveal):
        assert said(call).startswith("Your interviewer has the hints and the answers.")
    go_to("cards")
    assert "Your interviewer asks 7 short questions. Answer aloud." in said(mock_interview)
    assert kinds.cards.asked == []
    assert "That was all of it." in said(mock_interview.next)
    assert "A model answer" in said(mock_interview.reveal, part=1)
    mock_interview.page()
    assert "with an interviewer" in newest_page()


def test_the_sheet_asks_what_the_candidates_notebook_asks(said, kinds):
    from course_utils.practice.interview.mock.kinds import title

    out = said(mock_interview.interviewer, "senior", seed=12)
    assert 'starts with `mock_interview("senior", seed=12, people=2)`' in out
    sheet = Path("interviewer_sheet_senior_12.html").read_text()
    mock_interview("senior", seed=12, people=2)
    for part in mocks()[0][0].parts:
        assert f"{part.title}: {title(part)}".replace("'", "&#x27;") in sheet
    assert "Line 2. The sign is turned. Right: <code" in sheet
    assert ">return x &gt; 1</code>" in sheet
    assert "Hints, and when" in sheet
    assert "after a minute of silence:" in sheet
    assert sheet.count("<td>So.</td>") == 4


@pytest.mark.parametrize("given", [(), ("junior",), ("intern", "7")])
def test_a_sheet_of_nothing_is_not_written(said, given):
    assert len(said(mock_interview.interviewer, *given).splitlines()) == 1
    assert not list(Path().glob("*.html"))


def test_a_sheet_without_a_seed_says_which_it_took(said):
    out = said(mock_interview.interviewer, "intern")
    seed = out.split("seed=")[1].split(",")[0]
    assert Path(f"interviewer_sheet_intern_{seed}.html").is_file()


# ---- what goes wrong


def test_without_bugs_and_flashcards_the_rest_has_45_minutes(said, nothing_else):
    out = said(mock_interview, "senior", seed=1)
    assert "45 minutes: warm-up 3, warm-up 3, write a program 29, design and cost 10." in out
    assert (
        "The bug hunt is left out, as this notebook does not have it: its 9 minutes go to the program." in out
    )


def test_bugs_that_are_no_longer_there_are_said_and_passed(said, clock, monkeypatch):
    from course_utils.practice.interview.mock import others

    mock_interview("intern", seed=1)
    monkeypatch.setattr(others, "found", lambda kind, name="kind": None)
    go_to("hunt")
    assert "This notebook does not have it: `mock_interview.next()` goes on." in said(mock_interview)
    go_to("cards")
    clock(minutes=1)
    mock_interview.stop()
    mock_interview.page()
    assert "not answered" in newest_page()


def test_a_page_that_cannot_be_written_is_said(said, monkeypatch):
    mock_interview("intern", seed=1)
    assert said(mock_interview.page).startswith("The mock interview is running")
    mock_interview.stop()

    def refuse(*_, **__):
        raise PermissionError

    monkeypatch.setattr(Path, "write_text", refuse)
    assert "cannot be written to (PermissionError)." in said(mock_interview.page)


@pytest.fixture
def three_seconds(monkeypatch):
    """As outside of tests: a step that comes at once after another one is none."""
    monkeypatch.setattr("course_utils.practice.interview.mock.desk.AT_ONCE", timedelta(seconds=3))


def test_a_cell_that_runs_twice_passes_nothing_over(said, clock, three_seconds):
    mock_interview("intern", seed=seed_with("intern", "causal_mask"))
    assert "part 2 of 5" in said(mock_interview.next)
    clock(seconds=2)
    out = said(mock_interview.next)
    assert "part 2 of 5" in out
    assert "It ran twice within three seconds, so nothing is passed over." in out
    clock(seconds=1)
    assert "part 3 of 5" in said(mock_interview.next)
    assert "part 3 of 5" in said(mock_interview.next)  # where a program begins, too


def test_what_is_done_in_between_makes_it_a_step(said, clock, three_seconds):
    mock_interview("intern", seed=seed_with("intern", "causal_mask"))
    mock_interview.next()
    mock_interview.reveal()
    assert "part 3 of 5" in said(mock_interview.next)


def test_a_clock_that_is_set_back_does_not_hold_a_part(said, clock, three_seconds):
    mock_interview("intern", seed=seed_with("intern", "causal_mask"))
    mock_interview.next()
    clock(hours=-1)
    assert "part 3 of 5" in said(mock_interview.next)
