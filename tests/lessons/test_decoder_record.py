"""Part 6 holds the numbers that experiments/decoder.json recorded: they are as good as the lesson says."""

import json
from pathlib import Path

import pytest

from course_utils.wild.train import SIZE

ROOT = Path(__file__).resolve().parents[2]
RECORD = json.loads((ROOT / "experiments/decoder.json").read_text(encoding="utf-8"))
CHOICE = "1.0, 50"  # temperature, top-k
SEEDS, TABLES = list(RECORD["seeds"].values()), RECORD["tables"]
LESSON = (ROOT / "solutions/06_in_the_wild/06_in_the_wild.py").read_text(encoding="utf-8")
FLAT = " ".join(LESSON.replace("\n#", " ").split())


def between(numbers, form):
    """The smallest and the largest, as the page writes them: "1.62 to 1.66"."""
    least, most = form.format(min(numbers)), form.format(max(numbers))
    return least if least == most else f"{least} to {most}"


def test_the_record_is_of_this_model():
    assert len(SEEDS) == 3
    assert RECORD["size"] == vars(SIZE)


@pytest.mark.parametrize("row", SEEDS)
def test_every_seed_beats_both_tables_and_does_not_copy(row):
    assert row["bits"] < TABLES["pairs of characters"] - 0.8
    assert row["bits"] < TABLES["pairs of tokens"]
    judged = row["samples"][CHOICE]
    assert judged["words"] >= 0.8
    assert judged["longest copy"] < 30


def test_the_page_says_what_was_recorded():
    assert f"needed {between([row['bits'] for row in SEEDS], '{:.2f}')} bits per character" in FLAT
    assert f"{TABLES['pairs of tokens']:.2f} for pairs of tokens" in FLAT
    assert f"{TABLES['pairs of characters']:.2f} for pairs of characters" in FLAT
