"""A sample class in one command: scores, recognised mistakes, a page and a row for each student."""

import csv
import html
import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from autograder.__main__ import app
from autograder.exercises import load
from autograder.sandbox.host.unsandboxed import PlainWorker
from autograder.sandbox.host.warm_process import SandboxUnavailable
from autograder.setup import demo
from tests.tools.forking_worker import ForkingWorker

ROOT = Path(__file__).resolve().parents[3]
NAMED = {
    "ben": "multi_head_attention: scale_d_model",
    "cho": "split_heads: split_without_transpose",
    "dara": "merge_heads: merge_without_transpose",
    "eli": "scaled_dot_product_attention: mask_inverted",
    "fay": "scaled_dot_product_attention: softmax_over_queries",
}
graded_once = pytest.mark.xdist_group("demo")


@pytest.fixture(scope="session")
def afternoon(tmp_path_factory):
    """(folder, what the command said, {student: row of grades.csv})."""
    folder = tmp_path_factory.mktemp("an afternoon") / "demo"
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(demo, "harmless_worker", ForkingWorker)
        done = CliRunner().invoke(app, ["demo", str(folder)], env={"COLUMNS": "200"})
    assert done.exit_code == 0, done.output
    with (folder / "grades.csv").open(encoding="utf-8", newline="") as file:
        rows = {row["submission"]: row for row in csv.DictReader(file)}
    return folder, done.stdout, rows


@graded_once
def test_every_submission_gets_its_score(afternoon):
    _, message, rows = afternoon
    full = sum(load(name).points for name in demo_exercises(rows))
    scores = {name: row["score"] and float(row["score"]) for name, row in rows.items()}
    lost = {name: load(exercise).points for name, (exercise, _) in demo.MISTAKES.items()}
    assert scores == {
        "ada": full,
        **{n: full - points for n, points in lost.items()},
        "gus": 0.0,
        "hana": full,
        "ivo": "",
    }
    assert rows["ivo"]["status"] == "rejected"
    for name, score in scores.items():
        assert re.search(
            rf"^{name} +.*{f'{score:g} of {full:g}' if score != '' else 'rejected'}", message, re.M
        )


def demo_exercises(rows):
    columns = list(rows["ada"])
    return columns[columns.index("max_score") + 1 : columns.index("what_happened")]


@graded_once
def test_the_typical_mistakes_are_recognised(afternoon):
    _, message, rows = afternoon
    happened = {name: row["what_happened"] for name, row in rows.items() if row["what_happened"]}
    assert happened.pop("gus") == f"{', '.join(demo_exercises(rows))}: not started"
    assert happened == NAMED
    assert all(mistake in message for mistake in NAMED.values())


@graded_once
def test_every_student_gets_a_page_that_says_the_mistake(afternoon):
    folder, _, rows = afternoon
    pages = {path.stem: path.read_text(encoding="utf-8") for path in (folder / "feedback").iterdir()}
    assert set(pages) == set(rows)
    for name, mistake in NAMED.items():
        exercise, expected = mistake.split(": ")
        sentence = next(m[1] for m in load(exercise).mistakes if m[0] == expected)
        assert plain(sentence)[:60] in plain(pages[name]).lower()
        assert re.search(r"yours: .*wanted: ", pages[name]), "yours beside the target"
    assert "could not be graded" in pages["ivo"]
    assert "not valid JSON" in pages["ivo"]
    assert pages["gus"].count("It still raises NotImplementedError") == len(demo_exercises(rows))


def plain(text):
    """What a reader reads."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", "", text)).replace("`", "").split()).lower()


@graded_once
def test_it_says_where_everything_lies(afternoon):
    folder, message, _ = afternoon
    for name in ("submitted", "feedback", "grades.csv"):
        assert (folder / name).exists()
        assert str(folder / name) in message


def test_a_lesson_that_changed_is_found_before_the_demonstration_is_wrong(monkeypatch, tmp_path):
    monkeypatch.setitem(demo.MISTAKES, "ben", ("split_heads", [("words that no answer holds", "")]))
    with pytest.raises(ValueError, match="split_heads no longer says"):
        demo.hand_in(tmp_path)


@pytest.mark.parametrize("works", [True, False])
def test_without_a_sandbox_it_says_why_and_goes_on(monkeypatch, capsys, works):
    class Sandbox:
        def ready(self):
            if not works:
                raise SandboxUnavailable("The sandbox needs bubblewrap: apt install bubblewrap.")

    worker = Sandbox()
    monkeypatch.setattr(demo, "sandbox", lambda: worker)
    assert (demo.harmless_worker() is worker) == works
    assert isinstance(demo.harmless_worker(), PlainWorker) != works
    assert ("apt install bubblewrap" in capsys.readouterr().err) != works


@pytest.mark.parametrize("option", ["--json", "--csv", "--feedback"])
def test_a_place_that_cannot_be_written_is_said_before_the_work(option, tmp_path, monkeypatch, capsys):
    (tmp_path / "file").touch()
    (tmp_path / "empty.ipynb").touch()
    command = ["grade", tmp_path / "empty.ipynb", "--no-sandbox", option, tmp_path / "file" / "out"]
    monkeypatch.setattr(sys, "argv", ["autograder", *map(str, command)])
    with pytest.raises(SystemExit) as ended:
        app(prog_name="autograder")
    assert ended.value.code == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    warning, sentence = printed.err.splitlines()
    assert warning.startswith("WITHOUT the sandbox")
    assert re.fullmatch(
        r".*file.*: .*\. Check the path, its permissions and the free space on the disk\.", sentence
    )


def test_it_is_a_command():
    done = subprocess.run(
        [sys.executable, "-m", "autograder", "--help"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0
    assert "demo " in done.stdout
