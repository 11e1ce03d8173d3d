"""Forms: their sheets are whole, also in a notebook that works alone; and how a program is asked about."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import nn

from autograder.forms import sheets
from autograder.publish.topic_sheets import cut_to_forms
from course_utils.model.sheet import load_sheet, published_names
from course_utils.practice.interview import judge
from course_utils.practice.interview.form import CASES, TABLES, form, sheet_of
from course_utils.practice.interview.topics import REVISE, names, tables, topic

FORMS = [form(name) for name in TABLES]


def outcome_of(name, obj, part=0, **more):
    return judge.check(topic(name), part, obj, **more)


# ---- what forms.toml says


@pytest.mark.parametrize("own", FORMS, ids=lambda own: own.name)
def test_a_form_has_a_stub_that_compiles_and_cases_that_give_each_of_its_names_a_value(own):
    compile(own.stub, own.name, "exec")
    assert all(sheet.cases for sheet in own.sheets)
    for sheet in own.sheets:
        for case in sheet.cases:
            assert all(own.required <= call.args.keys() for call in case.calls)
    assert max(map(len, own.stub.splitlines())) <= 100


def test_every_part_has_one_to_three_forms_or_a_question_and_every_form_and_case_is_used():
    parts = [part for name in tables() for part in topic(name).parts]
    for part in parts:
        assert part.text
        assert bool(part.question) != (1 <= len(part.forms) <= 3)
    assert {name for part in parts for name in part.forms} == {*TABLES}
    for exercise, listed in CASES.items():
        assert {*listed} <= {case.name for case in load_sheet(exercise).cases}
        assert any(own.exercise == exercise for own in FORMS)


def test_two_forms_of_a_part_never_have_the_same_names():
    for name in tables():
        for part in topic(name).parts:
            signatures = [repr(own.parameters) for own in part.all_forms]
            layers = [own.layers.get("W_q", "") for own in part.all_forms]
            assert len({*zip(signatures, layers, strict=True)}) == len(part.forms)


@pytest.mark.parametrize("name", sorted(sheets()))
def test_the_published_sheet_of_a_form_is_that_of_its_declaration(name):
    fresh = sheets()[name]
    assert [case.name for case in sheet_of(name, "interview").cases] == [case.name for case in fresh.cases]
    assert {own.own for own in FORMS} | {own.also for own in FORMS} >= {name}


@pytest.mark.parametrize("exercise", CASES)
def test_a_notebooks_cut_sheet_gives_a_form_the_same_cases_and_mistakes(exercise, monkeypatch):
    forms = [own for own in FORMS if own.exercise == exercise]
    cut = cut_to_forms(load_sheet(exercise), forms)
    whole_sheets = {own.name: own.sheets[0] for own in forms}  # made, and kept, from the whole sheet
    monkeypatch.setattr("course_utils.practice.interview.form.sheet_of", lambda name: cut)
    for own in forms:
        whole, short = whole_sheets[own.name], replace(own).sheets[0]  # a copy has no sheets yet
        assert [case.name for case in whole.cases] == [case.name for case in short.cases]
        assert {mistake.name for mistake in whole.mistakes} == {mistake.name for mistake in short.mistakes}


def test_every_exercise_is_a_topic():
    assert set(published_names()) <= set(names())
    assert outcome_of("merge_heads", lambda x: x.transpose(1, 2).flatten(2)).result.passed
    assert not outcome_of("merge_heads", lambda x: x.flatten(2)).result.passed


def test_an_exercise_accepts_a_numpy_program():
    def split_heads(X, num_heads):
        return np.reshape(X, (*X.shape[:2], num_heads, -1)).transpose(0, 2, 1, 3)

    assert outcome_of("split_heads", split_heads).result.passed


def test_an_exercise_about_memory_refuses_a_table_of_all_scores():
    def attention(Q, K, V, block_size):
        scores = Q @ K.mT / Q.shape[-1] ** 0.5
        weights = (scores - scores.amax(-1, keepdim=True)).exp()
        return weights / weights.sum(-1, keepdim=True) @ V

    assert outcome_of("online_softmax_attention", attention).result.mistake == "too_large"


def test_every_mistake_with_a_section_to_revise_is_declared_on_a_sheet():
    assert set(REVISE) <= {
        mistake.name for name in published_names() for mistake in load_sheet(name).mistakes
    }


# ---- what is asked


class Attention(nn.Module):
    """Right, with a bias in each layer."""

    def __init__(self, d_model, n_heads, bias=True, device=None):
        super().__init__()
        self.h = n_heads
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (
            nn.Linear(d_model, d_model, bias) for _ in range(4)
        )

    def forward(self, x):
        q, k, v = (
            f(x).unflatten(-1, (self.h, -1)).transpose(1, 2) for f in (self.q_proj, self.k_proj, self.v_proj)
        )
        return self.out_proj(((q @ k.mT / q.shape[-1] ** 0.5).softmax(-1) @ v).transpose(1, 2).flatten(2))


def test_a_class_and_its_instance_have_the_form_with_biases_and_with_parameters_that_are_left_alone():
    assert outcome_of("mha", Attention).result.passed
    assert outcome_of("mha", Attention(8, 2)).result.passed


class Overwriting(Attention):
    def forward(self, x):
        y = super().forward(x)
        x.zero_()
        return y


def in_numpy(scores, mask):
    np.copyto(scores, -np.inf, where=np.broadcast_to(mask, scores.shape))
    top = np.maximum(scores.max(-1, keepdims=True), -1e30)
    exps = np.exp(scores - top)
    return exps / np.maximum(exps.sum(-1, keepdims=True), 1e-30)


@pytest.mark.parametrize(
    ("name", "obj", "part", "argument"),
    [("mha", Overwriting, 0, "x"), ("stable_softmax", in_numpy, 3, "scores")],
)
def test_a_right_program_that_overwrites_its_input_has_one_thing_left(name, obj, part, argument):
    result = outcome_of(name, obj, part).result
    assert (result.passed, result.status, result.mistake) == (True, "one_left", "changes_input")
    assert f"The values are right, but it changes `{argument}` in place" in result.message


def test_another_base_is_tried_if_a_program_takes_one():
    def with_base(x, positions, base=10000.0):
        return x

    def without_base(x, positions):
        return x

    tried, tried_without = (dict(outcome_of("rope", f, 2).result.trail) for f in (with_base, without_base))
    assert tried.keys() - tried_without.keys() == {"other base"}


def test_a_program_is_taken_whatever_the_order_of_its_parameters():
    def softmax(*, mask, scores):
        scores = scores.masked_fill(mask, -torch.inf)
        top = scores.amax(-1, keepdim=True).clamp(min=-1e30)
        exps = (scores - top).exp()
        return exps / exps.sum(-1, keepdim=True).clamp(min=1e-30)

    assert outcome_of("stable_softmax", softmax, part=3).result.passed


@pytest.mark.parametrize(
    ("name", "part", "obj", "sentence", "line"),
    [
        (
            "mha",
            0,
            lambda q, k, v: v,
            "None of this part's forms has just the parameters of `mine(q, k, v)`.",
            "lambda x, W_q, W_k, W_v, W_o, n_heads: mine(q=..., k=..., v=...)",
        ),
        (
            "stable_softmax",
            0,
            lambda x, temperature=1.0, device=None: x,
            "None of this part's forms has just the parameters of `mine(x, temperature, device)`.",
            "lambda x: mine(x=x, temperature=...)",
        ),
        (
            "cached_mha",
            0,
            Attention,
            "`Attention.forward` is called with (x) alone, but this part calls it with (x, cache).",
            'Attention,\n    layers={"W_q": "q_proj", "W_k": "k_proj", "W_v": "v_proj", "W_o": "out_proj"}',
        ),
    ],
)
def test_a_program_without_a_form_gets_a_true_sentence_and_a_line_filled_in_by_equal_names(
    name, part, obj, sentence, line
):
    outcome = outcome_of(name, obj, part)
    assert outcome.result.message == sentence
    assert outcome.line == f"interview.check({line})"


def test_what_else_the_notebook_holds_does_not_matter(monkeypatch):
    monkeypatch.setitem(globals(), "layer", Attention(8, 2))
    assert outcome_of("mha", Attention).result.passed
