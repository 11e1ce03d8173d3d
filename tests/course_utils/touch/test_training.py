"""The picture of a training run: snapshots change nothing, and the page reads them out."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from course_utils import world
from course_utils.touch.training import (
    RUN_TEXT,
    Snapshots,
    recorded_run,
    scrub_training,
    shares,
    snapshot_steps,
)
from course_utils.world import WHO_AND_HOW, train
from tests.answers.attention_of_torch import Attention
from tests.course_utils.conftest import causal_weights

WORDS = RUN_TEXT.split()
STEPS = [0, 1, 4, 9]
WATCH_STEPS = """() => {
  const picture = document.querySelector('.touch .live');
  window.steps = [];
  new MutationObserver(() => {
    if (window.steps.at(-1) !== picture.dataset.step) window.steps.push(picture.dataset.step);
  }).observe(picture, {attributes: true, attributeFilter: ['data-step']});
}"""  # collects every step shown, however late the test looks
LOSSES = [3.25, 3.0, 2.5, 2.25, 1.0, 0.5, 0.25, 0.125, 0.0625]


FIRST, SECOND = ({step: causal_weights(3, 5, 5, seed=seed + step) for step in STEPS} for seed in (0, 50))
TRACKED = {step: table.double().requires_grad_() for step, table in FIRST.items()}
RUNS = {"mine": (TRACKED, LOSSES), "other": (SECOND, [2 * loss for loss in LOSSES])}
JOB = {"previous": [None, 0, 1, 2, 3], "first": [0, 0, 0, 0, 0]}


# ---- snapshots while training


def test_snapshots_do_not_change_training_and_are_densest_early():
    frames, short = (
        Snapshots(lambda model: model.readout.weight.detach().clone(), 6),
        replace(WHO_AND_HOW, steps=6),
    )
    model, losses = train(Attention, short)
    watched_model, watched_losses = train(Attention, short, watch=frames)
    assert losses == watched_losses
    assert list(frames.weights) == list(range(7))
    assert torch.equal(frames.weights[6], model.readout.weight)
    assert not torch.equal(frames.weights[0], frames.weights[6])
    assert torch.equal(watched_model.readout.weight, model.readout.weight)
    steps = snapshot_steps(500)
    assert (steps[0], steps[-1]) == (0, 500)
    assert 36 <= len(steps) <= 44
    assert sum(step <= 500 / 8 for step in steps) > 0.4 * len(steps)


# ---- shares of heads


def test_shares_leave_out_rows_without_an_answer():
    frame = causal_weights(3, 5, 5).numpy()
    result = shares(frame, {"job": [None, None, None, 1, 2], "none": [None, 0, None, None, None]})
    assert set(result) == {"job"}
    np.testing.assert_allclose(result["job"], (frame[:, 3, 1] + frame[:, 4, 2]) / 2)


def test_the_recorded_run_has_the_lessons_steps_and_a_small_picture():
    ((name, (weights, losses)),) = recorded_run().items()
    assert name == "the course's layer, seed 5"
    assert list(weights) == snapshot_steps(WHO_AND_HOW.steps)
    assert len(losses) == WHO_AND_HOW.steps
    places = world.places(WORDS)
    on = shares(weights[WHO_AND_HOW.steps], places)
    assert max(on["who"].max(), on["how"].max()) < 0.8  # no head is named after a job
    two = {"your layer, seed 0": (weights, losses), name: (weights, losses)}
    assert len(scrub_training(two, WORDS, places).html()) <= 60_000


# ---- in the browser


def launch(open_page, *arguments, **settings):
    page = open_page(scrub_training(*arguments), **settings)
    page.page.wait_for_selector(".live[data-step]", state="attached")
    return page


@pytest.fixture
def page(open_page, request):
    return launch(open_page, RUNS, "abcde", JOB, **getattr(request, "param", {}))


def wanted_shares(table):
    """The shares in data-shares: two jobs for each head."""
    table = table.numpy()
    return [share[h] for h in range(3) for share in shares(table, JOB).values()]


def test_the_slider_moves_through_the_steps_of_each_run(page):
    assert page.data("step") == "9"
    slider = page.page.get_by_role("slider", name="training step")
    for place, step in enumerate(STEPS):
        slider.fill(str(place))
        assert page.data("step") == str(step)
        assert slider.get_attribute("aria-valuetext") == str(step)
        assert page.numbers("loss") == [round(LOSSES[min(step, 8)], 3)]
        np.testing.assert_allclose(page.numbers("shares"), wanted_shares(FIRST[step]), atol=0.003)
    page.page.get_by_label("run").select_option("other")
    assert page.numbers("loss") == [0.125]
    np.testing.assert_allclose(page.numbers("shares"), wanted_shares(SECOND[9]), atol=0.003)
    slider.focus()
    page.press("ArrowLeft")
    assert page.data("step") == "4"


def test_play_runs_from_the_first_step_to_the_last_and_stops(page):
    page.page.evaluate(WATCH_STEPS)
    page.button("play").click()
    page.page.wait_for_function("window.steps.at(-1) === '9'")
    page.button("play").wait_for()
    assert page.page.evaluate("window.steps") == [str(step) for step in STEPS]


def test_a_cell_is_read_in_all_heads_with_mouse_and_keyboard(page):
    table = FIRST[9]
    page.page.get_by_role("img", name="head 0, query d 3, key b 1").hover()
    np.testing.assert_allclose(page.numbers("cell"), table[:, 3, 1], atol=0.003)
    assert f"query d 3 gives key b 1: {table[0, 3, 1]:.2f} in head 0" in page.sentence()
    page.page.get_by_role("img", name="head 2, query a 0, key a 0").focus()
    page.press("ArrowDown", "ArrowDown", "ArrowRight")
    np.testing.assert_allclose(page.numbers("cell"), table[:, 2, 1], atol=0.003)


@pytest.mark.parametrize("page", [{"width": 380, "touch": True}], indirect=True)
def test_tapping_the_loss_curve_on_a_phone_jumps_to_that_step(page):
    box = page.page.get_by_role("img", name="at step 9 of 9").bounding_box()
    page.page.touchscreen.tap(box["x"] + box["width"] * 0.5, box["y"] + box["height"] / 2)
    assert page.data("step") == "4"
    assert page.overall_width() <= 380


def test_a_head_is_named_only_after_a_job_with_most_of_its_weight(open_page):
    table = torch.zeros(2, 5, 5)
    table[0, range(5), [0, 0, 1, 2, 3]] = 1  # the previous token
    table[1] = torch.ones(5, 5).tril() / torch.arange(1, 6)[:, None]  # uniform over the past
    run = dict.fromkeys(STEPS, table), LOSSES
    page = launch(open_page, {"run": run}, "abcde", JOB)
    assert page.page.locator(".caption").all_inner_texts()[:2] == ["head 0: previous", "head 1"]
    assert "head 1: no job of its own" in page.sentence()
    assert page.page.get_by_label("run").count() == 0
