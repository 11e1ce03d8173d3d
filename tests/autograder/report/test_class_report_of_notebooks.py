"""make report after make grade: notebooks with known mistakes, graded in the sandbox."""

import json
import re
from concurrent.futures import ThreadPoolExecutor

import pytest

from autograder.gradebook.class_run import grade_class
from autograder.report.class_report.collect import collect
from autograder.report.class_report.reports import report_on
from autograder.setup.demo import LESSON, hand_in
from tests.tools.school import new_course


@pytest.mark.slow
@pytest.mark.system
@pytest.mark.usefixtures("bwrap")
def test_the_report_on_the_demo_class_counts_its_known_mistakes(tmp_path):
    course = new_course(tmp_path)
    hand_in(course / "submitted")
    with ThreadPoolExecutor(1) as executor:
        grade_class(course, executor)
    report = report_on(collect(course), with_names=True)[1][LESSON]
    assert (report["handed_in"], report["started"], report["finished"], report["rejected"]) == (9, 7, 2, 1)
    mistakes = {item["mistake"]: item["who"] for item in report["mistakes"]}
    assert mistakes == {
        "scale_d_model": ["ben"],
        "split_without_transpose": ["cho"],
        "merge_without_transpose": ["dara"],
        "mask_inverted": ["eli"],
        "softmax_over_queries": ["fay"],
    }
    states = {row["exercise"]: row["states"] for row in report["exercises"]}
    assert all(item["not started"] == 1 for item in states.values())
    assert (states["split_heads"]["known mistake"], states["split_heads"]["right"]) == (1, 6)
    report_text = json.dumps(report_on(collect(course))[1])
    assert not re.search(r"\b(ada|ben|cho)\b", report_text)
