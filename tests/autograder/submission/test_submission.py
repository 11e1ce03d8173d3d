"""Whatever students send is taken in or turned away, each with its sentence; nothing is run for that."""

import ast
import json
import os
import socket
import sys
import time
from dataclasses import replace

import pytest
from typer.testing import CliRunner

from autograder.__main__ import app
from autograder.grading import job
from autograder.grading import notebook as grading
from autograder.grading.files import entries as as_entries
from autograder.grading.files import grade_paths
from autograder.grading.looks import right_piece
from autograder.releases.released import lessons
from autograder.sandbox.host.unsandboxed import PlainWorker
from autograder.setup import doctor
from autograder.submission import ready_made
from autograder.submission.files import TOO_DEEP, notebooks_in, read
from autograder.submission.notebook_file import MOST_PARTS, SIZE_LIMIT, Rejected
from autograder.submission.read import read_submission
from course_utils.source import meaning, names_in, statements
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

EXERCISES = list(lessons()[LESSON].exercises)
OF_ANOTHER_LESSON = "02_split_concat"
IN_IT = {name for name, (_, _, word) in benign.FILES.items() if word == benign.BUILDS_ON} | {
    "asks_for_two_of_an_earlier_lesson_at_once",
    "has_a_mistake_twice",
}
OF_LESSON = dict.fromkeys(IN_IT, OF_ANOTHER_LESSON) | {
    name: "03_self_attention" for name in benign.FILES if name.startswith("patched_")
}


def observed(submission):
    return [step["observe"] for step in submission.steps if "observe" in step]


@pytest.mark.parametrize("name", benign.FILES)
def test_good_work_in_an_odd_file_is_taken_in(name):
    data, _, word = benign.FILES[name]
    submission = read_submission(data)
    assert submission.lesson.name == OF_LESSON.get(name, LESSON)
    assert sorted(observed(submission)) == sorted(submission.lesson.exercises)
    assert submission.steps[0] == {"run": submission.lesson.setup}
    if word and not word.endswith("Error") and word != "SystemExit" and "builds on" not in word:
        told = [*submission.notes, *(f"Ready-made attention {use}" for use in submission.ready_made)]
        assert any(word in note for note in told)


@pytest.mark.parametrize("name", broken.FILES)
def test_what_is_no_submission_is_rejected_with_its_reason(name):
    data, word = broken.FILES[name]
    with pytest.raises(Rejected, match=word):
        read_submission(data)


@pytest.mark.parametrize("name", ["solved", "colab", "vs_code", "format_4_0", "windows_lines"])
def test_what_needs_no_repair_gets_no_note(name):
    assert read_submission(benign.FILES[name][0]).notes == []


def test_each_exercise_is_looked_at_where_its_test_stands():
    steps = read_submission(as_bytes(notebook())).steps
    for name in EXERCISES:
        at = steps.index({"observe": name, "replace": {}})
        assert steps[at - 1]["run"] == answers()[name]


def test_demonstrations_are_not_run():
    sources = [step["run"] for step in read_submission(as_bytes(notebook())).steps if "run" in step]
    assert len(sources) == 1 + len(answers())


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
        read_submission(as_bytes(n)).roles.demonstrations for n in (notebook(lesson=lesson), nb)
    )
    assert [cell.number for cell in now] == [cell.number for cell in as_it_was]


@pytest.mark.parametrize(
    ("one", "other"),
    [("x = 1", "x = 1.0"), ("x = 1", "x = True"), ("x = [1]", "x = [1, 1]"), ("x = 'a'", "x = b'a'"), ("f(a=1)", "f(b=1)"), ("x - y", "y - x"),
     ("def f():\n    global a", "def f():\n    global b"), ("x = -1", "x = +1"), ("f(*a)", "f(**a)"), ("{**x, k: v}", "{k: x, **v}"), ("if x:\n    y\nz", "if x:\n    y\n    z")],
)  # fmt: skip
def test_other_code_has_another_meaning(one, other):
    assert meaning(one) != meaning(other)
    assert meaning(one) == meaning(f"# yes\n{one}  # no\n\n")


def test_a_demonstration_is_run_when_a_solution_uses_what_it_defines():
    submission = read_submission(benign.FILES["a_name_of_a_demonstration"][0])
    needed = [
        step["run"] for step in submission.steps if "run" in step and step["run"] not in answers().values()
    ]
    assert any(source.startswith('causal_mask = yours("create_causal_mask")') for source in needed)
    assert len(needed) <= 5


