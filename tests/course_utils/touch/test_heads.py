"""The picture of all heads reads out the tensor's values, for any shape, dtype and size."""

import copy

import numpy as np
import pytest
import torch

from course_utils import standins, world
from course_utils.touch.heads import NAMES, explore_heads
from course_utils.touch.heads_model import attend
from course_utils.world import REPEATS, TinyModel
from tests.course_utils.conftest import causal_weights
from tests.tools.masks import causal as future

CLOSE = 1 / 254  # tolerance of a value that is read out


def explore(weights):
    """explore_heads with the positions as tokens."""
    return explore_heads(weights, range(weights[0].shape[-1]))


def test_all_input_forms_of_weights_give_the_same_picture():
    weights = causal_weights(2, 3, 6, 6)
    wanted = explore(weights).still
    forms = [
        weights.numpy(),
        list(weights),  # (H, T, T) for each layer
        tuple(layer[None] for layer in weights),  # the form that transformers return
        weights.double().requires_grad_(),
    ]
    assert all(explore(form).still == wanted for form in forms)
    assert explore_heads(weights, torch.tensor([[7, 8, 9, 7, 8, 9]])).data["tokens"] == [*"789789"]


def test_head_scores_equal_those_of_the_lesson():
    weights, text = causal_weights(2, 3, 12, 12), "abcabcadbadc"
    scores = explore_heads(weights, text).data["scores"][0]
    tokens = torch.tensor([[ord(letter) for letter in text]])
    for layer in range(2):
        item = weights[layer][None]
        for name, wanted in standins.head_scores(item).items():
            np.testing.assert_allclose(scores[name][layer], wanted, atol=6e-4)
        wanted = standins.induction_score(item, tokens)
        np.testing.assert_allclose(scores["induction"][layer], wanted, atol=6e-4)
        wanted = standins.head_entropy(item)[0, :, 1:].mean(-1)
        np.testing.assert_allclose(scores["entropy"][layer], wanted, atol=6e-4)

    assert "induction" not in explore(weights).data["scores"][0]  # no token repeats
    assert explore(causal_weights(1, 1, 1, 1)).data["scores"] == [{}]


# ---- in the browser


def launch(open_page, piece, **settings):
    page = open_page(piece, **settings)
    page.page.wait_for_selector(".live[data-read]")
    return page


def table(page, index=0):
    return page.page.get_by_role("application", name="rows are queries").nth(index)


def overview(page):
    heads = page.page.get_by_role("application", name="heads")
    return heads.and_(page.page.get_by_label("choose one")).first


def values(page):
    """The values that are read out, one for each source."""
    return page.data("read").split(" | ")


def matches(text, weight):
    """Does the text that is read out match the weight (or "masked")?"""
    if "masked" in (text, weight):
        return text == weight
    return weight < CLOSE if text == "< 0.004" else abs(float(text) - weight) <= CLOSE


def point(page, i, j, T):
    """Move the mouse over cell (i, j). With more than 32 tokens the table has no labels beside it."""
    box = table(page).bounding_box()
    x, y = (j + 0.5) * (box["width"] - 2) / T, (i + 0.5) * (box["height"] - 2) / T
    page.page.mouse.move(box["x"] + x, box["y"] + y)


EARLY = torch.tensor([[[[1.0, 0, 0, 0], *[[0.5, 0.5, 0, 0]] * 3]]])
WEIGHTS_AND_MASKS = {
    f"{L} x {H} heads of {T}": (causal_weights(L, H, T, T), future(T))
    for L, H, T in [(3, 4, 40), (12, 12, 36), (3, 2, 1), (1, 1, 2), (2, 2, 200)]
} | {
    "bfloat16": (causal_weights(2, 2, 40, 40).bfloat16(), future(40)),
    "nothing is masked": (torch.full((1, 2, 4, 4), 0.25), torch.zeros(4, 4).bool()),
    "a row without open keys": (causal_weights(1, 1, 4, 4) * torch.tensor([0, 1, 1, 1])[:, None], future(4)),
    "an allowed key got nothing": (torch.cat([EARLY, torch.eye(4)[None, None]], 1), future(4)),
}


