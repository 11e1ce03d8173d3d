"""Lessons 2, 3, 5 and 6 quote the numbers that experiments/ recorded."""

import json
import re
import tomllib

import pytest

from experiments import libraries
from experiments.decoder import SEEDS as TRAINED
from tests.conftest import ROOT

LESSON, WILD = (next(ROOT.glob(f"solutions/{n}_*/*.py")).read_text(encoding="utf-8") for n in ("05", "06"))
SEEDS, DECODERS, WORLD, HEADS = (
    json.loads((ROOT / f"experiments/{name}.json").read_text())
    for name in ("limits", "decoder", "world", "heads")
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
    for row in DECODERS.values():
        context = [bits["all"] for bits in row["by context"].values()]
        assert context[-1] < row["ngrams"]["3"]["all"]
        assert context[0] - context[-1] > 0.4
        assert context[:6] == sorted(context[:6], reverse=True)


def test_lesson_6_says_from_how_many_tokens_on_a_decoder_beats_the_trigram():
    claim = "the shipped model from four tokens on, the small one from about 16"
    assert claim in " ".join(WILD.replace("\n#", " ").split())
    for name, row in DECODERS.items():
        trigram = row["ngrams"]["3"]["all"]
        wins = [int(length) for length, bits in row["by context"].items() if bits["all"] < trigram]
        assert wins[0] == (4 if name == "shipped" else 16), name


RECORDED = tomllib.loads(libraries.RECORD.read_text(encoding="utf-8"))


def test_each_cell_of_lesson_6_that_asks_for_a_library_has_a_record():
    assert [*RECORDED] == libraries.CALL.findall(WILD)


@pytest.mark.system
def test_lesson_6_prints_today_what_was_recorded_but_for_numbers():
    def shape(version, lines):
        return version.split()[0], re.sub(r"\d[\d.e+-]*", "0", lines)

    today = {name: shape(*printed) for name, printed in libraries.record().items()}
    assert today == {name: shape(kept["version"], kept["lines"]) for name, kept in RECORDED.items()}


def flat(lesson):
    """The lesson's text in one line."""
    (path,) = ROOT.glob(f"solutions/{lesson}_*/*.py")
    return " ".join(path.read_text(encoding="utf-8").replace("\n#", " ").split())


def right(records, question):
    return [seed["right"][question] for seed in records.values()]


def names_both(seed):
    """Has one head nearly all of its weight on who, and the other on how?"""
    who, how = seed["weight on"]["who"], seed["weight on"]["how"]
    return max(who) >= 0.93 and max(how) >= 0.98 and who.index(max(who)) != how.index(max(how))


def test_lesson_2_counts_the_seeds_in_which_two_heads_and_one_are_right():
    rows = {
        "| 2 | 800 | 0 to 11 |": WORLD["who and how"],
        "| 1 | 800 | 0 to 11 |": WORLD["one head for both"],
        "| 1 | 2000 | 0 to 5 |": WORLD["one head for both, 2000 steps"],
    }
    for row, seeds in rows.items():
        counts = [sum(share >= 0.98 for share in right(seeds, q)) for q in ("who", "how")]
        assert f"{row} {counts[0]} of {len(seeds)} | {counts[1]} of {len(seeds)}" in flat("02"), row
    shared = [seed for seed, record in WORLD["who and how"].items() if not names_both(record)]
    assert f"in seeds {' and '.join(shared)} they share it" in flat("02")


def test_lesson_3_says_how_often_the_subject_is_chosen_without_positions():
    seeds = WORLD["without positions"].values()
    shares = [100 * seed["subject"] / seed["sentences"] for seed in seeds]
    total = {seed["sentences"] for seed in seeds}.pop()
    claim = (
        f"in {len(seeds)} seeds, of {total} sentences with two animals, the subject's sound was chosen in "
    )
    assert f"{claim}{range_of(shares, '{:.0f}')} %, and the mood was right in all" in flat("03")
    assert min(right(WORLD["without positions"], "how")) == 1


def test_lesson_5_says_in_how_many_seeds_two_heads_and_one_learn_who_and_how():
    two = WORLD["who and how"]
    assert min(right(two, "who") + right(two, "how")) > 0.99
    assert sum(map(names_both, two.values())) == 10
    assert "all 12 seeds get at least 99 % right, and in 10 of them one head gives" in flat("05")
    rows = (
        ("two heads, 800 steps", two),
        ("one head, 800 steps", WORLD["one head for both"]),
        ("one head, 2000 steps", WORLD["one head for both, 2000 steps"]),
    )
    for words, records in rows:
        assert min(right(records, "who")) >= 0.99
        mood = right(records, "how")
        both = sum(share > 0.99 for share in mood)
        mood = ".99 or more" if min(mood) > 0.99 else range_of(mood)
        if mood.endswith("to 1.00"):
            mood = mood.removeprefix("0")
        assert f"| {words} | {len(records)} | .99 or more | {mood} | {both} |" in flat("05")
    (single,) = (seed for seed in WORLD["one head for both"].values() if seed["right"]["how"] > 0.99)
    on = single["weight on"]
    assert f"with {on['who'][0]:.2f} of its weight on the animal and {on['how'][0]:.2f} on".replace(
        "0.", "."
    ) in flat("05")


def test_lesson_5_quotes_what_two_seeds_do_without_a_head():
    shared, other = WORLD["who and how"]["5"], WORLD["who and how"]["3"]
    assert [share for off in other["head off"] for share in (off["how"],)] == [1, 1]
    for head, off in enumerate(shared["head off"]):
        row = f"| head {head} off | {off['who']:.2f} | {off['how']:.2f} |".replace("0.", ".")
        assert row in flat("05")


def test_lesson_5_quotes_the_record_of_the_helper_and_of_one_layer():
    shares = {seed: record["helper taken from keys"] for seed, record in HEADS["induction"].items()}
    assert f"| **keys** | **{shares['5']:.2f}** |".replace("0.", ".") in flat("05")
    assert f"| {range_of(shares.values())} |" in flat("05")
