"""All submissions by name: what they are, and what must come of them."""

import json
from dataclasses import dataclass

from course_utils.model.sheet import load_sheet
from tests.tools.points import full_marks

from . import benign, broken, cheats, hostile
from .notebooks import as_bytes, changed, notebook, place

ALL = full_marks()
BUT_FOR_REFUSALS = round(2 * (0.7 + 0.3 * 4 / 7), 6)  # attend_in_chunks without three of its six edges


@dataclass
class Entry:
    """kind: cheat (no points, or the `points` of what is right in it), hostile (the rest still counts),
    broken (rejected with `word`), benign (`points`, and a note with `word`, or no note where that is
    None)."""

    kind: str
    data: bytes
    points: float = 0.0
    word: str = ""


def corpus(before=lambda source: source):
    """{name: Entry}; before(source) puts what a hostile cell has to know in front of it."""
    found = {f"cheat {name}": Entry("cheat", cheat(source)) for name, source in cheats.CELLS.items()}
    found |= {f"cheat {name}": Entry("cheat", data) for name, data in notebook_cheats().items()}
    found |= {
        f"cheat {name}": Entry("cheat", in_chunks(source), BUT_FOR_REFUSALS)
        for name, source in cheats.REFUSALS.items()
    }
    for name, source in hostile.CELLS.items():
        found[f"hostile {name}"] = Entry(
            "hostile", as_bytes(notebook(extra=before(hostile.START + source))), ALL
        )
    found |= {
        f"broken {name}": Entry("broken", data, word=word) for name, (data, word) in broken.FILES.items()
    }
    for name, (data, points, word) in benign.FILES.items():
        found[f"benign {name}"] = Entry("benign", data, ALL if points is None else points, word)
    return found


def cheat(source):
    return as_bytes(notebook({"softmax": source}, solved=False))


def in_chunks(source):
    return as_bytes(notebook({"attend_in_chunks": source}, solved=False, lesson="04_kv_cache"))


def notebook_cheats():
    """Cheats that are not in a cell's text."""
    return {
        "visible_answers_learnt_by_heart": cheat(by_heart()),
        "tests_skipped": changed(skip_tests, solved=False),
        "points_in_the_file": changed(hundred_points, solved=False),
        "outputs_in_the_file": changed(full_outputs, solved=False),
        "test_cells_rewritten": changed(rewritten_tests, solved=False),
        "tests_deleted": changed(lambda nb: nb["cells"].__delitem__(place(nb, "test_softmax")), solved=False),
        "odd_grade_ids": changed(odd_ids, solved=False),
        "raises_where_it_must": in_chunks(cheats.RAISES_WHERE_IT_MUST),
    }


def by_heart():
    """The visible cases' inputs and answers, as a student can read them in the notebook."""
    sheet = load_sheet("softmax")
    known = [
        [case.calls[0].args["x"].sum().item(), [v.tolist() for v in wanted.values.values()]]
        for case, wanted in zip(sheet.cases, sheet.wanted, strict=True)
        if case.calls
    ]
    table = json.dumps(known).replace("NaN", "float('nan')").replace("Infinity", "float('inf')")
    return (
        f"KNOWN = {table}\n"
        "def softmax(x, dim=-1):\n"
        "    for total, values in KNOWN:\n"
        "        if abs(total - x.sum().item()) < 1e-6:\n"
        "            return torch.tensor(values[0], dtype=x.dtype)\n"
        "    return x"
    )


def skip_tests(nb):
    for cell in nb["cells"]:
        cell["metadata"].setdefault("tags", []).append("skip-execution")


def hundred_points(nb):
    for cell in nb["cells"]:
        if "nbgrader" in cell["metadata"]:
            cell["metadata"]["nbgrader"].update(points=100, grade=True, solution=False, schema_version=3)


def full_outputs(nb):
    output = {
        "output_type": "execute_result",
        "data": {"text/plain": str(ALL)},
        "execution_count": 1,
        "metadata": {},
    }
    for cell in nb["cells"]:
        if cell["cell_type"] == "code":
            cell["outputs"] = [output]


def rewritten_tests(nb):
    for cell in nb["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("grade"):
            cell["source"] = str(ALL)


def odd_ids(nb):
    for number, cell in enumerate(nb["cells"]):
        cell["metadata"]["nbgrader"] = {
            "grade_id": ["softmax", 5, None, "../../x", "test_test_softmax", "\u200btest_softmax"][
                number % 6
            ],
            "points": "all",
        }
    nb["cells"][place(nb, "softmax")]["source"] = "def softmax(x, dim=-1):\n    return x"


def failures(name, entry, result):
    """What is wrong with this result: [sentence]."""
    text = json.dumps(result)
    found = [f"{name}: something leaked: {text[:600]}"] if "LEAK" in text and entry.kind == "hostile" else []
    if entry.kind == "broken":
        if result["status"] != "rejected" or entry.word not in text:
            found.append(f"{name}: expected a rejection with {entry.word!r}, got {text[:300]}")
        return found
    if result["status"] != "graded":
        return [f"{name}: not graded: {text[:300]}"]
    if abs(result["score"] - entry.points) > 1e-9 and not (
        entry.kind == "hostile" and result["score"] >= entry.points
    ):
        lost = {n: e["message"] for n, e in result["exercises"].items() if not e["passed"]}
        found.append(
            f"{name}: {result['score']} points instead of {entry.points}: {lost} {result['notes']}"[:900]
        )
    if entry.word is None and result["notes"]:
        found.append(f"{name}: untrue notes: {result['notes']}")
    elif (entry.word or "") not in " ".join(result["notes"]):
        found.append(f"{name}: no note says {entry.word!r}: {result['notes']}")
    return found
