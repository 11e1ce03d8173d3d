"""A figure says what its data shows, so that no lesson has to."""

import re

import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch

from course_utils.figures.cache import plot_cache_step
from course_utils.figures.heads import plot_heads
from course_utils.figures.masks import plot_mask
from course_utils.figures.show import show
from course_utils.figures.svg import figure_of
from course_utils.figures.training import plot_table
from course_utils.figures.weights import plot_weights
from course_utils.figures.words import description, runs
from tests.tools.figures import all_figures, pictures
from tests.tools.masks import causal


@pytest.fixture(scope="module")
def said():
    yield {draw.__name__: description(figure_of(axes)) for draw, axes in pictures().items()}
    plt.close("all")


def words(axes):
    return description(figure_of(axes))


@pytest.mark.parametrize("name", sorted(draw.__name__ for draw in all_figures()))
def test_every_figure_says_numbers_of_its_data(said, name):
    text = said[name]
    assert sum(letter.isdigit() for letter in text) >= 4, text
    assert len(text) > 50, text
    assert len(text) < 3500, text
    assert not re.search(r"\bnan\b", text)
    assert "\n" not in text


def test_a_mask_too_long_for_words_says_little():
    assert len(words(plot_mask(causal(50)))) < 100


def test_a_long_table_says_the_largest_of_each_row():
    weights = torch.rand(1, 12, 12).masked_fill(causal(12), 0)
    text = words(plot_heads(weights))
    for i in range(12):
        assert f"query {i}: {weights[0, i].max():.2f} at key {int(weights[0, i].argmax())}" in text
    assert "66 masked" in text


def test_titles_given_later_and_several_panels_are_said_in_order():
    axes = plt.subplots(1, 2)[1]
    plot_table({"r": {"c": 0.25}}, ax=axes[0])
    plot_cache_step([1, 1], 1, ax=axes[1])
    axes[0].set_title("left")
    assert words(axes) == (
        "left: r: c 0.25. "
        "step 1: 1 new, 1 cached: Q, K and V of 1 are computed; K and V of 0 come from the cache; "
        "the query of 1 meets every key so far."
    )


def test_a_picture_of_somebody_else_says_its_title_and_axes():
    ax = plt.subplots()[1]
    ax.imshow(np.eye(2))
    ax.set(title="a table", xlabel="key", ylabel="query")
    assert words(ax) == "a table: query against key."


@pytest.mark.parametrize(("alt", "text"), [((), "query 0: 1, 0; query 1: 0, 1."), (("mine",), "mine")])
def test_show_sends_the_words_of_the_figure_or_those_given(monkeypatch, alt, text):
    sent = []
    monkeypatch.setattr("course_utils.figures.show.display", lambda bundle, raw: sent.append(bundle))
    show(plot_weights(torch.eye(2)), *alt)
    assert f'aria-label="{text}"' in sent[0]["text/html"]
    assert sent[0]["text/plain"] == f"Picture: {text}"


@pytest.mark.parametrize(
    ("numbers", "text"), [([], ""), ([3], "3"), ([0, 1, 2], "0 to 2"), ([0, 2, 3], "0, 2 to 3")]
)
def test_runs_are_read_as_from_to(numbers, text):
    assert runs(np.array(numbers, dtype=int)) == text
