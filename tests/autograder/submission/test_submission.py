"""Any file is accepted or rejected, each with a sentence; reading it runs nothing."""

import ast
import os
import re
import socket
from dataclasses import replace

import pytest
from typer.testing import CliRunner

from autograder.__main__ import app
from autograder.grading import looks
from autograder.grading import notebook as grading
from autograder.grading.looks import stand_in_source
from autograder.grading.notebook import entries as as_entries
from autograder.grading.notebook import grade_paths
from autograder.notes import INFO, RELEASE, REMARK, texts_of
from autograder.releases.store import lessons
from autograder.sandbox.shared.job import ObserveExercise, RunCell, UseStandIns
from autograder.submission import notebook_file
from autograder.submission.files import TOO_DEEP, notebooks_in, read_regular_file
from autograder.submission.notebook_file import MOST_PARTS, SIZE_LIMIT, Rejected
from autograder.submission.read import submission_from
from autograder.submission.remarks import note_on
from autograder.submission.which_release import UNNAMED
from tests.corpus import benign, broken
from tests.corpus.notebooks import (
    LESSON,
    ROOT,
    answers,
    as_bytes,
    changed,
    code_cell,
    id_of,
    notebook,
    place,
    released,
    text,
)
from tests.course_utils.test_source import HOSTILE
from tests.tools.forking_worker import ForkingWorker

EXERCISES = list(lessons()[LESSON].exercises)
OF_ANOTHER_LESSON = "02_split_concat"


def observed_names(submission):
    return [step.name for step in submission.first_look() if isinstance(step, ObserveExercise)]


def submission_of(cells=None, **options):
    return submission_from(as_bytes(notebook(cells, **options)))


def lesson_of(nb):
    return submission_from(as_bytes(nb)).lesson.name


@pytest.mark.parametrize("name", benign.FILES)
def test_good_work_in_an_odd_file_is_accepted_without_false_notes(name):
    data, _, word = benign.FILES[name]
    submission = submission_from(data)
    lesson_match = re.search(rb'"lesson": "(\w+)"', data)
    assert submission.lesson.name == (lesson_match[1].decode() if lesson_match else LESSON)
    assert sorted(observed_names(submission)) == sorted(submission.lesson.exercises)
    assert submission.first_look()[0] == RunCell(submission.lesson.setup)
    if word and not word.endswith("Error") and word != "SystemExit" and "builds on" not in word:
        assert any(word in note for note in texts_of(submission.notes))
    if not word:
        expected = () if lesson_match else (UNNAMED,)  # only if an earlier release has other exercises
        notes = [
            note
            for note in texts_of(submission.notes, INFO, RELEASE)
            if "are missing" not in note and note not in expected
        ]
        assert notes == []
    if word != "Ready-made attention":
        assert [r for r in texts_of(submission.notes, REMARK) if not r.startswith("Ready-made")] == []


@pytest.mark.parametrize("name", broken.FILES)
def test_a_broken_file_is_rejected_with_its_reason(name):
    data, word = broken.FILES[name]
    with pytest.raises(Rejected, match=word):
        submission_from(data)


def cells_run(steps):
    """The sources of the steps that run code, without the set-up."""
    return [step.source for step in steps if isinstance(step, RunCell)][1:]


def test_an_exercise_is_observed_at_its_test_and_demonstrations_are_not_run():
    steps = submission_of().first_look()
    for name in EXERCISES:
        assert steps[steps.index(ObserveExercise(name)) - 1].source == answers()[name]
    assert len(cells_run(steps)) == len(answers())


@pytest.mark.parametrize("lesson", lessons())
def test_reformatted_demonstrations_cause_no_remarks_and_are_not_run(lesson):
    before, nb, note = notebook(lesson=lesson), notebook(lesson=lesson), "# set in another way\n"
    for cell in nb["cells"]:
        if cell["cell_type"] == "code" and not id_of(cell) and len(text(cell)) < 10_000:
            tree = ast.parse(text(cell))
            cell["source"] = note + ast.unparse(tree) if tree.body else text(cell)
    assert (remarks_on(lesson=lesson), lesson_of(released(lesson))) == ([], lesson)
    expected, new = (cells_run(submission_from(as_bytes(n)).first_look()) for n in (before, nb))
    assert [source for source in new if not source.startswith(f"{note}from course_utils import")] == expected


