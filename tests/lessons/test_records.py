"""Part 5 holds the numbers that experiments/limits.json and heads.json recorded."""

import json
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LESSON = (ROOT / "solutions/05_visualization/05_visualization.py").read_text(encoding="utf-8")
SEEDS = list(json.loads((ROOT / "experiments/limits.json").read_text(encoding="utf-8")).values())


def between(numbers, form="{:.2f}"):
    """The smallest and the largest as the page writes them: ".22 to .80"."""
    least, most = (form.format(end(numbers)) for end in (min, max))
    return " to ".join(text[1:] if text.startswith("0.") else text for text in (least, most))


def test_other_texts():
    flat = " ".join(LESSON.replace("\n#", " ").split())
    claim = "words of 3 and of 10 letters and up to 3 other letters between the copies still give .99 or more"
    assert f"{claim} in all 12 seeds" in flat
    for name in ("words of 3 letters", "words of 10 letters", "copies with gaps"):
        assert round(min(seed["right"][name] for seed in SEEDS), 2) >= 0.99, name
    assert 0.4 < min(seed["right"]["a letter twice, after it"] for seed in SEEDS) < 0.6


def test_without_a_head():
    rows = {
        "helper": ["helper"],
        "the other one of layer 0": ["other head of layer 0"],
        "one of the induction heads": ["induction head 0", "induction head 1"],
        "both induction heads": ["both induction heads"],
    }
    for words, names in rows.items():
        lengths = [
            seed["lengths"][name]["adds"] for seed in SEEDS for name in names if name in seed["lengths"]
        ]
        shares = [
            between([seed["right without"][name][kind] for seed in SEEDS for name in names])
            for kind in ("nothing", "its mean")
        ]
        length = f" {between(lengths, '{:.1f}')}" if lengths else ""
        assert f"# | {words} |{length} | {shares[0]} | {shares[1]} |" in LESSON


def test_the_helper_matters_most():
    for seed in SEEDS:
        for kind in ("nothing", "its mean"):
            left = {
                name: shares[kind] for name, shares in seed["right without"].items() if "both" not in name
            }
            assert min(left, key=left.get) == "helper"
