"""The judge: forged and odd observations never stop it and never earn anything."""

import itertools
import json
import math
import os
import struct
import time
from dataclasses import replace

import pytest
import torch

from autograder.exercises import load, names
from autograder.grading import looks
from autograder.grading import notebook as grading
from autograder.grading.answer_key import answer_key
from autograder.grading.grade_object import grade
from autograder.grading.judge import judge
from autograder.grading.looks import better, in_turn, without_expectations
from autograder.grading.notebook import grade_notebook
from autograder.sandbox.host.losses import LOST
from autograder.sandbox.host.observe_steps import observe_steps
from autograder.sandbox.host.sanitize import LONGEST, NO_OBSERVATION, Ended, observations
from autograder.sandbox.host.supervisor import SandboxLost
from autograder.sandbox.shared import wire
from autograder.sandbox.shared.job import Job, ObserveExercise, RunCell, RunTest
from autograder.sandbox.shared.wire import NO_MESSAGE, TOO_LARGE, WireError
from course_utils.compare.tolerance import is_close
from course_utils.compare.verdict import compare
from course_utils.model.case import Fact, error_of
from course_utils.model.observation import Observation
from course_utils.model.result import Result
from course_utils.observe.probe import observe
from course_utils.observe.trial import in_words
from tests.corpus.notebooks import answers, as_bytes, code_cell, notebook
from tests.tools.forking_worker import ForkingWorker
from tests.tools.points import full_marks

WEIGHTS = Fact("weights")
SEED = 7
SOFTMAX = load("softmax")


def right(exercise=SOFTMAX, seed=SEED):
    """What a right answer shows."""
    return [observe(exercise.implementation, case, exercise.contract) for case in exercise.cases(seed)]


def points(seen, exercise=SOFTMAX):
    result = judge(exercise, SEED, seen)
    assert isinstance(result.points, float)
    assert math.isfinite(result.points)
    assert json.dumps(result.message)
    return result.points


def test_the_right_values_earn_everything():
    assert points(right()) == SOFTMAX.points


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
def test_odd_observations_earn_nothing(name):
    assert points([ODD[name]] * len(SOFTMAX.cases(SEED))) == 0


@pytest.mark.parametrize("name", ODD)
def test_odd_observations_stop_nothing_whatever_the_kind_of_exercise(name):
    for exercise in map(load, ("create_attention_mask", "load_torch_weights", "StaticKVCache")):
        assert points([ODD[name]] * len(exercise.cases(SEED)), exercise) == 0


@pytest.mark.parametrize("seen", [None, "lost", [], [ODD["empty"]], "x" * 10**6])
def test_anything_but_one_observation_for_each_case_earns_nothing(seen):
    assert points(seen) == 0


@pytest.mark.parametrize("count", [-1, 1, 2])
def test_another_number_of_cases_earns_nothing(count):
    seen = right()
    assert points(seen[:count] if count < 0 else seen + seen[:count]) == 0


def test_right_values_in_another_order_earn_nothing():
    assert points(right()[::-1]) == 0


def test_the_values_of_another_seed_earn_nothing():
    assert points(right(seed=SEED + 1)) == 0


def test_forged_probes_stop_nothing_and_cost_their_share_only():
    """The values are right: whatever the probes say, it is worth between all and all but one edge."""
    for narrow in ({"load": "x"}, {"float32": {WEIGHTS: torch.ones(1)}}, {"nan": {}}):
        seen = right()
        for observation in seen:
            observation.narrow = narrow
        assert 0.7 * SOFTMAX.points <= points(seen) <= SOFTMAX.points or points(seen) == 0


@pytest.mark.parametrize("name", names())
def test_a_constant_earns_nothing_in_any_exercise(name):
    exercise = load(name)
    sheet = exercise.sheet(SEED, with_mistakes=False)
    for fill, dtype in itertools.product(
        (0.0, 0.1, 1.0), (torch.float64, torch.bfloat16, torch.float16, torch.int64, torch.bool)
    ):
        seen = [
            Observation(values={k: constant(v, fill, dtype) for k, v in wanted.values.items()})
            for wanted in sheet.wanted
        ]
        assert compare(sheet, seen).points == 0, f"{fill} as {dtype} earns points"


