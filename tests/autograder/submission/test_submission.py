"""Whatever students send is taken in or turned away, each with its sentence; nothing is run for that."""

import ast
import json
import os
import socket
from dataclasses import replace

import pytest
from typer.testing import CliRunner

from autograder.__main__ import app
from autograder.grading import looks
from autograder.grading import notebook as grading
from autograder.grading.files import entries as as_entries
from autograder.grading.files import grade_paths
from autograder.grading.looks import right_piece
from autograder.releases import built_from
from autograder.releases.release import Release
from autograder.releases.store import KEPT, lessons
from autograder.sandbox.shared.job import GivePieces, ObserveExercise, RunCell
from autograder.setup import doctor
from autograder.submission import ready_made
from autograder.submission.files import TOO_DEEP, notebooks_in, read_regular_file
from autograder.submission.notebook_file import MOST_PARTS, SIZE_LIMIT, Rejected
from autograder.submission.read import submission_from
from autograder.submission.which_release import UNNAMED
from tests.corpus import benign, broken
from tests.corpus.notebooks import (
    LESSON,
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
IN_IT = {name for name in benign.FILES if name.startswith("builds_on_a_wrong_one")} | {
    "builds_on_one_that_cannot_be_read",
    "asks_for_two_of_an_earlier_lesson_at_once",
    "has_a_mistake_twice",
}
OF_LESSON = dict.fromkeys(IN_IT, OF_ANOTHER_LESSON) | {
    name: "03_self_attention" for name in benign.FILES if name.startswith("patched_")
}


USES_BOTH = """def masked_softmax(scores, mask):
    return softmax(scores) * create_causal_mask(len(scores))"""


def observed(submission):
    return [step.name for step in submission.first_look() if isinstance(step, ObserveExercise)]


@pytest.mark.parametrize("name", benign.FILES)
def test_good_work_in_an_odd_file_is_taken_in(name):
    data, _, word = benign.FILES[name]
    submission = submission_from(data)
    assert submission.lesson.name == OF_LESSON.get(name, LESSON)
    assert sorted(observed(submission)) == sorted(submission.lesson.exercises)
    assert submission.first_look()[0] == RunCell(submission.lesson.setup)
    if word and not word.endswith("Error") and word != "SystemExit" and "builds on" not in word:
        notes = [*submission.notes, *submission.remarks]
        assert any(word in note for note in notes)


@pytest.mark.parametrize("name", broken.FILES)
def test_what_is_no_submission_is_rejected_with_its_reason(name):
    data, word = broken.FILES[name]
    with pytest.raises(Rejected, match=word):
        submission_from(data)


@pytest.mark.parametrize("name", ["solved", "format_4_0", "windows_lines"])
def test_what_needs_no_repair_gets_no_note(name):
    assert submission_from(benign.FILES[name][0]).notes == []


@pytest.mark.parametrize("name", ["colab", "vs_code"])
def test_what_has_lost_the_id_of_its_release_is_told_so_where_that_makes_a_difference(name):
    """It makes none as long as all releases of the lesson have the same exercises with the same points."""
    exercises = [Release.of(json.loads(path.read_text())).exercises for path in KEPT.glob(f"{LESSON}/*.json")]
    several = any(item != lessons()[LESSON].exercises for item in exercises)
    assert submission_from(benign.FILES[name][0]).notes == ([UNNAMED] if several else [])


def cells_run(steps):
    """The texts of the steps that run code, without the set-up."""
    return [step.source for step in steps if isinstance(step, RunCell)][1:]


def test_each_exercise_is_looked_at_where_its_test_stands():
    steps = submission_from(as_bytes(notebook())).first_look()
    for name in EXERCISES:
        assert steps[steps.index(ObserveExercise(name)) - 1].source == answers()[name]


def test_demonstrations_are_not_run():
    assert len(cells_run(submission_from(as_bytes(notebook())).first_look())) == len(answers())


SET_UP = "# set in another way\nfrom course_utils import"


@pytest.mark.parametrize("lesson", lessons())
def test_demonstrations_that_a_formatter_set_in_another_way_are_not_run(lesson):
    nb = notebook(lesson=lesson)
    for cell in nb["cells"]:
        if (
            cell["cell_type"] == "code"
            and not id_of(cell)
            and len(text(cell)) < 10_000
            and ast.parse(text(cell)).body
        ):
            cell["source"] = "# set in another way\n" + ast.unparse(ast.parse(text(cell)))
    as_it_was, now = (
        cells_run(submission_from(as_bytes(n)).first_look()) for n in (notebook(lesson=lesson), nb)
    )
    assert [source for source in now if not source.startswith(SET_UP)] == as_it_was


def test_a_demonstration_is_run_when_a_solution_uses_what_it_defines():
    submission = submission_from(benign.FILES["a_name_of_a_demonstration"][0])
    needed = [source for source in cells_run(submission.first_look()) if source not in answers().values()]
    assert any(source.startswith('causal_mask = yours("create_causal_mask")') for source in needed)
    assert len(needed) <= 5


def test_a_demonstration_that_was_changed_is_the_students_own():
    nb = notebook()
    cell = next(cell for cell in nb["cells"] if text(cell).startswith("causal_mask = yours("))
    cell["source"] = text(cell) + "\nprint(mask)"
    assert cell["source"] in cells_run(submission_from(as_bytes(nb)).first_look())


# ---- the second look


def alone(name, cells=None, pieces=(), **options):
    """What is run for one exercise on its own; [exercise] where a right piece is given."""
    submission = submission_from(as_bytes(notebook(cells, **options)))
    steps, arguments = submission.second_look(name, dict.fromkeys(pieces, ""))
    assert steps[0] == RunCell(submission.lesson.setup)
    assert steps[-1] == ObserveExercise(name)
    assert sorted(arguments) == sorted(
        n for step in steps if isinstance(step, GivePieces) for n in step.sources
    )
    return [step.source if isinstance(step, RunCell) else list(step.sources) for step in steps[1:-1]]


def test_one_exercise_alone_needs_its_cells_only():
    helper = "def helper(x):\n    return torch.softmax(x, -1)"
    run = alone("masked_softmax", {"masked_softmax": benign.BY_HELPER}, extra=helper)
    assert run == [helper, benign.BY_HELPER]


def test_a_call_in_a_softmax_in_a_softmax_is_noted_once():
    lines = [" " * depth + "def softmax():" for depth in range(90)] + [" " * 90 + "F.softmax(x)"]
    assert ready_made.ready_made("\n".join(lines), set()) == [(91, "softmax")]


def test_two_exercises_that_one_statement_defines_both_get_right_pieces():
    both = "from tools import softmax, create_causal_mask\nz = 1"
    cells = {"softmax": both, "create_causal_mask": "", "masked_softmax": USES_BOTH}
    assert alone("masked_softmax", cells, ["softmax", "create_causal_mask"]) == [
        "from tools import softmax, create_causal_mask",
        ["softmax", "create_causal_mask"],
        USES_BOTH,
    ]


def test_a_text_that_quotes_a_check_is_no_test_cell():
    nb = notebook()
    for cell in nb["cells"]:
        cell["metadata"] = {}
    nb["cells"].append({**code_cell('check("softmax", softmax).points'), "cell_type": "markdown"})
    assert submission_from(as_bytes(nb)).places == submission_from(as_bytes(notebook())).places


def test_one_exercise_alone_is_run_statement_by_statement():
    cell = (
        "import nowhere; x = 1\nnot_needed = 1 / 0\n@wrapped\n@again\ndef softmax(x):\n    return np.exp(x)\n"
        "# and now\nfor np in (1,):\n    print(softmax)\nwrapped = again = str"
    )
    assert alone("softmax", {"softmax": cell}) == [
        "@wrapped\n@again\ndef softmax(x):\n    return np.exp(x)\n# and now",
        "for np in (1,):\n    print(softmax)",
        "wrapped = again = str",
    ]


def test_what_changes_a_helper_is_run_with_it():
    tools = (
        "tools = {}\ntools['a'] = 1\ntools.update(b=2)\nprint(tools)\nclass A: pass\nA.f = tools\n"
        "setattr(A, 'g', 1)\n@added(to=A)\ndef h(): pass\ndef added(to): return print\nA.f"
    )
    run = alone("softmax", {"softmax": "def softmax(x, dim=-1):\n    return A().f"}, extra=tools)
    assert "print(tools)" not in run
    assert "A.f" not in run
    assert len(run) == 9


def test_helpers_are_those_that_stood_there_when_the_exercise_was_tested():
    cell = "def softmax(x, dim=-1):\n    return helper(x, below)"
    nb = notebook({"softmax": cell}, extra="helper = 1")
    at = place(nb, "test_softmax")
    nb["cells"][at + 1 : at + 1] = [code_cell("helper = 2\nbelow = 3\nsoftmax = 4")]
    steps, _ = submission_from(as_bytes(nb)).second_look("softmax", {})
    assert cells_run(steps) == ["helper = 1", cell, "below = 3"]


OWN_SOFTMAX = "def softmax(x, dim=-1):\n    return x"
BY_SOFTMAX = "def masked_softmax(scores, mask):\n    return softmax(scores)"


def test_a_right_piece_stands_in_for_the_graded_definition_and_for_nothing_else():
    own = {"masked_softmax": f"{OWN_SOFTMAX}\n{BY_SOFTMAX}"}
    arguments = ["softmax"]
    graded = alone("masked_softmax", {"softmax": OWN_SOFTMAX, "masked_softmax": BY_SOFTMAX}, arguments)
    assert graded == [OWN_SOFTMAX, arguments, BY_SOFTMAX]
    assert alone("masked_softmax", own, arguments) == [
        answers()["softmax"],
        arguments,
        OWN_SOFTMAX,
        BY_SOFTMAX,
    ]
    tried = notebook({"masked_softmax": BY_SOFTMAX})
    at = place(tried, "test_softmax")
    tried["cells"].insert(at + 1, code_cell(OWN_SOFTMAX))  # an experiment in a cell of its own
    steps, _ = submission_from(as_bytes(tried)).second_look("masked_softmax", {})
    assert cells_run(steps) == [answers()["softmax"], BY_SOFTMAX]
    missing = notebook({"softmax": "pass", "masked_softmax": BY_SOFTMAX})
    steps, _ = submission_from(as_bytes(missing)).second_look("masked_softmax", {"softmax": ""})
    assert steps[1:3] == [GivePieces({"softmax": ""}), RunCell(BY_SOFTMAX)]


def test_one_exercise_alone_leaves_out_cells_that_bring_what_the_set_up_has():
    assert "meta" not in str(alone("softmax", extra="import torch, math\ntorch.set_default_device('meta')"))
    by_numpy = {"softmax": "def softmax(x, dim=-1):\n    return np.exp(x)"}
    assert "numpy" in str(alone("softmax", by_numpy, extra="import torch\nimport numpy as np"))


def test_the_written_answer_counts_not_its_empty_copy():
    submission = submission_from(benign.FILES["empty_copy_after"][0])
    (cell,) = [cell for cell in submission.own if "softmax" in cell.defines]
    assert cell.source == answers()["softmax"]


def test_the_lesson_is_the_one_that_most_cells_belong_to():
    assert {submission_from(as_bytes(released(name))).lesson.name for name in lessons()} == set(lessons())


@pytest.fixture
def exam(monkeypatch):
    """A lesson that asks some exercises of two earlier ones again."""
    lesson = replace(
        lessons()[OF_ANOTHER_LESSON], lesson="06_exam", exercises={"split_heads": 2.0, "merge_heads": 3.0}
    )
    monkeypatch.setitem(lessons(), lesson.name, lesson)
    return lesson


def test_answers_of_an_earlier_lesson_pasted_in_do_not_change_the_lesson():
    """With lost marks: its test cells, or else its metadata, say which lesson it is. With marks that came
    along: its metadata."""
    nb = notebook(lesson=OF_ANOTHER_LESSON)
    nb["cells"][3:3] = [cell for cell in notebook()["cells"] if id_of(cell) in answers()]
    assert submission_from(as_bytes(nb)).lesson.name == OF_ANOTHER_LESSON
    pasted = "\n\n".join(answers().values())
    nb = notebook(extra=pasted, lesson=OF_ANOTHER_LESSON)
    for cell in nb["cells"]:
        cell["metadata"] = {}
    assert submission_from(as_bytes(nb)).lesson.name == OF_ANOTHER_LESSON
    nb["cells"] = [cell for cell in nb["cells"] if "check(" not in text(cell)]
    assert submission_from(as_bytes(nb)).lesson.name == OF_ANOTHER_LESSON
    del nb["metadata"]["course"]
    assert submission_from(as_bytes(nb)).lesson.name == LESSON


def test_what_the_future_import_says_goes_with_a_definition_on_its_own():
    own = (
        "from __future__ import annotations\nimport no_such_module\n"
        "def multi_head_attention_core(Q: Some, K: Thing, V, num_heads):\n    return Q"
    )
    submission = submission_from(
        as_bytes(notebook({"multi_head_attention_core": own}, lesson=OF_ANOTHER_LESSON))
    )
    steps, _ = submission.second_look("multi_head_attention_core", {})
    assert "from __future__ import annotations" in cells_run(steps)
    assert "import no_such_module" not in cells_run(steps)


def test_of_lessons_with_the_same_exercises_it_is_the_one_that_has_no_others(exam):
    nb = notebook(lesson=OF_ANOTHER_LESSON)
    assert submission_from(as_bytes(nb)).lesson.name == OF_ANOTHER_LESSON
    nb["cells"] = [cell for cell in nb["cells"] if id_of(cell).removeprefix("test_") in {"", *exam.exercises}]
    del nb["metadata"]["course"]
    assert submission_from(as_bytes(nb)).lesson is exam


def test_an_exercise_that_is_asked_again_is_not_sent_along(exam):
    names = ("split_heads", "merge_heads", "multi_head_attention_core", "softmax")
    asks = f"split_heads, merge_heads, whole, first = map(yours, {names})"
    job = looks.first_job(
        replace(submission_from(as_bytes(notebook(extra=asks, lesson=OF_ANOTHER_LESSON))), lesson=exam), {}, 1
    )
    assert "split_heads" in right_piece("multi_head_attention_core")
    assert list(job.library) == ["softmax"]


def test_ready_made_attention_is_noted_with_its_line():
    helper = code_cell(
        "from torch.nn.functional import scaled_dot_product_attention as sdpa\n"
        "def helper(q):\n    return sdpa(q, q, q)"
    )
    nb = notebook(
        {
            "softmax": answers()["softmax"].replace('"""', '"""', 1)
            + "\n    helper(x)\n    torch.nn.functional.multi_head_attention_forward\n"
        }
    )
    nb["cells"].insert(3, helper)
    result = submission_from(as_bytes(nb)).remarks
    assert ready_made.note_on(3, "scaled_dot_product_attention", "cell 4 of the notebook, ") in result
    assert any("multi_head_attention_forward" in remark for remark in result)


@pytest.mark.parametrize(
    "call",
    [
        "torch.softmax(x, dim)",
        "x.softmax(dim)",
        "F.log_softmax(x, dim).exp()",
        "nn.Softmax(dim)(x)",
        "torch.ops.aten._safe_softmax(x, dim)",
    ],
)
def test_a_librarys_softmax_is_noted_where_it_is_to_be_written_by_hand(call):
    cell = f"def softmax(x, dim=-1):\n    return {call}\n\nassert torch.softmax(torch.ones(2), 0).sum() == 1"
    (remark,) = submission_from(as_bytes(notebook({"softmax": cell}))).remarks
    assert remark.startswith("Ready-made softmax")
    assert "line 2;" in remark


def test_own_functions_of_the_same_name_are_not_ready_made():
    source = "def scaled_dot_product_attention(q):\n    return q\n"
    source += "def softmax(x, dim=-1):\n    return scaled_dot_product_attention(x)"
    assert submission_from(as_bytes(notebook({"softmax": source}))).remarks == []


def test_demonstrations_with_ready_made_attention_are_not_held_against_anybody():
    for lesson in lessons():
        assert submission_from(changed(lambda nb: None, lesson=lesson)).remarks == []


@pytest.mark.parametrize("kind", ["code", "markdown"])
def test_texts_made_to_break_the_reader_are_read(kind):
    nb = notebook()
    nb["cells"][3:3] = [
        {**code_cell(source), "cell_type": kind} for source in HOSTILE if len(source) < 60_000
    ]
    assert observed(submission_from(as_bytes(nb))) == EXERCISES


def test_many_copies_are_read():
    nb = notebook()
    empty = [code_cell(lessons()[LESSON].stubs[name].text) for name in EXERCISES]
    written = [code_cell("\n".join(f"def {name}(): pass" for name in EXERCISES)) for _ in range(1800)]
    nb["cells"] += [*empty, *written]
    assert observed(submission_from(as_bytes(nb)))


def test_brackets_in_what_was_printed_are_no_lists():
    nb = notebook()
    nb["cells"].append(
        code_cell("1")
        | {"outputs": [{"output_type": "stream", "name": "stdout", "text": '["\\' * (MOST_PARTS + 1)}]}
    )
    assert submission_from(as_bytes(nb)).lesson.name == LESSON


def test_a_fault_of_ours_rejects_one_submission_and_says_so(monkeypatch):
    monkeypatch.setattr(grading, "submission_from", lambda data: 1 / 0)
    result = grading.grade_notebook(b"{}").as_dict()
    assert result["status"] == "rejected"
    assert "fault of the grader" in result["notes"][0]


# ---- files


def test_links_are_not_followed(tmp_path):
    real = tmp_path / "real"
    real.mkdir()
    (real / "a.ipynb").write_bytes(as_bytes(notebook()))
    (tmp_path / "link.ipynb").symlink_to(real / "a.ipynb")
    (tmp_path / "folder").symlink_to(real)
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "b.ipynb").symlink_to("/etc/passwd")
    (inside / "more").symlink_to(real)
    for path in ("link.ipynb", "folder", "folder/a.ipynb"):
        [(_, reason)] = notebooks_in(tmp_path / path)
        assert "is a link" in reason
    assert notebooks_in(inside)[0] == (inside / "b.ipynb", None)
    assert "more is a link" in notebooks_in(inside)[1][1]
    assert [path.name for path, _ in notebooks_in(tmp_path)] == ["folder", "b.ipynb", "link.ipynb", "a.ipynb"]
    assert "not a regular file" in read_regular_file(inside / "b.ipynb")[1]


