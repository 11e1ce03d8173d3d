"""Saved progress is one file, survives crashes and synced folders, and merges in any order."""

import json
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from itertools import permutations
from types import SimpleNamespace

import pytest

from course_utils import load_progress, save_progress
from course_utils.own.saved import write_whole
from course_utils.practice import saved as saved_file
from course_utils.practice.log import Fact, recall, remember

START = datetime(2026, 3, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
NEWER = '{"v": 2, "name": "question_9", "when": "2027-01-01T00:00:00.000Z", "sure": "quite"}'
SAVE, FILE = saved_file.FILE, "predictions.jsonl"


def fact(name, after, right=True):
    return Fact(name, START + after * HOUR, right)


FIRST = [fact("question_1", 0), fact("question_2", 1, right=False), fact("question_1", 30)]
SECOND = [fact("question_1", 0), fact("question_1", 25, right=False), fact("card:a", 3)]
# contradicts OURS at the same moment: the order must not depend on which file is read first
THIRD = [fact("question_2", 1), fact("question_3", 50)]


def lines(facts):
    return [item.to_line() for item in facts]


def file_of(predictions=(), answers=(), **more):
    """The bytes of a saved file."""
    plain = {"version": 1, "predictions": list(predictions), "answers": dict(answers), **more}
    return json.dumps(plain).encode()


@pytest.fixture
def go_to_machine(tmp_path, monkeypatch):
    """away(name) changes to a folder of the same lesson on another machine."""

    def go(name):
        folder = tmp_path / f"machine {name}" / "00_first"
        folder.mkdir(parents=True)
        monkeypatch.chdir(folder)
        return folder

    return go


# ---- one small file


def test_progress_is_saved_through_a_link_and_restored_from_a_path_or_from_bytes(
    output_of, place, go_to_machine, tmp_path
):
    (tmp_path / "synced").mkdir()
    (place / SAVE).symlink_to(tmp_path / "synced" / SAVE)
    remember(FIRST[0])
    code = "def attention_weights(x):\n    return x.softmax(1)\n"
    (place / ".progress" / "attention_weights.py").write_text(code)
    content, path = "1 answer and 1 exercise", tmp_path / "synced" / SAVE
    wanted = f"{SAVE} is written: {path}. It holds {content}; load_progress() reads it back.\n"
    assert output_of(save_progress) == wanted
    assert (place / SAVE).is_symlink()
    for name, argument, source in (("one", path, SAVE), ("two", path.read_bytes(), "What was given")):
        folder = go_to_machine(name)
        wanted = f"{source}: {content} restored; what was already here is unchanged.\n"
        assert output_of(load_progress, argument) == wanted
        assert recall() == FIRST[:1]
        assert (folder / ".progress" / "attention_weights.py").read_text() == code


@pytest.mark.parametrize("order", permutations(range(3)))
def test_progress_of_three_machines_merges_equally_in_any_order_and_only_once(
    place, go_to_machine, monkeypatch, order, output_of
):
    files = []
    for n in order:
        files.append(go_to_machine(n) / SAVE)
        for item in (FIRST, SECOND, THIRD)[n]:
            remember(item)
        output_of(save_progress)
    monkeypatch.chdir(place)
    for file in files:
        output_of(load_progress, file)
    merged = sorted({*FIRST, *SECOND, *THIRD}, key=lambda item: (item.when, item.name, item.right))
    assert recall() == merged
    for file in files:
        assert "0 answers" in output_of(load_progress, file)
    assert len((place / ".progress" / FILE).read_text().splitlines()) == len(merged)


def test_saving_keeps_the_files_content_and_loading_keeps_local_answers(place, output_of):
    (place / SAVE).write_bytes(file_of([*lines(SECOND), NEWER], {"softmax": "theirs"}))
    for item in FIRST:
        remember(item)
    (place / ".progress" / "attention_weights.py").write_text("mine")
    assert "It holds 6 answers and 2 exercises" in output_of(save_progress)
    plain = json.loads((place / SAVE).read_text())
    assert set(plain["predictions"]) == {*lines(FIRST), *lines(SECOND), NEWER}
    assert plain["answers"] == {"softmax": "theirs", "attention_weights": "mine"}
    (place / ".progress" / "attention_weights.py").write_text("newer")
    output_of(load_progress)
    assert (place / ".progress" / "attention_weights.py").read_text() == "newer"


def test_in_colab_progress_is_downloaded_and_uploaded(output_of, monkeypatch, place):
    remember(FIRST[0])
    downloads = []
    colab = SimpleNamespace(download=downloads.append, upload=lambda: {})
    monkeypatch.setattr(saved_file, "colab_files", lambda: colab)
    assert output_of(save_progress).startswith(f"{SAVE} is downloaded; keep it. It holds 1 answer and")
    assert downloads == [SAVE]
    assert output_of(load_progress) == "Nothing was uploaded: nothing has changed.\n"
    (place / ".progress" / FILE).unlink()
    colab.upload = lambda: {"course-progress (1).json": (place / SAVE).read_bytes()}
    assert output_of(load_progress).startswith("course-progress (1).json: 1 answer")
    assert recall() == FIRST[:1]


# ---- files that cannot be read or written

WRONG_FILE = "is not a file that save_progress() wrote: nothing was"
NOT_SAVED_PROGRESS = f"What was given {WRONG_FILE} read, and nothing has changed."
NEWER_FILE = "was written by a newer version of the course: nothing was"


@pytest.mark.parametrize(
    ("argument", "sentence"),
    [
        *((data, NOT_SAVED_PROGRESS) for data in (b"", b"\xff\xfe\xfa", file_of([1]))),
        (b'{"version": 1, "predictions": "x", "answers": {}}', NOT_SAVED_PROGRESS),
        *((file_of(lines=lines), NOT_SAVED_PROGRESS) for lines in ("x", {"a": 3}, {"a": "x"}, {"a": [1]})),
        (b'{"version": 2}', f"What was given {NEWER_FILE} read, and nothing"),
        ("gone.json", f"There is no file gone.json to read. load_progress() reads {SAVE} in"),
        (None, f"There is no file {SAVE} to read. "),
        (7, "There is no file 7 to read. "),
    ],
)
def test_a_file_that_cannot_be_loaded_is_refused_in_one_sentence(output_of, place, argument, sentence):
    out = output_of(load_progress, argument)
    assert out.startswith(sentence)
    assert out.count("\n") == 1
    assert list(place.iterdir()) == []


@pytest.mark.parametrize("text", ['{"version": 2}', "# My thesis", "[]", '{"version": 1, "predictions": ['])
def test_save_progress_never_overwrites_a_foreign_file(place, output_of, text):
    (place / SAVE).write_text(text)
    out = output_of(save_progress)
    why = NEWER_FILE if "2" in text else WRONG_FILE
    assert out == f'{SAVE} {why} saved. Give another name, as in `save_progress("other.json")`.\n'
    assert (place / SAVE).read_text() == text


def test_saving_and_loading_report_missing_write_access(place, output_of):
    (place / ".progress").write_text("a file where the folder should be")
    sentence = ".progress cannot be written to (FileExistsError): What was given is as it was.\n"
    for data in (file_of(lines(FIRST)), file_of(answers={"softmax": "x"})):
        assert output_of(load_progress, data) == sentence
    sentence = "Nothing was saved: no/such/folder.json cannot be written (FileNotFoundError).\n"
    assert output_of(save_progress, "no/such/folder.json") == sentence


def test_names_in_a_loaded_file_cannot_write_outside_the_folder(place, output_of):
    answers = {"../evil": "x", "/tmp/evil": "x", "a.b": "x", "ok": "y"}
    data = file_of(answers=answers, lines={"../evil": ["{}"], "ok": ['{"v": 1}']})
    output_of(load_progress, data)
    names = [path.name for path in place.parent.rglob("*") if path.is_file()]
    assert sorted(names) == ["ok.jsonl", "ok.py"]


# ---- crashes

CRASH = """
import os, sys
from course_utils import save_progress
from course_utils.own.saved import write_whole

os.fsync = lambda file: os._exit(9)
save_progress() if sys.argv[1] == "save" else write_whole(".progress/softmax.py", "new" * 100_000)
"""


@pytest.mark.parametrize(("action", "name"), [("save", SAVE), ("keep", ".progress/softmax.py")])
def test_a_crash_while_writing_keeps_the_old_file_and_later_saves_work(place, output_of, action, name):
    remember(FIRST[0])
    write_whole(place / ".progress" / "softmax.py", "old")
    output_of(save_progress)
    before = (place / name).read_bytes()
    remember(FIRST[1])
    result = subprocess.run([sys.executable, "-c", CRASH, action], cwd=place)
    assert result.returncode == 9
    assert (place / name).read_bytes() == before
    assert recall() == FIRST[:2]
    (place / f"{SAVE}.part").write_text("half a fi")
    output_of(save_progress)
    assert sorted(path.name for path in place.iterdir()) == [".progress", SAVE]