def constant(value, fill, dtype):
    return torch.full(value.shape, fill).to(dtype) if isinstance(value, torch.Tensor) else "ValueError"


def test_a_diagnosis_that_stumbles_costs_no_points(monkeypatch):
    from course_utils.diagnose import assess

    monkeypatch.setattr(assess, "find_mistake", lambda *a: 1 / 0)
    seen = right()
    edge = next(i for i, case in enumerate(SOFTMAX.cases(SEED)) if case.edge and not case.device)
    seen[edge] = Observation()
    result = judge(SOFTMAX, SEED, seen)
    assert 0 < result.points < SOFTMAX.points
    assert "odd" in result.message


def test_the_same_seed_gives_the_same_cases():
    item, other = (exercise.cases(3) for exercise in (SOFTMAX, load("softmax")))
    for a, b in zip(item, other, strict=True):
        assert a.calls[0].args.keys() == b.calls[0].args.keys()
        assert all(
            torch.equal(v, b.calls[0].args[k])
            for k, v in a.calls[0].args.items()
            if isinstance(v, torch.Tensor)
        )


@pytest.mark.parametrize("name", ["create_causal_mask", "softmax", "StaticKVCache", "name_the_heads"])
def test_what_is_hidden_is_worked_out_once_and_judging_leaves_it_as_it_is(name):
    exercise, seed = load(name), 11
    answer_key.cache_clear()
    before = answer_key(exercise, seed).sheet.to_json()
    good = [observe(exercise.implementation, case, exercise.contract) for case in exercise.cases(seed)]
    _, _, wrong_ones = exercise.mistakes[0]
    bad = [observe(wrong_ones[0], case, exercise.contract) for case in exercise.cases(seed)]
    results = [judge(exercise, seed, seen) for seen in (bad, good, bad, good)]
    message = [(result.status, result.points, result.mistake, result.message) for result in results]
    assert message[:2] == message[2:]
    assert results[0].points < results[1].points == exercise.points
    assert answer_key(exercise, seed).sheet.to_json() == before
    assert answer_key.cache_info().misses == 1
    assert {mistake.name for mistake in exercise.sheet(seed).mistakes} >= {results[0].mistake}


# ---- what comes through the wire


@pytest.mark.parametrize(
    "text",
    [
        b'{"a": {"$tensor": ["int64", 2]}, "b": {"$tensor": ["int64", 2]}}',
        b'[{"$tensor": ["int128", 2]}]',
        b'[{"$tensor": ["int64", -1]}]',
        b'[{"$tensor": ["int64", true, 2]}]',
        b'[{"$tensor": ["int64", 4]}]',
        b'[{"$tensor": ["int64", 0, 1%s]}]' % (b"0" * 30),
        b'[{"$tensor": ["int64", 1, 1, 1, 1, 1, 1, 1, 1, 1]}]',
        b'[{"$tensor": "int64"}]',
    ],
)
def test_each_number_stands_in_one_tensor(text):
    """One that stood in thousands would be copied as often."""
    blob = struct.pack("<3q", 4, 5, 6)
    result = wire.unpack(b'{"a": {"$tensor": ["int64", 2]}, "b": {"$tensor": ["int64", 1, 1]}}', blob)
    assert result["a"].tolist() == [4, 5]
    assert result["b"].tolist() == [[6]]
    with pytest.raises(WireError):
        wire.unpack(text, blob)


def test_what_nobody_asked_for_is_not_looked_at():
    exercise = load("softmax")
    seen = [observe(exercise.implementation, case, exercise.contract) for case in exercise.cases(SEED)]
    for item in seen:
        item.values |= {Fact(f"made up {n}"): torch.ones(1 << 18) for n in range(50)}
        item.narrow |= {"_dynamo": {}, "load": {WEIGHTS: torch.ones(1)}}
    assert judge(exercise, SEED, seen).passed


@pytest.mark.parametrize(
    "text",
    [
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
    ],
)
def test_a_text_that_is_no_message_is_refused(text):
    with pytest.raises(WireError):
        wire.unpack(text, bytes(8))


