"""Good work in files that stock nbgrader stumbles over: {name: (bytes, points or None for all, words of the
note)}. Instead of words, "" allows any notes, and None allows none."""

import copy
import json
import textwrap

from autograder.releases.release import bare
from autograder.releases.store import lessons
from tests.tools.points import full_marks

from .notebooks import answers, as_bytes, changed, code_cell, id_of, notebook, place, released, text

FULL = None
WITHOUT_ATTENTION = full_marks("02_split_concat", without=["scaled_dot_product_attention"])
BUILDS_ON = "builds on scaled_dot_product_attention"
NO_NOTE = None
LETTER = "\N{EGYPTIAN HIEROGLYPH A001}"


def colab(nb):
    """Notebook format 4.0, ids in the metadata, no kernel, Colab's own entries."""
    nb.update(nbformat_minor=0, metadata={"colab": {"provenance": [], "toc_visible": True}})
    for cell in nb["cells"]:
        cell["metadata"]["id"] = cell.pop("id")
        cell["metadata"]["colab"] = {"base_uri": "https://localhost:8080/"}


def vs_code(nb):
    nb["metadata"] = {
        "kernelspec": {"display_name": ".venv", "language": "python", "name": "python3"},
        "vscode": {"interpreter": {"hash": "0"}},
    }
    for cell in nb["cells"]:
        cell["metadata"]["vscode"] = {"languageId": "python"}
        cell["source"] = [line + "\n" for line in text(cell).split("\n")]


def kaggle(nb):
    """nbgrader's metadata is gone, every cell has the same few tags, cell ids are gone."""
    nb["metadata"]["kaggle"] = {"accelerator": "none", "isInternetEnabled": True}
    for number, cell in enumerate(nb["cells"]):
        cell["metadata"] = {"trusted": True, "_uuid": f"{number:040}", "execution": {}}
        cell.pop("id")


def writes_a_book(nb):
    """Every answer uses 16 long strings and refers to itself by name."""
    chapters = [f"chapter{n}" for n in range(16)]
    book = [code_cell(f"{chapter} = '{LETTER * 45_000}'") for chapter in chapters]
    for name in answers():
        cell = nb["cells"][place(nb, name)]
        cell["source"] = (
            f"{text(cell)}\n\nasked = ('{name}', {', '.join(chapters)})\n{name} = asked and {name}"
        )
    nb["cells"][3:3] = book


def in_one_cell(nb):
    """All answers merged into one cell, which ends early because a package is missing."""
    notes = [f"note{n} = {n}" for n in range(60)]
    everything = "\n\n".join(["from google.colab import drive", *notes, *answers().values()])
    nb["cells"] = [*nb["cells"][:3], code_cell(everything)]


def helpers_of_one_name(nb):
    """Two helpers of the same name, each in a cell above its answer; the test cells are gone."""
    for exercise, rule in (
        ("create_causal_mask", "(i, j): return j > i"),
        ("create_causal_mask_with_cache", "(i, j, cached): return j > i + cached"),
    ):
        nb["cells"].insert(place(nb, exercise), code_cell(f"def later{rule}"))
    nb["cells"] = [cell for cell in nb["cells"] if not id_of(cell).startswith("test_")]


def own_cell_above(grade_id, *sources):
    def change(nb):
        at = place(nb, grade_id)
        nb["cells"][at:at] = [code_cell(source) for source in sources]

    return change


def lost_marks(nb):
    for cell in nb["cells"]:
        cell["metadata"] = {}


def lost_marks_of_one(nb):
    nb["cells"][place(nb, "softmax")]["metadata"] = {}
    nb["cells"][place(nb, "test_masked_softmax")]["metadata"] = {}


def old_format(minor):
    def change(nb):
        nb["nbformat_minor"] = minor
        for cell in nb["cells"]:
            cell.pop("id", None)

    return change


def split_solution(nb):
    """The cell is cut in two, and the editor copies its metadata to both."""
    at = place(nb, "masked_softmax")
    helper = copy.deepcopy(nb["cells"][at])
    helper["source"] = "def shift(x):\n    return x - x.max(dim=-1, keepdim=True).values"
    nb["cells"].insert(at, helper)


def merged_with_its_test(nb):
    at = place(nb, "softmax")
    nb["cells"][at]["source"] = text(nb["cells"][at]) + "\n" + text(nb["cells"].pop(at + 1))


def written_into_the_test_cell(nb):
    at = place(nb, "softmax")
    nb["cells"][at + 1]["source"] = text(nb["cells"][at]) + "\n" + text(nb["cells"][at + 1])
    del nb["cells"][at]


def doubled_test(nb):
    at = place(nb, "test_softmax")
    nb["cells"].insert(at, copy.deepcopy(nb["cells"][at]))


def doubled_solution(nb):
    at = place(nb, "softmax")
    nb["cells"].insert(at, copy.deepcopy(nb["cells"][at]))


def empty_copy_after(nb):
    at, stub = place(nb, "softmax"), next(cell for cell in released()["cells"] if id_of(cell) == "softmax")
    nb["cells"].insert(at + 1, stub)


def no_tests(nb):
    nb["cells"] = [cell for cell in nb["cells"] if not id_of(cell).startswith("test_")]


def only_solutions(nb):
    nb["cells"] = [cell for cell in nb["cells"] if id_of(cell) in answers()]


