"""Forged and odd observations never stop the judge and never earn points."""

import itertools
import json
import math
import os
import struct
import time
from dataclasses import replace
from types import SimpleNamespace
from unittest.mock import DEFAULT, Mock

import pytest
import torch

from autograder.exercises import load, names
from autograder.grading import looks
from autograder.grading import notebook as grading
from autograder.grading.grade_object import grade
from autograder.grading.judge import answer_key, judge
from autograder.grading.looks import better, with_deadlines, without_expectations
from autograder.grading.notebook import grade_notebook
from autograder.notes import texts_of
from autograder.sandbox.host.observe_steps import (
    LONGEST,
    NO_OBSERVATION,
    Failure,
    observations,
    observe_steps,
)
from autograder.sandbox.host.supervisor import SandboxLost
from autograder.sandbox.shared import wire
from autograder.sandbox.shared.job import (
    NO_MESSAGE,
    TOO_LARGE,
    TOO_SLOW,
    Job,
    Lost,
    ObserveExercise,
    RunCell,
    RunTest,
)
from course_utils.compare.tolerance import is_close
from course_utils.compare.verdict import compare
from course_utils.model.case import Fact, error_of
from course_utils.model.observation import Observation
from course_utils.model.result import Result
from course_utils.observe.probe import observe
from course_utils.observe.trial import in_words
from tests.answers import never_refuses
from tests.corpus.notebooks import answers, as_bytes, code_cell, notebook
from tests.tools.cells import ANSWERS, plain_cells
from tests.tools.forking_worker import ForkingWorker
from tests.tools.points import full_marks

WEIGHTS = Fact("weights")
SEED = 7
PROGRAMS = {name: source for name, _, source in plain_cells(ANSWERS / "judged.py")}
SOFTMAX = load("softmax")


def observations_of(implementation, exercise, cases):
    return [observe(implementation, case, exercise.contract) for case in cases]


def right_observations(exercise=SOFTMAX, seed=SEED):
    """The observations of a right answer."""
    return observations_of(exercise.implementation, exercise, exercise.cases(seed))


def points(seen, exercise=SOFTMAX):
    result = judge(exercise, SEED, seen)
    assert isinstance(result.points, float)
    assert math.isfinite(result.points)
    assert json.dumps(result.message)
    return result.points


ODD = {
    "empty": Observation(),
    "text": Observation(values={WEIGHTS: "right"}),
    "other fact": Observation(values={Fact("points"): torch.ones(2, 5)}),
    "nan": Observation(values={WEIGHTS: torch.full((2, 5), math.nan)}),
    "infinite": Observation(values={WEIGHTS: torch.full((2, 5), math.inf)}),
    "huge": Observation(values={WEIGHTS: torch.full((2, 5), 1e308, dtype=torch.float64)}),
    "empty tensor": Observation(values={WEIGHTS: torch.empty(0)}),
    "axis of nothing": Observation(values={WEIGHTS: torch.empty(0, 2**40)}),
    "scalar": Observation(values={WEIGHTS: torch.tensor(1.0)}),
    "eight axes": Observation(values={WEIGHTS: torch.zeros(1, 1, 1, 1, 1, 1, 2, 5)}),
    "bool": Observation(values={WEIGHTS: torch.ones(2, 5, dtype=torch.bool)}),
    "int8": Observation(values={WEIGHTS: torch.ones(2, 5, dtype=torch.int8)}),
    "float16": Observation(values={WEIGHTS: torch.full((2, 5), 0.2, dtype=torch.float16)}),
    "raised": Observation(raised=["", ""]),
    "problem": Observation(problem=["", ""]),
    "raised and values": Observation(values={WEIGHTS: torch.ones(2, 5)}, raised=["E", "x" * 10**6]),
    "many facts": Observation(values={Fact(str(n)): torch.ones(1) for n in range(50)}),
    "odd probes": Observation(
        values={WEIGHTS: torch.ones(2, 5)},
        narrow={"load": {}, "float32": "x", "nan": {WEIGHTS: torch.ones(1)}},
        gradients={Fact("x"): torch.ones(1)},
        device_clash="",
        changed=[Fact("")],
    ),
    "large": Observation(values={WEIGHTS: torch.zeros(1 << 18, dtype=torch.bool)}),
}