def test_a_demonstration_that_was_changed_is_the_students_own():
    nb = notebook()
    cell = next(cell for cell in nb["cells"] if text(cell).startswith("causal_mask = yours("))
    cell["source"] = text(cell) + "\nprint(mask)"
    assert cell["source"] in [step.get("run") for step in read_submission(as_bytes(nb)).steps]


def alone(submission, name):
    """The steps of the first way to look at one exercise by itself."""
    return submission.alone(name, submission.ways(name, failed=False)[0])


def test_one_exercise_alone_needs_its_cells_only():
    submission = read_submission(benign.FILES["a_helper_of_its_own"][0])
    sources = [step["run"] for step in alone(submission, "masked_softmax") if "run" in step]
    assert sources[1:] == ["def helper(x):\n    return torch.softmax(x, -1)", benign.BY_HELPER]


def test_one_exercise_alone_is_run_statement_by_statement():
    cell = "import nowhere; x = 1\n@wrapped\n@again\ndef softmax(x):\n    return x\n\n# and now\nfor _ in (1,):\n    print(softmax)"
    steps = alone(read_submission(as_bytes(notebook({"softmax": cell}))), "softmax")
    assert [step["run"] for step in steps[1:-1]] == [
        "import nowhere; x = 1",
        "@wrapped\n@again\ndef softmax(x):\n    return x\n\n# and now",
        "for _ in (1,):\n    print(softmax)",
    ]
    assert statements("x = 1 +") == ["x = 1 +"]
    many = "x = 1\n" * 2_000 + cell
    assert [
        step["run"] for step in alone(read_submission(as_bytes(notebook({"softmax": many}))), "softmax")[1:-1]
    ] == [many]


def test_one_exercise_alone_leaves_out_cells_that_bring_what_the_set_up_has():
    known = alone(
        read_submission(as_bytes(notebook(extra="import torch, math\ntorch.set_default_device('meta')"))),
        "softmax",
    )
    assert "meta" not in str(known[1:])
    needed = alone(
        read_submission(
            as_bytes(
                notebook(
                    {"softmax": "def softmax(x, dim=-1):\n    return np.exp(x)"},
                    extra="import torch\nimport numpy as np",
                )
            )
        ),
        "softmax",
    )
    assert "numpy" in str(needed[1:])


def test_the_written_answer_counts_not_its_empty_copy():
    submission = read_submission(benign.FILES["empty_copy_after"][0])
    assert submission.solutions["softmax"] == answers()["softmax"]


def test_the_lesson_is_the_one_that_most_cells_belong_to():
    assert {read_submission(as_bytes(released(name))).lesson.name for name in lessons()} == set(lessons())


@pytest.fixture
def exam(monkeypatch):
    """A lesson that asks some exercises of two earlier ones again."""
    lesson = replace(
        lessons()[OF_ANOTHER_LESSON], name="06_exam", exercises={"split_heads": 2.0, "merge_heads": 3.0}
    )
    for module in (job, sys.modules[read_submission.__module__]):
        monkeypatch.setattr(module, "lessons", lambda: {**lessons(), lesson.name: lesson})
    return lesson


def test_of_lessons_with_the_same_exercises_it_is_the_one_that_has_no_others(exam):
    nb = notebook(lesson=OF_ANOTHER_LESSON)
    assert read_submission(as_bytes(nb)).lesson.name == OF_ANOTHER_LESSON
    nb["cells"] = [cell for cell in nb["cells"] if id_of(cell).removeprefix("test_") in {"", *exam.exercises}]
    assert read_submission(as_bytes(nb)).lesson is exam


def test_an_exercise_that_is_asked_again_is_not_sent_along(exam):
    asks = "split_heads, merge_heads, whole, first = map(yours, ('split_heads', 'merge_heads', 'multi_head_attention_core', 'softmax'))"
    told = job.job_for(
        replace(read_submission(as_bytes(notebook(extra=asks, lesson=OF_ANOTHER_LESSON))), lesson=exam), {}, 1
    )
    assert "split_heads" in right_piece("multi_head_attention_core")
    assert list(told["library"]) == ["softmax"]


def test_ready_made_attention_is_noted_with_its_line():
    helper = code_cell(
        "from torch.nn.functional import scaled_dot_product_attention as sdpa\ndef helper(q):\n    return sdpa(q, q, q)"
    )
    nb = notebook(
        {
            "softmax": answers()["softmax"].replace('"""', '"""', 1)
            + "\n    helper(x)\n    torch.nn.functional.multi_head_attention_forward\n"
        }
    )
    nb["cells"].insert(3, helper)
    found = read_submission(as_bytes(nb)).ready_made
    assert (4, 3, "scaled_dot_product_attention") in found
    assert any(name == "multi_head_attention_forward" for _, _, name in found)


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
    found = read_submission(as_bytes(notebook({"softmax": cell}))).ready_made
    assert [line for _, line, _ in found] == [2]
    assert ready_made.told(2, found[0][2]).startswith("Ready-made softmax")