@pytest.mark.parametrize(
    ("dtype", "count", "size", "reason"),
    [
        ("float8_e5m2", 2, 2, NO_MESSAGE),
        ("complex64", 2, 16, NO_MESSAGE),
        ("__class__", 2, 16, NO_MESSAGE),
        ("float64", 2, 0, NO_MESSAGE),
        ("float64", 2, 15, NO_MESSAGE),
        ("bool", 1 << 19, 1 << 19, TOO_LARGE),
    ],
)
def test_numbers_of_odd_kinds_and_sizes_are_refused(dtype, count, size, reason):
    text = json.dumps({"$tensor": [dtype, count]}).encode()
    with pytest.raises(WireError, match=reason):
        wire.unpack(text, bytes(size))


def test_too_long_a_message_is_refused_before_it_is_read():
    out, into = os.pipe()
    os.write(into, struct.pack("<II", 2**31, 5))
    with pytest.raises(WireError, match=TOO_LARGE):
        wire.read(out, time.monotonic() + 1)


def test_a_message_that_comes_too_slowly_is_given_up():
    out, into = os.pipe()
    os.write(into, b"\1\0\0")
    with pytest.raises(WireError, match="out of time"):
        wire.read(out, time.monotonic() + 0.2)


def test_what_came_in_time_is_read_however_late_the_reader_is():
    """A grader that was stopped for a while."""
    out, into = os.pipe()
    os.write(into, b"in time")
    assert wire.read_exactly(out, 7, time.monotonic() - 60) == b"in time"


@pytest.fixture
def clock(monkeypatch):
    """A clock that goes on by one second whenever it is read, or as far as it is set."""

    class Clock:
        now = 0.0

        def monotonic(self):
            self.now += 1
            return self.now

    clock = Clock()
    monkeypatch.setattr(wire, "time", clock)
    monkeypatch.setattr(looks, "time", clock)
    return clock


def test_a_message_that_never_stops_coming_is_given_up(monkeypatch, clock):
    """Past the deadline there may always be one more byte."""
    monkeypatch.setattr(wire, "GRACE", 5)
    monkeypatch.setattr(wire, "wait", lambda *args: None)
    read = []
    monkeypatch.setattr(wire.os, "read", lambda *args: read.append(args) or b" ")
    with pytest.raises(WireError, match="out of time"):
        wire.read_exactly(0, 60_000_000, 10)
    assert len(read) == 10 + 5 + 1


def test_each_in_turn_has_its_share_of_the_time_and_of_what_others_leave(clock):
    ends = []
    for name, end in in_turn("abc", 10):
        ends.append((name, end))
        clock.now += 0.5 if name == "b" else 0
    assert ends == [("a", 4.0), ("b", 6.0), ("c", 10.0)]
    assert list(in_turn([], 99)) == list(in_turn("abc", 0)) == []


@pytest.mark.parametrize("value", [{"a": [1, None, "x", {"b": 2.5}]}, {"at": 3}])
def test_what_is_sent_arrives(value):
    out, into = os.pipe()
    wire.write(into, value)
    assert wire.read(out, time.monotonic() + 1) == value


@pytest.mark.parametrize(
    "tensor",
    [
        torch.ones(2).to_sparse(),
        torch.ones(3, 4).T,
        torch.ones(2).to(torch.float8_e5m2),
        torch.zeros(1).expand(4),
        torch.ones(2, requires_grad=True),
    ],
)
def test_every_tensor_can_be_sent(tensor):
    packed = wire.pack({"a": tensor})
    size = struct.unpack("<I", packed[:4])[0]
    arrived = wire.unpack(packed[8 : 8 + size], packed[8 + size :])["a"]
    assert arrived.shape == tensor.shape
    assert torch.equal(arrived, wire.plain(tensor))


# ---- what is made of it


def test_texts_are_made_short_and_printable():
    plain = Observation(raised=["E\x1b[2J", "x\n" * 10**5 + "\u202e\ud800"], second="\0" * 9).as_plain()
    [seen] = observations([plain])
    assert seen.raised[0] == "E [2J"
    assert len(seen.raised[1]) <= LONGEST
    assert all(text.isprintable() for text in (*seen.raised, seen.second))