@pytest.mark.parametrize("name", ODD)
def test_odd_observations_earn_nothing_in_any_kind_of_exercise(name):
    for exercise in map(load, ("softmax", "create_attention_mask", "load_torch_weights", "StaticKVCache")):
        assert points([ODD[name]] * len(exercise.cases(SEED)), exercise) == 0


def test_right_values_earn_full_points_and_bad_lists_of_observations_none():
    seen = right_observations()
    assert points(seen) == SOFTMAX.points
    bad_lists = [None, "lost", [], [ODD["empty"]], "x" * 10**6, seen[:-1], seen + seen[:1], seen + seen[:2]]
    for odd in (*bad_lists, seen[::-1], right_observations(seed=SEED + 1)):
        assert points(odd) == 0


EDGE = 0.3 * SOFTMAX.points / 5  # four edge cases, and the probes, which count as one


@pytest.mark.parametrize(
    ("narrow", "cost"),
    [
        ({"load": {WEIGHTS: torch.ones(1)}, "_dynamo": {}}, 0),
        ({"load": "x"}, 0),
        ({"float32": {WEIGHTS: torch.ones(1)}}, EDGE),
        ({"float32": "x"}, EDGE),
    ],
)
def test_forged_probes_cost_their_share_and_unknown_facts_are_ignored(narrow, cost):
    seen = right_observations()
    for item in seen:
        item.values |= {Fact(f"made up {n}"): torch.ones(1 << 18) for n in range(50)}
        item.narrow = narrow
    assert points(seen) == pytest.approx(SOFTMAX.points - cost)


@pytest.mark.parametrize("name", names())
def test_a_constant_earns_nothing_in_any_exercise(name):
    sheet = load(name).sheet(SEED, with_mistakes=False)
    dtypes = torch.float64, torch.bfloat16, torch.float16, torch.int64, torch.bool
    for fill, dtype in itertools.product((0.0, 0.1, 1.0), dtypes):
        seen = [
            Observation(
                values={
                    fact: torch.full(value.shape, fill).to(dtype) if torch.is_tensor(value) else "ValueError"
                    for fact, value in wanted.values.items()
                }
            )
            for wanted in sheet.wanted
        ]
        assert compare(sheet, seen).points == 0, f"{fill} as {dtype} earns points"


def test_a_failing_diagnosis_costs_no_points(monkeypatch):
    monkeypatch.setattr("course_utils.diagnose.assess.find_mistake", lambda *a: 1 / 0)
    seen = right_observations()
    edge = next(i for i, case in enumerate(SOFTMAX.cases(SEED)) if case.edge and not case.device)
    seen[edge] = Observation()
    result = judge(SOFTMAX, SEED, seen)
    assert 0 < result.points < SOFTMAX.points
    assert "could not be diagnosed" in result.message


@pytest.mark.parametrize("name", ["create_causal_mask", "softmax", "StaticKVCache", "heads_by_job"])
def test_the_answer_key_is_computed_once_and_judging_does_not_change_it(name):
    exercise, seed = load(name), 11
    answer_key.cache_clear()
    before = answer_key(exercise, seed).sheet.to_json()
    bad = observations_of(exercise.mistakes[0][2][0], exercise, exercise.cases(seed))
    results = [judge(exercise, seed, seen) for seen in (bad, right_observations(exercise, seed)) * 2]
    texts = [(result.status, result.points, result.mistake, result.message) for result in results]
    assert texts[:2] == texts[2:]
    assert results[0].points < results[1].points == exercise.points
    assert results[0].mistake == exercise.mistakes[0].name
    assert answer_key(exercise, seed).sheet.to_json() == before
    assert answer_key.cache_info().misses == 1


# ---- messages from a worker


THREE = struct.pack("<3q", 4, 5, 6)
BAD_MESSAGES = [
    b"",
    b"{",
    b"[" * 40_000,
    b"\xff",
    b'{"a": 1' + b"0" * 5000 + b"}",
    b'{"$tensor": []}',
    b'{"$tensor": ["7", 1]}',
    b'{"$case": 1}',
    b'{"$case": {"nothing": 1}}',
    b'{"$contract": {}}',
    b'{"$call": []}',
    b'{"a": {"$tensor": ["int64", 2]}, "b": {"$tensor": ["int64", 2]}}',  # too short: no bytes count twice
    b'[{"$tensor": ["int128", 2]}]',
    b'[{"$tensor": ["int64", -1]}]',
    b'[{"$tensor": ["int64", true, 2]}]',
    b'[{"$tensor": ["int64", 4]}]',
    b'[{"$tensor": ["int64", 0, 1%s]}]' % (b"0" * 30),
    b'[{"$tensor": ["int64", 1, 1, 1, 1, 1, 1, 1, 1, 1]}]',
    b'[{"$tensor": "int64"}]',
]