def merged_into_one(nb):
    """The set-up and all solutions merged into the cell that unpacks the course, as "merge cells" does."""
    merged = [
        text(cell)
        for cell in nb["cells"]
        if cell["cell_type"] == "code" and (id_of(cell) in answers() or cell in nb["cells"][1:3])
    ]
    nb["cells"] = [{**nb["cells"][1], "source": "\n\n".join(merged)}]


def tests_before_solutions(nb):
    at = place(nb, "softmax")
    nb["cells"][at], nb["cells"][at + 1] = nb["cells"][at + 1], nb["cells"][at]


def solutions_at_the_end(nb):
    last = [cell for cell in nb["cells"] if id_of(cell) in answers()]
    nb["cells"] = [cell for cell in nb["cells"] if id_of(cell) not in answers()] + last


def with_prompts(source):
    return "\n".join((">>> " if line[:1].strip() else "... ") + line for line in source.splitlines())


def own_cell_below(grade_id, *sources):
    def change(nb):
        at = place(nb, f"test_{grade_id}") + 1
        nb["cells"][at:at] = [code_cell(source) for source in sources]

    return change


def copied_below(grade_id, source):
    """Insert copies of a solution cell, with other text, and of its test cell, metadata included."""

    def change(nb):
        at = place(nb, f"test_{grade_id}")
        copies = [
            {**copy.deepcopy(nb["cells"][place(nb, name)]), "id": f"copy-{name}"}
            for name in (grade_id, f"test_{grade_id}")
        ]
        copies[0]["source"] = source
        nb["cells"][at + 1 : at + 1] = copies

    return change


def begun_and_written_below(nb):
    """Add a line to each cell that waits for an answer, and put all answers into new cells at the end."""
    for name, answer in answers().items():
        cell = nb["cells"][place(nb, name)]
        cell["source"] = f"hint('{name}')\n{text(released()['cells'][place(released(), name)])}"
        nb["cells"].append(code_cell(answer))


ADD_TO_CLASS = "def add_to_class(cls):\n    return lambda method: setattr(cls, method.__name__, method)"


def patched_below(
    nb, decorator="", helper="# again", sets="\n\nMultiHeadSelfAttention.forward = forward", offset=1
):
    """A class without its forward, which a cell below its test (above it with offset 0) adds and checks."""
    cell = nb["cells"][place(nb, "MultiHeadSelfAttention")]
    whole = text(cell)
    cut = whole.index("    def forward")
    method = textwrap.dedent(whole[cut:])
    cell["source"] = whole[:cut]
    method_cell = (
        f"{decorator}{method}{sets}\n"
        "print('and now')\n"
        "check('MultiHeadSelfAttention', MultiHeadSelfAttention)"
    )
    at = place(nb, "test_MultiHeadSelfAttention") + offset
    nb["cells"][at:at] = [code_cell(helper), code_cell(method_cell)]


def own_cell_at_the_end(source):
    return lambda nb: nb["cells"].append(code_cell(source))


def retyped(kind):
    def change(nb):
        cell = nb["cells"][place(nb, "softmax")]
        cell.update(cell_type=kind)
        if kind == "markdown":
            cell["source"] = f"```python\n{text(cell)}\n```"

    return change


def retyped_test(nb):
    nb["cells"][place(nb, "test_softmax")]["cell_type"] = "raw"


def own_points(nb):
    nb["cells"][place(nb, "test_softmax")]["metadata"]["nbgrader"]["points"] = 100


def odd_cells(nb):
    nb["cells"][2:2] = [
        None,
        {"cell_type": "code"},
        {"cell_type": "code", "source": [1, "x = 1\n", None]},
        {"source": {"a": 1}},
    ]


def own_outputs(nb):
    for cell in nb["cells"]:
        if cell["cell_type"] == "code":
            cell["outputs"] = [
                {"output_type": "stream", "name": "stderr", "text": "warning"},
                {"output_type": "nonsense"},
            ]


def deleted_demonstrations(nb):
    nb["cells"] = [
        cell
        for cell in nb["cells"]
        if cell["cell_type"] != "code" or id_of(cell) or "setup" in cell["metadata"].get("tags", [])
    ]


def deleted_after_its_test(nb):
    nb["cells"].insert(place(nb, "test_softmax") + 1, code_cell("del softmax"))


def no_setup(nb):
    nb["cells"] = [
        cell
        for cell in nb["cells"]
        if "setup" not in cell["metadata"].get("tags", []) and cell.get("id") != "course-copy"
    ]


def touched(first, last, lesson="01_masks"):
    """Add a comment to some demonstrations, which then count as the student's own cells."""

    def change(nb):
        demonstrations = [
            cell
            for cell in nb["cells"]
            if cell["cell_type"] == "code" and bare(text(cell)) in lessons()[lesson].demonstrations
        ]
        for cell in demonstrations[first:last]:
            cell["source"] = text(cell) + "\n# tried with 7, too"

    return change


def times_a_demonstration(nb):
    nb["cells"].insert(
        place(nb, "masked_softmax"),
        code_cell("%timeit -n 3 causal_mask(64)\nbest = %timeit -o -r 2 padding_mask(torch.ones(3), 4)"),
    )


def with_own(source, **options):
    return changed(lambda nb: None, extra=source, **options)


def with_cell(grade_id, before="", after=""):
    return changed(lambda nb: None, cells={grade_id: before + answers()[grade_id] + after})


