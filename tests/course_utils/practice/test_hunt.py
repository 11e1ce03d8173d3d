"""bug_hunt(): what a learner sees, call by call, and what is recorded. Nothing raises."""

import random

import numpy as np
import pytest
import torch

from course_utils import bug_hunt
from course_utils.observe import limit
from course_utils.practice import log
from course_utils.practice.bugs import Hunter, next_name, run
from course_utils.practice.bugs.program import levels, load

NAMES = list(levels())
FUTURE, HEADS, MEAN = "future_hidden", "features_to_heads", "mean_of_real_tokens"
pytestmark = pytest.mark.usefixtures("clock")


def facts():
    return [(fact.name, fact.right) for fact in log.recall()]


@pytest.mark.parametrize(
    ("call", "arguments", "keywords", "sentence"),
    [
        ("__call__", ("futur",), {}, 'no program called "futur". `bug_hunt()` shows the next one.'),
        ("__call__", (7,), {}, "There is no program called 7."),
        ("__call__", (), {"level": "3"}, 'There is no level called "3". Choose from: 1, 2, 3, 4.'),
        ("__call__", (), {"level": True}, "There is no level called True."),
        ("found", (7,), {}, "No program is open: `bug_hunt()` shows the next one."),
        ("fix", ("x",), {}, "No program is open"),
        ("hint", (), {}, "No program is open"),
    ],
)
def test_a_bad_call_is_refused_in_one_sentence(output_of, call, arguments, keywords, sentence):
    out = output_of(getattr(bug_hunt, call), *arguments, **keywords)
    assert sentence in out
    assert len(out.splitlines()) == 1


@pytest.mark.parametrize(
    ("name", "arguments", "sentence"),
    [
        (FUTURE, {}, "also an input on which the result is wrong: `bug_hunt.found(7,"),
        (FUTURE, {"x": 1}, "The program takes `scores`: missing a required argument: 'scores'."),
        (FUTURE, {"scores": (2, 3)}, "Axis 1 of `scores` must be T, which is 2 here, but got 3."),
        (FUTURE, {"scores": np.ones((0, 0))}, "must be T, which is at least 1 here, but got 0."),
        (FUTURE, {"scores": (300, 300)}, "`scores` is too large: at most 200 along an axis"),
        (FUTURE, {"scores": np.ones((300, 300))}, "`scores` is too large: "),
        (FUTURE, {"scores": "a"}, '`scores` must be a (T, T) array of floats, but got "a".'),
        (HEADS, {"x": (2, 4)}, "takes `x`, `n_heads`: missing a required argument: 'n_heads'."),
        (HEADS, {"x": (2, 4), "n_heads": 3}, "has to be a multiple of `n_heads`."),
        (HEADS, {"x": (2, 4), "n_heads": 1.5}, "must be a whole number, at least 1, but got 1.5."),
        (MEAN, {"x": (2, 3, 1), "lengths": [1, 4]}, "from 1 to T, which is 3, but got [1, 4]."),
        (FUTURE, {"scores": np.eye(2) * 1j}, "array of floats, but got complex128 of shape (2, 2)."),
        ("low_enough", {"qkv": (2, 3, 4), "half": True}, "Axis 0 of `qkv` must be 3, but got 2."),
        ("low_enough", {"qkv": (3, 3, 4), "half": 2}, "`half` must be True or False, but got 2."),
        ("blended_after", {"V": (2, 2), "scores": (1, 2), "hide": [[True, 1]]}, "at least one key open."),
    ],
)
def test_a_bad_input_is_refused_with_the_expected_form(output_of, name, arguments, sentence):
    bug_hunt(name)
    out = output_of(bug_hunt.found, load(name).bugs[0].line, **arguments)
    assert sentence in out
    assert len(out.splitlines()) == 1
    assert bug_hunt.newest().tries == 0


def test_a_name_may_be_typed_in_any_case_with_spaces_or_hyphens(output_of):
    assert output_of(bug_hunt, " Features-to heads").startswith(f"Bug hunt: {load(HEADS).title}")


