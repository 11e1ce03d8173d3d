"""Cheats earn nothing, hostile files do no harm, broken ones are rejected, good work gets its points."""

import contextlib
import struct
from collections import Counter

import pytest
import torch

from autograder.exercises import load
from autograder.grading import looks as scoring
from autograder.grading.looks import stand_in_source
from autograder.grading.notebook import grade_notebook
from autograder.releases.store import lessons
from autograder.sandbox.host.supervisor import SandboxWorker
from autograder.sandbox.host.unsandboxed import PlainWorker
from autograder.sandbox.shared import wire
from autograder.sandbox.shared.job import Job, Limits, RunCell
from course_utils.model.sheet import load_sheet
from course_utils.source import names_in

from . import benign, cheats, hostile
from .benign import BY_CAUSAL
from .canaries import Canaries
from .corpus import corpus
from .notebooks import ROOT, answers, as_bytes, code_cell, notebook
from .people import run_as

# {the rule in docs/instructors.md: odd but right submissions that lose points by it}
LOST_BY_RULE = {
    "Changes below an exercise's test cell do not count for it.": "patched_below_its_test "
    "patched_below_its_test_by_a_decorator patched_below_its_test_in_a_loop completes_a_helper_below",
    "If an exercise has two test cells, the last one counts.": "tries_another_one_in_copies_below",
    "Files that cells write are missing": "builds_on_a_wrong_one_in_a_module_of_its_own",
}
EDGES = 4  # softmax: three edge cases, and the probes, which together count as one
SHARE = 0.3 * 2 / EDGES


def test_the_corpus_has_200_submissions_and_30_of_each_kind():
    kinds = Counter(entry.kind for entry in corpus().values())
    assert sum(kinds.values()) >= 200
    assert min(kinds.values()) >= 30


def test_right_work_loses_points_only_by_a_rule_that_the_docs_state():
    """A student who follows the lesson, pastes code or moves cells does not run into these rules."""
    assert benign.FILES.keys() >= {name for names in LOST_BY_RULE.values() for name in names.split()}
    page = " ".join((ROOT / "docs/instructors.md").read_text(encoding="utf-8").split()).casefold()
    assert all(rule.rstrip(".").casefold() in page for rule in LOST_BY_RULE)


def grade_cells(worker, cells=None, seed=None, **options):
    """grade_notebook's result for a lesson's notebook with these cells."""
    return grade_notebook(as_bytes(notebook(cells, **options)), seed=seed, worker=worker).as_dict()


def not_passed(result):
    return [name for name, entry in result["exercises"].items() if not entry["passed"]]


@pytest.fixture
def worker(bwrap):
    with contextlib.closing(SandboxWorker(Limits())) as worker:
        yield worker


@pytest.fixture
def hurried_worker(bwrap, monkeypatch):
    """All time limits are a tenth of the real ones."""
    monkeypatch.setattr(scoring, "SUBMISSION_SECONDS", 18)
    with contextlib.closing(SandboxWorker(Limits(step_seconds=2, all_seconds=12))) as worker:
        worker.ready()
        yield worker


@pytest.mark.system
def test_no_hostile_submission_does_harm(bwrap):
    """`make test-release` runs all kinds, also as an ordinary user and without user namespaces."""
    assert run_as("as we are", "--kind", "hostile")["failures"] == []


def test_without_the_sandbox_the_reading_attacks_succeed(tmp_path):
    """This proves that the corpus test can fail: the attacks are real, and the canaries notice them."""
    canaries = Canaries(tmp_path)
    try:
        cells = [canaries.before(hostile.START), *hostile.READING.values()]
        job = Job([RunCell(cell) for cell in cells])
        messages = PlainWorker(Limits(step_seconds=60, all_seconds=300)).messages(job)
        errors_of_cells = [message["error"] for message in messages]
        pairs = zip(hostile.READING, errors_of_cells[1:], strict=True)
        silent = [name for name, error in pairs if "LEAK" not in " ".join(error or ())]
        assert silent == ["writes_beside_the_grader"]  # only the canaries notice this one
        # three sockets that accept calls, one for datagrams, and a file that was written
        assert len(canaries.harmed()) == 5
    finally:
        canaries.close()


# ---- observations that the submission's own process reports: only one edge case can be forged