def test_a_demonstration_is_run_if_a_solution_uses_it_or_it_was_edited():
    submission = submission_from(benign.FILES["a_name_of_a_demonstration"][0])
    needed = [source for source in cells_run(submission.first_look()) if source not in answers().values()]
    assert any(source.startswith('causal_mask = yours("create_causal_mask")') for source in needed)
    assert len(needed) <= 5
    nb = notebook()
    cell = next(cell for cell in nb["cells"] if text(cell).startswith("causal_mask = yours("))
    cell["source"] = text(cell) + "\nprint(mask)"
    assert cell["source"] in cells_run(submission_from(as_bytes(nb)).first_look())


# ---- the second look


def run_of(name, cells=None, stand_ins=(), **options):
    """The sources that are run for one exercise on its own; a list of names where right pieces are given."""
    submission = submission_of(cells, **options)
    steps, arguments = submission.second_look(name, dict.fromkeys(stand_ins, ""))
    assert (steps[0], steps[-1]) == (RunCell(submission.lesson.setup), ObserveExercise(name))
    stand_ins = [n for step in steps if isinstance(step, UseStandIns) for n in step.sources]
    assert sorted(arguments) == sorted(stand_ins)
    return [step.source if isinstance(step, RunCell) else list(step.sources) for step in steps[1:-1]]


def test_one_exercise_alone_runs_only_its_cells_and_not_an_empty_copy():
    helper = "def helper(x):\n    return torch.softmax(x, -1)"
    run = run_of("masked_softmax", {"masked_softmax": benign.BY_HELPER}, extra=helper)
    assert run == [helper, benign.BY_HELPER]
    submission = submission_from(benign.FILES["empty_copy_after"][0])
    (cell,) = [cell for cell in submission.own if "softmax" in cell.defines]
    assert cell.source == answers()["softmax"]


def test_two_exercises_defined_by_one_statement_both_get_stand_ins():
    uses_both = (
        "def masked_softmax(scores, mask):\n    return softmax(scores) * create_causal_mask(len(scores))"
    )
    both, stand_ins = "from tools import softmax, create_causal_mask", ["softmax", "create_causal_mask"]
    cells = {"softmax": f"{both}\nz = 1", "create_causal_mask": "", "masked_softmax": uses_both}
    assert run_of("masked_softmax", cells, stand_ins) == [both, stand_ins, uses_both]


def test_one_exercise_alone_is_run_statement_by_statement():
    cell = (
        "import nowhere; x = 1\nnot_needed = 1 / 0\n@wrapped\n@again\ndef softmax(x):\n    return np.exp(x)\n"
        "# and now\nfor np in (1,):\n    print(softmax)\nwrapped = again = str"
    )
    assert run_of("softmax", {"softmax": cell}) == [
        "@wrapped\n@again\ndef softmax(x):\n    return np.exp(x)\n# and now",
        "for np in (1,):\n    print(softmax)",
        "wrapped = again = str",
    ]


def test_statements_that_change_a_helper_are_run_with_it():
    tools = (
        "tools = {}\ntools['a'] = 1\ntools.update(b=2)\nprint(tools)\nclass A: pass\nA.f = tools\n"
        "setattr(A, 'g', 1)\n@added(to=A)\ndef h(): pass\ndef added(to): return print\nA.f"
    )
    run = run_of("softmax", {"softmax": "def softmax(x, dim=-1):\n    return A().f"}, extra=tools)
    assert "print(tools)" not in run
    assert "A.f" not in run
    assert len(run) == 9


