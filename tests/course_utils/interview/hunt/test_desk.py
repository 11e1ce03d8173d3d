"""What a learner calls: every call says something, none raises, and what happened is remembered."""

import json
import random
import time
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
import torch

from course_utils.observe import limit
from course_utils.practice import memory
from course_utils.practice.interview.hunt import bug_hunt as public
from course_utils.practice.interview.hunt import desk, hunter, kind
from course_utils.practice.interview.hunt.desk import Hunter
from course_utils.practice.interview.hunt.files import load, names
from course_utils.practice.interview.hunt.inputs import floats

START = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def clock(tmp_path, monkeypatch):
    """A lesson's folder, a kernel that was just started, and a clock that stands still until it is set."""
    folder = tmp_path / "08_interview"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setattr(memory, "_not_kept", [])
    times = {"now": START}
    for module in (desk, hunter):
        monkeypatch.setattr(module, "now", lambda: times["now"])

    def later(**by):
        times["now"] += timedelta(**by)

    later.file = folder / ".progress" / "predictions.jsonl"
    return later


@pytest.fixture
def hunt():
    return Hunter()


@pytest.fixture
def said(capsys):
    """What a call prints; it returns nothing."""

    def said(action, *given, **named):
        assert action(*given, **named) is None
        return capsys.readouterr().out

    return said


def facts(clock):
    lines = clock.file.read_text().splitlines() if clock.file.exists() else []
    return [(fact["name"], fact["right"]) for fact in map(json.loads, lines)]


# ---- what is refused


@pytest.mark.parametrize("call", ["found", "clean", "fix", "hint", "skip", "show"])
def test_without_a_program_a_call_says_how_one_is_shown(hunt, said, call):
    assert said(getattr(hunt, call)) == "No program is open: `bug_hunt()` shows the next one.\n"


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (("future_hiden",), 'Did you mean "future_hidden"?'),
        ((7,), "There is no program called 7."),
        (([1],), "There is no program called [1]."),
        ((None, 0), "`minutes` is a number above 0 and at most 600, and 0 came"),
        ((None, "5"), 'and "5" came'),
    ],
)
def test_what_cannot_be_shown_gets_one_sentence(hunt, said, given, sentence):
    out = said(hunt, *given)
    assert sentence in out
    assert len(out.splitlines()) == 1


ONE_SENTENCE = [
    ((), {}, "`line` is the number of a line, from 1 to 8, and nothing came."),
    ((0,), {}, "and 0 came"),
    ((9,), {}, "from 1 to 8, and 9 came"),
    (("7",), {}, 'and "7" came'),
    ((True,), {}, "and True came"),
    ((2,), {"scores": (3, 3)}, "Line 2 is empty."),
    ((7,), {}, "Give an input as well"),
    ((7, {}), {}, "`scores` is missing: the program takes `scores`."),
    ((7, (3, 3), 2), {}, "The program takes 1 arguments, and 2 came."),
    ((7,), {"x": (3, 3)}, "The program takes `scores`, and no `x`."),
    ((7,), {"scores": (3, 3), "mask": 1}, "and no `mask`."),
    (
        (7,),
        {"scores": (3, 4)},
        "Axis 1 of `scores` is T, which is 3 here, and 4 came.",
    ),
    ((7,), {"scores": (3,)}, "`scores` is a (T, T) array of floats, and (3,) came."),
    ((7,), {"scores": torch.ones(3)}, "and the shape (3,) came."),
    ((7,), {"scores": torch.ones(0, 0)}, "`scores` has no entries"),
    ((7,), {"scores": torch.ones(3, 3).bool()}, "and torch.bool came."),
    ((7,), {"scores": "scores"}, "and 'scores' came."),
    ((7,), {"scores": None}, "and None came."),
    ((7,), {"scores": [[1], [2, 3]]}, "and [[1], [2, 3]] came."),
    ((7,), {"scores": (10_000, 10_000)}, "`scores` is too large"),
    ((7,), {"scores": torch.ones(1).expand(10_000, 10_000)}, "`scores` is too large"),
]


@pytest.mark.parametrize(("given", "named", "sentence"), ONE_SENTENCE)
def test_an_input_that_is_not_valid_gets_one_sentence_and_is_no_try(hunt, said, given, named, sentence):
    said(hunt, "future_hidden")
    out = said(hunt.found, *given, **named)
    assert sentence in out
    assert len(out.splitlines()) == 1
    assert hunt._hunt.tries == 0


