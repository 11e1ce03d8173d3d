"""experiments/decoder.json is of today's model, and shows what part 6 says of it."""

import json
from pathlib import Path

import pytest

from experiments.decoder import SEEDS

ROOT = Path(__file__).resolve().parents[2]
RECORD = json.loads((ROOT / "experiments/decoder.json").read_text(encoding="utf-8"))


def test_every_training_is_recorded():
    assert set(RECORD) == {*map(str, SEEDS), "shipped"}


@pytest.mark.parametrize("row", RECORD.values(), ids=RECORD)
def test_every_model_uses_its_context_and_beats_what_counts(row):
    assert row["bits"] < row["tables"]["3"]
    context = list(row["by context"].values())
    assert context[0] - context[-1] > 0.4
    assert context[:6] == sorted(context[:6], reverse=True)


def test_the_page_says_what_the_trigram_of_the_whole_library_needs():
    lesson = (ROOT / "solutions/06_in_the_wild/06_in_the_wild.py").read_text(encoding="utf-8")
    assert f"it needs {RECORD['shipped']['tables']['3']:.2f} bits" in lesson