REFUSED = [
    *((text, THREE, NO_MESSAGE) for text in BAD_MESSAGES),
    (b'{"$tensor": ["float8_e5m2", 2]}', bytes(2), NO_MESSAGE),
    (b'{"$tensor": ["complex64", 2]}', bytes(16), NO_MESSAGE),
    (b'{"$tensor": ["__class__", 2]}', bytes(16), NO_MESSAGE),
    (b'{"$tensor": ["float64", 2]}', b"", NO_MESSAGE),
    (b'{"$tensor": ["float64", 2]}', bytes(15), NO_MESSAGE),
    (b'{"$tensor": ["bool", 524288]}', bytes(1 << 19), TOO_LARGE),
]


@pytest.mark.parametrize(("text", "blob", "reason"), REFUSED)
def test_malformed_messages_and_bad_tensors_are_refused(text, blob, reason):
    with pytest.raises(Lost, match=reason):
        wire.unpack(text, blob)


@pytest.mark.parametrize(
    ("data", "reason"), [(struct.pack("<II", 2**31, 5), TOO_LARGE), (b"\1\0\0", TOO_SLOW[:20])]
)
def test_too_long_and_too_slow_messages_are_refused(data, reason):
    out, into = os.pipe()
    os.write(into, data)
    with pytest.raises(Lost, match=reason):
        wire.read(out, time.monotonic() + 0.2)


def test_a_message_that_never_ends_is_given_up_after_a_grace_period(monkeypatch):
    """After the deadline there could always be one more byte."""
    times = iter([9, 10, 11, 11 + wire.GRACE, 12 + wire.GRACE])
    monkeypatch.setattr(wire, "time", SimpleNamespace(monotonic=times.__next__))
    monkeypatch.setattr(wire, "wait", lambda *args: None)
    monkeypatch.setattr(wire.os, "read", lambda *args: b" ")
    with pytest.raises(Lost, match=TOO_SLOW[:20]):
        wire.read_exactly(0, 60_000_000, 10)
    assert list(times) == []


def test_time_is_shared_equally_and_unused_time_is_passed_on(monkeypatch):
    times = iter([1, 2, 3.5, 10, 11])
    monkeypatch.setattr(looks, "time", SimpleNamespace(monotonic=times.__next__))
    assert list(with_deadlines("abcde", 10)) == [("a", 2.8), ("b", 4.0), ("c", 3.5 + 6.5 / 3)]


ONES = torch.ones(2)


@pytest.mark.parametrize("tensor", [
    ONES.to_sparse(), torch.ones(3, 4).T, ONES.to(torch.float8_e5m2), torch.zeros(1).expand(4),
    torch.ones(2, requires_grad=True),
])  # fmt: skip
def test_a_message_with_any_kind_of_tensor_arrives_unchanged(tensor):
    (out, into), value = os.pipe(), {"a": [1, None, "x", {"b": 2.5}]}
    wire.write(into, {"tensor": tensor, "next": torch.tensor([[6]]), **value})
    received = wire.read(out, time.monotonic() + 1)
    assert received.pop("next").tolist() == [[6]]
    assert received["tensor"].shape == tensor.shape
    assert torch.equal(received.pop("tensor"), wire.plain(tensor))
    assert received == value


# ---- observations made from messages


def test_texts_from_a_submission_are_cut_printable_and_name_no_mistake():
    raised, problem = ["E\x1b[2J", "x\n" * 10**5 + "\u202e\ud800"], ["Full marks, please!", "x"]
    [seen] = observations([Observation(raised=raised, second="\0" * 9, problem=problem).as_plain()])
    assert seen.raised[0] == "E [2J"
    assert len(seen.raised[1]) <= LONGEST
    assert all(text.isprintable() for text in (*seen.raised, seen.second))
    assert seen.problem[0] == "wrong_interface"
    names_much = right_observations()
    names_much[0].changed = [Fact("x" * 400, number) for number in range(64)]
    assert len(judge(SOFTMAX, SEED, names_much).message) <= 5_000