SOLVED = as_bytes(notebook())
BY_HELPER = '''def masked_softmax(scores, mask):
    """Uses a name of a demonstration, and one of a cell of the student's own."""
    empty = mask.all(-1, keepdim=True)
    weights = helper(scores.masked_fill(mask & ~empty, -math.inf))
    return weights.masked_fill(mask | empty, 0.0)
'''
ASKED_FOR_TOGETHER = """from course_utils import yours as mine
its_softmax, additive = (mine(name) for name in ("softmax", "to_additive_mask"))

def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    weights = its_softmax(scores if mask is None else scores + additive(mask, scores.dtype), dim=-1)
    return weights @ V, weights
"""
BY_MODULE = """from mine import *

def softmax(x, dim=-1):
    e = exp(x - x.amax(dim, keepdim=True))
    return e / e.sum(dim, keepdim=True)
"""
BY_DEMONSTRATION = """def create_attention_mask(\
seq_len_q, seq_len_k=None, is_causal=True, key_padding_lengths=None, device=None):
    T_k = seq_len_q if seq_len_k is None else seq_len_k
    device = device if key_padding_lengths is None else key_padding_lengths.device
    mask = causal_mask(seq_len_q, T_k, device=device)
    mask = mask if is_causal else torch.zeros_like(mask)
    if key_padding_lengths is None:
        return mask
    return mask | create_padding_mask(key_padding_lengths, T_k)[:, None, None, :].to(mask.device)
"""

NAN_ON_THE_WAY = """torch.autograd.set_detect_anomaly(True)
def masked_softmax(scores, mask):
    return torch.softmax(scores.masked_fill(mask, -torch.inf), dim=-1).nan_to_num()
"""
NAIVE = "def softmax(x, dim=-1):\n    return x.exp() / x.exp().sum()"
BY_CAUSAL = """def create_causal_mask_with_cache(seq_len_q, seq_len_k, cache_len, device=None):
    return create_causal_mask(max(seq_len_k, cache_len + seq_len_q), device=device)[\
cache_len : cache_len + seq_len_q, :seq_len_k]
"""
BY_ADDITIVE = """def masked_softmax(scores, mask):
    starved = mask.all(dim=-1, keepdim=True)
    weights = torch.softmax(scores + to_additive_mask(mask & ~starved, scores.dtype), dim=-1)
    return weights.masked_fill(mask, 0.0)
"""
HELPED = {
    "create_causal_mask": (
        "def create_causal_mask(q, k=None, device=None):\n"
        "    return later(torch.arange(q, device=device)[:, None], torch.arange(k or q, "
        "device=device))"
    ),
    "create_causal_mask_with_cache": (
        "def create_causal_mask_with_cache(q, k, cached, device=None):\n"
        "    return later(torch.arange(q, device=device)[:, None], torch.arange(k, "
        "device=device), cached)"
    ),
}
WRONG_SCALE = """def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / Q.shape[-1]
    if mask is not None:
        scores = scores.masked_fill(mask, -torch.inf)
    weights = torch.softmax(scores, dim=-1)
    return weights @ V, weights
"""
CORE = """
def multi_head_attention_core(Q, K, V, num_heads, mask=None):
    output, weights = attend(*(split_heads(x, num_heads) for x in (Q, K, V)), mask)
    return merge_heads(output), weights
"""
IN_A_MODULE = f"""from pathlib import Path
Path('pieces.py').write_text('''import torch
{WRONG_SCALE}
def attend_heads(*all):
    return scaled_dot_product_attention(*all)
''')
from pieces import scaled_dot_product_attention
"""


def attends_by(before, core=CORE, piece=WRONG_SCALE):
    """Lesson 02 with a core that is right if the attention that it calls is, and a wrong attention."""
    return changed(
        lambda nb: None,
        lesson="02_split_concat",
        cells={"scaled_dot_product_attention": piece, "multi_head_attention_core": before + core},
    )