def test_helpers_have_the_values_from_when_the_exercise_was_tested():
    cell = "def softmax(x, dim=-1):\n    return helper(x, below)"
    nb = notebook({"softmax": cell}, extra="helper = 1")
    at = place(nb, "test_softmax")
    nb["cells"][at + 1 : at + 1] = [code_cell("helper = 2\nbelow = 3\nsoftmax = 4")]
    steps, _ = submission_from(as_bytes(nb)).second_look("softmax", {})
    assert cells_run(steps) == ["helper = 1", cell, "below = 3"]


OWN_SOFTMAX = "def softmax(x, dim=-1):\n    return x"
BY_SOFTMAX = "def masked_softmax(scores, mask):\n    return softmax(scores)"


def test_a_stand_in_replaces_only_the_graded_definition():
    own, right, arguments = f"{OWN_SOFTMAX}\n{BY_SOFTMAX}", answers()["softmax"], ["softmax"]
    graded = run_of("masked_softmax", {"softmax": OWN_SOFTMAX, "masked_softmax": BY_SOFTMAX}, arguments)
    assert graded == [OWN_SOFTMAX, arguments, BY_SOFTMAX]
    in_its_cell = run_of("masked_softmax", {"masked_softmax": own}, arguments)
    assert in_its_cell == [right, arguments, OWN_SOFTMAX, BY_SOFTMAX]
    nb = notebook({"masked_softmax": BY_SOFTMAX})
    at = place(nb, "test_softmax")
    nb["cells"].insert(at + 1, code_cell(OWN_SOFTMAX))  # an experiment in a separate cell
    steps, _ = submission_from(as_bytes(nb)).second_look("masked_softmax", {})
    assert cells_run(steps) == [right, BY_SOFTMAX]
    submission = submission_of({"softmax": "pass", "masked_softmax": BY_SOFTMAX})
    steps, _ = submission.second_look("masked_softmax", {"softmax": ""})
    assert steps[1:3] == [UseStandIns({"softmax": ""}), RunCell(BY_SOFTMAX)]


def test_one_exercise_alone_skips_cells_that_repeat_the_set_up():
    assert "meta" not in str(run_of("softmax", extra="import torch, math\ntorch.set_default_device('meta')"))
    by_numpy = {"softmax": "def softmax(x, dim=-1):\n    return np.exp(x)"}
    assert "numpy" in str(run_of("softmax", by_numpy, extra="import torch\nimport numpy as np"))


def test_a_lesson_that_repeats_earlier_exercises_gets_no_stand_ins_for_them(
    monkeypatch,
):
    exam_exercises = {"split_heads": 2.0, "merge_heads": 3.0}
    exam = replace(lessons()[OF_ANOTHER_LESSON], lesson="06_exam", exercises=exam_exercises)
    monkeypatch.setitem(lessons(), exam.name, exam)
    nb = notebook(lesson=OF_ANOTHER_LESSON)
    assert lesson_of(nb) == OF_ANOTHER_LESSON
    nb["cells"] = [cell for cell in nb["cells"] if id_of(cell).removeprefix("test_") in {"", *exam_exercises}]
    del nb["metadata"]["course"]
    assert lesson_of(nb) == exam.name
    names = ("split_heads", "merge_heads", "multi_head_attention_core", "softmax")
    asks = f"split_heads, merge_heads, whole, first = map(yours, {names})"
    job = looks.first_job(replace(submission_of(extra=asks, lesson=OF_ANOTHER_LESSON), lesson=exam), {}, 1)
    assert "split_heads" in stand_in_source("multi_head_attention_core")
    assert list(job.library) == ["softmax"]


