"""mock_interview(level): what a learner sees, call by call, from the first card to the page."""

import html
from contextlib import closing
from pathlib import Path

import pytest

from course_utils import bug_hunt, due, flashcards, interview, mock_interview
from course_utils.practice import log
from course_utils.practice.bugs.program import load
from course_utils.practice.mock import MockInterview
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
    monkeypatch.setattr("course_utils.practice.mock.compose", lambda *_: INTERN)


# ---- bad input

NOT_RUNNING = 'No mock interview is running: `mock_interview("intern")` starts one.'


@pytest.mark.parametrize(
    ("call", "arguments", "sentence"),
    [
        ("__call__", ("junior",), 'There is no level called "junior". Choose from: intern, new_graduate, '),
        ("__call__", (3,), "There is no level called 3."),
        *((call, (), NOT_RUNNING) for call in ("__call__", "next", "hint", "reveal", "rate", "stop", "page")),
    ],
)
def test_bad_input_and_a_call_without_a_mock_interview_get_one_sentence(
    output_of, place, call, arguments, sentence
):
    out = output_of(getattr(mock_interview, call), *arguments)
    assert sentence in out
    assert len(out.splitlines()) == 1
    assert not (place / ".progress").exists()


def test_a_second_mock_interview_cannot_start_while_one_is_running(output_of):
    assert "New graduate, part 1 of 5" in output_of(mock_interview, "New-Graduate ")
    assert output_of(mock_interview, "senior").startswith("A mock interview is running (New graduate)")
    assert "New graduate, part 1 of 5" in output_of(mock_interview, "new graduate")


# ---- a whole mock interview


@pytest.mark.usefixtures("intern")
def test_a_whole_mock_interview_from_the_first_card_to_the_page(output_of, clock, place):
    out = output_of(mock_interview, "intern")
    assert out.startswith("Intern, part 1 of 5: Warm-up\n45 minutes left, until ")
    assert "45 minutes: warm-up 3, warm-up 3, write a program 20, find the bug 10, short questions 9." in out
    assert "This part has 3 minutes: until 42 minutes are left." in out
    clock(minutes=2)
    assert output_of(mock_interview.hint).startswith("Hint 1 of ")
    out = output_of(mock_interview.reveal)
    for text in ("A model answer:", "To listen for:", "`mock_interview.rate(2, 2, part=1)`, in this order:"):
        assert text in out
    out = output_of(mock_interview.rate, 2, 1)
    assert out.startswith("Saved for part 1: points 2, answer first 1.\nAnswers first")
    clock(minutes=1)
    assert "part 2 of 5: Warm-up\n42 minutes left" in output_of(mock_interview.next)
    clock(minutes=4)
    out = output_of(mock_interview.next)
    assert "part 3 of 5: Write a program\n38 minutes left" in out
    assert "20 minutes left" in out
    clock(minutes=5)
    out = output_of(MockInterview())  # in a new kernel
    assert "part 3 of 5: Write a program\n33 minutes left" in out
    assert "15 minutes left" in out
    interview.check(own_key_masked)
    assert "Right: mask" in output_of(interview.check, mask)
    assert "def causal_mask(T, device=None):" in output_of(mock_interview.reveal)
    clock(minutes=5)
    out = output_of(mock_interview.next)
    assert "part 4 of 5: Find the bug\n28 minutes left" in out
    assert "This is program 1 of 2." in out
    assert "No interview is running" in output_of(interview)
    assert output_of(bug_hunt.skip).endswith("`mock_interview.next()` goes on.\n")
    assert output_of(mock_interview).endswith("`mock_interview.next()` goes on.\n")  # nothing has changed
    clock(minutes=8)
    assert "This one is done" not in output_of(mock_interview.next)
    clock(minutes=1)
    assert "This is number 1 of 3." in output_of(mock_interview.next)
    for n in range(3):
        flashcards.reveal()
        flashcards.rate("knew" if n else "not")
        clock(seconds=4)
        out = output_of(mock_interview.next)
    assert "That was the whole interview." in out
    assert "The page with all answers: " in out
    assert ", points 2, answer first 1, 3 of 3 minutes, 1\n" in out
    assert "Not rated yet: parts 2, 3, 4, 5." in out
    (path,) = Path().glob("mock_interview_intern_2026-03-01_*.html")
    page = path.read_text()
    outcomes = "1 of 4 steps right", "2 right of 3 answered", "0 right of 1 answered"
    answers = "def causal_mask(T, ", html.escape(load("heads_to_features").bugs[0].why), "Why that is wrong"
    for text in ("A model answer", *outcomes, *answers, "01, section 1.5 (The causal mask)"):
        assert text in page
    path.unlink()
    out = output_of(mock_interview.stop)
    assert out.startswith(
        "No mock interview is running: the last one is over.\n`mock_interview.page()` writes"
    )
    assert f"The page with all answers: {path.resolve()}" in output_of(mock_interview.page)
    assert f"The page with all answers: {path.resolve()}" in output_of(mock_interview.stop)
    path.unlink()
    path.mkdir()
    assert "The page was not written: " in output_of(mock_interview.page)


@pytest.mark.parametrize("level", levels())
def test_every_level_runs_to_its_page_with_random_parts(output_of, clock, level):
    for _ in range(3):
        mock_interview(level)
        while not mock_interview.newest().closed:
            clock(seconds=20)
            mock_interview.next()
        assert "The page with all answers: " in output_of(mock_interview.stop)


