"""Axis names on a crash card are never a coincidence of sizes."""

import pytest

from course_utils.diagnose.axes import NAMELESS, independent_sizes, sure_axes
from course_utils.model.sheet import load_sheet, published_names

SAME_AXIS = ("T", "max_len", "length")  # numbers of tokens, which may be equal
MOST_COINCIDENCES = 24  # core cases in which two sizes are equal; no new one may be added


def coincidences(case, wanted, contract):
    """{size: names}, for sizes that belong to several different axes."""
    names = {}
    for name, size in independent_sizes(case, wanted, contract):
        names.setdefault(size, set()).add(name)
    several = {size: result for size, result in names.items() if size > 1 and len(result) > 1}
    return {s: result for s, result in several.items() if not all(n.startswith(SAME_AXIS) for n in result)}


def cases_of(name):
    sheet = load_sheet(name)
    rows = zip(sheet.cases, sheet.wanted, strict=True)
    return [(case, wanted, sheet.contract) for case, wanted in rows if not case.device]


def test_nearly_all_core_cases_have_different_independent_sizes():
    rows = [(name, *row) for name in published_names() for row in cases_of(name)]
    equal = [(name, case.name) for name, case, *rest in rows if not case.edge and coincidences(case, *rest)]
    assert len(equal) <= MOST_COINCIDENCES, equal


@pytest.mark.parametrize("name", published_names())
def test_a_size_shared_by_two_axes_gets_no_name(name):
    for row in cases_of(name):
        names = sure_axes(*row)
        assert not {size for size in coincidences(*row) if size in names}
        assert NAMELESS not in names.values()


def test_a_size_that_is_a_product_of_two_axes_gets_no_name():
    """If examples and heads share an axis, B * H is 3 * 2 = 6, so the size 6 must not be called T_all."""
    (row,) = [row for row in cases_of("MultiHeadAttentionWithCache") if row[0].name == "prefill_then_steps"]
    names = sure_axes(*row)
    # d_model is H * d_head, which is no coincidence
    assert (names[3], names[2], names[8]) == ("B", "H", "d_model")
    assert 6 not in names