def test_a_whole_hunt_from_the_program_to_the_fix(output_of):
    out = output_of(bug_hunt)
    assert out.startswith("Bug hunt: Scores with the future hidden, in NumPy  (level 1 of 4)\n")
    assert "\n 7      out[cols > rows + 1] = -np.inf\n" in out
    out = output_of(bug_hunt.found, 7, scores=(1, 1))
    assert "does not show the bug: with one token there is no future." in out
    out = output_of(bug_hunt.found, 7, scores=(2, 2))
    assert out.startswith("Right: Scores with the future hidden")
    assert "this program: the result (2, 2)" in out
    assert facts() == [("hunt:future_hidden", True)]
    assert output_of(bug_hunt).splitlines()[-1].startswith("Now fix it")
    out = output_of(bug_hunt.fix, "out[cols >= rows] = -np.inf")
    assert "Not right on all inputs yet" in out
    assert "yours: the result (2, 2)" in out
    out = output_of(bug_hunt.fix, "    out[np.triu_indices(n, 1)] = float('-inf')")
    assert "It gives the right result on all 61 inputs that were tried." in out
    assert load(FUTURE).bugs[0].why in out
    assert "Bug hunt: Features" in output_of(bug_hunt)


def test_an_open_program_survives_a_new_kernel(output_of):
    bug_hunt(MEAN)
    bug_hunt.hint()
    hunter = Hunter()
    assert "Bug hunt: " in output_of(hunter)
    assert "It is line 6" in output_of(hunter.found, 6, (2, 3, 1), [1, 2])
    assert facts() == [(f"hunt:{MEAN}", False)]  # wrong because of the hint
    assert "right result" in output_of(Hunter().fix, "real = (place < lengths[:, None]).float()")


def test_a_hunt_of_november_2026_whose_events_name_no_bug_goes_on(output_of, place):
    start = (
        '{"v": 1, "key": "a", "event": "start", "program": "future_hidden", "when": "2026-03-01T11:00:00Z"}'
    )
    found = start.replace('"start", "program": "future_hidden"', '"try", "line": 7, "result": "found"')
    log.add_lines(place / ".progress" / "hunts.jsonl", [start, found])
    assert output_of(bug_hunt).splitlines()[-1].startswith("Now fix it")
    assert load(FUTURE).bugs[0].why in output_of(bug_hunt.fix, "out[cols > rows] = -np.inf")
    assert bug_hunt.newest().closed


def test_another_line_where_a_fix_works_counts_once_the_fix_is_shown(output_of):
    bug_hunt(MEAN)
    out = output_of(bug_hunt.found, 5, (2, 3, 1), [1, 2])
    assert 'If changing that line makes all results right, show it: `bug_hunt.fix("...", line=5)`.' in out
    assert "The input is good" in out
    out = output_of(bug_hunt.fix, "place = torch.arange(1, steps + 1).expand(batch, steps)", line=5)
    assert "With this change to line 5 the results are right." in out
    assert "It is line 5" in output_of(bug_hunt.found, 5, (2, 3, 1), [1, 2])
    bug_hunt(MEAN)
    assert "There is no planted bug in line 1." in output_of(bug_hunt.found, 1, (2, 3, 1), [1, 2])


def test_after_two_tries_a_hint_is_offered_and_hints_run_out(output_of):
    bug_hunt(FUTURE)
    assert "hint" not in output_of(bug_hunt.found, 4, scores=(1, 1))
    assert "`bug_hunt.hint()`" in output_of(bug_hunt.found, 4, scores=(4, 4))
    assert output_of(bug_hunt.hint) == "Look at lines 4 to 8.\n"
    for last in (False, True):
        out = output_of(bug_hunt.hint)
        assert out.startswith("An input that hides the bug: with one token")
        assert out.endswith("There are no more hints: `bug_hunt.skip()` shows the answer.\n") == last
    bug_hunt.found(7, scores=(4, 4))
    assert facts() == [("hunt:future_hidden", False)]


def test_a_program_without_a_bug_is_solved_by_calling_it_clean(output_of):
    bug_hunt("who_sees_whom")
    assert "On this input the result is right." in output_of(bug_hunt.found, 6, lengths=[1, 3], n=2, total=3)
    assert "Not right on all inputs yet." in output_of(bug_hunt.fix, "pass", line=1)
    same = load("who_sees_whom").lines[5]
    assert "they were right without it too: if you think there is no bug" in output_of(
        bug_hunt.fix, same, line=6
    )
    assert "There is no bug in it." in output_of(bug_hunt.clean)
    assert facts() == [("hunt:who_sees_whom", True)]
    assert output_of(bug_hunt.clean) == "This one is done: `bug_hunt()` shows the next one.\n"
    bug_hunt(FUTURE)
    assert "There is a bug in it: some input gives a wrong result." in output_of(bug_hunt.clean)


