"""make report after make grade: twelve real notebooks, whose mistakes are known, graded in the sandbox."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from autograder.gradebook.class_run import grade_class
from autograder.report.class_report.collect import collect
from autograder.report.class_report.reports import report_on
from autograder.setup.demo import LESSON, MISTAKES
from autograder.setup.sample_class import as_bytes, solved, untouched
from tests.tools.school import new_course, submit
from tests.tools.school import solved as with_answers

SPLIT = MISTAKES["cho"][1]
WITHOUT_SCALE = ("d_head**0.5", "1.0")
READY = (
    "def scaled_dot_product_attention(Q, K, V, mask=None):\n"
    "    return torch.nn.functional.scaled_dot_product_attention(Q, K, V)\n"
)
STRANGE = (
    "def merge_heads(x):\n    # by {student}\n    name = 'I am {student}'\n"
    "    return (x * 0.37 + 1.7).flatten(1)[..., None]\n"
)
# {mistake: {student: exercises}}, as seen by who planned it
KNOWN = {
    "split_without_transpose": {"cho": ["split_heads"], "ida": ["split_heads"], "jan": ["split_heads"]},
    "merge_without_transpose": {"dara": ["merge_heads"], "jan": ["merge_heads"]},
    "softmax_over_queries": {"fay": ["scaled_dot_product_attention"]},
    "mask_inverted": {"eli": ["scaled_dot_product_attention"]},
    "scale_d_model": {"ben": ["multi_head_attention"]},
}


def class_of_twelve():
    """{student: notebook as bytes}."""
    work = {name: solved(LESSON, dict([MISTAKES[name]])) for name in ("ben", "cho", "dara", "eli", "fay")}
    work |= {"ada": solved(LESSON), "gus": untouched(LESSON), "ida": solved(LESSON, {"split_heads": SPLIT})}
    work["jan"] = solved(LESSON, {"split_heads": SPLIT, "merge_heads": MISTAKES["dara"][1]})
    return {
        **{name: as_bytes(notebook) for name, notebook in work.items()},
        "kai": with_answers(LESSON, scaled_dot_product_attention=READY),
        "lea": with_answers(LESSON, merge_heads=STRANGE.format(student="lea")),
        "ivo": as_bytes(work["ada"])[:5000],
    }


@pytest.mark.slow
@pytest.mark.system
@pytest.mark.usefixtures("bwrap")
def test_the_report_on_twelve_graded_notebooks_is_true(tmp_path):
    course, notebooks = new_course(tmp_path), class_of_twelve()
    assert len(notebooks) == 12
    for student, data in notebooks.items():
        submit(course, student, LESSON, data)
    with ThreadPoolExecutor(1) as executor:
        grade_class(course, executor)
    _, lessons = report_on(collect(course), with_names=True)
    report = lessons[LESSON]
    assert (report["handed_in"], report["started"], report["finished"], report["rejected"]) == (12, 10, 1, 1)
    assert {item["mistake"]: item["who"] for item in report["mistakes"] if item["mistake"] in KNOWN} == {
        mistake: sorted(students) for mistake, students in KNOWN.items()
    }
    states = {row["exercise"]: row["states"] for row in report["exercises"]}
    assert all(item["not started"] == 1 for item in states.values())
    assert states["split_heads"]["known mistake"] == 3
    assert states["split_heads"]["right"] == 7
    shown = json.dumps(report_on(collect(course))[1])
    assert not any(f"{name}" in shown.split() for name in notebooks)
    assert "I am" not in shown