def test_pasted_answers_of_an_earlier_lesson_do_not_change_the_lesson():
    """The notebook's metadata and its test cells tell the lesson; pasted answers do only without both."""
    nb = notebook(lesson=OF_ANOTHER_LESSON)
    nb["cells"][3:3] = [cell for cell in notebook()["cells"] if id_of(cell) in answers()]
    assert lesson_of(nb) == OF_ANOTHER_LESSON
    nb = notebook(extra="\n\n".join(answers().values()), lesson=OF_ANOTHER_LESSON)
    for cell in nb["cells"]:
        cell["metadata"] = {}
    assert lesson_of(nb) == OF_ANOTHER_LESSON
    nb["cells"] = [cell for cell in nb["cells"] if "check(" not in text(cell)]
    assert lesson_of(nb) == OF_ANOTHER_LESSON
    del nb["metadata"]["course"]
    assert lesson_of(nb) == LESSON


def test_one_exercise_alone_keeps_its_future_import():
    future, name = "from __future__ import annotations", "multi_head_attention_core"
    answer = f"{future}\nimport no_such_module\ndef {name}(Q: Some, K: Thing, V, num_heads):\n    return Q"
    run = run_of(name, {name: answer}, lesson=OF_ANOTHER_LESSON)
    assert future in run
    assert "import no_such_module" not in run


def remarks_on(*cells, **more):
    return texts_of(submission_of(*cells, **more).notes, REMARK)


def test_ready_made_attention_is_noted_with_its_line():
    imported = "from torch.nn.functional import scaled_dot_product_attention as sdpa\n"
    uses = "\n    helper(x)\n    torch.nn.functional.multi_head_attention_forward\n"
    helper = f"{imported}def helper(q):\n    return sdpa(q, q, q)"
    remarks = remarks_on({"softmax": answers()["softmax"] + uses}, extra=helper)
    assert note_on(1, "scaled_dot_product_attention", 4) in remarks
    assert any("multi_head_attention_forward" in remark for remark in remarks)


@pytest.mark.parametrize("call", [
    "torch.softmax(x, dim)", "x.softmax(dim)", "F.log_softmax(x, dim).exp()", "nn.Softmax(dim)(x)",
    "torch.ops.aten._safe_softmax(x, dim)",
])  # fmt: skip
def test_a_librarys_softmax_is_noted_in_the_softmax_exercise(call):
    cell = f"def softmax(x, dim=-1):\n    return {call}\n\nassert torch.softmax(torch.ones(2), 0).sum() == 1"
    (remark,) = remarks_on({"softmax": cell})
    assert remark.startswith("Ready-made softmax")
    assert "line 2;" in remark


@pytest.mark.parametrize("kind", ["code", "markdown"])
def test_hostile_cells_do_not_stop_the_reader_or_move_the_answers(kind):
    nb, quoted = notebook(), 'check("softmax", softmax).points'
    for cell in nb["cells"]:
        cell["metadata"] = {}
    expected = submission_from(as_bytes(nb)).places
    hostile = [source for source in HOSTILE if len(source) < 60_000]
    nb["cells"] += [{**code_cell(source), "cell_type": kind} for source in hostile]
    nb["cells"].append({**code_cell(quoted), "cell_type": "markdown"})  # is not a test cell
    output = {"output_type": "stream", "name": "stdout", "text": '["\\' * (MOST_PARTS + 1)}  # are not lists
    nb["cells"].append(code_cell("1") | {"outputs": [output]})
    assert submission_from(as_bytes(nb)).places == expected


def test_integers_are_read_one_by_one_only_if_one_is_too_long_for_python(monkeypatch):
    calls, short = [], notebook_file.short_integer
    monkeypatch.setattr(notebook_file, "short_integer", lambda digits: calls.append(digits) or short(digits))
    nb = notebook()
    nb["cells"][0]["metadata"]["numbers"] = list(range(1000))
    data = as_bytes(nb)
    assert observed_names(submission_from(data))
    assert calls == []
    assert observed_names(submission_from(data.replace(b"999", b"9" * 6000, 1)))
    assert len(calls) >= 1000


def test_thousands_of_copied_cells_can_be_read():
    nb = notebook()
    full_cell = code_cell("\n".join(f"def {name}(): pass" for name in EXERCISES))
    nb["cells"] += [code_cell(lessons()[LESSON].stubs[name].text) for name in EXERCISES] + [full_cell] * 1800
    assert observed_names(submission_from(as_bytes(nb)))


