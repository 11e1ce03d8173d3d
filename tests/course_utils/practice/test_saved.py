"""What is kept survives crashes, synced folders, other versions, and is the same whatever came first."""

import json
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from itertools import permutations

import pytest

from course_utils import interview, load_progress, save_progress
from course_utils.own.saved import write_whole
from course_utils.practice import saved as saved_file
from course_utils.practice.log import FOLDER, Fact, add_lines, recall, remember
from course_utils.practice.schedule import answered

START = datetime(2026, 3, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
NEWER = '{"v": 2, "name": "question_9", "when": "2027-01-01T00:00:00.000Z", "sure": "quite"}'
SAVE, FILE = saved_file.FILE, "predictions.jsonl"


def fact(name, after, right=True):
    return Fact(name, START + after * HOUR, right)


OURS = [fact("question_1", 0), fact("question_2", 1, right=False), fact("question_1", 30)]
THEIRS = [fact("question_1", 0), fact("question_1", 25, right=False), fact("card:a", 3)]
# two different answers at the same moment: their order may not depend on the file that is read first
THIRD = [fact("question_2", 1), fact("question_3", 50)]
MACHINES = OURS, THEIRS, THIRD


def lines(facts):
    return [item.to_line() for item in facts]


def state():
    """All that can be asked of what is kept: the facts, and when each item is due."""
    facts, message = recall()
    assert message == []
    return facts, [(item.fact, item.due) for item in answered(facts, START + 100 * HOUR)]


# ---- a synced folder


@pytest.mark.usefixtures("two_kinds")
@pytest.mark.parametrize(
    "copy",
    [
        "predictions (conflicted copy 2026-11-23).jsonl",
        "predictions.sync-conflict-20261123-060013-ABCDEFG.jsonl",
        "predictions (1).jsonl",
    ],
)
def test_the_copies_of_a_synced_folder_are_read_too(place, copy):
    add_lines(place / ".progress" / FILE, lines([*OURS, *THEIRS]))
    wanted = state()
    (place / ".progress" / FILE).unlink()
    for mine, other in ((FILE, copy), (copy, FILE)):
        add_lines(place / ".progress" / mine, lines(OURS))
        add_lines(place / ".progress" / other, lines(THEIRS))
        assert state() == wanted
        for path in (place / ".progress").iterdir():
            path.unlink()


# ---- one small file


@pytest.mark.usefixtures("two_kinds")
@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_three_machines_give_the_same_in_any_order(place, tmp_path, monkeypatch, order, printed_by):
    files = []
    for n in order:
        folder = tmp_path / f"machine {n}" / "00_first"
        folder.mkdir(parents=True)
        monkeypatch.chdir(folder)
        for item in MACHINES[n]:
            remember(item)
        printed_by(save_progress)
        files.append(folder / SAVE)
    monkeypatch.chdir(place)
    for file in files:
        printed_by(load_progress, file)
    merged = state()
    assert merged[0] == sorted({*OURS, *THEIRS, *THIRD}, key=lambda item: (item.when, item.name, item.right))
    before = (place / ".progress" / FILE).read_bytes()
    for file in files:
        assert "0 answers" in printed_by(load_progress, file)
    assert (place / ".progress" / FILE).read_bytes() == before


def test_interviews_and_lines_of_newer_versions_are_carried(place, tmp_path, monkeypatch, printed_by):
    remember(OURS[0])
    interview.begin(topic="mha", minutes=9)
    add_lines(place / ".progress" / FILE, [NEWER])
    add_lines(place / ".progress" / "mock.jsonl", ['{"v": 7}', "broken"])
    data = saved(place, printed_by)
    stored, wanted = recall()[0], interview.sessions()[0]
    (tmp_path / "far" / "away").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "far" / "away")
    assert "damaged or of a newer version of the course" in printed_by(load_progress, data)
    assert (recall()[0], interview.sessions()[0]) == (stored, wanted)
    assert (FOLDER / FILE).read_text().splitlines() == [OURS[0].to_line(), NEWER]
    assert (FOLDER / "mock.jsonl").read_text() == '{"v": 7}\n'
    before = {path.name: path.read_bytes() for path in FOLDER.iterdir()}
    printed_by(load_progress, data)
    assert {path.name: path.read_bytes() for path in FOLDER.iterdir()} == before


def saved(place, message):
    message(save_progress)
    return (place / SAVE).read_bytes()


def test_a_file_of_an_older_version_loads(printed_by):
    older = {"version": 1, "predictions": lines(OURS), "answers": {"softmax": "x"}}
    assert printed_by(load_progress, json.dumps(older).encode()) == (
        "What was given: 3 answers and 1 exercise restored; what was already here is unchanged.\n"
    )
    assert recall()[0] == OURS[:2] + OURS[2:]