@pytest.mark.parametrize("seen", [
    5, "text", {"a": 1}, [1], [{}, None], [{"values": 5}], [{"unknown": 1}], [{"values": {"a": 5}}],
    [{"raised": "x"}], [{"narrow": {"float32": 5}}], [{"values": {str(n): "" for n in range(99)}}],
    [{}] * 99, [{"problem": ["a"]}], torch.ones(3), [{"changed": [Fact("x", 10**40)]}],
])  # fmt: skip
def test_malformed_observations_are_refused(seen):
    assert isinstance(observations(seen), Failure)


# ---- driving a worker


class Worker:
    """A fake worker that plays back one list of messages per process."""

    def __init__(self, *processes):
        self.processes, self.jobs = list(processes), []

    def messages(self, job):
        self.jobs.append(job)
        yield from self.processes.pop(0) if self.processes else []
        raise Lost(TOO_SLOW)


STEPS = [RunCell("a"), ObserveExercise("softmax"), RunCell("b"), ObserveExercise("relu"), RunCell("c")]
JOB = Job(STEPS, {"softmax": 1, "relu": 2})
OBSERVATIONS = [Observation().as_plain()]
GOOD = [
    {"at": 0, "error": None},
    {"at": 1, "seen": OBSERVATIONS},
    {"at": 2, "error": ["E", "x"]},
    {"at": 3, "seen": None},
]


def test_a_job_ends_after_the_last_exercise_and_all_observations_are_read():
    worker = Worker(GOOD)
    seen = observe_steps(worker, JOB)
    assert seen.exercises["relu"] is None
    assert isinstance(seen.exercises["softmax"][0], Observation)
    assert seen.errors == {0: None, 2: ("E", "x")}
    assert worker.jobs[0].steps == STEPS[:4]


def test_after_a_lost_step_the_other_steps_run_in_a_new_process():
    rest = [GOOD[0], {"at": 1, "error": None}, {"at": 2, "seen": OBSERVATIONS}]
    worker = Worker(GOOD[:1], rest)
    seen = observe_steps(worker, JOB)
    assert str(seen.exercises["softmax"]) == TOO_SLOW
    assert isinstance(seen.exercises["relu"], list)
    assert worker.jobs[1].steps == [STEPS[0], *STEPS[2:4]]


PLACES = False, True, 0.0, 1.0, 2, "0", "1", torch.zeros(1), torch.ones(1), [0]
OUT_OF_TURN = [{"at": place, "error": None, "seen": OBSERVATIONS} for place in PLACES]
OUT_OF_TURN += [{"seen": OBSERVATIONS}, {}, {"lost": "closed"}, {"points": 15}]


@pytest.mark.parametrize("message", OUT_OF_TURN)
def test_an_unexpected_message_counts_as_a_lost_process(message):
    first, second = (observe_steps(Worker([*before, message]), JOB) for before in ([], GOOD[:1]))
    assert str(first.errors[0]) == f"a lost process: {NO_MESSAGE}"
    assert str(second.exercises["softmax"]) == NO_MESSAGE


def test_a_submission_without_processes_or_time_left_is_given_up():
    worker = Worker()
    seen = observe_steps(worker, Job([RunCell("x")] * 50 + STEPS, JOB.exercises))
    assert len(worker.jobs) <= 12
    assert "stopped after" in str(seen.exercises["relu"])
    worker = Worker()
    seen = observe_steps(worker, JOB, end=time.monotonic() - 1)
    assert worker.jobs == []
    assert "no time" in str(seen.exercises["softmax"])


@pytest.mark.parametrize(("times", "status"), [(1, "graded"), (2, "rejected")])
def test_a_submission_is_graded_once_more_after_a_lost_sandbox(monkeypatch, times, status):
    monkeypatch.setattr(grading, "PAUSE", 0)
    worker = ForkingWorker()
    worker.messages = Mock(wraps=worker.messages, side_effect=[SandboxLost] * times + [DEFAULT])
    graded = grade_notebook(as_bytes(notebook()), SEED, worker)
    assert (graded.status, graded.retry) == (status, status == "rejected")
    assert graded.score == (full_marks() if status == "graded" else None)
    assert (grading.GRADE_AGAIN in texts_of(graded.notes)) is (status == "rejected")