@pytest.mark.parametrize(
    ("name", "given", "sentence"),
    [
        ("features_to_heads", {"x": (2, 3), "n_heads": 2}, "has to be a multiple of `n_heads`."),
        (
            "features_to_heads",
            {"x": (2, 4), "n_heads": 0},
            "`n_heads` is a whole number, at least 1",
        ),
        ("features_to_heads", {"x": (2, 4), "n_heads": 1.5}, "and 1.5 came."),
        ("mean_of_real_tokens", {"x": (2, 3, 2), "lengths": [1, 4]}, "from 1 to T, which is 3: [1, 4] came."),
        (
            "mean_of_real_tokens",
            {"x": (2, 3, 2), "lengths": [1.5, 2]},
            "whole numbers from 1 to T, and [1.5, 2] came",
        ),
        (
            "mean_of_real_tokens",
            {"x": (2, 3, 2), "lengths": [1]},
            "Axis 0 of `lengths` is B, which is 2 here, and 1 came.",
        ),
        (
            "dropped_weights",
            {"scores": (2, 2), "V": (2, 2), "p": 1, "training": True},
            "`p` is a number from 0 to 0.9",
        ),
        (
            "dropped_weights",
            {"scores": (2, 2), "V": (2, 2), "p": 0.1, "training": 1},
            "`training` is True or False, and 1",
        ),
        (
            "blended_after",
            {"V": (2, 2), "scores": (1, 2), "hide": [[2, 0]]},
            "a (Tq, Tk) tensor of True and False",
        ),
        (
            "blended_after",
            {"V": (2, 2), "scores": (1, 2), "hide": [[True, 1]]},
            "has to leave at least one key open.",
        ),
    ],
)
def test_each_argument_says_what_it_wants(hunt, said, name, given, sentence):
    said(hunt, name)
    out = said(hunt.found, 4, **given)
    assert sentence in out
    assert len(out.splitlines()) == 1


def test_an_input_on_which_both_versions_raise_is_no_try(hunt, said):
    said(hunt, "rows_times_matrix")
    out = said(hunt.found, 8, W=torch.ones(2, 2).double(), x=torch.ones(3, 2))
    assert out.startswith("This input is none that the program can take: both versions end with RuntimeError")
    assert hunt._hunt.tries == 0


# ---- the way through


def test_from_the_program_to_the_fix(hunt, said, clock):
    out = said(hunt)
    assert out.startswith("Bug hunt: Scores with the future hidden, in NumPy  (level 1 of 3)\n")
    assert "\n7      out[cols > rows + 1] = -np.inf\n" in out
    out = said(hunt.found, 7, scores=(1, 1))
    assert (
        "both versions give the same, so it does not show the bug: with one token there is no future." in out
    )
    out = said(hunt.found, 7, scores=(2, 2))
    assert out.startswith("Right: Scores with the future hidden")
    assert "this program (2, 2)" in out
    assert "The key right after" not in out
    assert facts(clock) == [("hunt:future_hidden", True)]
    assert said(hunt).splitlines()[-1].startswith("Now mend it")
    out = said(hunt.fix, "out[cols >= rows] = -np.inf")
    assert "Not on all inputs yet" in out
    assert "yours (2, 2)" in out
    out = said(hunt.fix, "    out[np.triu_indices(n, 1)] = float('-inf')")
    assert "It gives what is right, on your input and on 60 random ones." in out
    assert "The key right after the query stays open" in out
    assert facts(clock) == [("hunt:future_hidden", True)]
    assert "Bug hunt: Features dealt out to heads" in said(hunt)


def test_a_wrong_line_is_nudged_and_after_two_a_hint_is_offered(hunt, said, clock):
    said(hunt, "future_hidden")
    out = said(hunt.found, 6, scores=(1, 1))
    assert "There is no bug in line 6, and on this input the result is right." in out
    assert "hint" not in out
    out = said(hunt.found, 5, scores=(4, 4))
    assert "There is no bug in line 5. The input is good: on it the result is wrong." in out
    assert "`bug_hunt.hint()`" in out
    assert said(hunt.hint) == "Look at lines 4 to 8.\n"
    assert said(hunt.hint) == "An input on which it does not show: with one token there is no future.\n"
    assert "Right" in said(hunt.found, 7, scores=(4, 4))
    assert facts(clock) == [("hunt:future_hidden", False)]


def test_after_the_last_hint_it_is_said_where_the_answer_is(hunt, said):
    hunt("one_pass")
    for _ in range(2):
        assert "no further hint" not in said(hunt.hint)
    assert said(hunt.hint).endswith("There is no further hint: `bug_hunt.skip()` shows the answer.\n")


