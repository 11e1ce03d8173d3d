"""`python -m tests.tools.interviews` writes record.json: how each sample program is accepted, or its card."""

import json
import linecache
import multiprocessing
import re
import sys
from pathlib import Path
from types import FunctionType

from course_utils.practice.interview.judge import check
from course_utils.practice.interview.topics import tables, topic
from tests.tools.cells import read_cells

FOLDER = Path(__file__).resolve().parents[1] / "answers" / "interview"
RECORD = FOLDER / "record.json"
FOLDERS = ("", "first_met", "held_out", "held_out_later")
NOT_DONE = ("ready_made", "no_end", "no_way")  # mistakes of a program that does not do a part at all


def programs(side):
    """[(id, topic, source)] of the right or the wrong programs."""
    for folder in FOLDERS:
        files = (FOLDER / folder / side).glob("*.py")
        for file in sorted(files, key=lambda file: list(tables()).index(file.stem)):
            for cell, _, source in read_cells(file):
                yield f"{folder or 'own'}/{side}/{file.stem}/{cell}", file.stem, source


def follow_ups():
    """Yield (id, topic, number of the part, is it right?, source) of the answers to follow-up questions."""
    for cell, verdict, source in read_cells(FOLDER / "followups.py"):
        name, part, _ = cell.split()
        yield f"followups/{cell}", name, int(part), verdict == "right", source


def submitted_object(identity, source):
    """The object that a program hands in: the name behind `# entry:`, else its last function or class."""
    place = re.sub(r"\W", "_", identity)
    module = type(sys)(place)
    sys.modules[place] = module
    linecache.cache[f"<{place}>"] = len(source), None, source.splitlines(keepends=True), f"<{place}>"
    exec(compile(source, f"<{place}>", "exec"), vars(module))
    if entry := re.match(r"# entry: (\w+)", source):
        return vars(module)[entry[1]]
    candidates = [value for value in vars(module).values() if isinstance(value, (FunctionType, type))]
    return [value for value in candidates if value.__module__ == place][-1]


def try_program(identity, name, source):
    """{taken: interface or ""; mistake; says: the card's sentence; part: where, if not at the first}. A wrong
    program that passes the first part is handed in at later parts too."""
    obj, part = submitted_object(identity, source), {}
    outcome = check(topic(name), 0, obj)
    if outcome.result.passed and "/wrong/" in identity:
        for number, later in enumerate(topic(name).parts):
            judged = check(topic(name), number, obj) if number and not later.question else outcome
            if is_telling(judged):
                outcome, part = judged, {"part": later.name}
                break
    if outcome.result.passed:
        return {"taken": outcome.way}
    by_line = outcome.line if "/right/" in identity and runs(identity, name, source, outcome.line) else ""
    return {"taken": by_line, "mistake": outcome.result.mistake or "", "says": outcome.result.message} | part


def is_telling(outcome):
    """Does it identify the mistake? "No effect" does not, if the program does not take that argument."""
    result = outcome.result
    is_identified = result.mistake or result.message.startswith("One of these")
    unused = re.search(r"`(\w+)` has no effect", result.message)
    takes = not unused or re.search(rf"(': '|=){unused[1]}\b", outcome.way)
    return not result.passed and is_identified and result.mistake not in NOT_DONE and takes


def runs(identity, name, source, line):
    """Is the program accepted with the line that the card printed?"""
    if not line or "..." in line:
        return False
    space = vars(sys.modules[re.sub(r"\W", "_", identity)])
    adapted = eval(line.removeprefix("interview.check(").removesuffix(")"), dict(space))
    return check(topic(name), 0, adapted).result.passed


def main():
    rows = [row for side in ("right", "wrong") for row in programs(side)]
    with multiprocessing.get_context("fork").Pool(2, maxtasksperchild=40) as pool:
        outcomes = pool.starmap(try_program, rows, chunksize=4)
    record = {identity: outcome for (identity, *_), outcome in zip(rows, outcomes, strict=True)}
    record = {"summary": summary(record)} | record
    lines = [f"{json.dumps(identity)}: {json.dumps(row)}" for identity, row in record.items()]
    RECORD.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    print(json.dumps(record["summary"], indent=1))


def summary(record):
    """Counts: programs accepted, by what kind of interface, and wrong ones whose mistake is identified."""
    right = [row for identity, row in record.items() if "/right/" in identity]
    wrong = [row for identity, row in record.items() if "/wrong/" in identity]
    by_line = [row for row in right if row["taken"].startswith("interview.check")]
    return {
        "right": len(right),
        "taken without help": sum(bool(row["taken"]) for row in right) - len(by_line),
        "taken by the printed line": len(by_line),
        "wrong": len(wrong),
        "wrong and taken": sum(bool(row["taken"]) for row in wrong),
        "wrong and named": sum(bool(row.get("mistake")) for row in wrong),
    }


if __name__ == "__main__":
    main()