def test_a_test_cell_without_an_observation_earns_nothing():
    job = Job([RunTest("double", "assert double(2) == 4")], {})
    seen = observe_steps(Worker([{"at": 0}]), job)
    result = looks.of_plain_test("double", 2.0, seen.exercises["double"])
    assert (result.points, result.status, result.ended) == (0, "error", NO_OBSERVATION)


@pytest.mark.parametrize(("above", "note"), [(None, False), ("def softmax(x, dim=-1):\n    return x", True)])
def test_a_redefinition_below_the_test_is_noted_if_the_answer_above_is_wrong(above, note):
    nb = notebook({"softmax": above} if above else {})
    nb["cells"].append(
        code_cell("def softmax(x, dim=-1):\n    return (x - x.logsumexp(dim, keepdim=True)).exp()")
    )
    graded = grade_notebook(as_bytes(nb), SEED, ForkingWorker())
    below = "softmax: It is defined again below its test cell, where it does not count."
    assert (below in texts_of(graded.notes)) == note
    assert graded.exercises["softmax"].passed != note


@pytest.mark.parametrize("step", ["submission_from", "look_twice"])
def test_an_error_in_the_grader_is_reported_and_marked_for_a_retry(monkeypatch, caplog, step):
    monkeypatch.setattr(grading, step, lambda *arguments: 1 / 0)
    graded = grade_notebook(as_bytes(notebook()), SEED, ForkingWorker())
    assert (graded.status, graded.retry) == ("rejected", True)
    assert "fault of the grader" in graded.notes[0].text
    assert "ZeroDivisionError" in graded.notes[0].text
    assert "1 / 0" in caplog.text


def result_with(points, message, status="wrong"):
    return Result("x", False, message, None, points, 2.0, status)


@pytest.mark.parametrize(
    ("first", "second", "stand_ins", "unseen", "counts"),
    [
        (result_with(0, "a"), result_with(1, "b"), [], False, True),
        (result_with(1, "a"), result_with(0, "b"), ["softmax"], True, False),
        (result_with(0, "a"), result_with(0, "b"), [], False, False),
        (result_with(0, "a"), result_with(0, "b"), ["softmax"], False, True),
        (result_with(0, "a"), result_with(0, "b"), [], True, True),
        (result_with(0, "a"), result_with(0, "a"), ["softmax"], True, False),
        (result_with(0, "a"), result_with(0, "b", "not_started"), ["softmax"], True, False),
        (result_with(0, "a"), result_with(0, "b", "error"), ["softmax"], False, False),  # a call may fail
        (result_with(0, "a", "error"), result_with(0, "b"), ["softmax"], False, True),
    ],
)
def test_the_better_of_two_results_counts(first, second, stand_ins, unseen, counts):
    assert (better(first, second, stand_ins, unseen) is second) == counts
    assert ("It builds on softmax, which is not right" in second.note) == (counts and bool(stand_ins))


@pytest.mark.parametrize("points", [0.0, 3.0])
def test_an_answers_own_helper_is_graded_with_it_whatever_its_name(points):
    """The same rule holds for grade(), which unmodified nbgrader runs, and for grade_notebook()."""
    right = "x.unflatten(-1, (num_heads, -1)).transpose(1, 2)"
    wrong = "x.reshape(x.shape[0], num_heads, x.shape[1], -1)"
    source = PROGRAMS["own_helper"].replace(wrong, right if points else wrong)
    name, space = "causal_attention_with_weights", {}
    exec("import torch\n" + source, space)
    data = as_bytes(notebook({name: source}, lesson="03_self_attention"))
    by_notebook = grade_notebook(data, 3, ForkingWorker()).exercises[name]
    for result in (grade(name, space[name], seed=3), by_notebook):
        assert (result.points, result.note) == (points, "")


@pytest.mark.parametrize(
    "code", ["", "masked_softmax = torch.enable_grad()(masked_softmax)", PROGRAMS["instance"]]
)
def test_a_right_softmax_replaces_a_wrong_graded_one_and_is_removed_afterwards(code):
    space = {}
    exec(f"import torch\ndef softmax(x, dim=-1):\n    return x\n{PROGRAMS['by_softmax']}\n{code}", space)
    assert grade("masked_softmax", space["masked_softmax"], seed=3).points == 0
    assert grade("softmax", space["softmax"], seed=3).points == 0
    result = grade("masked_softmax", space["masked_softmax"], seed=3)
    assert result.passed
    assert result.note.startswith("It builds on softmax, which is not right")
    assert space["softmax"](1) == 1, "it is put back"
    exec("def softmax(x, dim=-1):\n    return 2 * x", space)
    assert grade("masked_softmax", space["masked_softmax"], seed=3).points == 0