# ---- files


def test_folders_are_searched_for_notebooks_only_and_to_a_limited_depth(tmp_path):
    names = "notes.txt", "._a.ipynb", "a.ipynb.bak", ".ipynb_checkpoints/a.ipynb", "__MACOSX/a.ipynb"
    for name in names:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    [(path, reason)] = notebooks_in(tmp_path)
    assert path == tmp_path
    assert "no notebook" in reason
    edge = tmp_path / ("zoe" + "/a" * 19)
    for folder in (tmp_path / "ada", edge, tmp_path / ("zoe" + "/a" * 30)):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "a.ipynb").write_bytes(b"")
    ada = tmp_path / "ada" / "a.ipynb"
    assert notebooks_in(tmp_path) == [(ada, None), (edge, TOO_DEEP), (edge / "a.ipynb", None)]


def test_links_to_files_and_folders_are_not_followed(tmp_path):
    real, inside = tmp_path / "real", tmp_path / "inside"
    for folder in (real, inside):
        folder.mkdir()
    (real / "a.ipynb").write_bytes(as_bytes(notebook()))
    links = {"link.ipynb": real / "a.ipynb", "folder": real, "inside/b.ipynb": "/etc/passwd"}
    for path, target in (links | {"inside/more": real}).items():
        (tmp_path / path).symlink_to(target)
    for path in ("link.ipynb", "folder", "folder/a.ipynb"):
        [(_, reason)] = notebooks_in(tmp_path / path)
        assert "is a link" in reason
    assert notebooks_in(inside)[0] == (inside / "b.ipynb", None)
    assert "more is a link" in notebooks_in(inside)[1][1]
    assert [path.name for path, _ in notebooks_in(tmp_path)] == ["folder", "b.ipynb", "link.ipynb", "a.ipynb"]


def test_only_regular_files_up_to_the_size_limit_are_read(tmp_path):
    os.mkfifo(tmp_path / "fifo.ipynb")
    (tmp_path / "folder.ipynb").mkdir()
    (tmp_path / "link.ipynb").symlink_to("/etc/passwd")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "s.ipynb"))
        for path in [*sorted(tmp_path.iterdir()), "/dev/zero", "/dev/tty"]:
            assert "not a regular file" in read_regular_file(path)[1]
    assert len(notebooks_in(tmp_path)) == 4
    huge = tmp_path / "huge.ipynb"
    huge.touch()
    os.truncate(huge, SIZE_LIMIT + 1)
    data, reason = read_regular_file(huge)
    assert data is None
    assert "more than 20" in reason
    os.truncate(huge, SIZE_LIMIT)
    assert len(read_regular_file(huge)[0]) == SIZE_LIMIT


def test_a_file_or_folder_without_read_permission_is_reported(open_folder):
    path, closed = open_folder / "a.ipynb", open_folder / "class" / "ada"
    path.write_text("x")
    closed.mkdir(parents=True)
    closed.parent.chmod(0o755)
    for path_or_folder in (path, closed):
        path_or_folder.chmod(0)
    me = os.geteuid()
    if me == 0:
        os.seteuid(65534)  # root can read everything, the user nobody cannot
    try:
        assert "cannot be read" in read_regular_file(path)[1]
        assert "cannot be read" in dict(notebooks_in(closed.parent))[closed]
    finally:
        os.seteuid(me)


# ---- doctor