@pytest.mark.parametrize(
    "seen",
    [
        5,
        "text",
        {"a": 1},
        [1],
        [{}, None],
        [{"values": 5}],
        [{"unknown": 1}],
        [{"values": {"a": 5}}],
        [{"raised": "x"}],
        [{"narrow": {"float32": 5}}],
        [{"values": {str(n): "" for n in range(99)}}],
        [{}] * 99,
        [{"problem": ["a"]}],
        torch.ones(3),
    ],
)
def test_what_is_no_list_of_observations_is_said_to_be_none(seen):
    assert isinstance(observations(seen), Ended)


def test_a_mistake_has_no_name_of_the_students_making():
    [seen] = observations([Observation(problem=["Full marks, please!", "x"]).as_plain()])
    assert seen.problem[0] == "wrong_interface"


# ---- driving a worker


class Worker:
    """Plays back one list of messages for each process."""

    def __init__(self, *processes):
        self.processes, self.jobs = list(processes), []

    def messages(self, job):
        self.jobs.append(job)
        yield from self.processes.pop(0) if self.processes else [{"lost": "closed"}]


STEPS = [RunCell("a"), ObserveExercise("softmax"), RunCell("b"), ObserveExercise("relu"), RunCell("c")]
JOB = Job(STEPS, {"softmax": 1, "relu": 2})
SEEN = [Observation().as_plain()]
GOOD = [
    {"at": 0},
    {"ran": 0, "error": None},
    {"at": 1},
    {"observed": "softmax", "seen": SEEN},
    {"at": 2},
    {"ran": 2, "error": ["E", "x"]},
    {"at": 3},
    {"observed": "relu", "seen": None},
    {"done": True},
]


def test_an_obedient_worker_is_read_to_its_end():
    seen = observe_steps(Worker(GOOD), JOB)
    assert seen.exercises["relu"] is None
    assert isinstance(seen.exercises["softmax"][0], Observation)
    assert seen.errors == {0: None, 2: ("E", "x")}


def test_cells_after_the_last_exercise_are_not_run():
    worker = Worker(GOOD)
    observe_steps(worker, JOB)
    assert worker.jobs[0].steps == STEPS[:4]


def test_a_lost_step_costs_itself_and_the_rest_goes_on_afresh():
    rest = [
        {"at": 0},
        {"ran": 0, "error": None},
        {"at": 1},
        {"ran": 1, "error": None},
        {"at": 2},
        {"observed": "relu", "seen": SEEN},
    ]
    worker = Worker([*GOOD[:3], {"lost": "out of time"}], rest)
    seen = observe_steps(worker, JOB)
    assert str(seen.exercises["softmax"]) == LOST["out of time"]
    assert isinstance(seen.exercises["relu"], list)
    assert worker.jobs[1].steps == [STEPS[0], *STEPS[2:4]]


@pytest.mark.parametrize(
    "message",
    [
        {"at": True},
        {"at": 0.0},
        {"at": 1},
        {"at": "0"},
        {"ran": 0},
        {},
        {"done": True},
        {"at": torch.zeros(1)},
        {"points": 15},
        {"at": [0]},
    ],
)
def test_a_message_out_of_turn_is_a_loss(message):
    seen = observe_steps(Worker([message]), JOB)
    assert str(seen.errors[0]) == f"a lost process: {LOST[NO_MESSAGE]}"


@pytest.mark.parametrize("name", ["relu", None, 1, True, torch.ones(1)])
def test_an_exercise_cannot_be_answered_in_another_ones_place(name):
    seen = observe_steps(Worker([*GOOD[:3], {"observed": name, "seen": SEEN}]), JOB)
    assert str(seen.exercises["softmax"]) == LOST[NO_MESSAGE]


def test_a_submission_that_loses_every_process_is_given_up():
    job = Job([RunCell("x")] * 50 + STEPS, JOB.exercises)
    worker = Worker()
    seen = observe_steps(worker, job)
    assert len(worker.jobs) <= 12
    assert "given up" in str(seen.exercises["relu"])