def test_an_answer_that_calls_an_unwritten_exercise_is_tried_with_a_right_one():
    data = as_bytes(notebook({"masked_softmax": PROGRAMS["by_softmax"]}, solved=False))
    result = grade_notebook(data, seed=3, worker=ForkingWorker()).as_dict()
    assert result["exercises"]["masked_softmax"]["passed"]
    assert result["score"] == result["exercises"]["masked_softmax"]["points"] == 3
    assert any("masked_softmax: It builds on softmax" in note for note in result["notes"])
    assert result["exercises"]["softmax"]["message"].startswith("Not started")


@pytest.mark.parametrize("name", ["attend_in_chunks", "StaticKVCache"])
def test_only_the_judge_knows_which_calls_must_raise(name):
    exercise = load(name)
    cases_with, cases_without = exercise.cases(SEED), without_expectations(exercise.cases(SEED))
    assert "ValueError" in repr(cases_with)
    assert "ValueError" not in repr(cases_without)
    assert len({call.raises for case in cases_without for call in case.calls if not case.device}) == 1
    for implementation in [exercise.implementation, *(i for _, _, part in exercise.mistakes for i in part)]:
        first, second = (
            judge(exercise, SEED, observations_of(implementation, exercise, cases))
            for cases in (cases_with, cases_without)
        )
        assert (first.points, first.status, first.mistake) == (second.points, second.status, second.mistake)
        assert first.message == second.message


@pytest.mark.parametrize("name", never_refuses.PROGRAMS)
def test_a_call_with_a_result_has_not_raised_whatever_a_forger_claims(name):
    exercise, never = load(name), never_refuses.PROGRAMS[name]
    honest = observations_of(never, exercise, without_expectations(exercise.cases(SEED)))
    message = {error_of(number): "ValueError" for number in range(5)}
    forged = [replace(seen, values=message | seen.values, errors={}) for seen in honest]
    assert judge(exercise, SEED, forged).points == judge(exercise, SEED, honest).points < exercise.points


@pytest.mark.parametrize("name", ["attend_in_chunks", "StaticKVCache"])
def test_neither_position_nor_settings_of_a_case_reveal_which_call_must_raise(name):
    cases_by_seed = [[case for case in load(name).cases(seed) if not case.device] for seed in range(40)]
    settings = ("narrow", "gradients", "tolerance", "strided", "evaluating", "rank", "only")
    assert len({tuple(getattr(case, setting) for setting in settings) for case in cases_by_seed[0]}) == 1
    for cases in zip(*cases_by_seed, strict=True):
        must = {tuple(bool(call.raises) for call in case.calls) for case in cases}
        assert len(must) > 1 or must in ({(True,)}, {(False,) * len(cases[0].calls)})


@pytest.mark.parametrize("number", [-5.5e8, 5.5e8, 7.7e7])
def test_no_finite_number_is_close_to_infinity_or_nan(number):
    for odd in (-torch.inf, torch.inf, torch.nan):
        assert is_close(torch.tensor([odd]), torch.tensor([odd]), 1e-5)
        assert not is_close(torch.tensor([number]), torch.tensor([odd]), 1e-1)
        assert not is_close(torch.tensor([odd]), torch.tensor([number]), 1e-1)


def test_an_exceptions_first_line_is_kept_and_continued_after_a_colon():
    with pytest.raises(RuntimeError) as missing:
        torch.nn.Linear(2, 2).load_state_dict({})
    text = 'Error(s) in loading state_dict for Linear: Missing key(s) in state_dict: "weight", "bias".'
    assert in_words(missing.value) == ["RuntimeError", text]
    long = "long " * 50
    for message, words in (("only this\nnot this", "only this"), ("", ""), (long, f"{long[:197]}...")):
        assert in_words(ValueError(message)) == ["ValueError", words]


def test_an_answer_cannot_change_the_graders_record_of_its_calls():
    exercise, space = load("generate"), {}
    programs = answers("06_in_the_wild")["generate"], PROGRAMS["one_call_too_many"]
    exec("\n".join(["import torch", *programs]), space)
    result = judge(exercise, SEED, observations_of(space["generate"], exercise, exercise.cases(SEED)))
    assert not result.passed
    assert result.points < result.max_points
