"""Programs by people who had seen only the lessons' texts: right ones pass, wrong ones do not."""

import resource

import pytest

from course_utils.diagnose.visible import assess_visible
from tests.tools.variants import HERE, variants

MEMORY = 12 << 30  # one answer allocates a whole cache to measure it
EXCEPTIONS = {
    "online_softmax_attention-program_1",  # right, but accumulates in the dtype of the inputs
    # wrong ones that still do what the exercises ask for:
    "kv_cache_bytes-crash_1",  # allocates the cache to measure it, which takes less than 1 GiB here
    "load_torch_weights-single_3",  # replaces the parameters with new ones
    "masked_softmax-single_4",  # fills with -10000, and no allowed score is lower
}
PROGRAMS = [
    pytest.param(folder.name, variant, id=f"{folder.parent.name}-{folder.name}-{variant}")
    for folder in sorted(HERE.glob("strangers/*/*/"))
    for variant in variants(folder.relative_to(HERE))
]


@pytest.fixture(autouse=True)
def limited_memory():
    """Limit the memory of a program, and lift the limit afterwards."""
    previous_limit = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, previous_limit[1]))
    yield
    resource.setrlimit(resource.RLIMIT_AS, previous_limit)


@pytest.mark.release
@pytest.mark.parametrize(("side", "variant"), PROGRAMS)
def test_a_strangers_right_program_passes_and_a_wrong_one_does_not(side, variant):
    result = assess_visible(variant.exercise, variant.make())
    is_exception = str(variant) in EXCEPTIONS
    assert result.passed == ((side == "right") != is_exception), variant.about or result.message


@pytest.mark.release
@pytest.mark.parametrize("folder", ["held_back", "strangers/2026_11/wrong"])
def test_at_least_70_percent_of_unforeseen_wrong_answers_get_a_named_mistake(folder):
    mistakes = [assess_visible(variant.exercise, variant.make()).mistake for variant in variants(folder)]
    assert mistakes.count(None) <= 0.3 * len(mistakes)