def test_only_regular_files_are_opened(tmp_path):
    os.mkfifo(tmp_path / "fifo.ipynb")
    (tmp_path / "folder.ipynb").mkdir()
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(tmp_path / "s.ipynb"))
    with listener:
        for path in [*sorted(tmp_path.iterdir()), "/dev/zero", "/dev/tty"]:
            assert "not a regular file" in read_regular_file(path)[1]
    assert len(notebooks_in(tmp_path)) == 3


def test_nothing_over_the_limit_is_read(tmp_path):
    huge = tmp_path / "huge.ipynb"
    with huge.open("wb") as file:
        file.truncate(10**13)
    data, reason = read_regular_file(huge)
    assert data is None
    assert "more than 20" in reason
    with huge.open("wb") as file:
        file.truncate(SIZE_LIMIT)
    assert len(read_regular_file(huge)[0]) == SIZE_LIMIT


def test_files_that_are_not_notebooks_are_left_alone(tmp_path):
    for name in (
        "notes.txt",
        "._a.ipynb",
        "a.ipynb.bak",
        ".ipynb_checkpoints/a-checkpoint.ipynb",
        "__MACOSX/a.ipynb",
    ):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("x")
    [(path, reason)] = notebooks_in(tmp_path)
    assert path == tmp_path
    assert "no notebook" in reason