@pytest.mark.parametrize("name", WEIGHTS_AND_MASKS)
def test_a_weight_under_the_mouse_equals_the_tensors(open_page, name):
    weights, masked = WEIGHTS_AND_MASKS[name]
    L, H, T, _ = weights.shape
    page = launch(open_page, explore(weights))
    overview(page).focus()
    page.press(*["ArrowDown"] * (L - 1), *["ArrowRight"] * (H - 1))
    assert page.data("head") == f"{L - 1} {H - 1}"
    for i, j in [(0, 0), (T - 1, 0), (T - 1, T - 1), (T // 2, T // 3), (0, T - 1), (T - 1, T // 2)]:
        point(page, i, j, T)
        assert page.data("cell") == f"{i} {j}"
        assert matches(values(page)[0], "masked" if masked[i, j] else weights[-1, -1, i, j])


def test_every_head_and_weight_can_be_read_by_keyboard(open_page):
    weights = causal_weights(2, 3, 6, 6)
    page = launch(open_page, explore_heads(weights, "abcdef"))
    overview(page).focus()
    page.press("ArrowRight", "ArrowDown", "ArrowRight")
    assert page.data("head") == "1 2"
    page.press("Tab")
    page.press(*["ArrowUp"] * 2, *["ArrowLeft"] * 5, "ArrowRight")
    assert page.data("cell") == "3 1"
    assert matches(values(page)[0], weights[1, 2, 3, 1])
    label = table(page).get_attribute("aria-label")
    assert "layer 1, head 2: query 3 “d” → key 1 “b”" in label


def test_a_click_pins_a_selection_and_pointing_only_previews_one(open_page):
    page = launch(open_page, explore(causal_weights(2, 3, 40, 40)))
    box = overview(page).bounding_box()
    place = {"x": box["width"] - 20, "y": box["height"] - 20}
    for action, head in ((overview(page).hover, "0 0"), (overview(page).click, "1 2")):
        action(position=place)
        assert page.data("head") == "1 2"
        page.page.mouse.move(5, 5)
        assert page.data("head") == head
    point(page, 20, 4, 40)
    page.page.mouse.down()
    page.page.mouse.up()
    point(page, 30, 9, 40)
    assert page.data("cell") == "30 9"
    page.page.mouse.move(5, 5)
    assert page.data("cell") == "20 4"


def test_tapping_reads_a_weight_on_a_phone(open_page):
    weights = causal_weights(2, 3, 40, 40)
    page = launch(open_page, explore_heads(weights, [f"word {i}" for i in range(40)]), width=380, touch=True)
    box = table(page).bounding_box()
    table(page).tap(position={"x": 4.5 * (box["width"] - 2) / 40, "y": 30.5 * (box["height"] - 2) / 40})
    assert page.data("cell") == "30 4"
    assert matches(values(page)[0], weights[0, 0, 30, 4])
    assert page.overall_width() <= 380


def test_heads_are_sorted_by_a_score(open_page):
    piece = explore_heads(causal_weights(2, 5, 16, 16), "abcdabcdabcdabcd")
    page = launch(open_page, piece)
    for name in ("previous", "first", "induction", "entropy"):
        page.page.get_by_role("combobox").select_option(name)
        result = np.array(piece.data["scores"][0][name]).ravel()
        sign = 1 if name == "entropy" else -1
        np.testing.assert_array_equal(page.numbers("order"), np.argsort(sign * result, kind="stable"))
        assert page.data("head") == " ".join(map(str, divmod(int(page.numbers("order")[0]), 5)))


def test_clicking_a_token_makes_it_the_query_and_draws_its_arcs(open_page):
    weights = causal_weights(1, 5, 12, 12)
    page = launch(open_page, explore_heads(weights, "abcdefghijkl"))
    page.page.locator("svg g:has(> rect)").nth(7).click()
    assert page.data("cell").split()[0] == "7"
    assert page.page.locator("svg path").count() == (weights[0, 0, 7] > CLOSE).sum()


def test_144_heads_fit_into_a_megabyte_and_follow_the_pointer_in_every_frame(open_page):
    piece = explore_heads(causal_weights(12, 12, 128, 128), [f"tok{i}" for i in range(128)])
    assert len(piece.html()) <= 1_045_000
    page = launch(open_page, piece)
    late = page.page.evaluate("""async () => {
      const canvas = document.querySelector('[aria-label*="rows are queries"]');
      const live = document.querySelector('.live'), box = canvas.getBoundingClientRect();
      let late = 0;
      for (let k = 0; k < 20; k++) {
        const at = { clientX: box.left + 4 * k + 2, clientY: box.top + 8 * k + 200, bubbles: true };
        canvas.dispatchEvent(new PointerEvent('pointermove', at));
        const before = live.dataset.cell;
        await new Promise(requestAnimationFrame);
        late += live.dataset.cell === before;
      }
      return late;
    }""")
    assert late == 0


# ---- a small model in the page

REPEATED = "jumboplanetsplanetsplane"


def shipped_model():
    return world.load("repeated word", standins.MultiHeadSelfAttention)


def encode(text):
    """Number the letters of a text: (1, T)."""
    return torch.tensor([[ord(letter) - ord("a") for letter in text]])


def explore_model(text, model):
    """The heads of a model, or of {name: model}, with their weights for the text."""
    models = model if isinstance(model, dict) else {"": model}
    weights = {name: attend(item, encode(text))[0] for name, item in models.items()}
    return explore_heads(weights if model is models else weights[""], text, model)


@torch.no_grad()
def logits_of(model, text, off=()):
    """(T, 26) with some heads switched off by zeroing their columns of W_o."""
    model = copy.deepcopy(model)
    width = model.embedding.weight.shape[1] // model.num_heads
    for layer, head in off:
        model.layers[layer].W_o.weight[:, head * width : (head + 1) * width] = 0
    return model(encode(text))[0].numpy()


def assert_equal_logits(page, model, text, off=(), index=0):
    """The page's logits equal torch's."""
    in_page = page.page.evaluate(f"document.querySelector('.live').logits[{index}]")  # [T][V]
    np.testing.assert_allclose(np.array(in_page), logits_of(model, text, off), atol=1e-4, rtol=0)


@pytest.mark.parametrize("text", [REPEATED, "thequickbrownfox"])
def test_logits_in_the_page_equal_torchs(open_page, text):
    model = shipped_model()
    page = launch(open_page, explore_model(text, model))
    assert_equal_logits(page, model, text)
    for word in ("a", "banana", "zzzzzzzz", text[::-1]):
        page.page.get_by_role("textbox").fill(word)
        page.frame()
        assert_equal_logits(page, model, word)


def test_switching_heads_off_changes_the_page_as_it_changes_torch(open_page):
    model, off = shipped_model(), []
    page = launch(open_page, explore_model(REPEATED, model))
    assert page.numbers("changed") == [0]
    whole = logits_of(model, REPEATED).argmax(-1)
    answers = "".join(page.page.locator(".live td").all_inner_texts())
    assert answers == "".join(model.vocabulary[letter] for letter in whole)
    for head in [(0, 1), (1, 0), (0, 0), (1, 1)]:
        page.button("layer {}, head {}: o".format(*head)).click()
        off.append(head)
        assert_equal_logits(page, model, REPEATED, off)
        assert page.numbers("changed") == [(logits_of(model, REPEATED, off).argmax(-1) != whole).sum()]
    assert page.page.locator("td.lit").count() == page.numbers("changed")[0] > 0
    page.button("reset").click()
    assert_equal_logits(page, model, REPEATED)
    assert page.page.locator("td.lit").count() == 0


def test_a_typed_text_gets_weights_and_scores_and_non_letters_are_dropped(open_page):
    model = shipped_model()
    page = launch(open_page, explore_model(REPEATED, model))
    field, status = page.page.get_by_role("textbox"), page.page.get_by_role("status")
    field.fill("Ab1!<c")
    assert page.data("text") == "abc"
    assert "Only the letters a to z" in status.inner_text()
    field.fill("")
    assert page.data("text") == "abc"
    assert "at least one letter" in status.inner_text()
    field.fill("abcabcab")
    (layer0, layer1) = [layer[0] for layer in attend(model, encode("abcabcab"))[0]]
    overview(page).focus()
    page.press("ArrowDown")
    table(page).focus()
    page.press("ArrowUp", "ArrowLeft", "ArrowLeft")
    i, j = map(int, page.numbers("cell"))
    assert (page.data("head"), i) == ("1 0", 6)
    assert matches(values(page)[0], layer1[0, i, j])
    result = explore_heads([layer0, layer1], "abcabcab").data["scores"][0]
    message = page.page.locator(".note", has_text="induction").first.inner_text()
    for name, title in NAMES.items():
        assert abs(float(message.split(f"{title} ")[1].split(" ")[0]) - result[name][1][0]) <= 0.006


def test_two_models_side_by_side_share_the_text_and_the_switches(open_page):
    torch.manual_seed(0)
    models = {"before": TinyModel(standins.MultiHeadSelfAttention, REPEATS), "after": shipped_model()}
    page = launch(open_page, explore_model("thequickbrownfox", models), width=380, touch=True)
    table(page, index=1).hover()
    i, j = map(int, page.numbers("cell"))
    for value, model in zip(values(page), models.values(), strict=True):
        assert matches(value, attend(model, encode("thequickbrownfox"))[0][0][0, 0, i, j])
    assert "before" in page.sentence()
    page.button("layer 0, head 1: on").tap()
    page.page.get_by_role("textbox").fill("banana")
    page.frame()
    for index, model in enumerate(models.values()):
        assert_equal_logits(page, model, "banana", [(0, 1)], index)
    assert page.overall_width() <= 380


# ---- bad input


class Louder(TinyModel):
    def forward(self, tokens):
        return 2 * super().forward(tokens)


def with_row(layer, head, row, numbers):
    return GOOD.index_put(tuple(map(torch.tensor, (layer, head, row))), torch.tensor(numbers))


GOOD, THREE = causal_weights(2, 3, 4, 4), causal_weights(2, 2, 3, 3)
LOUDER = Louder(standins.MultiHeadSelfAttention, REPEATS)
REFUSED = {
    "2-D": (GOOD[0, 0], "abcd", None, r"those are \(4, 4\), with 4 tokens"),
    "several texts": (GOOD[:, None].repeat(1, 2, 1, 1, 1), "abcd", None, r"those are \(2, 2, 3, 4, 4\)"),
    "other heads": ([GOOD[0], THREE[0]], "abcd", None, r"the same shape, not \[\(3, 4, 4\), \(2, 3, 3\)\]"),
    "other sources": (
        {"a": GOOD, "b": GOOD[:1]},
        "abcd",
        None,
        r"the same shape, not \[\(2, 3, 4, 4\), \(1,",
    ),
    "too few tokens": ({"a": GOOD}, "abc", None, r"those of a are \(2, 3, 4, 4\), with 3 tokens"),
    "a long text": (causal_weights(1, 1, 257, 257), range(257), None, "at most 256 positions"),
    "rows": (with_row(1, 2, 3, [0.5] * 4), "abcd", None, "in layer 1, head 2, row 3 sums to 2"),
    "NaN": (with_row(0, 1, 2, [torch.nan, 0, 0, 0]), "abcd", None, "in layer 0, head 1, row 2 sums to nan"),
    "below 0": ({"b": with_row(0, 0, 3, [1.5, -0.5, 0, 0])}, "abcd", None, "head 0 of b, row 3 sums to 1"),
    "other weights": (THREE, "abc", shipped_model(), "not the weights for 'abc'"),
    "other names": ({"a": THREE}, "abc", {"b": shipped_model()}, r"same names, not \['a'\] and \['b'\]"),
    "other letters": (THREE, "aBc", shipped_model(), "words as model.words makes them, not 'aBc'"),
    "other layers": (THREE[:1], "abc", shipped_model(), "not the weights"),
    "a model that does more": (attend(LOUDER, encode("abc"))[0], "abc", LOUDER, "not the weights"),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_bad_weights_or_tokens_are_refused_in_one_sentence(kind):
    weights, tokens, model, sentence = REFUSED[kind]
    with pytest.raises(ValueError, match=sentence):
        explore_heads(weights, tokens, model)


def word_logits(model, words, off=None):
    """(T, V) of a list of words, with one head switched off."""
    model = copy.deepcopy(model)
    if off is not None:
        model.layers[0].W_o.weight[:, off * 16 : (off + 1) * 16] = 0
    return model(model.tokens([words]))[0].numpy()


def test_a_model_of_words_reads_typed_sentences_and_its_heads_can_be_switched_off(open_page):
    model = world.load("who and how", standins.MultiHeadSelfAttention)
    words = model.words("the small dog slept near the cat loudly and")
    page = launch(open_page, explore_heads(attend(model, model.tokens([words]))[0], words, model), width=380)
    field, status = page.page.get_by_role("textbox"), page.page.get_by_role("status")

    def same_as_torch(words, off=None):
        (in_page,) = page.page.evaluate("document.querySelector('.live').logits")
        np.testing.assert_allclose(np.array(in_page), word_logits(model, words, off), atol=1e-4, rtol=0)

    same_as_torch(words)
    assert page.page.locator(".live td").all_inner_texts()[-1] == "barked"
    page.button("layer 0, head 1: o").click()
    same_as_torch(words, off=1)
    page.button("reset").click()
    field.fill("The lion quietly sat near the mouse and")
    assert page.data("text") == "the lion quietly sat near the and"
    assert status.inner_text().startswith("This model does not know “mouse”. Its words: the, cat, dog, ")
    field.fill("the lion quietly sat and")
    assert status.inner_text() == ""
    same_as_torch(["the", "lion", "quietly", "sat", "and"])
    assert page.page.locator(".live td").all_inner_texts()[-1] == "rumbled"
    field.fill("the " * 20)
    assert status.inner_text() == "Only 19 words are read."
    assert page.overall_width() <= 380


def test_a_model_of_words_refuses_other_words():
    model = world.load("who", standins.MultiHeadSelfAttention)
    with pytest.raises(ValueError, match="does not know 'mouse'"):
        explore_heads(THREE[:1, :1], ["the", "mouse", "sat"], model)


def test_ablated_heads_give_the_counts_that_lesson_05_states():
    model, positions = shipped_model(), slice(12, 23)
    wanted = encode(REPEATED)[0].roll(-1)[positions].numpy()

    def right(*off):
        return (logits_of(model, REPEATED, off)[positions].argmax(-1) == wanted).sum()

    assert [right(), right((0, 1)), right((1, 0)), right((1, 1)), right((1, 0), (1, 1))] == [11, 2, 11, 11, 0]