def test_what_asks_a_program_says_what_comes_after_it(hunt, said):
    then = "`mock_interview.next()` goes on."
    hunt.ask("one_pass", then)
    assert said(hunt.skip).endswith(then + "\n")
    assert said(hunt.skip) == f"This one is done: {then}\n"


def test_a_program_that_is_asked_again_is_shown_as_it_is_now(hunt, said):
    hunt.ask("one_pass")
    hunt.skip()
    began = hunt._hunt.start
    assert said(hunt.ask, "one_pass", since=began).endswith("`bug_hunt()` shows the next one.\n")
    later = began + timedelta(seconds=1)
    assert "`bug_hunt.found(LINE" in said(hunt.ask, "one_pass", since=later)  # begun before: a new try


def test_a_hint_makes_it_a_miss(hunt, clock):
    hunt("future_hidden")
    hunt.hint()
    hunt.found(7, scores=(3, 3))
    assert facts(clock) == [("hunt:future_hidden", False)]


@pytest.mark.parametrize("name", names())
def test_a_hint_leaves_a_few_lines_with_the_bug_among_them(name):
    program = load(name)
    first, last = hunter.Hunt(program).region()
    assert 1 <= first <= last <= len(program.lines)
    assert last - first <= 4
    assert not program.bug or first <= program.bug <= last


def test_a_program_without_a_bug(hunt, said, clock):
    said(hunt, "who_sees_whom")
    out = said(hunt.found, 6, lengths=[1, 3], n=2, total=3)
    assert "There is no bug in line 6, and on this input the result is right." in out
    assert "There is no bug in it." in said(hunt.clean)
    assert facts(clock) == [("hunt:who_sees_whom", True)]
    assert "This one is done" in said(hunt.found, 6, lengths=[1], n=1, total=1)


def test_clean_is_a_wrong_try_where_there_is_a_bug(hunt, said, clock):
    said(hunt, "future_hidden")
    assert "There is a bug in it: some input gives a wrong result." in said(hunt.clean)
    hunt.clean()
    hunt.found(7, scores=(3, 3))
    assert facts(clock) == [("hunt:future_hidden", False)]


@pytest.mark.parametrize("name", ["future_hidden", "who_sees_whom"])
def test_giving_up_shows_the_answer_and_is_remembered(hunt, said, clock, name):
    said(hunt, name)
    out = said(hunt.skip)
    if name == "who_sees_whom":
        assert "There is no bug in it." in out
    else:
        assert "- out[cols > rows + 1] = -np.inf\n+ out[cols > rows] = -np.inf" in out
        assert "It shows, for instance, with `scores` of shape (2, 2)" in out
    assert facts(clock) == [(f"hunt:{name}", False)]
    assert "This one is done" in said(hunt.skip)


@pytest.mark.parametrize("name", names())
def test_every_program_can_be_shown_and_given_up(hunt, said, name):
    program = load(name)
    out = said(hunt, name)
    assert all(line in out for line in program.lines)
    assert all(f"  {argument}: " in out for argument in program.inputs)
    assert ("It shows, for instance, with" in said(hunt.skip)) == bool(program.bug)


@pytest.mark.parametrize("n", [2, 2.0, np.int64(2), torch.tensor(2), np.array([2])])
def test_a_number_may_be_any_kind_of_number(hunt, said, n):
    said(hunt, "features_to_heads")
    assert "Right" in said(hunt.found, 8, x=(2, 4), n_heads=n)


@pytest.mark.parametrize(
    "n", [None, "2", torch.ones(2), np.ones((2, 2)), [2], True, torch.tensor(1.5), float("inf"), float("nan")]
)
def test_what_is_no_number_gets_one_sentence(hunt, said, n):
    said(hunt, "features_to_heads")
    out = said(hunt.found, 8, x=(2, 4), n_heads=n)
    assert out.startswith("`n_heads` is a whole number, at least 1, and ")
    assert len(out.splitlines()) == 1


def test_leaving_the_fix_is_no_miss(hunt, clock):
    hunt("future_hidden")
    hunt.found(7, scores=(3, 3))
    hunt.skip()
    assert facts(clock) == [("hunt:future_hidden", True)]


# ---- fixes


def test_any_right_fix_counts(hunt, said):
    def mine(table):
        return np.where(np.tri(len(table)) > 0, table, -np.inf).astype(table.dtype)

    hunt("future_hidden")
    said(hunt.found, 7, scores=(3, 3))
    assert "Right" in said(hunt.fix, mine)