def test_doctor_reports_each_file_and_runs_nothing(tmp_path):
    empty, mark = text(released()["cells"][place(released(), "softmax")]), tmp_path / "run"
    nb = notebook(extra=f"open({str(mark)!r}, 'w')")
    nb["cells"] = [cell for cell in nb["cells"] if id_of(cell) != "masked_softmax"]
    files = {"a": changed(benign.no_tests, cells={"softmax": empty}), "b": b"", "c": as_bytes(nb)}
    for name, data in files.items():
        (tmp_path / f"{name}.ipynb").write_bytes(data)
    odd = os.path.join(os.fsencode(tmp_path), b"odd")
    os.mkdir(odd)
    for name in (b"\xff\xfe.ipynb", b"a\nb.ipynb", b"[red]x[bold.ipynb", b"\x1b[2J.ipynb", b"-rf.ipynb"):
        open(os.path.join(odd, name), "wb").close()
    entries = as_entries(grade_paths([tmp_path / "odd"]))
    assert len(entries) == 5
    assert all(entry["submission"].isprintable() and "empty" in entry["notes"][0] for entry in entries)
    output = CliRunner().invoke(app, ["doctor", str(tmp_path)], env={"COLUMNS": "200"}).output
    count_text = rf"{len(EXERCISES) - 1} of {len(EXERCISES)} written"
    for line in (
        rf"a.ipynb +{LESSON} +readable +{count_text} +The test cells of .* are missing",
        "b.ipynb +- +rejected +The file is empty",
        rf"c.ipynb +{LESSON} +readable +{count_text} +.*masked_softmax is missing",
        r"\[red\]x\[bold",
    ):
        assert re.search(line, output, re.S)
    assert not mark.exists()


def test_a_solution_among_the_words_of_a_text_cell_is_named_once():
    nb = notebook()
    cell = nb["cells"][place(nb, "softmax")]
    cell |= {"cell_type": "markdown", "source": f"My answer, which works:\n\n{cell['source']}\n\nI hope."}
    nb["cells"][place(nb, "softmax")] = cell
    submission = submission_from(as_bytes(nb))
    (note,) = [note for note in submission.notes if "among other words" in note.text]
    assert "with a definition of softmax" in note.text
    assert not submission.is_written("softmax")


OPS = "class Ops:\n    @staticmethod\n    def scaled_dot_product_attention(Q, K, V):\n        return Q\n\n"
OPS += "def scaled_dot_product_attention(Q, K, V):\n    return Q\n\n"


@pytest.mark.parametrize(("prefix", "result"), [
    *((own, 0) for own in ("", "Ops.", "Ops().", "super(Ops).")),
    *((library, 1) for library in ("F.", "torch.nn.functional.")),
])  # fmt: skip
def test_functions_of_the_students_own_are_not_ready_made_attention(prefix, result):
    call = f"return {prefix}scaled_dot_product_attention(x, x, x)"
    use = f"import torch.nn.functional as lib\n\ndef softmax(x, dim=-1):\n    {call}"
    assert len(remarks_on({"softmax": OPS + use})) == result
    assert len(remarks_on({"softmax": use + "\nOps"}, extra=OPS)) == result


def test_a_note_on_two_definitions_says_which_counts():
    """The first is wrong, and the one below its test is right: the one above counts."""
    nb = notebook({"softmax": OWN_SOFTMAX})
    nb["cells"].insert(
        place(nb, "softmax") + 2, code_cell(answers()["softmax"], nbgrader={"grade_id": "softmax"})
    )
    graded = grading.grade_notebook(as_bytes(nb), seed=1, worker=ForkingWorker())
    assert graded.exercises["softmax"].points == 0
    assert graded.score == graded.max_score - graded.exercises["softmax"].max_points
    assert "2 cells that define softmax: the last one above its test counts" in " ".join(
        texts_of(graded.notes)
    )


def test_modules_run_in_threads_never_call_ast_parse_directly():
    """CPython 3.11 has one depth counter of syntax trees for all threads, and raises SystemError."""
    folders = [ROOT / "autograder" / name for name in ("grading", "submission", "releases")]
    paths = [path for folder in folders for path in folder.glob("**/*.py")]
    assert [path.name for path in paths if "ast.parse(" in path.read_text(encoding="utf-8")] == []
    assert {"notebook.py", "looks.py", "read.py", "remarks.py", "store.py"} <= {path.name for path in paths}