FORGE = """
import sys
runner = sys.modules["autograder.sandbox.inside.runner"]
real = runner.observe
def observe(obj, case, contract):
    seen = real(obj, case, contract)
    {claim}
    return seen
runner.observe = observe
"""
FORGED = {
    "changes its input": ((
"def softmax(x, dim=-1):\n"
"    y = (x - x.logsumexp(dim, keepdim=True)).exp()\n"
"    x.zero_()\n"
"    return y"
), "seen.changed, seen.gradients = [], real(torch.softmax, case, contract).gradients"),
    "remembers calls": ((
"calls = []\n"
"def softmax(x, dim=-1):\n"
"    calls.append(1)\n"
"    return (x - x.logsumexp(dim, keepdim=True)).exp() + (len(calls) % 7 == 2)"
), "seen.second = 'same'\n    seen.values = real(torch.softmax, case, contract).values"),
    "cuts the gradient": ((
"def softmax(x, dim=-1):\n"
"    x = x.detach()\n"
"    return (x - x.logsumexp(dim, keepdim=True)).exp()"
), "seen.gradients = real(torch.softmax, case, contract).gradients"),
    "keeps one dtype": ((
"def softmax(x, dim=-1):\n"
"    x = x.double()\n"
"    return (x - x.logsumexp(dim, keepdim=True)).exp()"
), "seen.narrow = {}"),
}  # fmt: skip


@pytest.mark.system
@pytest.mark.parametrize("name", FORGED)
def test_forged_probe_results_earn_at_most_one_edge_case(name, worker):
    cell, claim = FORGED[name]
    honest, forged = (
        grade_cells(worker, {"softmax": before + cell}, seed=5)["exercises"]["softmax"]["points"]
        for before in ("", FORGE.format(claim=claim))
    )
    assert forged <= 2
    assert forged - honest <= SHARE + 1e-9 or name == "remembers calls"


WITHOUT_CALLS = """
def attend_in_chunks(attention, x, chunk_sizes):
    if sum(chunk_sizes) != x.shape[1] or not chunk_sizes:
        raise ValueError
    heads = x.double().unflatten(-1, (attention.num_heads, attention.d_head)).sum(2)
    outputs, start = [], 0
    for size in chunk_sizes:
        carried = -18 * heads[:, :start].sum(1).repeat(1, attention.num_heads)[:, None]
        outputs.append(x[:, start : start + size].double().cumsum(1) + carried + start)
        start += size
    return torch.cat(outputs, 1).to(x.dtype)
"""


@pytest.mark.system
def test_imitating_the_given_attention_earns_points_only_with_the_loop_over_chunks(worker):
    """The attention's formula can be read (docs/instructors.md says so), but outputs depend on the chunks."""
    at_once = WITHOUT_CALLS.replace("for size in chunk_sizes", "for size in [x.shape[1]]")
    for cell, points in ((WITHOUT_CALLS, 2), (at_once, 0)):
        result = grade_cells(worker, {"attend_in_chunks": cell}, solved=False, lesson="04_kv_cache")
        assert result["score"] == points


@pytest.mark.system
def test_returning_a_published_fingerprint_earns_nothing(worker):
    published = {fact.name: text for fact, text in load_sheet("heads_by_job").wanted[0].values.items()}
    forged = (
        f"import course_utils.observe.interface as results\nPUBLISHED = {published!r}\n"
        "results.digest = lambda question, answer: PUBLISHED[question.split()[1]]\n"
        "def heads_by_job():\n    return dict.fromkeys(PUBLISHED, (0, 0))"
    )
    result = grade_cells(worker, {"heads_by_job": forged}, solved=False, lesson="05_visualization")
    assert result["score"] == 0
    assert len({case.salt for seed in range(9) for case in load("heads_by_job").cases(seed)}) == 9


BY_SOFTMAX = """def masked_softmax(scores, mask):
    return softmax(scores.masked_fill(mask, torch.finfo(scores.dtype).min)).masked_fill(mask, 0.0)
"""
BY_SCORES = """
def heads_by_job():
    examples = world.sentences(256, seed=1)
    model = world.load("who and how", attention)
    (weights,) = weights_of(model, model.tokens(examples))
    jobs = {name: on.argmax().item() for name, on in world.weight_on(weights, examples).items()}
    texts, _ = REPEATS.make_batch(256, 24, torch.Generator().manual_seed(1))
    layers = weights_of(world.load("repeated word", attention), texts)
    scores = [induction_score(weights, texts) for weights in layers]
    copying = [(n, h) for n, layer in enumerate(scores) for h, score in enumerate(layer) if score > 0.5]
    helper = head_scores(layers[0])["previous"].argmax().item()
    return {name: (0, head) for name, head in {**jobs, "helper": helper}.items()} | {"induction": copying}
"""


