"""The hunt in a small GPT: four bugs, each with a proof whatever else is wrong, and a KV cache to add."""

from itertools import combinations

import pytest
import torch

from course_utils import bug_hunt
from course_utils.practice import log
from course_utils.practice.bugs import with_line
from course_utils.practice.bugs.program import load, reason, right_lines
from course_utils.practice.bugs.run import difference, fault_of, object_of, run, run_both, versions
from tests.course_utils.practice.test_bugs import FIXES, draw_inputs

GPT, CACHED = load("a_small_gpt"), load("a_small_gpt_with_a_cache")
TRAINED, _, NEW = GPT.edges
PROOFS = dict(zip([bug.line for bug in GPT.bugs], [NEW, NEW, TRAINED, TRAINED], strict=True))
IDS = TRAINED["ids"].tolist()
pytestmark = pytest.mark.usefixtures("clock")


def states():
    """All ways to fix some of the bugs."""
    return [fixed for number in range(5) for fixed in combinations(GPT.bugs, number)]


def test_in_each_of_the_16_states_every_open_bug_has_a_proof():
    outcomes = {}
    for fixed in states():
        main = object_of(GPT.name, *right_lines(fixed).items())
        outcomes[frozenset(bug.line for bug in fixed)] = [run(GPT, main, proof) for proof in (NEW, TRAINED)]
    assert len(outcomes) == 16
    for fixed, own in outcomes.items():
        for bug in GPT.bugs:
            if bug.line not in fixed:
                number = int(PROOFS[bug.line] is TRAINED)
                assert difference(own[number], outcomes[fixed | {bug.line}][number]), (fixed, bug.line)


def test_each_bug_is_hidden_by_the_inputs_that_its_reasons_name():
    for bug, steps, ids in zip(GPT.bugs, (0, 0, 0, 1), ([[3]], [[3]], [[3, 1]], [[3, 1]]), strict=True):
        values, sizes = GPT.read(ids=ids, steps=steps)
        assert reason(bug, values, sizes)
        fixes = right_lines([other for other in GPT.bugs if other is not bug])
        assert difference(*run_both(GPT, values, fixes, [bug])) is None
        assert bug.why.endswith(".")


@pytest.mark.parametrize("kind", ["right", "wrong"])
def test_fixes_of_another_form_count_and_half_right_ones_do_not(kind):
    for line, text in FIXES[GPT.name][kind]:
        bug = next(bug for bug in GPT.bugs if line in bug.places)
        bugs = [bug, *(other for other in GPT.bugs if line in other.places and other is not bug)]
        faults = [fault_of(GPT, with_line(GPT, line, text, bug)) for bug in bugs]
        assert (None in faults) == (kind == "right"), (line, text, faults)


@pytest.mark.parametrize(
    ("line", "change"),
    [
        ("start = 0 if", "start = 0"),
        ("future = ", "future = torch.ones(T, k.shape[2], dtype=torch.bool).triu(1)"),
        ("k, v = (torch.cat", "k, v = (torch.cat([new, old], dim=2) for old, new in zip(past, (k, v)))"),
        ("new.append(past)", "new = [past] * LAYERS"),
        (
            "start = 0 if",
            "ids = ids if cache is None else torch.cat([cache.ids, ids], 1); start, cache = 0, None",
        ),
    ],
)
def test_a_wrong_cache_is_refused(line, change):
    number = next(n for n, text in enumerate(CACHED.lines, 1) if text.strip().startswith(line))
    assert fault_of(CACHED, CACHED.object_of(CACHED.code_with({number: change})))


class WithDict(versions(CACHED.name)[1]):
    """Keeps the keys and values of a call in a dictionary of its own."""

    def forward(self, ids, cache=None):
        logits, new = super().forward(ids, cache and cache["layers"])
        return logits, {"layers": new}


class ThatReadsAgain(versions(CACHED.name)[1]):
    """Caches the tokens, not their keys and values."""

    def forward(self, ids, cache=None):
        whole = ids if cache is None else torch.cat([cache, ids], 1)
        return super().forward(whole)[0][:, -ids.shape[1] :], whole


class ThatNeverBeginsAnew(versions(CACHED.name)[1]):
    """Keeps the cache itself, and goes on with it when a new text begins."""

    kept = None

    def forward(self, ids, cache=None):
        logits, self.kept = super().forward(ids, self.kept)
        return logits, None