@pytest.mark.parametrize("name", NAMES)
def test_every_program_can_be_shown_and_skipped(output_of, name):
    program = load(name)
    out = output_of(bug_hunt, name)
    assert all(line in out for line in program.lines)
    assert all(f"`{argument}`: " in out for argument in program.inputs)
    assert ("It shows, for instance, with" in output_of(bug_hunt.skip)) == bool(program.bugs)
    assert facts() == [(f"hunt:{name}", False)]


def endless(scores):
    while True:
        pass


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ((), "First name the line and an input that shows the bug"),
        ((None,), "takes the right line in quotes, or your own `hide_future`, but got nothing."),
        ((7,), "but got 7."),
        (("out[",), "With this line the program cannot be parsed: SyntaxError: '[' was never closed"),
        (("return",), "Not right on all inputs yet."),
        (("def other(scores):", 3), "no longer defines `hide_future`."),
        (("pass", 99), "`line` must be a line number from 1 to 8, but got 99."),
        (("pass", 7.0), "`line` must be a line number from 1 to 8, but got 7.0."),
        (("pass", torch.ones(2)), "`line` must be a line number from 1 to 8, but got a Tensor."),
        ((lambda: 1,), "yours: TypeError: "),
        ((lambda scores: exit(),), "yours: SystemExit"),
        ((print,), "yours: None"),
        ((endless,), "yours: it did not finish in time"),
    ],
)
def test_a_wrong_or_unusable_fix_is_refused_with_the_reason(output_of, monkeypatch, answer, sentence):
    monkeypatch.setattr(limit, "SECONDS", 0.3)
    bug_hunt(FUTURE)
    if answer:
        bug_hunt.found(7, scores=(3, 3))
    printed = output_of(bug_hunt.fix, *answer)
    assert sentence in printed
    assert "right: it did not finish" not in printed


def test_a_whole_right_program_counts_as_a_fix(output_of):
    program = load("list_of_caches")
    bug_hunt(program.name)
    bug_hunt.found(program.bugs[0].line, keys=(2, 2, 1))
    assert "Right" in output_of(bug_hunt.fix, program.object_of(program.right_code))


def test_a_right_fix_that_gets_no_time_is_not_called_wrong(output_of, monkeypatch):
    bug_hunt(FUTURE)
    bug_hunt.found(7, scores=(3, 3))
    line = load(FUTURE).right_code.splitlines()[6]
    with monkeypatch.context() as patch:
        patch.setattr(run, "run", lambda *_: {"": run.OUT_OF_TIME})
        assert "The time ran out: only 0 of 61 inputs were tried" in output_of(bug_hunt.fix, line)
    assert "Right" in output_of(bug_hunt.fix, line)


def test_the_learners_input_and_random_state_are_unchanged(output_of):
    logits = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    random.seed(3), np.random.seed(3), torch.manual_seed(3)
    wanted = random.random(), np.random.rand(), torch.rand(1).item()
    random.seed(3), np.random.seed(3), torch.manual_seed(3)
    bug_hunt("the_best_few")
    assert "`logits` after the call" in output_of(bug_hunt.found, 6, k=1, logits=logits)
    assert (logits.tolist(), logits.requires_grad) == ([1, 2, 3], True)
    assert (random.random(), np.random.rand(), torch.rand(1).item()) == wanted


def test_due_programs_come_first_then_unasked_ones_also_within_a_level(output_of, clock):
    for number, name in enumerate(NAMES[:-1]):
        log.remember(log.Fact(f"hunt:{name}", log.now(), number not in (3, 5)))
        clock(minutes=1)
    assert next_name() == NAMES[-1]
    clock(hours=20)
    assert next_name() == NAMES[0]
    assert "level 3 of 4" in output_of(bug_hunt, level=3)
    first = bug_hunt.newest().key
    bug_hunt(level=3)
    assert bug_hunt.newest().key == first
    assert "level 1 of 4" in output_of(bug_hunt, level=1)
