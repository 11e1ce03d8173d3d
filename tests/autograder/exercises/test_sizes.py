"""An axis name on a crash card is never a coincidence."""

import pytest

from course_utils.diagnose.axes import NAMELESS, independent_sizes, sure_axes
from course_utils.model.sheet import load_sheet, published_names

SAME_AXIS = ("T", "max_len", "length")  # sizes of tokens, which may be equal
MOST_COINCIDENCES = 24  # core cases in which two sizes are equal all the same; no new one comes in


def coincidences(case, wanted, contract):
    """{size: the names that have it}, where these are of different axes."""
    names = {}
    for name, size in independent_sizes(case, wanted, contract):
        names.setdefault(size, set()).add(name)
    several = {size: result for size, result in names.items() if size > 1 and len(result) > 1}
    return {s: result for s, result in several.items() if not all(n.startswith(SAME_AXIS) for n in result)}


def cases_of(name):
    sheet = load_sheet(name)
    rows = zip(sheet.cases, sheet.wanted, strict=True)
    return [(case, wanted, sheet.contract) for case, wanted in rows if not case.device]


def test_independent_sizes_of_nearly_all_core_cases_differ():
    rows = [(name, *row) for name in published_names() for row in cases_of(name)]
    equal = [(name, case.name) for name, case, *more in rows if not case.edge and coincidences(case, *more)]
    assert len(equal) <= MOST_COINCIDENCES, equal


@pytest.mark.parametrize("name", published_names())
def test_a_size_that_two_axes_have_gets_no_name(name):
    for row in cases_of(name):
        names = sure_axes(*row)
        assert not {size for size in coincidences(*row) if size in names}
        assert NAMELESS not in names.values()


def test_a_size_that_two_axes_have_together_gets_no_name():
    """Examples and heads folded into one: B * H is 3 * 2, and T_all is no name for 6 there."""
    (row,) = [row for row in cases_of("MultiHeadAttentionWithCache") if row[0].name == "prefill_then_steps"]
    names = sure_axes(*row)
    assert (names[3], names[2], names[8]) == ("B", "H", "d_model")  # d_model is H * d_head, not by chance
    assert 6 not in names
