"""Programs by people who knew nothing but the lessons' texts: right ones pass, wrong ones do not."""

import resource

import pytest

from course_utils.diagnose.visible import assess_visible
from tests.tools.variants import HERE, variants

from . import named

REFUSED = {"online_softmax_attention-program_1"}  # keeps its sums in the dtype of the inputs
TAKEN = {  # they keep to what the exercises ask for
    "kv_cache_bytes-crash_1",  # builds the cache to weigh it, which takes less than 1 GiB here
    "load_torch_weights-single_3",  # puts new parameters in place of the old ones
    "masked_softmax-single_4",  # fills with -10000, and no allowed score is lower
}


def programs(side):
    folders = sorted(HERE.glob(f"strangers/*/{side}"))
    return [
        pytest.param(variant, id=f"{folder.parent.name}-{variant}")
        for folder in folders
        for variant in variants(folder.relative_to(HERE))
    ]


@pytest.fixture(autouse=True)
def enough_memory():
    """No program takes all: the limit is taken back afterwards."""
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (named.MEMORY, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_AS, before)


@pytest.mark.release
@pytest.mark.parametrize("variant", programs("right"))
def test_a_right_program_passes(variant):
    result = assess_visible(variant.exercise, variant.make())
    assert result.passed != (str(variant) in REFUSED), result.message


@pytest.mark.release
@pytest.mark.parametrize("variant", programs("wrong"))
def test_a_wrong_program_does_not_pass(variant):
    result = assess_visible(variant.exercise, variant.make())
    assert result.passed == (str(variant) in TAKEN), variant.about


def test_cards_of_wrong_answers_are_counted_by_kind():
    wrong = {str(variant): variant for variant in variants("strangers/2026_11/wrong")}
    kinds = {
        "split_heads-single_1": "named",
        "split_heads-crash_3": "shown",
        "name_the_heads-single_1": "vague",
    }
    assert {name: named.kind_of_card(wrong[name]) for name in kinds} == kinds