def test_results_that_are_lists_of_rows_are_shown_as_tables(hunt, said):
    said(hunt, "band_of_keys")
    out = said(hunt.found, 5, 3, 1)
    assert "this program (3, 3)\n  1 0 0\n  1 1 0\n  0 1 1\nright (3, 3)\n  1 0 0\n  0 1 0\n  0 0 1\n" in out


def test_an_axis_of_a_fixed_size_is_checked(hunt, said):
    said(hunt, "low_enough")
    assert said(hunt.found, 9, (2, 3, 4), True) == "Axis 0 of `qkv` is 3, and 2 came.\n"


def test_a_class_is_fixed_by_a_class(hunt, said):
    class Mine:
        def __init__(self, n):
            self.kept = {}

        def add(self, layer, key):
            self.kept.setdefault(layer, []).append(key)

        def keys_of(self, layer):
            return torch.stack(self.kept[layer])

    hunt("list_of_caches")
    said(hunt.found, 5, keys=(2, 2, 1))
    assert "Right" in said(hunt.fix, Mine)


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (None, "takes the right line as a text in quotes, or your own `hide_future`, and nothing came."),
        (7, "and int came."),
        ("out[", "With this line the program cannot be read: SyntaxError: '[' was never closed"),
        ("return", "Not on all inputs yet."),
        (lambda: 1, "yours: TypeError: "),
        (lambda scores: exit(), "yours: SystemExit"),
        (lambda scores: None, "yours: None"),
        (print, "yours: None"),
    ],
)
def test_a_fix_that_is_none_says_so(hunt, said, answer, sentence):
    hunt("future_hidden")
    said(hunt.found, 7, scores=(3, 3))
    assert sentence in said(hunt.fix, answer)


def test_a_line_that_takes_the_object_away_says_so(hunt, said):
    hunt("future_hidden")
    said(hunt.found, 7, scores=(3, 3))
    assert "With this line the program no longer defines `hide_future`." in said(
        hunt.fix, "def other(scores):", 3
    )
    assert "`line` is the number of a line, from 1 to 8, and 99 came." in said(hunt.fix, "pass", line=99)


def test_another_line_that_can_be_changed_counts_as_the_place_too(hunt, said, clock):
    said(hunt, "values_of_a_cache")
    given = {"x": (3, 2), "wq": (2, 2), "wk": (2, 2), "wv": (2, 2)}
    assert "First the line" in said(hunt.fix, "k = torch.cat((k, old_k))")
    assert "There is no bug in line 13" in said(hunt.found, 13, **given)
    assert "With this change of line 13 the results are right." in said(
        hunt.fix, "k = torch.cat((k, old_k))", line=13
    )
    assert "Line 13 it is" in said(hunt.found, 13, **given)
    assert facts(clock) == [("hunt:values_of_a_cache", True)]


def test_a_change_that_changes_nothing_does_not_tell_that_there_is_no_bug(hunt, said):
    said(hunt, "who_sees_whom")
    assert "With this change of line 4 the results are right. Now an input" in said(
        hunt.fix, "key = torch.arange(0, total)", line=4
    )
    assert "does not show the bug" in said(hunt.found, 4, lengths=[1], n=1, total=1)


def test_an_endless_fix_is_stopped(hunt, said, monkeypatch):
    def endless(scores):
        while True:
            pass

    monkeypatch.setattr(limit, "SECONDS", 0.3)
    hunt("future_hidden")
    said(hunt.found, 7, scores=(3, 3))
    began = time.monotonic()
    assert "yours: it did not come to an end within ten seconds" in said(hunt.fix, endless)
    assert time.monotonic() - began < 3


def test_a_whole_program_as_a_text_is_a_fix(hunt, said):
    said(hunt, "averages_so_far")
    said(hunt.found, 7, (3, 2))
    whole = """
        import torch

        def averages_so_far(x):
            return x.cumsum(0) / torch.arange(1, len(x) + 1)[:, None]
    """
    assert "Right" in said(hunt.fix, whole)


def test_a_fix_goes_to_the_line_that_was_named(hunt, said):
    said(hunt, "averages_so_far")
    said(hunt.found, 8, (3, 2))
    assert "Right" in said(hunt.fix, "history.append(mean.clone())")


def test_a_fix_that_is_slow_on_each_input_is_stopped_all_in_all(hunt, said, monkeypatch):
    def slow(scores):
        time.sleep(0.1)
        return np.where(np.tri(len(scores)) > 0, scores, np.float32(-np.inf))

    monkeypatch.setattr(limit, "SECONDS", 0.3)
    said(hunt, "future_hidden")
    said(hunt.found, 7, scores=(3, 3))
    began = time.monotonic()
    assert "yours: it did not come to an end within ten seconds" in said(hunt.fix, slow)
    assert time.monotonic() - began < 3


