import numpy as np
import torch

from course_utils.standins import trace_causal_attention as course_trace
from course_utils.touch.trace import STAGES, find_statements, trace_number
from tests.answers import traced


def story_of(B=2, T=5, D=12, H=3, seed=0, dtype=torch.float64):
    generator = torch.Generator().manual_seed(seed)
    X = torch.randn(B, T, D, generator=generator, dtype=torch.float64)
    W = [torch.randn(D, D, generator=generator, dtype=torch.float64) / D**0.5 for _ in range(4)]
    return {name: stage.to(dtype) for name, stage in course_trace(X, *W, H).items()}, W[3]


STORY, LAST = story_of()


def cell(page, *place):
    return page.page.locator(f'[data-cell="{" ".join(map(str, place))}"]')


def places(text):
    return {tuple(place.split()) for place in text.split(";") if place}


def two(value):
    text = f"{float(value):.2f}"
    return (text.lstrip("-") if float(text) == 0 else text).replace("-", "−")


def products(weights, values):
    """ "0.50·1.20 + 0.50·(−0.30)" """
    pairs = zip(weights, values, strict=True)
    return " + ".join(f"{two(w)}·({two(v)})" if v < 0 else f"{two(w)}·{two(v)}" for w, v in pairs)


# ---- in the browser


def test_every_number_in_the_page_equals_the_tensors(open_page):
    page = open_page(trace_number(STORY, head=1))
    cell_texts = page.page.evaluate(
        "Object.fromEntries([...document.querySelectorAll('[data-cell]')]"
        ".map(c => [c.dataset.cell, c.textContent]))"
    )
    for name in STAGES[:-2]:
        for (i, j), value in np.ndenumerate(STORY[name][0, 1]):
            assert cell_texts[f"{name} {i} {j}"] == (two(value) if np.isfinite(value) else "−inf")
    for name in STAGES[-2:]:
        assert [cell_texts[f"{name} 3 {c}"] for c in range(12)] == [two(value) for value in STORY[name][0, 3]]


def test_a_clicked_number_shows_how_it_is_computed(open_page):
    page = open_page(trace_number(STORY))
    tables = {name: STORY[name][0, 0] for name in STAGES[:7]}

    def row(name, i):
        return {(name, str(i), str(f)) for f in range(4)}

    cell(page, "heads", 2, 1).click()
    assert page.data("chosen") == "heads 2 1"
    operands = {("weights", "2", str(j)) for j in range(5)} | {("V", str(j), "1") for j in range(5)}
    assert places(page.data("near")) == operands
    sources = {place for place in places(page.data("far")) if place[0] in "QK"}
    assert sources == row("Q", 2) | row("K", 0) | row("K", 1) | row("K", 2)
    product = products(tables["weights"][2, :3], tables["V"][:3, 1])
    assert f"{product} = {two(tables['heads'][2, 1])}" in page.sentence()
    assert "table holds" not in page.sentence()
    cell(page, "scores", 1, 4).click()
    assert places(page.data("near")) == row("Q", 1) | row("K", 4)
    assert page.sentence().endswith(f"/ 2.00 = {two(tables['scores'][1, 4])}")
    cell(page, "masked_scores", 1, 3).click()
    assert "key 3 comes after query 1: minus infinity" in page.sentence()
    cell(page, "weights", 1, 3).click()
    assert "e^−inf = 0, so the weight is 0" in page.sentence()
    cell(page, "weights", 1, 0).click()
    assert page.sentence().endswith(f"= {two(tables['weights'][1, 0])}")
    cell(page, "merged", 3, 9).click()  # a column of merged belongs to one head
    assert page.page.get_by_label("head", exact=True).input_value() == "2"
    assert places(page.data("near")) == {("heads", "3", "1")}
    assert cell(page, "heads", 3, 1).inner_text() == two(STORY["heads"][0, 2, 3, 1])


def test_an_output_is_written_out_only_if_w_o_is_given(open_page):
    page = open_page(trace_number(STORY, W_O=LAST), trace_number(STORY))
    cell(page, "output", 4, 7).first.click()
    words = page.page.locator(".say").first.inner_text()
    assert words.count("·") == 12
    assert words.endswith(f"= {two(STORY['output'][0, 4, 7])}")
    assert places(page.data("near")) == {("merged", "4", str(c)) for c in range(12)}
    cell(page, "output", 4, 7).nth(1).click()
    assert "·" not in page.page.locator(".say").nth(1).inner_text()