def test_folders_in_folders_without_end_are_left_to_themselves(tmp_path):
    for folder in ("ada", "zoe" + "/a" * 19, "zoe" + "/a" * 30):
        (tmp_path / folder).mkdir(parents=True, exist_ok=True)
        (tmp_path / folder / "a.ipynb").write_bytes(b"")
    edge = tmp_path / ("zoe" + "/a" * 19)
    assert notebooks_in(tmp_path) == [
        (tmp_path / "ada" / "a.ipynb", None),
        (edge, TOO_DEEP),
        (edge / "a.ipynb", None),
    ]


def test_names_that_cannot_be_printed_are_shown_all_the_same(tmp_path):
    for name in (b"\xff\xfe.ipynb", b"a\nb.ipynb", b"[red]x[bold.ipynb", b"\x1b[2J.ipynb", b"-rf.ipynb"):
        with open(os.path.join(os.fsencode(tmp_path), name), "wb"):
            pass
    entries = as_entries(grade_paths([tmp_path]))
    assert len(entries) == 5
    assert all(entry["submission"].isprintable() and "empty" in entry["notes"][0] for entry in entries)
    result = CliRunner().invoke(app, ["doctor", str(tmp_path)])
    assert result.exit_code == 0
    assert "[red]x[bold" in result.output.replace("\n", "")


