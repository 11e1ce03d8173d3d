"""What cards and questions say of published models holds in transformers."""

import inspect
from importlib import import_module

import pytest
import torch

from course_utils.practice.flashcards.deck import decks
from course_utils.practice.mock.plan import table

pytestmark = [pytest.mark.system, pytest.mark.xdist_group("other libraries")]


def says(item, *parts):
    text = str(vars(item) if not isinstance(item, dict) else item)
    assert [part for part in parts if part not in text] == []


def config(name, **settings):
    """A model's default configuration, or one with other settings."""
    return getattr(import_module("transformers"), f"{name}Config")(**settings)


def module_of(name):
    return import_module(f"transformers.models.{name}.modeling_{name}")


def test_mixtures_have_the_numbers_of_experts_on_the_cards():
    says(
        decks()["mixture_of_experts"],
        "Mixtral-8x7B has 8 experts and k = 2",
        "DeepSeek-V3 256 and k = 8 beside one",
    )
    mixtral, deepseek = config("Mixtral"), config("DeepseekV3")
    assert (mixtral.num_local_experts, mixtral.num_experts_per_tok) == (8, 2)
    assert (mixtral.hidden_size, mixtral.intermediate_size, mixtral.num_hidden_layers) == (4096, 14336, 32)
    assert (deepseek.n_routed_experts, deepseek.num_experts_per_tok, deepseek.n_shared_experts) == (256, 8, 1)


def test_a_bias_of_deepseek_v3_takes_part_in_the_choice_of_experts_only():
    says(decks()["balance_of_experts"], "it only takes part in the choice, not in the weights of the outputs")
    small = config(
        "DeepseekV3", hidden_size=8, n_routed_experts=8, n_group=1, topk_group=1, num_experts_per_tok=2
    )
    router = module_of("deepseek_v3").DeepseekV3TopkRouter(small)
    torch.nn.init.normal_(router.weight)
    x = torch.randn(5, 8)
    _, weights, before = router(x)
    router.e_score_correction_bias[before[0, 0]] += 0.01  # a chosen one stays chosen
    _, same, after = router(x)
    assert set(before[0].tolist()) == set(after[0].tolist())
    torch.testing.assert_close(weights[0].sort().values, same[0].sort().values)
    router.e_score_correction_bias[:] = torch.arange(8) * 10.0
    assert set(router(x)[2].flatten().tolist()) == {6, 7}


def test_layers_are_linear_sparse_and_windowed_where_the_cards_say():
    says(decks()["linear_attention"], "in Qwen3-Next three of four layers are linear")
    kinds = config("Qwen3Next").layer_types
    assert kinds.count("linear_attention") == 3 * kinds.count("full_attention") == 36
    says(decks()["sparse_attention"], "reads the best 2048")
    assert config("DeepseekV32").index_topk == 2048


def test_vocabulary_tables_are_tied_where_the_card_says():
    says(decks()["weight_tying"], "tie (GPT-2, Gemma 3), and Llama-3-8B does not")
    ties = [config(name).tie_word_embeddings for name in ("GPT2", "Gemma3Text", "Llama")]
    assert ties == [True, True, False]


def test_norms_stand_where_the_question_says():
    says(table("spoken")["norms_of_a_block"], "x + norm(f(x))", "Gemma 3 has both")
    for name in ("Olmo2", "Olmo3", "Gemma3", "Llama"):
        layer = getattr(module_of(name.lower()), f"{name}DecoderLayer")
        norms = inspect.getsource(layer.__init__).count("RMSNorm(")
        forward = inspect.getsource(layer.forward)
        in_front = "input_layernorm(" in forward
        assert (norms, in_front) == {"Olmo2": (2, False), "Olmo3": (2, False), "Gemma3": (4, True)}.get(
            name, (2, True)
        )


def test_alibi_has_the_slopes_of_the_card():
    says(decks()["alibi"], "2^(−8 h / H) for heads h = 1 to H", "BLOOM")
    table = module_of("bloom").build_alibi_tensor(
        torch.ones(1, 7), 8, torch.float32
    )  # (heads, 1, T): slope times position
    torch.testing.assert_close(table[:, 0, 6] - table[:, 0, 0], 6 * 2 ** -torch.arange(1.0, 9))


def test_temperature_comes_before_top_k_and_top_p():
    says(decks()["order_of_sampling"], "In transformers: temperature first")
    code = inspect.getsource(import_module("transformers").GenerationMixin)
    places = [code.index(f"{name}LogitsWarper(") for name in ("Temperature", "TopK", "TopP")]
    assert places == sorted(places)
