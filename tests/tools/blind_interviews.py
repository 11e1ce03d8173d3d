"""Programs by somebody who saw only the topics' names, tried: `python -m tests.tools.blind_interviews
FOLDER`.

FOLDER holds right/ and wrong/ with files called TOPIC_NUMBER.py, or files of cells called so. A program's
first line is `# entry: NAME`, the
function or class that is handed in; the second line of a wrong one may be `# mistake: ...`. Each file runs in
a process of its own.

How it counts: a program is handed in at the topic's first part. If a question is asked, each answer that the
card offers is tried. A wrong program that is right in the first part, such as one whose mistake lies in an
optional mask, is handed in at the later parts too: the first part that finds a mistake in it counts.
"""

import linecache
import multiprocessing
import re
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from course_utils.practice.interview.stages import judge_stage
from course_utils.practice.interview.topics import TOPICS
from tests.tools.cells import read_cells
from tests.tools.interviews import is_named

MISSING = (  # what any program gets that does not do the later part at all
    *("cache_unused", "padding_ignored", "no_cache"),
    *("no_mask", "too_long", "ready_made"),
)
# words of a question that are answered by yes
YES = "vector", "one_token", "new_only", "total", "as_returned"


def programs_of(cells):
    """[(name, source)] of a file of cells in tests/answers/interview."""
    return [(name, source) for name, _, source in read_cells(cells)]


def entry_of(stem, source):
    """What the source hands in; it is run as a module of its own name."""
    name = re.match(r"# entry: (\w+)", source)[1]
    module = type(sys)(stem)
    sys.modules[stem] = module
    lines = source.splitlines(keepends=True)
    linecache.cache[f"<{stem}>"] = len(source), None, lines, f"<{stem}>"  # as a notebook keeps it
    exec(compile(source, f"<{stem}>", "exec"), vars(module))
    return vars(module)[name]


def answers_to(question, problem):
    """Each way to answer a question that the card offers."""
    word = question[0]
    return [{word: True}] if word in YES else [{role: word} for role in problem.roles]


def tried(side, stem, source):
    """A row: file, topic, verdict, mistake, sentence, note."""
    topic = TOPICS[re.match(r"[a-z_]+(?=_\d)", stem)[0]]
    row = {"file": f"{side}/{stem}", "topic": topic.name}
    try:
        obj = entry_of(stem, source)
    except Exception as error:
        return row | {"verdict": "does not run", "mistake": "", "sentence": repr(error)}
    judgement, said, note = judge_stage(topic, 0, obj), {}, ""
    verdict = "accepted" if judgement.right else "refused"
    if judgement.question:
        answers = answers_to(judgement.question, topic.stages[0].problem())
        right = [said for said in answers if judge_stage(topic, 0, obj, said).right]
        verdict, note = ("asked, accepted" if right else "asked, refused"), f"{right}"
        said = right[0] if right else {}
        judgement = judge_stage(topic, 0, obj, asked=True)
    if "accepted" in verdict and side == "wrong":
        found = judged_later(topic, obj, said)
        if found:
            number, judgement = found
            verdict, note = "refused later", f"{note} part {number + 1}"
    sentence = judgement.sentences[0] if judgement.sentences else ""
    named = judgement.mistake if is_named(judgement) else ""
    if named == "ready_made":  # the rule names it, and not the mistake
        named = judgement.beside
        verdict = "ready-made, else right" if judgement.rest_right else verdict
    return row | {"verdict": verdict, "mistake": named, "sentence": sentence, "note": note}


def judged_later(topic, obj, said):
    """(number, Judgement) of the first later part that names a mistake, else of the first that sees wrong
    numbers; None where no later part finds anything."""
    found = []
    for number, stage in enumerate(topic.stages[1:], 1):
        later = judge_stage(topic, number, obj, said, asked=True) if stage.problem else None
        missing = later and later.mistake in MISSING
        if later and not later.right and not missing and (is_named(later) or later.read):
            found.append((number, later))
    return next((one for one in found if is_named(one[1])), found[0] if found else None)


def rows_of(folder):
    """The rows of a folder of files, or of files of cells."""
    programs = []
    for side in ("right", "wrong"):
        for path in sorted((folder / side).glob("*.py")):
            cells = programs_of(path) or [(path.stem, path.read_text())]
            programs += [(side, *one) for one in cells]
    with ThreadPoolExecutor(2) as pool:
        yield from pool.map(alone, programs)


def alone(program):
    """The row, worked out in a process of its own."""
    context = multiprocessing.get_context("fork")
    mine, theirs = context.Pipe()
    process = context.Process(target=lambda: theirs.send(tried(*program)))
    process.start()
    found = mine.recv() if mine.poll(150) else None
    if found is None:
        process.kill()
        found = {"file": "/".join(program[:2]), "topic": "", "verdict": "hung", "mistake": ""}
    process.join()
    return found


def main(folder, *_):
    rows = list(rows_of(Path(folder)))
    sides = {"right": ("accepted", "asked, accepted"), "wrong": ()}
    for topic in TOPICS:
        for side in sides:
            mine = [row for row in rows if row["topic"] == topic and row["file"].startswith(side)]
            counts = Counter(row["verdict"] for row in mine)
            named = f", {sum(bool(row['mistake']) for row in mine)} named" if side == "wrong" else ""
            print(f"{topic:15} {side:5} {len(mine):3}: {dict(counts)}{named}")
    for row in rows:
        side = row["file"].partition("/")[0]
        if row["verdict"] not in ("accepted",) if side == "right" else True:
            print(
                f"{row['file']}: {row['verdict']} {row.get('note', '')} {row['mistake'] or '-'}: "
                f"{row.get('sentence')}"
            )
    for side in sides:
        mine = [row for row in rows if row["file"].startswith(side)]
        named = sum(bool(row["mistake"]) and row["verdict"] != "accepted" for row in mine)
        print(side, len(mine), dict(Counter(row["verdict"] for row in mine)), "named", named)


if __name__ == "__main__":
    main(*sys.argv[1:])