def test_what_may_not_be_read_is_said(open_folder):
    path = open_folder / "a.ipynb"
    path.write_text("x")
    path.chmod(0)
    closed = open_folder / "class" / "ada"
    closed.mkdir(parents=True)
    closed.chmod(0)
    closed.parent.chmod(0o755)
    me = os.geteuid()
    if me == 0:
        os.seteuid(65534)  # root can read everything, nobody cannot
    try:
        assert "cannot be read" in read_regular_file(path)[1]
        assert "cannot be read" in dict(notebooks_in(closed.parent))[closed]
    finally:
        os.seteuid(me)


# ---- doctor


def test_the_doctor_says_what_was_found(tmp_path):
    (tmp_path / "a.ipynb").write_bytes(
        changed(benign.no_tests, cells={"softmax": text(released()["cells"][place(released(), "softmax")])})
    )
    (tmp_path / "b.ipynb").write_bytes(b"")
    nb = notebook()
    nb["cells"] = [cell for cell in nb["cells"] if id_of(cell) != "masked_softmax"]
    (tmp_path / "c.ipynb").write_bytes(as_bytes(nb))
    a, b, c = doctor.examine([tmp_path])
    assert a["lesson"] == LESSON
    assert a["exercises"]["softmax"] == "empty"
    assert a["exercises"]["masked_softmax"] == "written"
    assert "missing" in a["notes"][0]
    assert b["status"] == "rejected"
    assert c["exercises"]["masked_softmax"] == "missing"
    output = CliRunner().invoke(app, ["doctor", str(tmp_path)], env={"COLUMNS": "200"}).output
    exercises = len(lessons()[LESSON].exercises)
    written = f"{exercises - 1} of {exercises} written"
    for word in (written, "masked_softmax is missing", "The file is empty", "rejected"):
        assert word in output