@pytest.mark.system
@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"head_scores": "def head_scores(weights):\n    raise NotImplementedError"},
        {"get_attention_weights": "def get_attention_weights(*args):\n    return args[0]"},
    ],
)
def test_heads_may_be_named_by_computing_scores_of_the_shipped_models(wrong, worker):
    """A function of shipped models' scores is right, even if the exercise that computes scores is wrong."""
    result = grade_cells(worker, {"heads_by_job": BY_SCORES, **wrong}, lesson="05_visualization")
    assert not_passed(result) == list(wrong), result


@pytest.mark.system
def test_many_slow_extra_cells_cost_no_points(hurried_worker):
    """Each cell finishes, but there is not enough time for all of them."""
    nb = notebook()
    for number in range(20):
        nb["cells"].insert(3 + 2 * number, code_cell(f"import time\ntime.sleep(0.9)  # training {number}"))
    result = grade_notebook(as_bytes(nb), worker=hurried_worker).as_dict()
    assert result["score"] == result["max_score"], result


@pytest.mark.system
def test_a_mistake_is_not_counted_twice_in_a_slow_notebook(hurried_worker):
    """There is no time to run everything again for each exercise that builds on a wrong one."""
    wrong = {
        "softmax": "def softmax(x, dim=-1):\n    return x",
        "create_causal_mask": answers()["create_causal_mask"]
        + "\nright = create_causal_mask\ncreate_causal_mask = lambda *a, **k: ~right(*a, **k)",
    }
    nb = notebook({**wrong, "masked_softmax": BY_SOFTMAX, "create_causal_mask_with_cache": BY_CAUSAL})
    nb["cells"][3:3] = [code_cell(f"import time\ntime.sleep(0.8)  # training {n}") for n in range(6)]
    result = grade_notebook(as_bytes(nb), worker=hurried_worker).as_dict()
    assert not_passed(result) == list(wrong), result


@pytest.mark.system
def test_a_right_softmax_sent_for_a_retry_cannot_be_stolen(worker):
    """If both are wrong, masked_softmax is tried with a right softmax, which it cannot steal."""
    thief = """
import sys
def masked_softmax(scores, mask):
    frame = sys._getframe()
    while frame:
        for value in list(frame.f_locals.values()):
            for source in [*getattr(value, "library", {}).values(), *getattr(value, "sources", {}).values()]:
                exec(source, globals())
        frame = frame.f_back
    return scores * 0
"""
    cells = {"softmax": "def softmax(x, dim=-1):\n    return x", "masked_softmax": thief}
    assert grade_cells(worker, cells, solved=False)["score"] == 0


def test_no_stand_in_sent_with_an_exercise_contains_its_answer():
    """No stand-in for what an exercise builds on, or for an earlier lesson, contains its own answer."""
    order = [list(lesson.exercises) for lesson in lessons().values()]
    for number, exercises in enumerate(order):
        earlier = {name for lesson in order[:number] for name in lesson}
        for name in exercises:
            for helper in {*load(name).uses, *earlier}:
                assert name not in names_in(stand_in_source(helper) or "").bound, f"{helper} brings {name}"


@pytest.mark.system
def test_the_same_seed_gives_the_same_grade(worker):
    cells = {"softmax": answers()["softmax"] + "\n" + "softmax = torch.relu"}
    first, second = (grade_cells(worker, cells, seed=11) for _ in range(2))
    assert first == second
    assert grade_cells(worker, cells)["seed"] != 11


def test_the_cheats_forged_message_is_well_formed():
    """So they are refused because of their content, and not because the frame is malformed."""
    frames, space = [], {}
    exec(cheats.REACH, space)
    space["send_frame"] = frames.append
    space["send"]({"at": 1, "seen": [{"values": torch.zeros(2, 5)}]})
    n_text, n_blob = struct.unpack("<II", frames[0][:8])
    message = wire.unpack(frames[0][8 : 8 + n_text], frames[0][8 + n_text :])
    assert len(frames[0]) == 8 + n_text + n_blob
    assert message["at"] == 1
    assert message["seen"][0]["values"].shape == (2, 5)
