"""Lessons 5 and 6 quote the numbers that experiments/ recorded."""

import json

from experiments.decoder import SEEDS as TRAINED
from tests.conftest import ROOT

LESSON, WILD = (next(ROOT.glob(f"solutions/{n}_*/*.py")).read_text(encoding="utf-8") for n in ("05", "06"))
SEEDS, DECODERS = (
    json.loads((ROOT / f"experiments/{name}.json").read_text()) for name in ("limits", "decoder")
)
WITHOUT = {
    "helper": ["helper"],
    "the other one of layer 0": ["other head of layer 0"],
    "one of the induction heads": ["induction head 0", "induction head 1"],
    "both induction heads": ["both induction heads"],
}


def range_of(numbers, form="{:.2f}"):
    """The smallest and the largest number as the page writes them: ".22 to .80"."""
    return " to ".join(form.format(end(numbers)).removeprefix("0") for end in (min, max))


def test_the_lesson_quotes_the_recorded_accuracy_on_other_texts():
    flat = " ".join(LESSON.replace("\n#", " ").split())
    claim = "words of 3 and of 10 letters and up to 3 other letters between the copies still give .99 or more"
    assert f"{claim} in all 12 seeds" in flat
    for seed in SEEDS.values():
        right = seed["right"]
        names = "words of 3 letters", "words of 10 letters", "copies with gaps"
        assert min(right[name] for name in names) > 0.985
    assert 0.4 < min(seed["right"]["a letter twice, after it"] for seed in SEEDS.values()) < 0.6


def test_the_lessons_table_of_ablated_heads_equals_the_record():
    for words, names in WITHOUT.items():
        rows = [(seed, name) for seed in SEEDS.values() for name in names]
        lengths = [seed["lengths"][name]["adds"] for seed, name in rows if name in seed["lengths"]]
        length = f" {range_of(lengths, '{:.1f}')}" if lengths else ""
        shares = [
            range_of([seed["right without"][name][kind] for seed, name in rows])
            for kind in ("nothing", "its mean")
        ]
        assert f"# | {words} |{length} | {shares[0]} | {shares[1]} |" in LESSON


def test_every_recorded_decoder_uses_its_context_and_beats_the_trigram():
    assert set(DECODERS) == {*map(str, TRAINED), "shipped"}
    assert f"it needs {DECODERS['shipped']['tables']['3']:.2f} bits" in WILD
    for row in DECODERS.values():
        context = list(row["by context"].values())
        assert row["bits"] < row["tables"]["3"]
        assert context[0] - context[-1] > 0.4
        assert context[:6] == sorted(context[:6], reverse=True)
