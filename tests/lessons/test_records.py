"""Part 5 holds the numbers that experiments/limits.json and heads.json recorded."""

import json
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LESSON = (ROOT / "solutions/05_visualization/05_visualization.py").read_text(encoding="utf-8")
SEEDS = list(json.loads((ROOT / "experiments/limits.json").read_text(encoding="utf-8")).values())

ORDER = json.loads((ROOT / "experiments/heads.json").read_text(encoding="utf-8"))["in_which_order"]


def between(numbers, form="{:.2f}"):
    """The smallest and the largest as the page writes them: ".22 to .80"."""
    least, most = (form.format(end(numbers)) for end in (min, max))
    return " to ".join(text[1:] if text.startswith("0.") else text for text in (least, most))


def test_other_texts():
    rows = {
        "as in training": "as in training",
        "words of 3 letters": "words of 3 letters",
        "words of 10 letters": "words of 10 letters",
        "words of 12 letters": "words of 12 letters",
        "1 to 3 other letters between the copies": "copies with gaps",
        "a letter twice in the word": "a letter twice",
        "only what follows that letter": "a letter twice, after it",
    }
    for words, name in rows.items():
        assert f"# | {words} | {between([seed['right'][name] for seed in SEEDS])} |" in LESSON


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


def test_values_of_the_first_token():
    heads = [seed["lengths"][f"induction head {head}"] for seed in SEEDS for head in (0, 1)]
    flat = " ".join(LESSON.replace("\n#", " ").split())
    first, mean = (
        between([head[name] for head in heads], "{:.1f}") for name in ("value of token 0", "values")
    )
    assert f"values are long, {first}; the mean over all tokens is {mean}" in flat


def test_the_order_in_which_jobs_are_found():
    steps = {job: [seed[job] for seed in ORDER.values()] for job in ("first", "previous", "last vowel")}
    first, previous, vowel = (between(found, "{}") for found in steps.values())
    flat = " ".join(LESSON.replace("\n#", " ").split())
    assert len(ORDER) == 12
    assert (
        f"to the first letter after {first} steps, to the previous letter after {previous}, "
        f"to the vowel after {vowel}."
    ) in flat