FILES = {
    "solved": (SOLVED, FULL, ""),
    "untouched": (as_bytes(released()), 0.0, ""),
    "colab": (changed(colab), FULL, ""),
    "vs_code": (changed(vs_code), FULL, ""),
    "kaggle": (changed(kaggle), FULL, ""),
    "lost_marks": (changed(lost_marks), FULL, ""),
    "lost_marks_of_one": (changed(lost_marks_of_one), FULL, ""),
    **{f"format_4_{minor}": (changed(old_format(minor)), FULL, "") for minor in range(5)},
    "no_format": (
        changed(lambda nb: {k: v for k, v in nb.items() if k != "nbformat"}),
        FULL,
        "",
    ),
    "format_as_text": (changed(lambda nb: {**nb, "nbformat": "4"}), FULL, ""),
    "byte_order_mark": (b"\xef\xbb\xbf" + SOLVED, FULL, ""),
    "utf_16": (SOLVED.decode().encode("utf-16"), FULL, ""),
    "windows_lines": (SOLVED.replace(b"\\n", b"\\r\\n"), FULL, ""),
    "old_mac_lines": (SOLVED.replace(b"\\n", b"\\r"), FULL, ""),
    "indented_json": (json.dumps(notebook(), indent=4).replace("\n", "\r\n").encode(), FULL, ""),
    "nan_in_an_output": (SOLVED.replace(b'"metadata": {}', b'"metadata": {"x": NaN}', 1), FULL, ""),
    "long_number": (
        SOLVED.replace(b'"execution_count": null', b'"execution_count": ' + b"9" * 6000, 1),
        FULL,
        "",
    ),
    "key_twice": (b'{"cells": [], ' + SOLVED[1:], FULL, ""),
    "more_keys": (changed(lambda nb: {**nb, "extra": {"a": [1]}, "signature": "x"}), FULL, ""),
    "odd_cells": (changed(odd_cells), FULL, "not text"),
    "own_outputs": (changed(own_outputs), FULL, ""),
    "own_points": (changed(own_points), FULL, ""),
    "split_solution": (changed(split_solution), FULL, ""),
    "merged_with_its_test": (changed(merged_with_its_test), FULL, ""),
    "merged_with_the_course": (
        changed(
            lambda nb: nb["cells"][1].update(
                source=text(nb["cells"][1]) + "\n\n" + text(nb["cells"].pop(place(nb, "softmax")))
            )
        ),
        FULL,
        "",
    ),
    "merged_into_one": (changed(merged_into_one), FULL, "are missing"),
    "written_into_the_test_cell": (changed(written_into_the_test_cell), FULL, ""),
    "doubled_test": (changed(doubled_test), FULL, "2 test cells"),
    "doubled_solution": (changed(doubled_solution), FULL, "2 cells that define softmax"),
    "empty_copy_after": (changed(empty_copy_after), FULL, "still empty"),
    "no_tests": (changed(no_tests), FULL, "are missing"),
    "only_solutions": (changed(only_solutions), FULL, "are missing"),
    "tests_before_solutions": (changed(tests_before_solutions), FULL, "before the solutions"),
    "solutions_at_the_end": (changed(solutions_at_the_end), FULL, "before the solutions"),
    "retyped_raw": (changed(retyped("raw")), FULL, "treated as one"),
    "retyped_markdown": (changed(retyped("markdown")), FULL, "treated as one"),
    "retyped_test": (changed(retyped_test), FULL, ""),
    "deleted_demonstrations": (changed(deleted_demonstrations), FULL, ""),
    "no_setup": (changed(no_setup), FULL, ""),
    "warns": (
        with_cell(
            "softmax", "import warnings, sys\nwarnings.warn('careful')\nprint('careful', file=sys.stderr)\n"
        ),
        FULL,
        "",
    ),
    "prints_and_logs": (
        with_cell(
            "softmax",
            "import logging\nlogging.warning('x')\nprint('hello ' * 1000)\n",
            "\nprint(softmax(torch.ones(3)))\nsoftmax",
        ),
        FULL,
        "",
    ),
    "asks_for_help": (
        with_cell("softmax", "?torch.where\nhere = %pwd\nfiles = !ls\n", "\nsoftmax??"),
        FULL,
        "",
    ),
    "help_in_a_cell_at_the_end": (
        changed(solutions_at_the_end, cells={"softmax": answers()["softmax"] + "\nhere = %pwd\nsoftmax?"}),
        FULL,
        "before the solutions",
    ),
    "help_in_the_cell_before_an_empty_copy": (
        changed(empty_copy_after, cells={"softmax": answers()["softmax"] + "\nsoftmax?"}),
        FULL,
        "still empty",
    ),
    "lines_that_begin_with_percent": (
        changed(
            lambda nb: None,
            cells={"create_attention_mask": BY_DEMONSTRATION + "    \n\nsaid = ('%d tokens'\n% 3)\n"},
        ),
        FULL,
        "",
    ),
    "a_comment_that_asks_in_a_timed_cell": (
        changed(
            lambda nb: None,
            cells={
                "create_attention_mask": "%%time\n"
                + BY_DEMONSTRATION
                + "    \n\nsaid = ('%d of %s tokens'\n% (3,  # or four?\n9))\n"
            },
        ),
        FULL,
        "",
    ),
    "indented_as_a_whole": (
        changed(lambda nb: None, cells={"create_attention_mask": textwrap.indent(BY_DEMONSTRATION, "    ")}),
        FULL,
        "",
    ),
    "pasted_with_prompts": (
        changed(lambda nb: None, cells={"create_attention_mask": with_prompts(BY_DEMONSTRATION)}),
        FULL,
        "",
    ),
    "magics": (
        with_cell("softmax", "%matplotlib inline\n%config InlineBackend.figure_format = 'retina'\n"),
        FULL,
        "",
    ),
    "timed_cell": (with_cell("softmax", "%%time\n"), FULL, ""),
    "installs": (
        with_own("!pip install einops\n%pip install -q numpy\n%conda install x\n!nvidia-smi"),
        FULL,
        "",
    ),
    "compiled": (
        with_cell(
            "softmax",
            "@torch.compile\n",
            "\ncompiled = torch.compile(nn.Softmax(-1))\ncompiled(torch.ones(2))",
        ),
        FULL,
        "",
    ),
    "figures_of_another_kind": (with_cell("softmax", "%matplotlib widget\n"), FULL, ""),
    "workers_for_its_data": (
        with_own(
            "from torch.utils.data import DataLoader\n"
            "assert len(list(DataLoader(torch.ones(8, 2), num_workers=2))) == 8"
        ),
        FULL,
        "",
    ),
    "many_workers_for_its_data": (
        with_cell(
            "softmax",
            (
                "from torch.utils.data import DataLoader\n"
                "assert len(list(DataLoader(torch.ones(8, 2), num_workers=4))) == 8\n"
            ),
        ),
        FULL,
        "",
    ),
    "timed_many_times": (
        with_cell(
            "softmax",
            after=(
                "\n"
                "x = torch.ones(3)\n"
                "%timeit softmax(x)\n"
                "%timeit -n 10000000 -r 3 softmax(x)\n"
                "best = %timeit -o softmax(x)\n"
                "assert best.average >= 0"
            ),
        ),
        FULL,
        "",
    ),
    "installs_with_subprocess": (
        with_cell(
            "softmax",
            (
                "import subprocess, sys\n"
                "subprocess.check_call([sys.executable, '-m', 'pip', 'install', 'einops'])\n"
                "subprocess.run(['pip', 'list'], check=True, capture_output=True).stdout.decode()\n"
                "assert subprocess.check_output(['pip'], text=True) == ''\n"
            ),
        ),
        FULL,
        "",
    ),
    "bash_cell": (with_own("%%bash\npip list | head"), FULL, ""),
    "colab_form": (with_own('#@title Mine { run: "auto" }\nx = 5 #@param {type:"slider"}'), FULL, ""),
    "google_colab": (
        with_own("from google.colab import drive\ndrive.mount('/content/drive')"),
        FULL,
        "ModuleNotFoundError",
    ),
    "top_level_await": (
        with_own(
            "import asyncio\n"
            "value = await asyncio.sleep(0, 3)\n"
            "async def f(): return value\n"
            "assert await f() == 3"
        ),
        FULL,
        "",
    ),
    "plots": (
        with_own(
            "plt.plot([1, 2])\nplt.show()\nplot_mask(torch.ones(3, 3).bool())\nplt.savefig('figure.png')"
        ),
        FULL,
        "",
    ),
    "widgets": (with_own("@interact(n=(1, 5))\ndef draw(n=2):\n    print(n)"), FULL, ""),
    "rich_output": (
        with_own("from IPython.display import HTML, display\ndisplay(HTML('<b>x</b>'))\nHTML('y')"),
        FULL,
        "",
    ),
    "files_of_its_own": (
        with_own(
            "open('notes.txt', 'w').write('x')\n"
            "assert open('notes.txt').read() == 'x'\n"
            "%cd .\n"
            "import tempfile\n"
            "tempfile.NamedTemporaryFile().write(b'x')"
        ),
        FULL,
        "",
    ),
    "a_module_of_its_own": (
        with_cell("softmax", "open('mine.py', 'w').write('y = 3')\nimport mine\nassert mine.y == 3\n"),
        FULL,
        "",
    ),
    "a_module_of_another_cell": (
        with_own("%%writefile mine.py\nfrom torch import exp", cells={"softmax": BY_MODULE}),
        FULL,
        "",
    ),
    "deleted_after_its_test": (changed(deleted_after_its_test), FULL, ""),
    "temporary_folder": (with_own("open('/tmp/x', 'w').write('x')"), FULL, ""),
    "threads": (
        with_own(
            "from concurrent.futures import ThreadPoolExecutor\n"
            "assert list(ThreadPoolExecutor(4).map(str, range(9)))[8] == '8'"
        ),
        FULL,
        "",
    ),
    "processes": (
        with_own(
            "import multiprocessing as mp\n"
            "with mp.get_context('fork').Pool(2) as pool:\n"
            "    assert pool.map(abs, [-1]) == [1]"
        ),
        FULL,
        "",
    ),
    "a_pool_as_large_as_the_machine": (
        with_cell(
            "softmax",
            (
                "import multiprocessing as mp\n"
                "with mp.get_context('fork').Pool() as pool:\n"
                "    assert pool.map(abs, range(-99, 0))[0] == 99\n"
            ),
        ),
        FULL,
        NO_NOTE,
    ),
    "a_pool_of_six": (
        with_cell(
            "softmax",
            (
                "import multiprocessing as mp\n"
                "with mp.get_context('fork').Pool(6) as pool:\n"
                "    assert pool.map(abs, range(-99, 0))[0] == 99\n"
            ),
        ),
        FULL,
        NO_NOTE,
    ),
    "more_torch_threads": (
        with_own("torch.set_num_threads(4)\n(torch.ones(300, 300) @ torch.ones(300, 300)).sum().item()"),
        FULL,
        "",
    ),
    "as_many_torch_threads_as_a_large_machine": (
        with_cell(
            "softmax",
            "torch.set_num_threads(64)\n(torch.ones(300, 300) @ torch.ones(300, 300)).sum().item()\n",
        ),
        FULL,
        NO_NOTE,
    ),
    "takes_its_time_in_the_same_cell": (
        with_cell(
            "softmax",
            "@torch.no_grad()\ndef slow(): time.sleep(99); return 1\nimport time; x = torch.ones(3)\n",
            "\n%time slow()",
        ),
        FULL,
        "",
    ),
    "writes_a_book_in_many_alphabets": (changed(writes_a_book), FULL, NO_NOTE),
    "more_memory_than_there_is_in_the_same_cell": (
        with_cell("softmax", "", "\nlarge = [torch.ones(10_000_000) for _ in range(20)]"),
        FULL,
        "",
    ),
    "fails_in_the_same_cell": (with_cell("softmax", "1 / 0\n"), FULL, "ZeroDivisionError"),
    "times_what_a_demonstration_defines": (changed(times_a_demonstration), FULL, NO_NOTE),
    "trains_a_little": (
        with_own(
            "m = nn.Linear(4, 1)\n"
            "o = torch.optim.AdamW(m.parameters())\n"
            "for _ in range(50):\n"
            "    o.zero_grad(); m(torch.randn(8, 4)).pow(2).mean().backward(); o.step()"
        ),
        FULL,
        "",
    ),
    "numpy_and_more": (
        with_own(
            "import numpy as np, random, dataclasses, typing, collections\n"
            "np.random.seed(0); random.seed(1)\n"
            "np.linalg.svd(np.ones((9, 9)))"
        ),
        FULL,
        "",
    ),
    "imports_what_is_not_there": (
        with_cell("softmax", "import not_installed_here\n@staticmethod\ndef other(): pass\n"),
        FULL,
        "ModuleNotFoundError",
    ),
    "asks": (with_own("name = input('your name? ')"), FULL, "EOFError"),
    "stops": (with_own("import sys\nsys.exit(0)"), FULL, "SystemExit"),
    "fails": (with_own("1 / 0"), FULL, "ZeroDivisionError"),
    "half_written_cell": (with_own("def f(:"), FULL, "SyntaxError"),
    "zero_byte": (with_own("x = 1\0"), FULL, ""),
    "half_of_a_character": (changed(lambda nb: None, extra="x = '\ud800'"), FULL, ""),
    "points_of_a_check_of_its_own": (
        with_cell(
            "masked_softmax",
            (
                'result = check("softmax", softmax)\n'
                "assert result.points / result.max_points == 1 and result.points == 2\n"
            ),
        ),
        FULL,
        "",
    ),
    "asks_for_what_is_written_below": (with_own('mask = yours("create_causal_mask")(3)'), FULL, NO_NOTE),
    "asks_in_other_words_for_what_is_written_below": (
        with_own(
            'mask = yours(name="create_causal_mask")(3)\n'
            'masked, plain = map(yours, ["masked_softmax", "softmax"])'
        ),
        FULL,
        NO_NOTE,
    ),
    "asks_for_what_is_written_below_under_its_name": (
        with_own(
            'softmax, create_causal_mask = map(yours, ("softmax", "create_causal_mask"))\n'
            "softmax(torch.ones(3))"
        ),
        FULL,
        NO_NOTE,
    ),
    "asks_for_two_of_an_earlier_lesson_at_once": (
        changed(
            lambda nb: None,
            lesson="02_split_concat",
            cells={"scaled_dot_product_attention": ASKED_FOR_TOGETHER},
        ),
        full_marks("02_split_concat"),
        NO_NOTE,
    ),
    "asks_for_what_nobody_wrote": (with_own('tanh = yours("tanh")'), FULL, "LookupError"),
    "checks_of_its_own": (
        with_own(
            "if not check('softmax', print).passed:\n"
            "    raise ValueError\n"
            "hint('softmax')\n"
            "progress()\n"
            "y = yours"
        ),
        FULL,
        "",
    ),
    "switches_gradients_off": (with_own("with torch.no_grad():\n    torch.ones(3)"), FULL, ""),
    "a_helper_of_its_own": (
        changed(
            lambda nb: None,
            extra="def helper(x):\n    return torch.softmax(x, -1)",
            cells={"masked_softmax": BY_HELPER},
        ),
        FULL,
        "",
    ),
    "a_name_of_a_demonstration": (
        changed(lambda nb: None, cells={"create_attention_mask": BY_DEMONSTRATION}),
        FULL,
        "",
    ),
    "a_name_of_a_demonstration_and_of_an_argument": (
        changed(
            lambda nb: None,
            cells={
                "create_attention_mask": BY_DEMONSTRATION
                + "\n\ndef looked_at(causal_mask):\n    return causal_mask.int()"
            },
        ),
        FULL,
        "",
    ),
    "a_name_of_a_demonstration_and_later_of_ones_own": (
        changed(
            own_cell_at_the_end("for causal_mask in [1]: pass"),
            cells={"create_attention_mask": BY_DEMONSTRATION},
        ),
        FULL,
        "",
    ),
    "a_name_of_a_demonstration_with_another_value": (
        with_cell(
            "masked_softmax", "for lengths in lengths: pass\ndel hidden\npaper_scores = paper_scores / 2\n"
        ),
        FULL,
        NO_NOTE,
    ),
    "touched_demonstrations": (changed(touched(0, 20)), FULL, NO_NOTE),
    "an_earlier_one_missing": (
        changed(
            lambda nb: None, cells={"create_attention_mask": BY_DEMONSTRATION, "create_causal_mask": "pass"}
        ),
        full_marks(without=["create_causal_mask"]),
        "builds on create_causal_mask",
    ),
    "an_earlier_one_wrong": (
        changed(
            lambda nb: None,
            cells={
                "create_attention_mask": BY_DEMONSTRATION,
                "create_causal_mask": (
                    "def create_causal_mask(seq_len_q, seq_len_k=None, device=None):\n"
                    "    return torch.ones(seq_len_q, seq_len_k or seq_len_q, device=device).bool()"
                ),
            },
        ),
        full_marks(without=["create_causal_mask"]),
        "builds on create_causal_mask",
    ),
    "ready_made": (
        with_cell("softmax", "def unused(q):\n    return F.scaled_dot_product_attention(q, q, q)\n"),
        FULL,
        "Ready-made attention",
    ),
    "all_in_one_cell_that_ends_early": (changed(in_one_cell), FULL, "ModuleNotFoundError"),
    "helpers_of_one_name_without_tests": (changed(helpers_of_one_name, cells=HELPED), FULL, ""),
    "looks_for_anomalies": (
        changed(lambda nb: None, cells={"masked_softmax": NAN_ON_THE_WAY}),
        FULL,
        NO_NOTE,
    ),
    "asks_for_a_gpu": (with_cell("softmax", "torch.set_default_device('cuda')\n"), FULL, NO_NOTE),
    "begins_anew": (with_own("%reset -f"), FULL, NO_NOTE),
    "leaves": (with_own("exit()"), FULL, NO_NOTE),
    "tries_another_one_below_and_checks_it": (
        changed(own_cell_below("softmax", NAIVE + "\ncheck('softmax', softmax)   # what does it say?")),
        FULL,
        NO_NOTE,
    ),
    "tries_another_one_below_and_checks_it_in_the_next_cell": (
        changed(own_cell_below("softmax", NAIVE, "check('softmax', softmax).points")),
        FULL,
        NO_NOTE,
    ),
    "tries_another_one_below": (
        changed(
            own_cell_below(
                "create_causal_mask",
                (
                    "def create_causal_mask(seq_len_q, seq_len_k=None, device=None):\n"
                    "    return torch.ones(seq_len_q, seq_len_q).tril().bool()"
                ),
            )
        ),
        FULL,
        NO_NOTE,
    ),
    "tries_another_one_in_copies_below": (
        changed(copied_below("softmax", NAIVE)),
        full_marks(without=["softmax"]),
        "builds on softmax",
    ),
    "completes_a_helper_below": (
        changed(
            own_cell_below("masked_softmax", "Tools.softmax = softmax"),
            extra="class Tools:\n    pass",
            cells={"masked_softmax": answers()["masked_softmax"].replace("= softmax(", "= Tools.softmax(")},
        ),
        full_marks(without=["masked_softmax"]),
        NO_NOTE,
    ),
    "keeps_a_tool_beside_a_line_that_fails": (
        changed(
            own_cell_above(
                "masked_softmax", "TOOLS = {}", "import not_installed_here\nTOOLS['softmax'] = softmax"
            ),
            cells={
                "masked_softmax": answers()["masked_softmax"].replace("= softmax(", "= TOOLS['softmax'](")
            },
        ),
        FULL,
        "ModuleNotFoundError",
    ),
    "takes_the_output_of_a_command_apart": (
        changed(
            lambda nb: None,
            cells={"create_attention_mask": "first, *others = !pip list\n" + BY_DEMONSTRATION},
        ),
        FULL,
        "ValueError",
    ),
    "reads_the_output_of_commands": (
        with_cell(
            "softmax",
            (
                "files = !ls *.csv\n"
                "assert [file.upper() for file in files] == []\n"
                "assert files.s + files.n == ''\n"
                "!!ls\n"
                "same = %sx ls\n"
                "assert same.grep('csv') == files\n"
            ),
        ),
        FULL,
        NO_NOTE,
    ),
    "begun_in_its_cell_and_written_below_the_tests": (
        changed(begun_and_written_below),
        FULL,
        "before the solutions",
    ),
    "patched_below_its_test_by_a_decorator": (
        changed(
            lambda nb: patched_below(nb, "@add_to_class(cls=MultiHeadSelfAttention)\n", ADD_TO_CLASS, ""),
            lesson="03_self_attention",
        ),
        11.0,
        NO_NOTE,
    ),
    "patched_below_its_test_in_a_loop": (
        changed(
            lambda nb: patched_below(
                nb, sets="\n\nfor cls in [MultiHeadSelfAttention]: cls.forward = forward"
            ),
            lesson="03_self_attention",
        ),
        11.0,
        NO_NOTE,
    ),
    "patched_beside_a_loop_without_end": (
        changed(
            lambda nb: patched_below(
                nb, sets="\n\nMultiHeadSelfAttention.forward = forward\nwhile True: pass", offset=0
            ),
            lesson="03_self_attention",
        ),
        15.0,
        "",
    ),
    "asks_above_for_one_whose_cell_is_timed": (
        changed(
            own_cell_above("softmax", "smooth = yours('softmax')"),
            cells={
                "softmax": "%%time\n" + answers()["softmax"],
                "masked_softmax": answers()["masked_softmax"].replace("= softmax(", "= smooth("),
            },
        ),
        FULL,
        NO_NOTE,
    ),
    "asks_for_one_whose_cell_also_fails": (
        changed(
            lambda nb: None,
            cells={
                "softmax": "import not_installed_here\n" + answers()["softmax"],
                "masked_softmax": answers()["masked_softmax"].replace(
                    "= softmax(scores", "= yours('softmax')(scores"
                ),
            },
        ),
        FULL,
        "ModuleNotFoundError",
    ),
    "a_command_of_several_lines_in_its_cell": (
        changed(
            lambda nb: None,
            cells={
                "create_attention_mask": "!pip install -q einops \\\n    --upgrade \\\n    --user\n"
                + BY_DEMONSTRATION
            },
        ),
        FULL,
        NO_NOTE,
    ),
    "patched_below_its_test": (changed(patched_below, lesson="03_self_attention"), 11.0, NO_NOTE),
    "builds_on_a_wrong_one": (
        attends_by("", CORE.replace("attend(", "scaled_dot_product_attention(")),
        WITHOUT_ATTENTION,
        BUILDS_ON,
    ),
    "builds_on_a_wrong_one_by_another_name": (
        attends_by("attend = scaled_dot_product_attention"),
        WITHOUT_ATTENTION,
        BUILDS_ON,
    ),
    "builds_on_a_wrong_one_by_a_default": (
        attends_by("", CORE.replace("=None)", "=None, attend=scaled_dot_product_attention)")),
        WITHOUT_ATTENTION,
        BUILDS_ON,
    ),
    "builds_on_a_wrong_one_in_a_class": (
        attends_by(
            "class Tools:\n    attend = staticmethod(scaled_dot_product_attention)",
            CORE.replace("attend(", "Tools.attend("),
        ),
        WITHOUT_ATTENTION,
        BUILDS_ON,
    ),
    "builds_on_a_wrong_one_in_a_loop": (
        attends_by("attend, = [yours(name) for name in ['scaled_dot_product_attention']]"),
        WITHOUT_ATTENTION,
        BUILDS_ON,
    ),
    "builds_on_a_wrong_one_with_settings_of_its_own": (
        changed(
            own_cell_above(
                "multi_head_attention_core",
                "settings = {}",
                "settings['attend'] = lambda *all: scaled_dot_product_attention(*all)",
            ),
            lesson="02_split_concat",
            cells={
                "scaled_dot_product_attention": WRONG_SCALE,
                "multi_head_attention_core": CORE.replace("attend(", "settings['attend']("),
            },
        ),
        WITHOUT_ATTENTION,
        BUILDS_ON,
    ),
    "builds_on_a_wrong_one_with_other_parameters": (
        changed(
            lambda nb: None,
            lesson="02_split_concat",
            cells={
                "scaled_dot_product_attention": WRONG_SCALE.replace("mask", "hidden"),
                "multi_head_attention_core": CORE.replace("attend(", "scaled_dot_product_attention(")
                .replace(", mask)", ", hidden=mask)")
                .replace("K, V)), hidden", "K, V)), hidden"),
            },
        ),
        WITHOUT_ATTENTION,
        BUILDS_ON,
    ),
    "builds_on_a_wrong_one_with_other_parameters_that_it_asks_for": (
        attends_by(
            "attend = yours('scaled_dot_product_attention')",
            CORE.replace(", mask)", ", hidden=mask)"),
            WRONG_SCALE.replace("mask", "hidden"),
        ),
        WITHOUT_ATTENTION,
        BUILDS_ON,
    ),
    "builds_on_a_wrong_one_with_more_parameters": (
        attends_by(
            "",
            CORE.replace("attend(", "scaled_dot_product_attention(").replace(
                ", mask)", ", 0.0, mask=mask, training=False)"
            ),
            WRONG_SCALE.replace("mask=", "dropout=0.0, mask=").replace("=None)", "=None, training=True)"),
        ),
        WITHOUT_ATTENTION,
        BUILDS_ON,
    ),
    "builds_on_one_that_cannot_be_read": (
        attends_by("attend = scaled_dot_product_attention", piece=WRONG_SCALE.replace("=None)", "=None")),
        WITHOUT_ATTENTION,
        BUILDS_ON,
    ),
    "builds_on_a_wrong_one_in_a_module_of_its_own": (
        attends_by("from pieces import attend_heads as attend", piece=IN_A_MODULE),
        6.0,
        NO_NOTE,
    ),
    "tells_the_time_and_is_wrong_beside_a_wrong_one": (
        changed(
            lambda nb: None,
            cells={
                "softmax": "def softmax(x, dim=-1):\n    return x",
                "masked_softmax": (
                    "import time\n"
                    "def masked_softmax(scores, mask):\n"
                    "    print(time.perf_counter())\n"
                    "    return torch.softmax(scores, -1)"
                ),
            },
        ),
        full_marks(without=["softmax", "masked_softmax"]),
        NO_NOTE,
    ),
    "names_a_wrong_one_in_quotes": (
        changed(
            lambda nb: None,
            cells={
                "softmax": "def softmax(x, dim=-1):\n    return x",
                "masked_softmax": (
                    "def masked_softmax(scores, mask):\n"
                    "    return torch.softmax(scores, -1)\n"
                    "print('softmax')"
                ),
            },
        ),
        full_marks(without=["softmax", "masked_softmax"]),
        NO_NOTE,
    ),
    "lengths_of_another_width": (
        changed(
            lambda nb: None,
            cells={
                "create_padding_mask": (
                    "def create_padding_mask(lengths, max_len):\n"
                    "    return torch.arange(max_len, device=lengths.device) > lengths[:, None]"
                ),
                "create_attention_mask": (
                    "padding = create_padding_mask\n"
                    "create_padding_mask = lambda lengths, max_len: padding(lengths.int(), max_len)\n"
                )
                + answers()["create_attention_mask"],
            },
        ),
        full_marks(without=["create_padding_mask"]),
        "builds on create_padding_mask",
    ),
    "has_a_mistake_twice": (
        attends_by(WRONG_SCALE.replace("scaled_dot_product_attention", "attend")),
        6.0,
        NO_NOTE,
    ),
    "builds_on_one_that_is_not_written": (
        changed(
            lambda nb: None,
            cells={
                "create_causal_mask": (
                    "def create_causal_mask(seq_len_q, seq_len_k=None, device=None):\n"
                    "    raise NotImplementedError('Not written yet: put your code here.')"
                ),
                "create_causal_mask_with_cache": BY_CAUSAL,
            },
        ),
        full_marks(without=["create_causal_mask"]),
        "builds on create_causal_mask",
    ),
    "builds_on_a_wrong_additive_mask": (
        changed(
            lambda nb: None,
            cells={
                "to_additive_mask": (
                    "def to_additive_mask(mask, dtype=torch.float32):\n    return mask.to(dtype) * -torch.inf"
                ),
                "masked_softmax": BY_ADDITIVE,
            },
        ),
        full_marks(without=["to_additive_mask"]),
        "builds on to_additive_mask",
    ),
}