def test_the_whole_time_of_a_submission_is_limited():
    worker = Worker()
    seen = observe_steps(worker, JOB, end=time.monotonic() - 1)
    assert worker.jobs == []
    assert "no time" in str(seen.exercises["softmax"])


class Breaking(ForkingWorker):
    """Loses its first jobs by the grader's own fault."""

    def __init__(self, times):
        super().__init__()
        self.left = times

    def messages(self, job):
        self.left -= 1
        if self.left >= 0:
            raise SandboxLost
        yield from super().messages(job)


@pytest.mark.parametrize(("times", "status"), [(1, "graded"), (2, "rejected")])
def test_what_we_lose_ourselves_is_tried_once_more_as_a_whole(monkeypatch, times, status):
    monkeypatch.setattr(grading, "PAUSE", 0)
    graded = grade_notebook(as_bytes(notebook()), SEED, Breaking(times))
    assert (graded.status, graded.retry) == (status, status == "rejected")
    assert graded.score == (full_marks() if status == "graded" else None)
    assert (grading.GRADE_AGAIN in graded.notes) is (status == "rejected")


def test_a_test_cell_that_is_answered_with_nothing_earns_nothing():
    job = Job([RunTest("double", "assert double(2) == 4")], {})
    seen = observe_steps(Worker([{"at": 0}, {"observed": "double"}]), job)
    assert str(seen.exercises["double"]) == NO_OBSERVATION
    assert looks.of_plain_test("double", 2.0, seen.exercises["double"]).points == 0


def test_what_names_too_much_is_no_observation_and_no_message_is_long():
    huge = Observation(changed=[Fact("x", 10**40)]).as_plain()
    assert str(observations([huge])) == NO_OBSERVATION
    seen = right()
    seen[0].changed = [Fact("x" * 400, number) for number in range(64)]
    assert len(judge(SOFTMAX, SEED, seen).message) <= 5_000


@pytest.mark.parametrize(("above", "note"), [(None, False), ("def softmax(x, dim=-1):\n    return x", True)])
def test_a_version_below_the_test_is_noted_where_the_one_above_is_wrong(above, note):
    nb = notebook({"softmax": above} if above else {})
    nb["cells"].append(code_cell("def softmax(x, dim=-1):\n    return torch.softmax(x, dim)"))
    graded = grade_notebook(as_bytes(nb), SEED, ForkingWorker())
    assert (
        "softmax: It is defined again below its test cell, where it does not count." in graded.notes
    ) == note
    assert graded.exercises["softmax"].passed != note


def test_a_fault_of_ours_while_grading_is_told_and_the_submission_is_graded_again(monkeypatch, caplog):
    monkeypatch.setattr(grading, "look_twice", lambda *arguments: 1 / 0)
    graded = grade_notebook(as_bytes(notebook()), SEED, ForkingWorker())
    assert (graded.status, graded.retry) == ("rejected", True)
    assert "ZeroDivisionError" in graded.notes[0]
    assert "1 / 0" in caplog.text


@pytest.mark.parametrize(
    ("first", "second", "arguments", "unseen", "counts"),
    [
        ((0, "a"), (1, "b"), (), False, True),
        ((1, "a"), (0, "b"), ["softmax"], True, False),
        ((0, "a"), (0, "b"), (), False, False),
        ((0, "a"), (0, "b"), ["softmax"], False, True),
        ((0, "a"), (0, "b"), (), True, True),
        ((0, "a"), (0, "a"), ["softmax"], True, False),
    ],
)
def test_the_better_look_counts(first, second, arguments, unseen, counts):
    item, other = (Result("x", False, message, None, points, 2.0) for points, message in (first, second))
    assert (better(item, other, arguments, unseen) is other) == counts
    assert ("It builds on softmax, which is not right" in other.note) == (counts and bool(arguments))


def test_a_second_look_that_is_not_started_says_nothing():
    item, other = Result("x", False, "a"), Result("x", False, "b", status="not_started")
    assert better(item, other, ["softmax"], True) is item


