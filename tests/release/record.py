"""Reads, writes and compares record files: outcomes are grouped by sentence, so that each is stored once."""

import json
import re
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
RECORDS = HERE / "records"
VISIBLE, SEEDS = "visible", (20260720, 11, 3)
DECIMALS = re.compile(r"\d+\.\d+(e[-+]?\d+)?|\d+e[-+]?\d+")
LOST_PROCESS = re.compile(
    r"Cells? \d+(, \d+)*( and \d+)? of the notebook \(text cells count too\) ended with a lost process"
)
CELLS = re.compile(r"\b([Cc]ells?) \d+(, \d+)*( and \d+)?")


class Outcome(NamedTuple):
    """What one implementation or submission gets for one exercise on one seed."""

    status: str
    points: float | None
    mistake: str | None
    sentence: str

    @classmethod
    def of(cls, status, points, mistake, sentence):
        """An Outcome without what varies between runs: decimals (they depend on the processor), when a lost
        process was noticed, and cell numbers (they change with the lessons).

        The newer statuses "error" (ended with an exception) and "one_left" (right values) count as "wrong".
        """
        sentence = comparable(sentence)
        points = None if points is None else round(points, 6)
        return cls("wrong" if status in ("error", "one_left") else status, points, mistake, sentence)

    def __str__(self):
        return f"{self.status} {self.points} {self.mistake or '-'}: {self.sentence}"


def comparable(sentence):
    """The sentence without what depends on the processor, the moment, packages or the lesson's version."""
    sentence = LOST_PROCESS.sub("Some cells ended with a lost process", DECIMALS.sub("#", sentence))
    # protobuf, which onnx installs, provides `google`: then only `google.colab` is missing
    return CELLS.sub(r"\1 #", sentence.replace("'google.colab'", "'google'"))


def write(name, outcomes):
    """Write {(who, seed): Outcome} as {sentence: {"status points mistake": {who: "seeds"}}}."""
    result = {}
    for (who, seed), outcome in sorted(outcomes.items(), key=str):
        kind = f"{outcome.status} {outcome.points} {outcome.mistake or '-'}"
        labels = result.setdefault(outcome.sentence, {}).setdefault(kind, {})
        labels[who] = f"{labels[who]} {seed}" if who in labels else str(seed)
    text = json.dumps(result, indent=1, sort_keys=True, ensure_ascii=False)
    RECORDS.mkdir(exist_ok=True)
    (RECORDS / f"{name}.json").write_text(text + "\n", encoding="utf-8")


def read(name):
    """{(who, seed): Outcome} of a record; the seed is a string."""
    path = RECORDS / f"{name}.json"
    content = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    result = {}
    for sentence, kinds in content.items():
        for kind, people in kinds.items():
            status, points, mistake = kind.split()
            points, mistake = None if points == "None" else float(points), None if mistake == "-" else mistake
            outcome = Outcome(status, points, mistake, comparable(sentence))
            result |= {(who, seed): outcome for who, seeds in people.items() for seed in seeds.split()}
    return result


def differences(recorded, result):
    """{(who, was, now): seeds} of all outcomes that differ; "nothing" is a missing one."""
    differing = {}
    for who, seed in sorted(recorded.keys() | result.keys()):
        was, now = recorded.get((who, seed), "nothing"), result.get((who, seed), "nothing")
        if was != now:
            differing.setdefault((who, str(was), str(now)), []).append(seed)
    return differing