def test_any_cache_counts_that_reads_every_token_once():
    assert fault_of(CACHED, versions(CACHED.name)[1]) is None
    assert fault_of(CACHED, WithDict) is None
    assert "tokens that `qkv` gets" in fault_of(CACHED, ThatReadsAgain)[1][0]
    assert "another text" in fault_of(CACHED, ThatNeverBeginsAnew)[1][0]
    trained, g = versions(GPT.name)[1](TRAINED["ids"], 0), draw_inputs(CACHED, 3)
    for values in g:  # independent of the follow-up's own code: the hunt's right model, in one pass
        cached = versions(CACHED.name)[1]()
        cached.load_state_dict(trained.state_dict())
        torch.testing.assert_close(cached(values["ids"])[0], trained(values["ids"]))


def test_a_layer_with_another_name_is_named():
    code = CACHED.code.replace("self.proj", "self.output")
    fault = fault_of(CACHED, CACHED.object_of(code))
    assert "no attribute `proj`" in fault[1][1]


def test_a_whole_hunt_from_four_bugs_to_the_cache(output_of):
    out = output_of(bug_hunt, GPT.name)
    assert "(level 4 of 4)" in out
    assert "Bugs to find: 4, each fixed before" in out
    assert "There is a bug in it" in output_of(bug_hunt.clean)
    assert "with one token there is no future." in output_of(bug_hunt.found, 21, ids=[[3]], steps=0)
    assert "There is no planted bug in line 48." in output_of(bug_hunt.found, 48, ids=[[3, 1]], steps=0)
    assert "It is line 21" in output_of(bug_hunt.found, 21, ids=[[3, 1]], steps=0)
    assert "takes the right line in quotes" in output_of(bug_hunt.fix, GPT.object_of(GPT.right_code))
    out = output_of(bug_hunt.fix, "scores = scores.masked_fill(future, -1e9)\nweights = scores.softmax(-1)")
    assert GPT.bugs[1].why in out
    assert "Bugs left: 3." in out
    out = output_of(bug_hunt)
    assert "21          scores = scores.masked_fill(future, -1e9)\n            weights =" in out
    assert "\n22          y = weights @ v" in out
    out = output_of(bug_hunt.found, 60, IDS, 20)
    assert "this program, the loss after training: " in out
    assert "that of this program with line 60 right and everything else as it stands." in out
    bug_hunt.fix(GPT.bugs[2].fixed)
    assert "would not be 0.1 lower after these steps" in output_of(bug_hunt.found, 61, IDS, 3)
    bug_hunt.found(61, IDS, 20)
    bug_hunt.fix(GPT.bugs[3].fixed)
    assert output_of(bug_hunt.hint) == "Look at lines 16 to 20.\n"
    bug_hunt.found(18, IDS, 0)
    out = output_of(bug_hunt.fix, GPT.bugs[0].fixed)
    assert "Now add a KV cache. Write a class `CachedGPT`" in out
    assert [fact.right for fact in log.recall()] == [False]  # there was a hint
    for call, arguments in ((bug_hunt.hint, ()), (bug_hunt.found, (18, IDS, 0))):
        assert "The bugs are fixed. What is left: `CachedGPT`" in output_of(call, *arguments)
    assert "takes your class `CachedGPT`, but got a CachedGPT" in output_of(
        bug_hunt.fix, versions(CACHED.name)[1]()
    )
    assert "now `bug_hunt.fix(...)` takes your class `CachedGPT`, but got 3." in output_of(bug_hunt.fix, 3)
    assert "`bug_hunt.fix(CachedGPT)`" in output_of(bug_hunt.found, 18, IDS, 0)
    assert "Not right on all inputs yet" in output_of(bug_hunt.fix, ThatReadsAgain)
    assert "It gives the right result on all" in output_of(bug_hunt.fix, WithDict)
    assert "This one is done" in output_of(bug_hunt.fix, WithDict)


def test_a_text_that_fixes_two_bugs_fixes_both(output_of):
    bug_hunt(GPT.name)
    bug_hunt.found(60, IDS, 20)
    out = output_of(bug_hunt.fix, f"optimizer.zero_grad()\n{GPT.bugs[2].fixed}")
    assert "Bugs left: 2." in out


def test_skip_shows_each_open_bug_and_then_a_cache(output_of):
    bug_hunt(GPT.name)
    out = output_of(bug_hunt.skip)
    assert all(bug.why in out and bug.fixed in out for bug in GPT.bugs)
    assert out.count("It shows, for instance, with") == 4
