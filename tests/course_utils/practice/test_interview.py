"""interview(topic): what a learner sees, call by call, and what is recorded."""

import json

import numpy as np
import pytest
import torch

from course_utils import interview
from course_utils.observe.watches import DeviceProbe
from course_utils.practice import log
from course_utils.practice.interview import Interviewer, judge, texts, topics
from course_utils.practice.interview.program import Program
from course_utils.practice.interview.solutions import masks
from tests.course_utils.practice.conftest import mask, own_key_masked

CALLS = ["__call__", "check", "answer", "skip", "stop", "hint"]
PROGRAMS = [
    (name, number)
    for name in topics.tables()
    for number, part in enumerate(topics.topic(name).parts)
    if not part.question
]


@pytest.fixture(autouse=True)
def file(clock, place):
    """The interviews' file; the clock stands still until a test sets it."""
    return place / ".progress" / "interviews.jsonl"


@pytest.mark.parametrize(
    ("call", "arguments", "sentence"),
    [
        ("__call__", ("rop",), 'There is no topic called "rop".'),
        ("__call__", ("",), "There is no topic called "),
        ("__call__", ("mha", 0), "at most 600, but got 0: nothing was started."),
        ("__call__", ("mha", "20"), 'but got "20"'),
        ("__call__", ("mha", True), "but got True"),
        *((name, (), 'No interview is running: `interview("mha")` starts one.') for name in CALLS),
    ],
)
def test_bad_input_and_a_call_without_an_interview_get_one_sentence(
    output_of, file, call, arguments, sentence
):
    out = output_of(getattr(interview, call), *arguments)
    assert sentence in out
    assert len(out.splitlines()) == 1
    assert not file.exists()


@pytest.mark.parametrize("obj", [None, 3, "mask", [1], torch.ones(2), np.ones(2)])
def test_an_object_that_is_not_callable_does_not_count_as_a_try(output_of, obj):
    interview("causal_mask")
    assert "interview.check(" in output_of(interview.check, obj)
    assert interview.newest().events == []


# ---- a whole interview


def test_a_whole_interview_from_the_first_card_to_the_sheet(output_of, clock):
    out = output_of(interview, "Causal mask", 10)
    assert out.startswith("The causal mask, part 1 of 4: the mask\n10 minutes left, until ")
    clock(minutes=2)
    assert output_of(interview.check, own_key_masked).startswith("Not yet: own_key_masked\n")
    out = output_of(interview.check, mask)
    assert out.startswith("Right: mask\n")
    assert "The causal mask, part 2 of 4: a question\n8 minutes left" in out
    assert "This part is a question" in output_of(interview.check, mask)
    assert "count on paper" in output_of(interview.hint)
    assert "type `interview.answer(7)`" in output_of(interview.answer, "many")
    assert output_of(interview.answer, 10).startswith("Not yet  (you said 10)\nThat counts the diagonal too")
    assert "part 3 of 4: with a cache" in output_of(interview.answer, 6)
    assert "This part asks for code" in output_of(interview.answer, 6)
    assert "Write the slowest loop that is obviously right" in output_of(interview.hint)
    assert "part 4 of 4: with padding" in output_of(interview.check, masks.cached_mask)
    clock(minutes=3)
    out = output_of(interview.skip)
    assert "The causal mask: 5 minutes of 10 minutes" in out
    assert "  the mask, right, 2 tries, " in out
    assert "  with padding, skipped" in out
    assert "Revise: 01, section 1.5 (The causal mask)" in out
    assert "The causal mask: 5 minutes of 10 minutes" in output_of(interview.sheets)
    assert [(fact.name, fact.right) for fact in log.recall()] == [("interview:causal_mask", False)]
    assert "No interview is running" in output_of(interview)


def test_an_interview_is_right_if_every_part_is_solved(output_of):
    interview("causal_mask")
    for call, answer in (
        ("check", mask),
        ("answer", 6),
        ("check", masks.cached_mask),
        ("check", masks.padded_mask),
    ):
        out = output_of(getattr(interview, call), answer)
    assert "That was the whole interview." in out
    assert [fact.right for fact in log.recall()] == [True]


def test_repeating_a_program_with_the_same_verdict_is_one_try(output_of, clock):
    def own_key_masked_too(T):
        return own_key_masked(T)

    interview("causal_mask")
    for obj in (own_key_masked, own_key_masked, own_key_masked_too, own_key_masked):
        clock(seconds=20)
        assert "Not yet" in output_of(interview, obj)
    assert len(interview.newest().events_of("try")) == 3