def test_own_functions_of_the_same_name_are_not_ready_made():
    source = "def scaled_dot_product_attention(q):\n    return q\ndef softmax(x, dim=-1):\n    return scaled_dot_product_attention(x)"
    assert read_submission(as_bytes(notebook({"softmax": source}))).ready_made == []


def test_demonstrations_with_ready_made_attention_are_not_held_against_anybody():
    for lesson in lessons():
        assert read_submission(changed(lambda nb: None, lesson=lesson)).ready_made == []


@pytest.mark.parametrize(
    "source",
    ["\n" * 250_000, "check(" * 40_000, " " * 250_000 + "x", 'yours("' * 40_000, "-" * 40_000 + "1", "(" * 5000, "a" + ".b" * 20_000,
     "x = [" * 8000, "if 1:\n pass\n" + "elif 1:\n pass\n" * 3000, "def f():\n  " + "await " * 7000, "```\n" + "\n```" * 20_000 + "x",
     "x" + "\u0301\u0316" * 20_000, "x" + "\u0f73" * 20_000 + "\uff9e" * 20_000],
)  # fmt: skip
@pytest.mark.parametrize("kind", ["code", "markdown"])
def test_texts_made_to_break_the_reader_are_read_at_once(source, kind):
    nb = notebook()
    nb["cells"][3:3] = [{**code_cell(source), "cell_type": kind}] * 3
    begun = time.process_time()
    assert observed(read_submission(as_bytes(nb))) == EXERCISES
    assert time.process_time() - begun < 5


def test_many_copies_are_read_at_once():
    nb = notebook()
    empty = [code_cell(lessons()[LESSON].stubs[name]) for name in EXERCISES]
    written = [code_cell("\n".join(f"def {name}(): pass" for name in EXERCISES)) for _ in range(1800)]
    nb["cells"] += [*empty, *written]
    begun = time.process_time()
    assert observed(read_submission(as_bytes(nb)))
    assert time.process_time() - begun < 4


def test_letters_with_their_accents_are_read():
    source = "# ma\u0301scara \u4e2d\u6587 \uff9e\nd\u00e9j\u00e0 = e\u0301 = 1"
    assert names_in(source)[0] == {"d\u00e9j\u00e0", "\u00e9"}


@pytest.mark.parametrize(
    ("source", "defined", "used"),
    [
        ("def f(x):\n    return mask(x)\ndef g(mask):\n    return mask", "f g", "mask"),
        ("def f(a=a):\n    return a", "f", "a"),
        ("class A:\n    z = 1\n    def f(self):\n        return z", "A", "z"),
        ("[i for i in i]", "", "i"),
        ("def f():\n    global n\n    n = 1\nf()\nprint(n)", "f", ""),
        ("def f():\n    global n\n    return n", "f", "n"),
        ("def f():\n    x = 1\n    return lambda: x + y", "f", "y"),
        (
            "match p:\n    case [a, *b]:\n        c = a, b\n    case {'k': d, **e}:\n        pass",
            "a b c d e",
            "p",
        ),
        (
            "x = x / 2\ny += 1\nfor z in z:\n    print(z)\ndel w\nv: int = v\nu = [u for u in u]",
            "x y z v u",
            "x y z w v u",
        ),
        (
            "print(a)\na = b = 1\nprint(b)\nfor c in [b]:\n    print(c)\nif d := 2:\n    d += 1",
            "a b c d",
            "a",
        ),
        ("files = !ls {folder}\nresult = await f()", "files result", "f"),
        ("first, *others = !ls\nkept[0] = %pwd\nsame = first == 'w=%s' % f()", "first others same", "f kept"),
    ],
)
def test_names_are_looked_up_as_python_does(source, defined, used):
    assert names_in(source) == (set(defined.split()), set(used.split()))


def test_what_python_warns_of_in_a_cell_stays_unsaid(recwarn):
    assert names_in('title = "$\\sigma$"\nx = 0if title else 1')[0] == {"title", "x"}
    assert not recwarn.list


def test_brackets_in_what_was_printed_are_no_lists():
    nb = notebook()
    nb["cells"].append(
        code_cell("1")
        | {"outputs": [{"output_type": "stream", "name": "stdout", "text": '["\\' * (MOST_PARTS + 1)}]}
    )
    assert read_submission(as_bytes(nb)).lesson.name == LESSON


