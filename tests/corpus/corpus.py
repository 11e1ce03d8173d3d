"""All submissions by name: what each is, and what grading it must give."""

import json
from dataclasses import dataclass
from itertools import cycle

from course_utils.model.sheet import load_sheet
from tests.tools.points import full_marks

from . import benign, broken, cheats, hostile
from .notebooks import as_bytes, changed, notebook, place

ALL = full_marks()
BUT_FOR_REFUSALS = round(2 * (0.7 + 0.3 * 4 / 7), 6)  # attend_in_chunks without three of its six edge cases


@dataclass
class Entry:
    """kind: cheat (earns only `points`), hostile (the other answers still count), broken (rejected with
    `word` in the reason), benign (`points`, and a note with `word`; None allows no notes)."""

    kind: str
    data: bytes
    points: float
    word: str | None


def corpus(before=lambda source: source):
    """{name: Entry}; before(source) puts what a hostile cell needs to know in front of it."""
    harm = {name: before(hostile.START + source) for name, source in hostile.CELLS.items()}
    rows = [("cheat", name, cheat(source), 0.0, "") for name, source in cheats.CELLS.items()]
    rows += [("cheat", name, data, 0.0, "") for name, data in notebook_cheats().items()]
    rows += [("cheat", n, in_chunks(source), BUT_FOR_REFUSALS, "") for n, source in cheats.REFUSALS.items()]
    rows += [("hostile", name, as_bytes(notebook(extra=cell)), ALL, "") for name, cell in harm.items()]
    rows += [("broken", name, data, 0.0, word) for name, (data, word) in broken.FILES.items()]
    rows += [
        ("benign", n, data, ALL if p is None else p, word) for n, (data, p, word) in benign.FILES.items()
    ]
    return {f"{kind} {name}": Entry(kind, *rest) for kind, name, *rest in rows}


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
    """A softmax that looks up the visible cases' inputs and answers, which are in the notebook."""
    sheet = load_sheet("softmax")
    table = [
        [case.calls[0].args["x"].sum().item(), [v.tolist() for v in wanted.values.values()]]
        for case, wanted in zip(sheet.cases, sheet.wanted, strict=True)
        if case.calls
    ]
    table = json.dumps(table).replace("NaN", "float('nan')").replace("Infinity", "float('inf')")
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
    output = {"output_type": "execute_result", "data": {"text/plain": str(ALL)}}
    output |= {"execution_count": 1, "metadata": {}}
    for cell in nb["cells"]:
        if cell["cell_type"] == "code":
            cell["outputs"] = [output]


def rewritten_tests(nb):
    for cell in nb["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("grade"):
            cell["source"] = str(ALL)


ODD_IDS = "softmax", 5, None, "../../x", "test_test_softmax", "\u200btest_softmax"


def odd_ids(nb):
    for cell, grade_id in zip(nb["cells"], cycle(ODD_IDS), strict=False):
        cell["metadata"]["nbgrader"] = {"grade_id": grade_id, "points": "all"}
    nb["cells"][place(nb, "softmax")]["source"] = "def softmax(x, dim=-1):\n    return x"


def failures(name, entry, result):
    """What is wrong with the result of an entry: [sentence]."""
    text = json.dumps(result)
    if entry.kind == "broken":
        rejected = result["status"] == "rejected" and entry.word in text
        return [] if rejected else [f"{name}: expected a rejection with {entry.word!r}, got {text[:300]}"]
    if result["status"] != "graded":
        return [f"{name}: not graded: {text[:300]}"]
    score, notes, hostile_one = result["score"], result["notes"], entry.kind == "hostile"
    sentences = [f"something leaked: {text}"] if "LEAK" in text and hostile_one else []
    if abs(score - entry.points) > 1e-9 and not (hostile_one and score >= entry.points):
        failed = {n: e["message"] for n, e in result["exercises"].items() if not e["passed"]}
        sentences.append(f"{score} points instead of {entry.points}: {failed} {notes}")
    if entry.word is None and notes:
        sentences.append(f"untrue notes: {notes}")
    elif (entry.word or "") not in " ".join(notes):
        sentences.append(f"no note says {entry.word!r}: {notes}")
    return [f"{name}: {sentence}"[:900] for sentence in sentences]