def test_a_skipped_part_shows_a_model_solution_next_to_the_learners_program(output_of):
    interview("causal_mask")
    interview.check(own_key_masked)
    out = output_of(interview.skip)
    assert "yours:\ndef own_key_masked(T):" in out
    assert "a model solution:\nimport torch\n\n\ndef causal_mask(T, device=None):" in out
    assert "What an interviewer listens for:" in out
    assert "The answer: 6. Of the 4 new tokens" in output_of(interview.skip)
    out = output_of(interview.stop)
    assert "def padded_mask(T, lengths):" in out


# ---- the clock


def test_a_new_kernel_continues_the_interview_with_the_remaining_time(output_of, clock):
    interview("rope", 20)
    clock(minutes=7)
    interviewer = Interviewer()
    assert "13 minutes left" in output_of(interviewer)
    out = output_of(interviewer, "rope", 30)
    assert "13 minutes left" in out
    assert "Its clock keeps running, with 20 minutes: for a different time" in out
    assert output_of(interviewer, "mha").startswith("An interview on rope is running")
    clock(days=-1)
    assert "20 minutes left" in output_of(interview)  # setting the clock back gives no more time


@pytest.mark.parametrize("call", CALLS)
def test_after_the_time_every_call_shows_the_sheet(output_of, clock, call):
    interview("causal_mask", 5)
    clock(minutes=5)
    out = output_of(getattr(interview, call), *([mask] if call == "check" else []))
    assert "Time is up.\nThis is your sheet" in out
    assert "the mask, not reached" in out
    assert ("so it does not count. The verdict: it does what" in out) == (call == "check")
    assert interview.newest().closed
    assert not interview.newest().events_of("try")


# ---- what is recorded


def test_events_are_saved_as_json_lines_without_code_next_to_the_notebook(output_of, file):
    interview("causal_mask", 5)
    interview.check(own_key_masked)
    start, attempt = (json.loads(line) for line in file.read_text().splitlines())
    assert (start["event"], attempt["event"]) == ("start", "try")
    assert attempt["mistake"]
    assert "np.tri" not in file.read_text()
    with file.open("a") as lines:
        lines.write('{"v": 2, "event": "thought"}\n')
    assert "damaged or written by a newer version of the course: 1 line of" in output_of(interview)


# ---- forms


class Attention(torch.nn.Module):
    def __init__(self, width, n_heads, causal=False):
        super().__init__()
        self.h, self.causal = n_heads, causal
        self.qkv, self.out = torch.nn.Linear(width, 3 * width), torch.nn.Linear(width, width)

    def forward(self, inputs):
        q, k, v = (t.unflatten(-1, (self.h, -1)).transpose(1, 2) for t in self.qkv(inputs).chunk(3, -1))
        scores = q @ k.mT / q.shape[-1] ** 0.5
        if self.causal:
            scores = scores.masked_fill(torch.ones(scores.shape[-2:]).triu(1).bool(), -torch.inf)
        return self.out((scores.softmax(-1) @ v).transpose(1, 2).flatten(2))


def test_a_program_without_a_form_is_asked_about_and_no_try_is_recorded(output_of):
    interview("mha")
    out = output_of(interview.check, Attention)
    assert out.startswith("Not checked yet: which form is it?\n")
    assert "None of this part's forms has just the parameters of `Attention(width, n_heads, causal)`." in out
    assert "def mha(x, W_q, W_k, W_v, W_o, n_heads):" in out
    assert (
        "interview.check(lambda d_model, n_heads: Attention(width=..., n_heads=n_heads, causal=...),\n" in out
    )
    assert '    layers={"W_q": "...", "W_k": "...", "W_v": "...", "W_o": "..."})\n' in out
    assert interview.newest().events == []


@pytest.mark.parametrize("more", [{"layers": {"W_q": "..."}}, {"layers": []}, {"load": 3}])
def test_layers_that_do_not_name_all_four_weights_get_a_sentence(output_of, more):
    interview("mha")
    assert "layers" in output_of(interview.check, Attention, **more)
    assert interview.newest().events == []


