"""Files that the course wrote in November 2026, with every kind of event, are read without loss."""

import json
import shutil

import pytest

from course_utils import interview, load_progress, mock_interview, progress, save_progress
from course_utils.practice import log
from tests.conftest import ROOT

FOLDER = ROOT / "tests" / "answers" / "progress"
LINES = {path: path.read_text().splitlines() for path in FOLDER.glob("*/*.jsonl")}
NEWER = '{"v": 2, "name": "question_9", "when": "2027-01-01T00:00:00.000Z", "sure": "quite"}'
START = '{"v": 1, "key": "a", "event": "start", "when": "2026-11-20T09:18:00Z"'


@pytest.fixture
def work(tmp_path, monkeypatch):
    """A learner's folders with those files."""
    for folder in FOLDER.iterdir():
        shutil.copytree(folder, tmp_path / "work" / folder.name / ".progress")
    monkeypatch.chdir(tmp_path / "work" / "08_interview")
    return tmp_path / "work"


def events(name):
    return [json.loads(line) for path, lines in LINES.items() if path.stem == name for line in lines]


def number_of(sessions):
    """The number of events in all sessions."""
    return sum(1 + len(session.events) for session in sessions)


def test_every_event_of_november_2026_is_read(work):
    assert len(log.recall()) == len(events("predictions"))
    for desk, name in ((interview, "interviews"), (mock_interview, "mocks")):
        assert number_of(desk.sessions()) == len(events(name))
    assert log.take_notes() == []


def test_sheets_marks_and_counts_are_those_of_november_2026(work, output_of):
    out = output_of(interview.sheets)
    assert "The causal mask: 8 minutes of 30 minutes" in out
    assert "right, 2 tries, own key masked" in out
    past, running = mock_interview.sessions()
    assert (past.subject, past.closed, past.marks(0)) == ("intern", True, {"points": 2, "answer_first": 1})
    assert [round((end - start).total_seconds() / 60) for start, end in past.spans] == [1, 1, 1, 1, 6]
    assert (running.subject, running.closed, running.index) == ("senior", False, 1)
    out = output_of(progress)
    for text in ("[x] create_causal_mask", "Flashcards: 11 of", "Bugs: 3 of"):
        assert text in out


def test_progress_moves_to_another_machine_with_lines_of_a_newer_version(
    work, output_of, tmp_path, monkeypatch
):
    log.add_lines(work / "08_interview" / ".progress" / "predictions.jsonl", [NEWER, "broken"])
    assert log.NOT_READ.format("2 lines of .progress/predictions.jsonl") in output_of(save_progress)
    data = (work / "08_interview" / "course-progress.json").read_bytes()
    before = log.recall(), interview.sessions(), mock_interview.sessions()
    (tmp_path / "far" / "08_interview").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "far" / "08_interview")
    for counts in ("20 answers and 1 exercise", "0 answers and 0 exercises"):
        out = output_of(load_progress, data)
        assert f"{counts} restored" in out
        assert log.NOT_READ.format("1 line of .progress/predictions.jsonl") in out
        assert (log.recall(), interview.sessions(), mock_interview.sessions()) == before


@pytest.mark.parametrize("copy", [" (conflicted copy)", ".sync-conflict-20261123-060013-ABCDEFG", " (1)"])
def test_events_split_between_a_file_and_its_synced_copy_are_merged(work, copy):
    path = work / "08_interview" / ".progress" / "interviews.jsonl"
    first, *rest = path.read_text().splitlines()
    path.write_text("\n".join(rest) + "\n")
    path.with_name(f"interviews{copy}.jsonl").write_text(first + "\n" + rest[0] + "\n")
    assert number_of(interview.sessions()) == len(events("interviews"))


@pytest.mark.parametrize("line", ["{", "[]", START + "}", START + ', "topic": "a", "minutes": 1e300}'])
def test_a_broken_event_is_skipped_and_reported(work, line):
    path = work / "08_interview" / ".progress" / "interviews.jsonl"
    path.write_text(path.read_text() + line + "\n")
    assert number_of(interview.sessions()) == len(events("interviews"))
    assert log.take_notes() == [log.NOT_READ.format("1 line of .progress/interviews.jsonl")]