def test_arrow_keys_move_in_a_table_and_menus_choose_head_and_example(open_page):
    page = open_page(trace_number(STORY))
    cell(page, "weights", 0, 0).focus()
    page.press("ArrowDown", "ArrowDown", "ArrowRight", "Enter")
    assert page.data("chosen") == "weights 2 1"
    assert cell(page, "weights", 2, 1).get_attribute("aria-selected") == "true"
    assert cell(page, "weights", 2, 1).get_attribute("aria-label").startswith("weights, query 2, key 1: ")
    page.page.get_by_label("head", exact=True).select_option("2")
    page.page.get_by_label("example", exact=True).select_option("1")
    assert cell(page, "weights", 4, 2).inner_text() == two(STORY["weights"][1, 2, 4, 2])


def test_hovering_a_tables_name_shows_its_shape_and_source_line(open_page):
    page = open_page(trace_number(STORY, made_by=traced.with_variables))
    page.page.get_by_role("button", name="scores", exact=True).hover()
    text = page.page.locator(".live").inner_text()
    assert "scores (B, H, T, T) = (2, 3, 5, 5)" in text
    assert "scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])" in text
    page.page.get_by_role("button", name="merged", exact=True).focus()
    assert "merged (B, T, d_model) = (2, 5, 12)" in page.page.locator(".live").inner_text()


def test_large_tensors_show_only_their_first_tokens_and_features(open_page):
    story, W_O = story_of(B=3, T=9, D=64, H=4)
    page = open_page(trace_number(story, W_O=W_O, head=3))
    assert "the first 6 of 9 tokens" in page.page.locator(".live").inner_text()
    cell(page, "scores", 5, 5).click()
    assert "10 more features, over √16) = " + two(story["scores"][0, 3, 5, 5]) in page.sentence()
    cell(page, "heads", 5, 5).click()
    assert page.sentence().split("=")[1].startswith(f" {two(story['heads'][0, 3, 5, 5])}")
    cell(page, "merged", 2, 19).click()
    assert page.sentence().startswith("merged[2, 49]")
    cell(page, "output", 2, 11).click()
    assert "58 more features) = " + two(story["output"][0, 2, 11]) in page.sentence()


def test_a_computed_number_that_differs_from_the_table_is_reported(open_page):
    page = open_page(trace_number({**STORY, "scores": STORY["scores"] * 2}))
    cell(page, "scores", 1, 0).click()
    right, wrong = STORY["scores"][0, 0, 1, 0], 2 * STORY["scores"][0, 0, 1, 0]
    assert page.sentence().endswith(f"= {two(right)}, but the table holds {two(wrong)}")


def test_large_scores_and_a_single_token_are_traced(open_page):
    story, _ = story_of(B=1, T=3)
    large = {
        name: stage * 100 if name in ("scores", "masked_scores") else stage for name, stage in story.items()
    }
    large["weights"] = large["masked_scores"].softmax(-1)
    item, _ = story_of(B=1, T=1, D=1, H=1)
    page = open_page(trace_number(large), trace_number(item))
    cell(page, "weights", 2, 1).first.click()
    words = page.page.locator(".say").first.inner_text()
    assert f"its maximum {two(large['masked_scores'][0, 0, 2].max())} subtracted" in words
    assert words.endswith(f"= {two(large['weights'][0, 0, 2, 1])}")
    assert page.data("chosen", 1) == "heads 0 0"


# ---- accepted tensors


def test_any_dtype_is_accepted_and_a_finite_fill_counts_as_masked():
    story, W_O = story_of(dtype=torch.bfloat16)
    filled = story["masked_scores"].masked_fill(STORY["masked_scores"].isneginf(), -1e9)
    tracked = {name: stage.float().requires_grad_() for name, stage in story.items()}
    piece = trace_number(tracked | {"masked_scores": filled}, W_O=W_O.float().requires_grad_())
    assert piece.data["stages"]["masked_scores"][0][0][1][2:] == [None] * 3


# ---- the source lines of the learner's function


def test_source_lines_are_matched_for_variables_and_dict_entries():
    lines = find_statements(traced.with_variables)
    assert lines["Q"] == lines["V"] == "Q, K, V = (split(X @ W) for W in (W_Q, W_K, W_V))"
    assert lines["masked_scores"] == "masked = scores.masked_fill(future(scores), -math.inf)"
    assert lines["weights"] == "weights = torch.softmax(masked, dim=-1)"
    assert lines["heads"] == "heads=weights @ V"
    assert "merged" not in lines
    lines = find_statements(traced.with_entries)
    assert lines["Q"] == "'Q': split(X @ W_Q)"
    assert lines["scores"] == 'story["scores"] = story["Q"] @ story["K"].mT / 2'
    assert lines["output"] == 'out = story["scores"] @ W_O'


def test_functions_without_source_and_the_courses_own_have_no_lines():
    space = {}
    exec("def f():\n    Q = 1\n    return {'Q': Q}", space)
    for function in (None, space["f"], course_trace, len, 3):
        assert find_statements(function) == {}