def test_an_error_that_a_right_one_brings_is_not_said():
    """A right piece may be called in another way than the student's own."""
    item, other = Result("x", False, "a", status="wrong"), Result("x", False, "b", status="error")
    assert better(item, other, ["softmax"]) is item
    assert better(other, item, ["softmax"]) is item


OWN_HELPER = """
def split_heads(x, num_heads):
    return x.reshape(x.shape[0], num_heads, x.shape[1], -1)

def causal_attention_with_weights(X, W_Q, W_K, W_V, W_O, num_heads):
    Q, K, V = (split_heads(X @ W, num_heads) for W in (W_Q, W_K, W_V))
    hidden = torch.ones(X.shape[1], X.shape[1], device=X.device).triu(1).bool()
    weights = torch.softmax((Q @ K.mT / Q.shape[-1] ** 0.5).masked_fill(hidden, -torch.inf), dim=-1)
    return (weights @ V).transpose(1, 2).reshape(X.shape) @ W_O, weights
"""


@pytest.mark.parametrize("points", [0.0, 3.0])
def test_a_helper_of_the_answers_own_is_graded_with_it_whatever_its_name(points):
    """By grade, as unmodified nbgrader runs it, and by grade_notebook: one rule."""
    right = "x.unflatten(-1, (num_heads, -1)).transpose(1, 2)"
    wrong = "x.reshape(x.shape[0], num_heads, x.shape[1], -1)"
    source = OWN_HELPER.replace(wrong, right) if points else OWN_HELPER
    name, space = "causal_attention_with_weights", {}
    exec("import torch" + source, space)
    result = grade(name, space[name], seed=3)
    assert (result.points, result.note) == (points, "")
    graded = grade_notebook(
        as_bytes(notebook({name: source}, lesson="03_self_attention")), 3, ForkingWorker()
    )
    assert (graded.exercises[name].points, graded.exercises[name].note) == (points, "")


INSTANCE = """
inner = masked_softmax
class Callable:
    def __call__(self, scores, mask):
        return inner(scores, mask)
masked_softmax = Callable()
"""


@pytest.mark.parametrize("more", ["", "masked_softmax = torch.enable_grad()(masked_softmax)", INSTANCE])
def test_a_right_piece_stands_in_for_the_object_that_was_graded_and_is_wrong(more):
    space = {}
    exec("import torch\ndef softmax(x, dim=-1):\n    return x\n" + BY_SOFTMAX + more, space)
    assert grade("masked_softmax", space["masked_softmax"], seed=3).points == 0
    assert grade("softmax", space["softmax"], seed=3).points == 0
    result = grade("masked_softmax", space["masked_softmax"], seed=3)
    assert result.passed
    assert result.note.startswith("It builds on softmax, which is not right")
    assert space["softmax"](1) == 1, "it is put back"
    exec("def softmax(x, dim=-1):\n    return 2 * x", space)
    assert grade("masked_softmax", space["masked_softmax"], seed=3).points == 0


BY_SOFTMAX = """
def masked_softmax(scores, mask):
    filled = scores.masked_fill(mask, torch.finfo(scores.dtype).min)
    return softmax(filled).masked_fill(mask, 0.0)
"""


def test_one_that_only_calls_what_is_not_written_is_tried_with_a_right_one():
    data = as_bytes(notebook({"masked_softmax": BY_SOFTMAX}, solved=False))
    result = grade_notebook(data, seed=3, worker=ForkingWorker()).as_dict()
    assert result["exercises"]["masked_softmax"]["passed"]
    assert result["score"] == result["exercises"]["masked_softmax"]["points"] == 3
    assert any("masked_softmax: It builds on softmax" in note for note in result["notes"])
    assert result["exercises"]["softmax"]["message"].startswith("Not started")


@pytest.mark.parametrize("name", ["attend_in_chunks", "StaticKVCache"])
def test_which_calls_must_raise_is_known_to_the_judge_alone(name):
    exercise = load(name)
    whole, shown = exercise.cases(SEED), without_expectations(exercise.cases(SEED))
    assert "ValueError" in repr(whole)
    assert "ValueError" not in repr(shown)
    assert len({call.raises for case in shown for call in case.calls if not case.device}) == 1
    for implementation in [
        exercise.implementation,
        *(item for _, _, part in exercise.mistakes for item in part),
    ]:
        item, other = (
            judge(exercise, SEED, [observe(implementation, case, exercise.contract) for case in cases])
            for cases in (whole, shown)
        )
        assert (item.points, item.status, item.mistake, item.message) == (
            other.points,
            other.status,
            other.mistake,
            other.message,
        )