def test_saving_leaves_in_the_file_what_it_held(place, printed_by):
    older = {"version": 1, "predictions": [*lines(THEIRS), NEWER], "answers": {"softmax": "theirs"}}
    (place / SAVE).write_text(json.dumps(older))
    for item in OURS:
        remember(item)
    (place / ".progress" / "attention_weights.py").write_text("mine")
    assert "It holds 6 answers and 2 exercises" in printed_by(save_progress)
    plain = json.loads((place / SAVE).read_text())
    assert set(plain["predictions"]) == {*lines(OURS), *lines(THEIRS), NEWER}
    assert plain["answers"] == {"softmax": "theirs", "attention_weights": "mine"}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('{"version": 2}', f"{SAVE} was written by a newer version of the course: nothing was saved. "),
        ("# My thesis", f"{SAVE} is not a file that save_progress() wrote: nothing was saved. "),
        ("[]", f"{SAVE} is not a file that save_progress() wrote: nothing was saved. "),
        ('{"version": 1, "predictions": [', f"{SAVE} is not a file that save_progress() wrote: nothing"),
    ],
)
def test_no_other_file_is_ever_written_over(place, printed_by, text, sentence):
    (place / SAVE).write_text(text)
    out = printed_by(save_progress)
    assert out.startswith(sentence)
    assert out.endswith('Give another name, as in `save_progress("other.json")`.\n')
    assert (place / SAVE).read_text() == text


@pytest.mark.parametrize("holds", [{"predictions": lines(OURS)}, {"answers": {"softmax": "x"}}])
def test_where_nothing_can_be_written_reading_back_says_so(place, printed_by, holds):
    (place / ".progress").write_text("a file where the folder should be")
    plain = {"version": 1, "predictions": [], "answers": {}, **holds}
    assert printed_by(load_progress, json.dumps(plain).encode()) == (
        ".progress cannot be written to (FileExistsError): What was given is as it was.\n"
    )


# ---- crashes


CRASH = """
import os, sys
from course_utils import save_progress
from course_utils.own.saved import write_whole

os.fsync = lambda file: os._exit(9)
save_progress() if sys.argv[1] == "save" else write_whole(".progress/softmax.py", "new" * 100_000)
"""


@pytest.mark.parametrize(("what", "name"), [("save", SAVE), ("keep", ".progress/softmax.py")])
def test_a_crash_in_the_middle_leaves_the_file_that_was_there(place, printed_by, what, name):
    remember(OURS[0])
    write_whole(place / ".progress" / "softmax.py", "old")
    before = saved(place, printed_by) if what == "save" else b"old"
    remember(OURS[1])
    done = subprocess.run([sys.executable, "-c", CRASH, what], cwd=place)
    assert done.returncode == 9
    assert (place / name).read_bytes() == before
    assert recall()[0] == OURS[:2]


def test_a_link_into_a_synced_folder_stays_a_link(place, tmp_path, printed_by):
    (tmp_path / "synced").mkdir()
    (place / SAVE).symlink_to(tmp_path / "synced" / SAVE)
    remember(fact("question_1", 0))
    printed_by(save_progress)
    assert (place / SAVE).is_symlink()
    assert json.loads((tmp_path / "synced" / SAVE).read_text())["predictions"] == lines(OURS[:1])


def test_the_copies_of_interviews_are_read_too(place):
    start = {
        "v": 1,
        "key": "a",
        "event": "start",
        "when": "2026-03-01T12:00:00Z",
        "topic": "mha",
        "minutes": 9,
    }
    end = {"v": 1, "key": "a", "event": "end", "when": "2026-03-01T12:05:00Z"}
    add_lines(place / ".progress" / "interviews.jsonl", [json.dumps(start)])
    add_lines(place / ".progress" / "interviews (conflicted copy).jsonl", [json.dumps(end)])
    assert [item.closed for item in interview.sessions()[0]] == [True]


def test_the_same_answer_in_other_words_is_not_added_again(printed_by):
    remember(OURS[0])
    other = OURS[0].to_line().replace("T12:00:00.000Z", "T14:00:00+02:00").replace("}", ', "sure": null}')
    data = json.dumps({"version": 1, "predictions": [other], "answers": {}}).encode()
    assert other != OURS[0].to_line()
    assert "0 answers" in printed_by(load_progress, data)


@pytest.mark.parametrize(
    "lines",
    [[], "x", {"a": 3}, {"a": "x"}, {"a": [1]}],
)
def test_what_is_no_list_of_lines_is_said_in_one_sentence(place, printed_by, lines):
    plain = {"version": 1, "predictions": [], "answers": {}, "lines": lines}
    out = printed_by(load_progress, json.dumps(plain).encode())
    empty = "What was given: 0 answers and 0 exercises restored"
    assert out.startswith("What was given is not a file that save_progress() wrote: ") or (
        lines == [] and out.startswith(empty)
    )
    assert not (place / ".progress").exists()


def test_names_of_files_from_elsewhere_lead_nowhere_else(place, printed_by):
    plain = {"version": 1, "predictions": [], "answers": {}, "lines": {"../evil": ["{}"], "ok": ['{"v": 1}']}}
    printed_by(load_progress, json.dumps(plain).encode())
    assert [path.name for path in place.parent.rglob("*.jsonl")] == ["ok.jsonl"]


def test_after_a_crash_all_goes_on(place, printed_by):
    remember(OURS[0])
    (place / f"{SAVE}.part").write_text("half a fi")
    printed_by(save_progress)
    assert sorted(path.name for path in place.iterdir()) == [".progress", SAVE]