# ---- what is left as it was


def test_the_learners_input_is_not_changed(hunt, said):
    hunt("the_best_few")
    logits = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    assert "`logits` after the call" in said(hunt.found, 6, k=1, logits=logits)
    assert logits.tolist() == [1, 2, 3]
    assert logits.requires_grad


def test_random_numbers_go_on_as_if_nothing_had_happened(hunt):
    def state():
        return torch.rand(1).item(), np.random.rand(), random.random()

    def seed():
        torch.manual_seed(3), np.random.seed(3), random.seed(3)

    seed()
    wanted = state()
    seed()
    hunt("dropped_weights")
    hunt.found(6, scores=(2, 3), V=(3, 2), p=0.5, training=False)
    hunt.fix("A = A if not training else F.dropout(A, p)")
    assert hunt._hunt.over
    assert state() == wanted


def test_both_versions_draw_the_same_random_numbers(hunt, said):
    hunt("dropped_weights")
    for _ in range(5):
        assert "in training, weights are to be dropped." in said(
            hunt.found, 6, scores=(4, 4), V=(4, 2), p=0.5, training=True
        )


def test_inputs_may_be_lists_arrays_or_tensors_of_any_float(hunt, said):
    table = [[1, 2], [3, 4]]
    for given in (table, np.array(table), torch.tensor(table), torch.ones(2, 2).half(), np.ones((2, 2))):
        hunt("future_hidden")
        assert "Right" in said(hunt.found, 7, {"scores": given})


# ---- order, time, memory


def test_what_was_never_asked_comes_first_then_what_was_missed(hunt, said, clock):
    for number, name in enumerate(names()):
        clock(minutes=1)
        memory.remember(memory.Fact(f"hunt:{name}", desk.now(), number not in (3, 5)))
    assert desk.next_name() == names()[3]
    memory.remember(memory.Fact(f"hunt:{names()[3]}", desk.now(), True))
    assert desk.next_name() == names()[5]
    memory.remember(memory.Fact(f"hunt:{names()[5]}", desk.now(), True))
    assert desk.next_name() == names()[0]


def test_a_level_can_be_asked_for(hunt, said, clock):
    assert "level 3 of 3" in said(hunt, level=3)
    first = hunt._hunt
    hunt(level=3)
    assert hunt._hunt is first
    hunt.skip()
    assert "level 3 of 3" in said(hunt, level=3)
    assert hunt._hunt.program.name != first.program.name
    assert "level 1 of 3" in said(hunt, level=1)


@pytest.mark.parametrize(("level", "came"), [(0, "0"), (4, "4"), ("3", '"3"'), (True, "True"), (1.0, "1.0")])
def test_a_level_that_is_none_gets_one_sentence(hunt, said, level, came):
    assert said(hunt, level=level) == f"`level` is 1, 2 or 3, and {came} came.\n"


def test_a_clock_that_ran_out_makes_it_a_miss(hunt, said, clock):
    assert "until " in said(hunt, "future_hidden", 5)
    clock(minutes=5)
    out = said(hunt.found, 7, scores=(3, 3))
    assert "The time is over, so it does not count as found." in out
    assert facts(clock) == [("hunt:future_hidden", False)]


def test_a_clock_that_is_started_later_keeps_the_tries(hunt, said):
    hunt("future_hidden")
    hunt.clean()
    hunt(minutes=5)
    assert (hunt._hunt.tries, hunt._hunt.minutes) == (1, 5)


def test_where_nothing_can_be_written_it_is_said(hunt, said, clock):
    clock.file.parent.write_text("a file where the folder should be")
    hunt("future_hidden")
    assert "cannot be written to, so it is not kept for later" in said(hunt.found, 7, scores=(3, 3))


def test_who_asks_a_program_says_what_comes_after_it(said):
    kind.ask("future_hidden", "`elsewhere()` goes on.")
    out = said(public.skip)
    assert "`elsewhere()` goes on." in out
    assert "shows the next one" not in out


def test_the_schedule_shows_a_program_by_its_name(said):
    assert said(kind.ask, "one_pass").startswith(f"{kind.title('one_pass')}  (level 2 of 3)")
    assert public._hunt.program.name == "one_pass"
    assert floats("B", "T").says() == "a (B, T) tensor of floats"