def test_a_line_with_its_dots_filled_in_serves_the_next_parts_too(output_of):
    layers = {"W_q W_k W_v": "qkv", "W_o": "out"}
    interview("mha")
    out = output_of(interview.check, lambda d_model, n_heads: Attention(d_model, n_heads), layers=layers)
    assert "Right: mine" in out
    interview.answer(1048576)
    out = output_of(interview.check, lambda d_model, n_heads: Attention(d_model, n_heads), layers=layers)
    assert "Not yet" in out

    def load(layer, W):
        layer.qkv.weight.copy_(torch.cat([W["W_q"], W["W_k"], W["W_v"]], 1).T)
        layer.out.weight.copy_(W["W_o"].T)

    out = output_of(interview.check, lambda d_model, n_heads: Attention(d_model, n_heads, True), load=load)
    assert "part 4 of 7: a question" in out


def test_an_open_interview_on_a_topic_whose_forms_have_changed_ends_with_a_sentence(output_of, file):
    file.parent.mkdir()
    start = {
        "v": 1,
        "key": "a",
        "event": "start",
        "topic": "mha",
        "minutes": 20,
        "when": "2026-03-01T12:00:00Z",
    }
    file.write_text(json.dumps(start) + "\n")
    assert "The tasks of mha have changed since your interview on it began" in output_of(interview)
    assert "No interview is running" in output_of(interview)
    assert "The causal mask, part 1 of 4" in output_of(interview, "causal_mask")
    assert output_of(interview).startswith("The causal mask, part 1 of 4")  # one of today goes on
    assert not log.recall()


# ---- model solutions


def solution_of(name, number):
    """(the source of a part's model solution, its function or class, defined by that source alone)."""
    part = topics.topic(name).parts[number].name
    source, space = texts.solution(name, part), {"__name__": "solution"}
    exec(compile(source, "solution", "exec"), space)
    return source, space[texts.notes()[name]["solutions"][part].split(".")[1]]


@pytest.mark.parametrize(("name", "number"), PROGRAMS)
def test_each_part_has_a_right_model_solution_that_runs_alone_with_shape_comments(name, number):
    program, solution = solution_of(name, number)
    result = judge.check(topics.topic(name), number, solution).result
    assert result.passed, result.message
    assert program.count("# (") >= 1
    assert max(map(len, program.splitlines())) <= 110


def steady_model(tokens):
    """A model whose most likely token is always 1, on the device of its tokens."""
    return torch.arange(3, device=tokens.device).eq(1).double().expand(*tokens.shape, 3)


def arguments_of(name, number, solution, device, dtype):
    """(the form of a model solution, its constructor's arguments, those of the first call) on a device."""
    program = Program(solution)
    form = next(form for form in topics.topic(name).parts[number].all_forms if program.has_form(form))
    case = form.sheets_for(program)[0].cases[0]
    moved = {
        key: value.to(device, dtype if value.is_floating_point() else None)
        if isinstance(value, torch.Tensor)
        else value
        for key, value in case.calls[0].args.items()
    }
    return form, case.build, moved


@pytest.mark.parametrize(("name", "number"), [row for row in PROGRAMS if row[0] != "generate_loop"])
@pytest.mark.parametrize("device", ["cpu", "meta"])
def test_model_solutions_run_on_any_device_and_keep_the_dtype(name, number, device):
    _, solution = solution_of(name, number)
    form, sizes, arguments = arguments_of(name, number, solution, device, torch.bfloat16)
    if form.is_class:
        solution = solution(**sizes).to(device, torch.bfloat16)
    elif "T" in form.parameters and "lengths" not in form.parameters or "T_new" in form.parameters:
        arguments["device"] = device  # a mask: it gets no tensor
    results = solution(**arguments)
    for result in results if isinstance(results, tuple) else [results]:
        result = result[0] if isinstance(result, tuple) else result
        assert result.device.type == device
        assert result.dtype == (torch.bool if name == "causal_mask" else torch.bfloat16)


@pytest.mark.parametrize("number", [0, 2, 3])
def test_the_model_loops_make_no_tensor_on_another_device(number):
    _, solution = solution_of("generate_loop", number)
    model = steady_model if number == 0 else lambda tokens, cache: (steady_model(tokens), tokens)
    probe, more = DeviceProbe(), {"end": 1} if number == 3 else {}
    with probe:
        tokens = solution(model, torch.tensor([[2, 0], [0, 2]]), 3, **more)
    assert probe.clash is None
    assert not probe.is_stray(tokens)
    assert tokens.tolist() == [[2, 0, 1, 1, 1][: 3 if more else 5], [0, 2, 1, 1, 1][: 3 if more else 5]]
