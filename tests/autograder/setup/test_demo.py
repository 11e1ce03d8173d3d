"""The demo grades a sample class in one command; doctor says whether this machine can grade."""

import csv
import re
import sys
from unittest.mock import Mock

import pytest
from typer.testing import CliRunner

from autograder.__main__ import app
from autograder.cluster.machine import this_machine
from autograder.exercises import load
from autograder.releases import store
from autograder.sandbox.host.unsandboxed import PlainWorker
from autograder.sandbox.host.warm_process import SandboxUnavailable
from autograder.setup import demo, doctor
from tests.autograder.report.test_report import plain
from tests.tools.forking_worker import ForkingWorker

MISTAKES = {
    "ben": "multi_head_attention: scale_d_model",
    "cho": "split_heads: split_without_transpose",
    "dara": "merge_heads: merge_without_transpose",
    "eli": "scaled_dot_product_attention: mask_inverted",
    "fay": "scaled_dot_product_attention: softmax_over_queries",
}


def test_every_demo_student_gets_a_score_a_row_and_a_page_with_the_mistake(tmp_path, monkeypatch):
    monkeypatch.setattr(demo, "harmless_worker", ForkingWorker)
    folder = tmp_path / "an afternoon"
    result = CliRunner().invoke(app, ["demo", str(folder)], env={"COLUMNS": "200"})
    assert result.exit_code == 0, result.output
    with (folder / "grades.csv").open(encoding="utf-8", newline="") as file:
        rows = {row["submission"]: row for row in csv.DictReader(file)}
    exercises = store.current(demo.LESSON).exercises
    full = sum(exercises.values())
    lower_scores = {name: full - exercises[exercise] for name, (exercise, _) in demo.MISTAKES.items()}
    scores = {name: row["score"] and float(row["score"]) for name, row in rows.items()}
    assert scores == {"ada": full, **lower_scores, "gus": 0.0, "hana": full, "ivo": ""}
    for name, score in scores.items():
        score_text = "rejected" if score == "" else f"{score:g} of {full:g}"
        assert re.search(rf"^{name} +.*{score_text}", result.stdout, re.M)
    assert rows["ivo"]["status"] == "rejected"
    happened = {name: row["what_happened"] for name, row in rows.items() if row["what_happened"]}
    assert happened == MISTAKES | {"gus": f"{', '.join(exercises)}: not started"}
    pages = {path.stem: path.read_text(encoding="utf-8") for path in (folder / "feedback").iterdir()}
    assert set(pages) == set(rows)
    for name, mistake in MISTAKES.items():
        exercise, expected = mistake.split(": ")
        sentence = next(m[1] for m in load(exercise).mistakes if m[0] == expected)
        assert plain(sentence)[:60] in plain(pages[name])
        assert re.search(r"yours: .*expected: ", pages[name]), "yours beside the target"
        assert mistake in result.stdout
    assert "could not be graded" in pages["ivo"]
    assert "not complete JSON" in pages["ivo"]
    assert pages["gus"].count("It still raises NotImplementedError") == len(exercises)
    for name in ("submitted", "feedback", "grades.csv"):
        assert (folder / name).exists()
        assert str(folder / name) in result.stdout


def test_the_demo_refuses_a_mistake_that_no_longer_fits_the_lesson(monkeypatch, tmp_path):
    monkeypatch.setitem(demo.MISTAKES, "ben", ("split_heads", [("words that no answer holds", "")]))
    with pytest.raises(ValueError, match="split_heads no longer says"):
        demo.hand_in(tmp_path)


@pytest.mark.parametrize("works", [True, False])
def test_without_a_sandbox_doctor_gives_the_reason_and_the_demo_still_works(monkeypatch, capsys, works):
    why = SandboxUnavailable("The sandbox needs bubblewrap: apt install bubblewrap.")
    worker = Mock(**{"ready.side_effect": None if works else why})
    for module in (demo, doctor):
        monkeypatch.setattr(module, "sandbox", lambda: worker)
    assert (demo.harmless_worker() is worker) == works
    assert isinstance(demo.harmless_worker(), PlainWorker) != works
    assert ("apt install bubblewrap" in capsys.readouterr().err) != works
    result = CliRunner().invoke(app, ["doctor"])
    lines = dict(line.split(maxsplit=1) for line in result.stdout.splitlines() if line.strip())
    assert result.exit_code == int(not works)
    assert lines["course"].strip() == this_machine()["course"]
    assert lines["sandbox"].strip() == ("works" if works else str(why))
    assert {"Python", "torch", "numpy", "distributed", "psycopg"} <= lines.keys()


@pytest.mark.parametrize("option", ["--json", "--csv", "--feedback"])
def test_an_unwritable_output_path_is_reported_before_grading(option, tmp_path, monkeypatch, capsys):
    for name in ("file", "empty.ipynb"):
        (tmp_path / name).touch()
    command = ["grade", tmp_path / "empty.ipynb", "--no-sandbox", option, tmp_path / "file" / "out"]
    monkeypatch.setattr(sys, "argv", ["autograder", *map(str, command)])
    with pytest.raises(SystemExit) as exit_:
        app(prog_name="autograder")
    output = capsys.readouterr()
    assert (exit_.value.code, output.out) == (1, "")
    warning, sentence = output.err.splitlines()
    assert warning.startswith("WITHOUT the sandbox")
    assert re.fullmatch(r".*file.*: .*\. Check the path, its permissions and the free space.*\.", sentence)