def test_the_doctor_runs_nothing(tmp_path):
    mark = tmp_path / "run"
    (tmp_path / "a.ipynb").write_bytes(as_bytes(notebook(extra=f"open({str(mark)!r}, 'w')")))
    assert json.dumps(doctor.examine([tmp_path]))
    assert not mark.exists()


OPS = "class Ops:\n    @staticmethod\n    def scaled_dot_product_attention(Q, K, V):\n        return Q\n\n"


@pytest.mark.parametrize(
    ("call", "result"),
    [("Ops.scaled_dot_product_attention", 0), ("Ops().scaled_dot_product_attention", 0),
     ("super(Ops).scaled_dot_product_attention", 0),
     ("F.scaled_dot_product_attention", 1), ("torch.nn.functional.scaled_dot_product_attention", 1),
     ("lib.scaled_dot_product_attention", 1), ("lib.dot_product_attention", 1),
     ("torch._scaled_dot_product_flash_attention_for_cpu", 1)],
)  # fmt: skip
def test_a_method_of_ones_own_is_not_ready_made(call, result):
    use = f"import torch.nn.functional as lib\n\ndef softmax(x, dim=-1):\n    return {call}(x, x, x)"
    assert len(submission_from(as_bytes(notebook({"softmax": OPS + use}))).remarks) == result
    submission = submission_from(as_bytes(notebook({"softmax": use + "\nOps"}, extra=OPS)))
    assert len(submission.remarks) == result