def test_a_fault_of_ours_rejects_one_submission_and_says_so(monkeypatch):
    monkeypatch.setattr(grading, "read_submission", lambda data: 1 / 0)
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
    assert "not a regular file" in read(inside / "b.ipynb")[1]


def test_only_regular_files_are_opened(tmp_path):
    os.mkfifo(tmp_path / "fifo.ipynb")
    (tmp_path / "folder.ipynb").mkdir()
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(tmp_path / "s.ipynb"))
    with listener:
        for path in [*sorted(tmp_path.iterdir()), "/dev/zero", "/dev/tty"]:
            assert "not a regular file" in read(path)[1]
    assert len(notebooks_in(tmp_path)) == 3


def test_nothing_over_the_limit_is_read(tmp_path):
    huge = tmp_path / "huge.ipynb"
    with huge.open("wb") as file:
        file.truncate(10**13)
    data, reason = read(huge)
    assert data is None
    assert "more than 20" in reason
    with huge.open("wb") as file:
        file.truncate(SIZE_LIMIT)
    assert len(read(huge)[0]) == SIZE_LIMIT


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
        assert "cannot be read" in read(path)[1]
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
    for word in ("6 of 7 written", "masked_softmax is missing", "The file is empty", "rejected"):
        assert word in output


def test_the_doctor_runs_nothing(tmp_path):
    mark = tmp_path / "run"
    (tmp_path / "a.ipynb").write_bytes(as_bytes(notebook(extra=f"open({str(mark)!r}, 'w')")))
    assert json.dumps(doctor.examine([tmp_path]))
    assert not mark.exists()


STATEMENTS = [
    (
        "a = 1\n\n@first\n@second\ndef f():\n    return '''\n1\n'''\nprint(a); b = 2\nc = (3,\n 4); d = 5\n",
        [
            "a = 1\n",
            "@first\n@second\ndef f():\n    return '''\n1\n'''",
            "print(a); b = 2",
            "c = (3,\n 4); d = 5\n",
        ],
    ),
    ("%time f()\nx = !ls\ny = 1", ["%time f()", "x = !ls", "y = 1"]),
    ("%%time\nx = 1\ny = 2", ["%%time", "x = 1", "y = 2"]),
    ("%%writefile mine.py\nx = 1\ny = 2", ["%%writefile mine.py\nx = 1\ny = 2"]),
    ("def f(:\nx = 1", ["def f(:\nx = 1"]),
    ("", [""]),
]


@pytest.mark.parametrize(("source", "parts"), STATEMENTS)
def test_a_cell_is_cut_into_its_statements(source, parts):
    assert statements(source) == parts


def test_what_a_magic_times_is_read_as_python():
    assert names_in("%timeit -n 3 -r2 f(x)\nbest = %timeit -o g(x)\n%time y = h(x)\n%prun k(x)") == (
        {"best", "y"},
        {"f", "g", "h", "x"},
    )


OPS = "class Ops:\n    @staticmethod\n    def scaled_dot_product_attention(Q, K, V):\n        return Q\n\n"


@pytest.mark.parametrize(
    ("call", "found"),
    [("Ops.scaled_dot_product_attention", 0), ("Ops().scaled_dot_product_attention", 0), ("super(Ops).scaled_dot_product_attention", 0),
     ("F.scaled_dot_product_attention", 1), ("torch.nn.functional.scaled_dot_product_attention", 1), ("lib.scaled_dot_product_attention", 1)],
)  # fmt: skip
def test_a_method_of_ones_own_is_not_ready_made(call, found):
    use = f"import torch.nn.functional as lib\n\ndef softmax(x, dim=-1):\n    return {call}(x, x, x)"
    assert len(read_submission(as_bytes(notebook({"softmax": OPS + use}))).ready_made) == found
    submission = read_submission(as_bytes(notebook({"softmax": use + "\nOps"}, extra=OPS)))
    assert len(submission.ready_made) == found


def test_the_note_on_two_cells_says_which_counts():
    """The first is wrong and the one below its test is right: that one counts, and nothing says otherwise."""
    nb = notebook()
    at = place(nb, "softmax")
    nb["cells"].insert(at + 2, {**nb["cells"][at]})
    nb["cells"][at]["source"] = "def softmax(x, dim=-1):\n    return x"
    graded = grading.grade_notebook(as_bytes(nb), seed=1, worker=PlainWorker()).as_dict()
    assert graded["score"] == graded["max_score"]
    assert "or the last of all if that is better" in " ".join(graded["notes"])