class NeverRefuses(load("StaticKVCache").implementation):
    def update(self, k, v):
        try:
            return super().update(k, v)
        except ValueError:
            return k, v


def never_refuses(attention, x, chunk_sizes):
    return (
        load("attend_in_chunks").implementation(attention, x, chunk_sizes)
        if sum(chunk_sizes) == x.shape[1]
        else x
    )


@pytest.mark.parametrize("never", [never_refuses, NeverRefuses])
def test_a_call_that_gives_a_result_has_raised_nothing_whatever_is_said_of_it(never):
    exercise = load("StaticKVCache" if never is NeverRefuses else "attend_in_chunks")
    honest = [observe(never, case, exercise.contract) for case in without_expectations(exercise.cases(SEED))]
    message = {error_of(number): "ValueError" for number in range(5)}
    forged = [replace(seen, values=message | seen.values, errors={}) for seen in honest]
    assert judge(exercise, SEED, forged).points == judge(exercise, SEED, honest).points < exercise.points


@pytest.mark.parametrize("name", ["attend_in_chunks", "StaticKVCache"])
def test_neither_the_place_nor_a_setting_of_a_case_tells_which_call_must_raise(name):
    drawn = [[case for case in load(name).cases(seed) if not case.device] for seed in range(40)]
    settings = ("narrow", "gradients", "tolerance", "strided", "evaluating", "rank", "only")
    assert len({tuple(getattr(case, setting) for setting in settings) for case in drawn[0]}) == 1
    for cases in zip(*drawn, strict=True):
        must = {tuple(bool(call.raises) for call in case.calls) for case in cases}
        assert len(must) > 1 or must in ({(True,)}, {(False,) * len(cases[0].calls)})


@pytest.mark.parametrize("number", [-5.5e8, 5.5e8, 7.7e7])
def test_no_number_passes_for_an_infinity_or_for_none(number):
    for odd in (-torch.inf, torch.inf, torch.nan):
        assert is_close(torch.tensor([odd]), torch.tensor([odd]), 1e-5)
        assert not is_close(torch.tensor([number]), torch.tensor([odd]), 1e-1)
        assert not is_close(torch.tensor([odd]), torch.tensor([number]), 1e-1)


def test_what_a_cell_raises_is_told_with_what_follows_a_colon():
    layer = torch.nn.Linear(2, 2)
    with pytest.raises(RuntimeError) as missing:
        layer.load_state_dict({})
    assert in_words(missing.value) == [
        "RuntimeError",
        'Error(s) in loading state_dict for Linear: Missing key(s) in state_dict: "weight", "bias".',
    ]
    with pytest.raises(TypeError) as unknown:
        torch.ones(2).mean(axes=0)
    assert "but expected one of: * (" in in_words(unknown.value)[1]
    assert "tuple of ints dim" in in_words(unknown.value)[1]
    assert in_words(ValueError("only this\nnot this")) == ["ValueError", "only this"]
    assert in_words(ValueError()) == ["ValueError", ""]
    assert in_words(ValueError("long " * 50))[1] == ("long " * 50)[:197] + "..."


ONE_CALL_TOO_MANY = """
right = generate

def generate(model, tokens, max_new_tokens, choose):
    text = right(model, tokens, max_new_tokens, choose)
    model(text[:, -1:])
    getattr(model, "lengths", [0]).pop()
    return text
"""


def test_what_the_grader_records_of_calls_cannot_be_changed_by_the_answer():
    exercise, space = load("generate"), {}
    exec("import torch\n" + answers("06_in_the_wild")["generate"] + ONE_CALL_TOO_MANY, space)
    seen = [observe(space["generate"], case, exercise.contract) for case in exercise.cases(SEED)]
    result = judge(exercise, SEED, seen)
    assert not result.passed
    assert result.points < result.max_points
