"""What is kept of a mock interview: lines that survive what happens to files."""

import json
from pathlib import Path

import pytest

from course_utils import load_progress, save_progress
from course_utils.practice.interview.mock import mock_interview
from course_utils.practice.interview.mock.record import from_line, mocks

pytestmark = pytest.mark.usefixtures("kinds")


def line_of(event, **more):
    return json.dumps({"v": 1, "key": "a", "event": event, "when": "2026-03-01T12:00:00Z", **more})


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[]",
        "null",
        '{"v": 1}',
        "\x00",
        "[" * 100_000,
        '{"v": 1, "key": "a", "event": "start"',
        line_of("done", part=-1),
        line_of("mark", part=0, marks={"mask": 7}),
        line_of("start", level="intern", people=1, parts=[["program", 9, ["no topic"]]]),
        line_of("start", level="intern", people=1, parts=[]),
        line_of("start", level="junior", people=1, parts=[["spoken", 3, ["why_causal"]]]),
    ],
)
def test_a_broken_line_costs_nothing_but_itself(said, clock, line):
    mock_interview("intern", seed=1)
    with clock.file.open("a") as file:
        file.write(line + "\n")
    before = clock.file.read_bytes()
    out = said(mock_interview)
    assert "part 1 of 5" in out
    assert "1 line of .progress/mocks.jsonl cannot be read; nothing is changed there, and all others" in out
    mock_interview.next()
    assert clock.file.read_bytes().startswith(before)
    assert "part 2 of 5" in said(mock_interview)


def test_a_line_that_was_cut_off_does_not_swallow_the_next_one(said, clock):
    mock_interview("intern", seed=1)
    mock_interview.next()
    whole = clock.file.read_bytes()
    clock.file.write_bytes(whole[:-20])
    out = said(mock_interview)
    assert "part 1 of 5" in out
    assert "1 line of" in out
    assert "part 2 of 5" in said(mock_interview.next)


def test_a_line_of_a_newer_version_is_kept_and_said(said, clock):
    mock_interview("intern", seed=1)
    with clock.file.open("a") as file:
        file.write('{"v": 2, "event": "thought"}\n')
    assert "1 line of .progress/mocks.jsonl from a newer version" in said(mock_interview)
    assert '"thought"' in clock.file.read_text()


def test_where_nothing_can_be_written_the_kernel_remembers(said, clock):
    clock.file.parent.write_text("a file where the folder should be")
    out = said(mock_interview, "intern", seed=1)
    assert ".progress/mocks.jsonl cannot be written to: this mock interview is remembered until" in out
    assert "part 2 of 5" in said(mock_interview.next)
    mock_interview.rate(2, 2)
    assert "rated 4 of 4" in said(mock_interview.stop)
    assert "Written: " in said(mock_interview.page)


def test_files_of_two_machines_may_be_put_together_in_any_order(clock):
    mock_interview("intern", seed=1)
    clock(minutes=1)
    mock_interview.next()
    clock(minutes=1)
    mock_interview.rate(1, 1)
    lines = clock.file.read_text().splitlines()
    wanted = mocks()
    clock.file.write_text("\n".join([*lines[::-1], *lines]))
    assert mocks() == wanted


def test_it_is_found_from_another_lessons_folder(clock, tmp_path, monkeypatch, said):
    mock_interview("intern", seed=1)
    other = tmp_path / "04_kv_cache"
    other.mkdir()
    monkeypatch.chdir(other)
    assert "part 1 of 5" in said(mock_interview)


def test_no_answer_and_no_program_is_kept(clock):
    mock_interview("senior", seed=1)
    mock_interview.reveal()
    mock_interview.stop()
    events = [json.loads(line) for line in clock.file.read_text().splitlines()]
    assert [event["event"] for event in events] == ["start", "reveal", "end"]
    assert all(
        set(event) <= {"v", "key", "event", "when", "level", "seed", "people", "parts", "part"}
        for event in events
    )


def test_every_line_that_is_written_is_read_back(clock):
    mock_interview("intern", seed=1)
    mock_interview.hint()
    mock_interview.rate(1, 2)
    for _ in range(30):
        mock_interview.next()
    lines = clock.file.read_text().splitlines()
    assert len(lines) > 10
    assert [from_line(line)["event"] for line in lines][-1] == "end"


def test_a_copy_that_a_synced_folder_made_is_read_too(clock):
    mock_interview("intern", seed=1)
    wanted = mocks()
    clock.file.rename(clock.file.with_name("mocks (conflicted copy).jsonl"))
    assert mocks() == wanted


def test_it_is_carried_to_another_machine(clock, tmp_path, monkeypatch):
    mock_interview("intern", seed=1)
    mock_interview.rate(2, 1)
    wanted = mocks()
    save_progress()
    other = tmp_path / "elsewhere" / "08_interview"
    other.mkdir(parents=True)
    (other / "course-progress.json").write_bytes(Path("course-progress.json").read_bytes())
    monkeypatch.chdir(other)
    assert mocks() == ([], [])
    load_progress()
    assert mocks() == wanted


def test_minutes_end_with_the_mock_interview_and_not_with_its_45_minutes(clock):
    mock_interview("intern", seed=1)
    clock(minutes=2)
    mock_interview.next()
    clock(minutes=4)
    mock_interview.stop()
    clock(minutes=30)
    assert mocks()[0][0].times() == [2, 4, None, None, None]