def test_the_note_on_two_cells_says_which_counts():
    """The first is wrong and the one below its test is right: the one above counts."""
    nb = notebook()
    at = place(nb, "softmax")
    nb["cells"].insert(at + 2, {**nb["cells"][at]})
    nb["cells"][at]["source"] = "def softmax(x, dim=-1):\n    return x"
    graded = grading.grade_notebook(as_bytes(nb), seed=1, worker=ForkingWorker())
    assert graded.exercises["softmax"].points == 0
    assert graded.score == graded.max_score - graded.exercises["softmax"].max_points
    assert "2 cells that define softmax: the last one above its test counts" in " ".join(graded.notes)


@pytest.mark.parametrize("folder", ["grading", "submission", "releases"])
def test_a_grader_whose_threads_parse_at_once_does_so_through_the_locked_parser(folder, monkeypatch):
    """CPython 3.11 counts the depth of syntax trees once for all threads, and raises SystemError."""
    paths = list((KEPT.parents[1] / folder).glob("**/*.py"))
    assert paths
    for path in paths:
        if path.name != "built_from.py":  # it begins before that parser is loaded, in a single thread
            assert "ast.parse(" not in path.read_text(encoding="utf-8"), path.name
    monkeypatch.setattr("course_utils.source.parse", lambda text: f"locked {text}")
    assert built_from.parse("x") == "locked x"