@pytest.mark.parametrize("call", ["__call__", "next", "hint", "stop"])
def test_after_the_time_every_call_reports_the_end(output_of, clock, call):
    mock_interview("intern")
    clock(minutes=45)
    out = output_of(getattr(mock_interview, call))
    for text in ("Intern: the mock interview is over", ", not reached, – of ", "Time is up."):
        assert text in out
    assert mock_interview.newest().closed
    assert "Senior inference engineer, part 1 of 6" in output_of(mock_interview, "senior")


@pytest.mark.usefixtures("intern")
def test_the_program_part_respects_the_whole_time_and_waits_for_other_interviews(output_of, clock):
    interview("causal_mask")
    interview.stop()
    clock(seconds=20)
    interview("mha")
    mock_interview("intern")
    mock_interview.next()
    clock(seconds=20)
    running = "An interview on mha is running: `interview()` shows it, `interview.stop()` ends it"
    assert running in output_of(mock_interview.next)
    interview.stop()
    clock(minutes=39, seconds=40)
    assert "\n5 minutes left" in output_of(mock_interview).split("part 1 of")[-1]
    interview.stop()
    assert "This program is done, and its sheet was shown" in output_of(mock_interview)


@pytest.mark.usefixtures("intern")
@pytest.mark.parametrize(("dark", "brightness"), [(False, 255), (True, 18)])
def test_the_page_fits_a_phone_in_light_and_dark(chromium, place, dark, brightness):
    mock_interview("intern")
    mock_interview.stop()
    (path,) = place.glob("*.html")
    with closing(chromium.new_context(color_scheme="dark" if dark else "light")) as context:
        page = context.new_page()
        page.set_viewport_size({"width": 380, "height": 800})
        page.goto(path.as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") == 380
        ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert ground == f"rgb({brightness}, {brightness}, {brightness})"
        assert page.get_by_text("Why that is wrong.").first.is_visible()
        assert page.get_by_text("def padded_mask(T, lengths):").is_visible()  # its <details> is open


# ---- marks


@pytest.mark.parametrize(
    ("marks", "keywords", "sentence"),
    [
        ((), {}, "Part 1 is rated by 2 marks of 0, 1 or 2, in this order: points, answer first."),
        ((3, 1), {}, "Part 1 is rated by 2 marks"),
        ((2, 2), {"part": 1.0}, "Say which part, from 1 to 5: `mock_interview.rate(2, 2, part=1)`."),
        ((2, 2), {"part": 9}, "Say which part, from 1 to 5: `mock_interview.rate(2, 2, part=1)`."),
    ],
)
def test_invalid_marks_are_refused_and_not_saved(output_of, marks, keywords, sentence):
    mock_interview("intern")
    assert sentence in output_of(mock_interview.rate, *marks, **keywords)
    assert not mock_interview.newest().events_of("mark")


def test_marks_are_saved_per_part_also_after_the_end(output_of):
    mock_interview("intern")
    mock_interview.rate(1, 0)
    mock_interview.rate(2, 2, part=2)
    assert "Its page is written when it is over" in output_of(mock_interview.page)
    mock_interview.stop()
    assert output_of(mock_interview.rate, 2, 2).startswith("Say which part, from 1 to 5: ")
    mock_interview.rate(1, 1, part=1)
    marks = [list(mock_interview.newest().marks(n).values()) for n in (0, 1, 2)]
    assert marks == [[1, 1], [2, 2], []]


@pytest.mark.usefixtures("intern")
def test_what_was_rated_below_2_comes_back_and_a_spoken_answer_rated_2_later(output_of, clock):
    mock_interview("intern")
    mock_interview.rate(2, 2)
    mock_interview.next()
    assert "What you rated 0 or 1 comes back after a day" in output_of(mock_interview.rate, 2, 1)
    mock_interview.next()
    mock_interview.rate(2, 2, 2, 0)
    mock_interview.next()
    mock_interview.rate(1)
    mock_interview.rate(0, part=5)  # which was not reached: nothing was asked
    mock_interview.stop()
    spoken, missed = "aloud:what_attention_computes", "aloud:shapes_of_a_layer"
    facts = {fact.name: fact.right for fact in log.recall()}
    hunt = "hunt:mean_of_real_tokens"
    assert facts == {spoken: True, missed: False, "interview:causal_mask": False, hunt: False}
    assert "0 right of 0 answered" in Path(*Path().glob("*.html")).read_text()  # a mark is no answer
    clock(days=1)
    out = output_of(due, 10)
    assert out.startswith("Session: 3 items, about 10 minutes.\n  Aloud: The shapes of one layer")
    assert "1 of 2 · aloud · The shapes of one layer" in out
    flashcards.reveal()
    assert "Saved: it comes back later." in output_of(flashcards.rate, "knew")


def test_nothing_from_the_same_day_is_asked_again(clock):
    for name in ("future_hidden", "row_shares"):
        bug_hunt(name)
    log.remember(log.Fact("card:stable_softmax", log.now(), True))
    interview("mha")
    interview.stop()
    past_names = {"future_hidden", "row_shares", "stable_softmax", "mha"}
    for _ in range(2):
        clock(minutes=50)
        mock_interview("intern")
        names = {name for part in mock_interview.newest().parts for name in part.names}
        assert not past_names & names
        past_names |= names
        mock_interview.stop()
